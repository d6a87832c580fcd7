"""Servers on loopback, and a guard that opens tunnels to them."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import pytest

from scrapy_mainpage.rendering import destinations
from scrapy_mainpage.rendering.destinations import (
    Address,
    AllowedHosts,
    Destinations,
    Refusals,
)
from scrapy_mainpage.rendering.guard import Guard
from scrapy_mainpage.rendering.upstream import Upstream
from tests.crawling import make_crawler

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

LARGE = 32 << 20


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run *test*; fail if it leaves a task or a transport behind."""

    async def clean() -> None:
        await asyncio.wait_for(test, 120)  # Do not hang for ever.
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(clean())
    gc.collect()  # Unclosed resources warn here, and warnings are errors.


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


@dataclass
class Server:
    """A server on 127.0.0.1 that counts its connections."""

    port: int = 0
    connections: int = 0
    tasks: set[asyncio.Task[None]] = field(default_factory=set)


@asynccontextmanager
async def served(serve: Serve = echo) -> AsyncIterator[Server]:
    log = Server()

    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError, EOFError):
            await serve(reader, writer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        log.connections += 1
        task = asyncio.ensure_future(handle(reader, writer))
        log.tasks.add(task)
        task.add_done_callback(log.tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    log.port = server.sockets[0].getsockname()[1]
    try:
        yield log
    finally:
        server.close()
        await asyncio.gather(*log.tasks)
        await server.wait_closed()


class Log(Refusals):
    def __init__(self) -> None:
        super().__init__(make_crawler().stats)
        self.refused: list[tuple[str, str, int]] = []

    def add(self, reason: str, host: str = "", port: int = 0) -> None:
        self.refused.append((reason, host, port))


@dataclass
class Guarded:
    """A guard and the requests it refused."""

    guard: Guard
    refused: list[tuple[str, str, int]]

    async def connect(self) -> Streams:
        url = urlsplit(self.guard.url)
        assert (url.scheme, url.hostname) == ("socks5", "127.0.0.1")
        return await asyncio.open_connection(url.hostname, url.port)

    async def ask(
        self, host: str | bytes | Address, port: int, *, command: int = 1
    ) -> tuple[int, Streams]:
        """Request a tunnel; return the reply code and the connection."""
        reader, writer = streams = await self.connect()
        writer.write(b"\5\1\0" + request(host, port, command))
        try:
            reply = await reader.readexactly(12)
        except BaseException:
            await hang_up(streams)
            raise
        assert reply[:3] + reply[4:] == b"\5\0\5\0\1" + bytes(6)
        return reply[3], streams

    async def reply(self, host: str | bytes | Address, port: int, **more: int) -> int:
        code, streams = await self.ask(host, port, **more)
        await hang_up(streams)
        return code


def request(host: str | bytes | Address, port: int, command: int = 1) -> bytes:
    if isinstance(host, str):
        host = host.encode()
    if isinstance(host, bytes):
        address = bytes([3, len(host)]) + host
    else:
        address = bytes([1 if host.version == 4 else 4]) + host.packed
    return bytes([5, command, 0]) + address + port.to_bytes(2, "big")


async def hang_up(streams: Streams) -> None:
    streams[1].close()
    with suppress(OSError):
        await streams[1].wait_closed()


async def rest(streams: Streams) -> bytes:
    """Read until the end of the stream or a connection reset."""
    data = bytearray()
    with suppress(OSError):
        while more := await streams[0].read(65536):
            data += more
    await hang_up(streams)
    return bytes(data)


@asynccontextmanager
async def guarded(
    *allowed: str, max_bytes: int = LARGE, upstream: Upstream | None = None
) -> AsyncIterator[Guarded]:
    log = Log()
    found = Destinations(AllowedHosts.parse(allowed))
    guard = Guard(found, log, max_bytes=max_bytes, upstream=upstream)
    await guard.start()
    try:
        yield Guarded(guard, log.refused)
    finally:
        await guard.close()


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Resolve names to the answers in turn; further names do not resolve.

    Return the list of the names looked up.
    """
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[Address]:
        asked.append(host)
        if len(asked) > len(answers):
            raise socket.gaierror
        return [ip_address(text) for text in answers[len(asked) - 1].split()]

    monkeypatch.setattr(destinations, "resolve", resolve)
    return asked
