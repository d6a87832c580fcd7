"""Serves the site on loopback, from a thread, and counts what it sends."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import urlsplit

from .site import Answer, Site


class Server:
    """The answers of the site so far, by status, and their bytes."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.statuses: Counter[int] = Counter()
        self.requests = self.bytes = 0

    def reset(self) -> None:
        """Count from zero: a new round."""
        self.statuses, self.requests, self.bytes = Counter(), 0, 0

    async def connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the requests of a connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if not await self._answer(head.decode("latin-1"), writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the crawl has ended, or was killed
        finally:
            writer.close()

    async def _answer(self, head: str, writer: asyncio.StreamWriter) -> bool:
        line, *rest = head.split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (each.partition(":") for each in rest)
        }
        self.requests += 1
        answer = self.site.answer(urlsplit(line.split(" ")[1]).path, headers)
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.status is None:
            return False
        sent = _written(answer)
        self.statuses[answer.status] += 1
        self.bytes += len(sent)
        writer.write(sent)
        await writer.drain()
        return True


def _written(answer: Answer) -> bytes:
    assert answer.status is not None
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += (f"{name}: {value}" for name, value in answer.headers.items())
    if answer.status != HTTPStatus.NOT_MODIFIED:
        lines.append(f"Content-Length: {len(answer.body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + answer.body


@contextmanager
def served(site: Site) -> Iterator[Server]:
    """Serve until the block ends; ``site.base`` is then the URL without a path."""
    server, loop = Server(site), asyncio.new_event_loop()
    starting = asyncio.start_server(server.connected, "127.0.0.1", 0)
    listener = loop.run_until_complete(starting)
    site.base = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        listener.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
