"""One server of made sites on loopback, from a thread.

A site gives an :class:`Answer` for a path, the headers of the request, and how often
it was asked for the path. As a proxy it answers for every host name.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol
from urllib.parse import urlsplit

HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Answer:
    """An answer; ``None`` for a status breaks the connection.

    *delay* is in seconds, *short* are the bytes that are missing at its end.
    """

    status: int | None = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    short: int = 0

    def written(self) -> bytes:
        """Its bytes."""
        assert self.status is not None
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}"]
        lines += (f"{name}: {value}" for name, value in self.headers.items())
        if self.status != HTTPStatus.NOT_MODIFIED:
            lines.append(f"Content-Length: {len(self.body)}")
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        return head + self.body[: len(self.body) - self.short]


class Answering(Protocol):
    """A site that the server asks."""

    def answer(self, path: str, headers: dict[str, str], asked: int) -> Answer:
        """The answer for a path without its query."""


class Server:
    """A site, and its answers so far."""

    def __init__(self, site: Answering) -> None:
        self.site = site
        self.asked: Counter[str] = Counter()
        self.answered: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.reset()

    def reset(self) -> None:
        """Count statuses, requests and bytes from zero."""
        self.statuses: Counter[int] = Counter()
        self.requests = self.bytes = 0

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
        """Answer a request; whether the connection can go on."""
        line, *rest = head.split("\r\n")
        pairs = (each.partition(":") for each in rest)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        path = urlsplit(line.split(" ")[1]).path
        self.requests += 1
        self.asked[path] += 1
        answer = self.site.answer(path, headers, self.asked[path])
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.status is None:
            return False
        sent = answer.written()
        self.statuses[answer.status] += 1
        self.answered[path][answer.status] += 1
        self.bytes += len(sent)
        writer.write(sent)
        await writer.drain()
        return not answer.short


@contextmanager
def served(site: Answering) -> Iterator[tuple[Server, str]]:
    """Serve from a thread until the block ends; the server, and the site's URL."""
    server, loop = Server(site), asyncio.new_event_loop()
    starting = asyncio.start_server(server.connected, "127.0.0.1", 0)
    listener = loop.run_until_complete(starting)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        listener.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def port_of(url: str) -> int:
    """The port of a served site, which as a proxy answers for every host name."""
    return int(url.rpartition(":")[2])
