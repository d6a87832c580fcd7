"""Serves the site as an HTTP proxy on loopback: every host name leads here.

``python -m lab.soak.server COUNT SEED EDITION FILE`` prints its port. On SIGTERM it
writes into FILE the number of answers by path and status.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from .site import Answer, Site


class Server:
    """The site, and its answers so far."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: Counter[str] = Counter()
        self.answered: defaultdict[str, Counter[int]] = defaultdict(Counter)

    async def serve(self, file: Path) -> None:
        """Answer until SIGTERM."""
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await stop.wait()
        server.close()
        file.write_text(json.dumps(self.answered), encoding="utf-8")

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if not await self._answer(head, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the crawl was killed, or has done with it
        finally:
            writer.close()

    async def _answer(self, head: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer a request; whether the connection can go on."""
        path = urlsplit(head.split(b" ", 2)[1].decode("ascii")).path
        self.asked[path] += 1
        answer = self.site.answer(path, self.asked[path])
        if answer.delay:
            await asyncio.sleep(answer.delay)
        writer.write(_written(answer))
        await writer.drain()
        self.answered[path][answer.status] += 1
        return not answer.short


def _written(answer: Answer) -> bytes:
    lines = [
        f"HTTP/1.1 {answer.status} Soak",
        f"Content-Type: {answer.content_type}",
        f"Content-Length: {len(answer.body)}",
        *(f"{name}: {value}" for name, value in answer.headers.items()),
    ]
    head = "\r\n".join(lines).encode("ascii") + b"\r\n\r\n"
    return head + answer.body[: len(answer.body) - answer.short]


def main() -> None:
    """Serve as many pages as the command line says."""
    *numbers, file = sys.argv[1:]
    asyncio.run(Server(Site(*map(int, numbers))).serve(Path(file)))


if __name__ == "__main__":
    main()
