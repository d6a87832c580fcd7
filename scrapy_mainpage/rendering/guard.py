"""SOCKS5 server on loopback: the only network access of rendered pages.

It resolves names itself, checks the addresses, and connects to the checked addresses:
resolving the name again later gains a page nothing. With the user's proxy behind it, it
checks as far as names resolve here, and the proxy connects.
"""

from __future__ import annotations

import asyncio
import math
import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from .destinations import Address, Destinations, ForbiddenError, Refusals
from .upstream import (
    CHUNK_BYTES,
    Stream,
    Upstream,
    UpstreamError,
    connect_through,
    discard,
)

# Arguments that keep the browser from bypassing the guard, which its contexts get as
# the proxy {"server": guard.url, "bypass": "<-loopback>"}.
BROWSER_ARGUMENTS: Final[tuple[str, ...]] = (
    # Traffic outside of any context, such as the browser's own, goes nowhere.
    "--proxy-server=socks5://nowhere.invalid:1",
    # Loopback and link-local are proxied, too: browsers connect to them directly.
    "--proxy-bypass-list=<-loopback>",
    # The browser resolves no names: those of WebRTC, WebTransport and prefetching.
    # Addresses count as names here; the guard's own is excluded.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # WebRTC would send UDP itself. Headless shells read the first, complete browsers
    # the second.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # HTTP/3 and WebTransport use UDP.
    "--disable-quic",
    # Complete browsers only: no names are resolved ahead of their use.
    "--dns-prefetch-disable",
)

SUCCEEDED, NOT_ALLOWED, UNREACHABLE, REFUSED = 0, 2, 4, 5
_NO_SUCH_COMMAND, _NO_SUCH_ADDRESS_TYPE = 7, 8

_VERSION: Final = 5
_NO_AUTHENTICATION, _NO_ACCEPTABLE_METHOD = 0, 0xFF
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_BYTES: Final = {_IPV4: 4, _IPV6: 16}

HALF_OPEN_SECONDS = 30.0
"""Time for the rest of one direction after the end of the other."""

HANDSHAKE_SECONDS = 10.0
CONNECT_SECONDS = 5.0
"""Time for each address."""

MAX_TUNNELS = 128
"""Two sockets each; many systems allow a process 1024."""


class SocksFailure(Exception):
    """The browser gets this SOCKS reply instead of a tunnel."""

    def __init__(self, reply: int) -> None:
        super().__init__(reply)
        self.reply = reply


class _TooLarge(Exception):
    """A tunnel carried more to the browser than it may."""


class Guard:
    """SOCKS5 server of one page, without authentication, for CONNECT only.

    A tunnel is cut after more than *max_bytes* to the browser. Refusals are added with
    reason, host as asked for, and port: the reason is one of
    :func:`.destinations.find_reason`, ``invalid_host``, ``too_large`` or ``too_many``,
    the last one without host and port as that connection is not read.

    With an *upstream* all connections go through that proxy. Addresses are checked all
    the same, and names that resolve here. Failures of the proxy are no refusals.
    """

    def __init__(
        self,
        destinations: Destinations,
        refusals: Refusals,
        *,
        max_bytes: int,
        upstream: Upstream | None = None,
    ) -> None:
        self._destinations = destinations
        self._refusals = refusals
        self._max_bytes = max_bytes
        self._upstream = upstream
        self._server: asyncio.Server | None = None
        self._tunnels: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=CHUNK_BYTES
        )

    @property
    def url(self) -> str:
        """URL for the browser's proxy setting. :exc:`RuntimeError` if not started."""
        if self._server is None:
            raise RuntimeError("the guard of rendered pages is not started")
        port = self._server.sockets[0].getsockname()[1]
        return f"socks5://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening and cut all tunnels."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        # Repeated: asyncio.wait_for of Python 3.10 and 3.11 loses cancellations that
        # coincide with its result.
        while self._tunnels:
            for tunnel in self._tunnels:
                tunnel.cancel()
            await asyncio.wait(self._tunnels, timeout=1)
        await server.wait_closed()

    def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a new connection in a task of its own, which :meth:`close` ends."""
        if self._server is None:
            writer.transport.abort()
        elif len(self._tunnels) >= MAX_TUNNELS:
            writer.transport.abort()
            self._refusals.add("too_many")
        else:
            writer.transport.set_write_buffer_limits(0)
            tunnel = asyncio.ensure_future(self._serve(Stream(reader, writer)))
            self._tunnels.add(tunnel)
            tunnel.add_done_callback(self._tunnels.discard)

    async def _serve(self, browser: Stream) -> None:
        try:
            await self._tunnel(browser)
        except SocksFailure as failure:
            with suppress(OSError):
                await send_reply(browser, failure.reply)
        except (OSError, EOFError, asyncio.TimeoutError):
            pass  # Another protocol, a slow peer, or a closed connection.
        finally:
            await discard(browser)

    async def _tunnel(self, browser: Stream) -> None:
        host, port = await asyncio.wait_for(read_request(browser), HANDSHAKE_SECONDS)
        site = await self._open(host, port)
        try:
            await send_reply(browser, SUCCEEDED)
            await forward(browser, site, self._max_bytes)
        except _TooLarge:
            self._refusals.add("too_large", host, port)
        finally:
            await discard(site)

    async def _open(self, host: str, port: int) -> Stream:
        """Connect to one of the host's addresses. Raises SocksFailure."""
        try:
            target, addresses = await self._destinations.find(
                host, port, behind_proxy=self._upstream is not None
            )
        except ForbiddenError as error:
            self._refusals.add(error.reason, host, port)
            raise SocksFailure(NOT_ALLOWED) from None
        except (OSError, asyncio.TimeoutError):
            raise SocksFailure(UNREACHABLE) from None
        if self._upstream is None:
            return await _connect_any(addresses, port)
        try:
            return await connect_through(self._upstream, target, port)
        except UpstreamError as error:
            self._refusals.add_problem(str(self._upstream), str(error))
            raise SocksFailure(error.reply) from None


async def _connect_any(addresses: list[Address], port: int) -> Stream:
    """Connect to the first address that answers. Raises SocksFailure."""
    reply = UNREACHABLE
    for address in addresses:
        try:
            return await asyncio.wait_for(connect(address, port), CONNECT_SECONDS)
        except (OSError, asyncio.TimeoutError) as error:  # noqa: PERF203
            refused = isinstance(error, ConnectionRefusedError)
            reply = REFUSED if refused else UNREACHABLE
    raise SocksFailure(reply)


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


async def forward(browser: Stream, site: Stream, max_bytes: int) -> None:
    """Forward bytes in both directions until both end.

    Raises :exc:`OSError`, and ``_TooLarge`` after *max_bytes* to the browser.
    """
    both = {
        asyncio.ensure_future(_pump(browser.reader, site.writer, math.inf)),
        asyncio.ensure_future(_pump(site.reader, browser.writer, max_bytes)),
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
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: float
) -> None:
    """Forward one direction, no faster than it is accepted, and its end."""
    while data := await reader.read(CHUNK_BYTES):
        left -= len(data)
        if left < 0:
            raise _TooLarge
        writer.write(data)
        await writer.drain()
    writer.write_eof()
