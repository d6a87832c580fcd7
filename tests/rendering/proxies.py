"""Proxies on loopback: HTTP CONNECT and SOCKS5, each in a few lines."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TypeAlias

Reader: TypeAlias = asyncio.StreamReader
Writer: TypeAlias = asyncio.StreamWriter
Proxy: TypeAlias = Callable[[Reader, Writer], Awaitable[None]]


@dataclass
class Asked:
    """Requests to a proxy; all names lead to 127.0.0.1."""

    hosts: list[str] = field(default_factory=list)
    credentials: list[bytes] = field(default_factory=list)


def http(asked: Asked, credentials: bytes = b"") -> Proxy:
    """An HTTP proxy that requires the credentials (``name:password``)."""
    expected = b"Basic " + b64encode(credentials)

    async def serve(reader: Reader, writer: Writer) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
        method, target, version = head[0].split()
        assert (method, version) == ("CONNECT", "HTTP/1.1")
        headers = dict(line.split(": ", 1) for line in head[1:] if line)
        assert headers.pop("Host") == target
        given = headers.pop("Proxy-Authorization", "").encode()
        assert headers.keys() == {"User-Agent"}
        asked.hosts.append(target)
        asked.credentials.append(given)
        if credentials and given != expected:
            writer.write(b"HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n")
        else:
            writer.write(b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n")
            await relay(reader, writer, int(target.rpartition(":")[2]))

    return serve


def socks(asked: Asked, credentials: bytes = b"") -> Proxy:
    """A SOCKS5 proxy that requires the credentials (``name:password``)."""

    async def serve(reader: Reader, writer: Writer) -> None:
        version, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        method = 2 if credentials else 0
        writer.write(bytes([5, method if method in methods else 0xFF]))
        if version != 5 or method not in methods:
            return
        if credentials and not await log_in(reader, writer):
            return
        assert await reader.readexactly(3) == b"\5\1\0"
        host = await read_host(reader)
        port = int.from_bytes(await reader.readexactly(2), "big")
        asked.hosts.append(f"{host}:{port}")
        writer.write(b"\5\0\0\3\x05proxy\0\1")
        await relay(reader, writer, port)

    async def log_in(reader: Reader, writer: Writer) -> bool:
        assert await reader.readexactly(1) == b"\1"
        name = await reader.readexactly((await reader.readexactly(1))[0])
        password = await reader.readexactly((await reader.readexactly(1))[0])
        given = name + b":" + password
        asked.credentials.append(given)
        writer.write(bytes([1, given != credentials]))
        return given == credentials

    return serve


async def read_host(reader: Reader) -> str:
    (kind,) = await reader.readexactly(1)
    if kind == 3:
        return (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    packed = await reader.readexactly({1: 4, 4: 16}[kind])
    return str(ip_address(packed))


async def relay(reader: Reader, writer: Writer, port: int) -> None:
    """Connect to the port of 127.0.0.1 and pass on bytes both ways."""
    site_reader, site_writer = await asyncio.open_connection("127.0.0.1", port)

    async def pump(source: Reader, target: Writer) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
            target.write_eof()

    await asyncio.gather(pump(reader, site_writer), pump(site_reader, writer))
    site_writer.close()
    with suppress(OSError):
        await site_writer.wait_closed()


def says(answer: bytes, *, first: int = 1) -> Proxy:
    """A proxy that reads *first* bytes, sends a fixed answer, and hangs up."""

    async def serve(reader: Reader, writer: Writer) -> None:
        await reader.read(first)
        writer.write(answer)
        with suppress(OSError):
            await writer.drain()
            writer.write_eof()
            await reader.read()

    return serve


async def silent(reader: Reader, writer: Writer) -> None:
    """A proxy that sends nothing until the other side gives up."""
    await reader.read()
