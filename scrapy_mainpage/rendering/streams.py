"""Connections, and the handing on of bytes between two of them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from .addresses import Address

HALF_OPEN_TIMEOUT = 30.0
"""Seconds for the rest of an answer to one who has said all."""

CHUNK: Final = 65536
"""Bytes that are read at once, at most."""

Count: TypeAlias = Callable[[int], None]
"""Called with the size of each piece before it is handed on; may raise."""


class Stream(NamedTuple):
    """Both directions of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


async def connect(address: Address, port: int) -> Stream:
    """Return a connection to exactly *address*: nothing is resolved here."""
    reader, writer = await asyncio.open_connection(
        str(address), port, limit=CHUNK, flags=socket.AI_NUMERICHOST
    )
    writer.transport.set_write_buffer_limits(0)
    return Stream(reader, writer)


async def carry(browser: Stream, site: Stream, count: Count) -> None:
    """Hand on bytes both ways until both are through.

    *count* is asked about what goes to the browser. Raises OSError, and what *count*
    raises.
    """
    both = {
        asyncio.ensure_future(_pump(browser.reader, site.writer, None)),
        asyncio.ensure_future(_pump(site.reader, browser.writer, count)),
    }
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        done, _ = await asyncio.wait(
            both, timeout=HALF_OPEN_TIMEOUT, return_when=asyncio.FIRST_EXCEPTION
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
    """Hand on what comes, not faster than it is taken, and its end."""
    while data := await reader.read(CHUNK):
        if count is not None:
            count(len(data))
        writer.write(data)
        await writer.drain()
    if not writer.can_write_eof():
        # TLS, to a proxy, has no half-closed connections, and browsers use none.
        raise ConnectionAbortedError
    writer.write_eof()


async def discard(stream: Stream) -> None:
    """Close at once: drain() left nothing behind, as the buffers' limit is 0."""
    stream.writer.transport.abort()
    with suppress(OSError):
        await stream.writer.wait_closed()
