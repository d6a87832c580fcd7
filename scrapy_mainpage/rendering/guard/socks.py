"""Server side of SOCKS5 (RFC 1928), and the streams that it connects."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Final, NamedTuple, TypeAlias

from .addresses import Address

SUCCEEDED, FAILED, NOT_ALLOWED, UNREACHABLE, REFUSED = 0, 1, 2, 4, 5
_NO_SUCH_COMMAND, _NO_SUCH_ADDRESS_TYPE = 7, 8

_VERSION: Final = 5
_NO_AUTHENTICATION, _NO_ACCEPTABLE_METHOD = 0, 0xFF
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_BYTES: Final = {_IPV4: 4, _IPV6: 16}

HALF_OPEN_SECONDS = 30.0
"""Time for the rest of one direction after the end of the other."""

CHUNK_BYTES: Final = 65536
"""Largest piece that is read at once."""

Count: TypeAlias = Callable[[int], None]
"""Called with the size of each piece before it is forwarded; may raise."""


class SocksFailure(Exception):
    """The browser gets this SOCKS reply instead of a tunnel."""

    def __init__(self, reply: int) -> None:
        super().__init__(reply)
        self.reply = reply


class Stream(NamedTuple):
    """Both directions of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


# --- Protocol ------------------------------------------------------------------


async def read_request(browser: Stream) -> tuple[str, int]:
    """Return the host and port that the browser wants to connect to.

    Raises :exc:`OSError` or :exc:`EOFError` for another protocol,
    :exc:`SocksFailure` for a command other than CONNECT.
    """
    reader, writer = browser
    version, methods = await reader.readexactly(2)
    if version != _VERSION:
        raise ConnectionAbortedError
    offered = await reader.readexactly(methods)
    if _NO_AUTHENTICATION not in offered:
        writer.write(bytes([_VERSION, _NO_ACCEPTABLE_METHOD]))
        await writer.drain()
        raise ConnectionAbortedError
    writer.write(bytes([_VERSION, _NO_AUTHENTICATION]))
    version, command, _, kind = await reader.readexactly(4)
    if version != _VERSION:
        raise ConnectionAbortedError
    host = await _read_host(reader, kind)
    port = int.from_bytes(await reader.readexactly(2), "big")
    if command != _CONNECT:
        raise SocksFailure(_NO_SUCH_COMMAND)
    return host, port


async def _read_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode("latin-1")
    if kind not in _ADDRESS_BYTES:
        raise SocksFailure(_NO_SUCH_ADDRESS_TYPE)
    return str(ip_address(await reader.readexactly(_ADDRESS_BYTES[kind])))


async def send_reply(browser: Stream, reply: int) -> None:
    """Answer the request. The address in use is not disclosed: 0.0.0.0:0."""
    browser.writer.write(bytes([_VERSION, reply, 0, _IPV4]) + bytes(6))
    await browser.writer.drain()


# --- Streams -------------------------------------------------------------------


async def connect(address: Address, port: int) -> Stream:
    """Connect to exactly *address*: nothing is resolved here."""
    reader, writer = await asyncio.open_connection(
        str(address), port, limit=CHUNK_BYTES, flags=socket.AI_NUMERICHOST
    )
    writer.transport.set_write_buffer_limits(0)
    return Stream(reader, writer)


async def forward(browser: Stream, site: Stream, count: Count) -> None:
    """Forward bytes in both directions until both end.

    *count* is called for the direction to the browser. Raises :exc:`OSError`, and the
    exceptions of *count*.
    """
    both = {
        asyncio.ensure_future(_pump(browser.reader, site.writer, None)),
        asyncio.ensure_future(_pump(site.reader, browser.writer, count)),
    }
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        done, _ = await asyncio.wait(
            both, timeout=HALF_OPEN_SECONDS, return_when=asyncio.FIRST_EXCEPTION
        )
        for pump in done:
            pump.result()
    finally:
        for pump in both:
            pump.cancel()
        await asyncio.gather(*both, return_exceptions=True)


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: Count | None
) -> None:
    """Forward one direction, no faster than it is accepted, and its end."""
    while data := await reader.read(CHUNK_BYTES):
        if count is not None:
            count(len(data))
        writer.write(data)
        await writer.drain()
    if not writer.can_write_eof():
        # TLS, to a proxy, has no half-closed connections, and browsers use none.
        raise ConnectionAbortedError
    writer.write_eof()


async def discard(stream: Stream) -> None:
    """Close at once; with a write buffer of 0 nothing is left to be sent."""
    stream.writer.transport.abort()
    with suppress(OSError):
        await stream.writer.wait_closed()
