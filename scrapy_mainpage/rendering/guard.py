"""A SOCKS5 server on loopback, which is the only way out for rendered pages.

It resolves the names itself, checks the addresses, and connects to the very addresses
that it checked: what a name resolves to a moment later is of no use to a page.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from .addresses import Address, AllowedHosts, check

# How the browser is to be started, so that nothing in it goes around the guard that
# its contexts are given as {"server": guard.url, "bypass": "<-loopback>"}.
BROWSER_ARGUMENTS: Final[tuple[str, ...]] = (
    # What belongs to no context, such as the browser's own requests, goes nowhere.
    "--proxy-server=socks5://nowhere.invalid:1",
    # To be proxied too: loopback and link-local, which browsers reach directly.
    "--proxy-bypass-list=<-loopback>",
    # The browser resolves no names: those of WebRTC, WebTransport and prefetching.
    # Addresses count as names here; the guard's is the one that is needed.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # WebRTC would send UDP itself. The first is read by headless shells, the second
    # by complete browsers.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # HTTP/3 is UDP, and so is WebTransport.
    "--disable-quic",
    # Complete browsers only: no names are resolved ahead of their use.
    "--dns-prefetch-disable",
)

# Seconds.
HANDSHAKE_TIMEOUT = 10.0
RESOLVE_TIMEOUT = 10.0
CONNECT_TIMEOUT = 5.0  # for each address
HALF_OPEN_TIMEOUT = 30.0  # for the rest of an answer to one who has said all

# Two sockets each; many systems let a process have 1024.
MAX_TUNNELS = 256
_CHUNK: Final = 65536

# RFC 1928.
_VERSION: Final = 5
_NO_AUTHENTICATION, _NO_ACCEPTABLE_METHOD = 0, 0xFF
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_LENGTH: Final = {_IPV4: 4, _IPV6: 16}
_SUCCEEDED, _NOT_ALLOWED, _UNREACHABLE, _REFUSED = 0, 2, 4, 5
_NO_SUCH_COMMAND, _NO_SUCH_ADDRESS_TYPE = 7, 8

# All that are asked for in practice; no NUL, no blank, no label that is too long.
_HOST: Final = re.compile(r"(?=.{1,253}\.?\Z)([\w-]{1,63}\.)*[\w-]{1,63}\.?", re.ASCII)


class _Stream(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class _Failure(Exception):
    """The browser gets this reply instead of a tunnel."""

    def __init__(self, reply: int) -> None:
        self.reply = reply


class _TooLarge(Exception):
    """More came for the browser than one tunnel may carry."""


class Guard:
    """A SOCKS5 server without authentication, for CONNECT only.

    A tunnel is cut that carried more than *max_bytes* to the browser. ``refused`` is
    called with the reason, the host as asked for, and the port: the reason is one of
    `addresses.forbidden`, ``invalid_host``, ``too_large`` or ``too_many``, the last
    one without host and port as that connection is not even read.
    """

    def __init__(
        self,
        allowed: AllowedHosts,
        *,
        max_bytes: int,
        refused: Callable[[str, str, int], None],
    ) -> None:
        self._allowed = allowed
        self._max_bytes = max_bytes
        self._refused = refused
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._tunnels: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1, unless it does already."""
        async with self._starting:
            if self._server is None:
                self._server = await asyncio.start_server(
                    self._accept, "127.0.0.1", 0, limit=_CHUNK
                )

    @property
    def url(self) -> str:
        """For the browser's proxy setting. RuntimeError if it is not started."""
        if self._server is None:
            raise RuntimeError("the guard of rendered pages is not started")
        port = self._server.sockets[0].getsockname()[1]
        return f"socks5://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening and cut all tunnels. It may be started again."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        # Again and again: asyncio.wait_for of Python 3.10 and 3.11 loses cancellations
        # that come with its result.
        while self._tunnels:
            for tunnel in self._tunnels:
                tunnel.cancel()
            await asyncio.wait(self._tunnels, timeout=1)
        await server.wait_closed()

    def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a new connection in a task of its own, which `close` can end."""
        if self._server is None:
            writer.transport.abort()
        elif len(self._tunnels) >= MAX_TUNNELS:
            writer.transport.abort()
            self._refused("too_many", "", 0)
        else:
            writer.transport.set_write_buffer_limits(0)
            tunnel = asyncio.ensure_future(self._serve(_Stream(reader, writer)))
            self._tunnels.add(tunnel)
            tunnel.add_done_callback(self._tunnels.discard)

    async def _serve(self, browser: _Stream) -> None:
        try:
            await self._tunnel(browser)
        except _Failure as failure:
            with suppress(OSError):
                await _reply(browser, failure.reply)
        except (OSError, EOFError, asyncio.TimeoutError):
            pass  # One side spoke no SOCKS, was too slow, or is gone.
        finally:
            await _discard(browser)

    async def _tunnel(self, browser: _Stream) -> None:
        host, port = await asyncio.wait_for(_handshake(browser), HANDSHAKE_TIMEOUT)
        site = await self._open(host, port)
        try:
            await _reply(browser, _SUCCEEDED)
            await _carry(browser, site, self._max_bytes)
        except _TooLarge:
            self._refused("too_large", host, port)
        finally:
            await _discard(site)

    async def _open(self, host: str, port: int) -> _Stream:
        """A connection to one of the host's addresses. Raises _Failure."""
        addresses = await self._addresses(host, port)
        for address in addresses:
            # One forbidden address condemns the name: browsers would try the next
            # address after a public one that fails, which is how names are rebound.
            reason = check(host, address, port, self._allowed)
            if reason is not None:
                raise self._refuse(reason, host, port)
        reply = _UNREACHABLE
        for address in _alternate(addresses):
            tried = await _try(address, port)
            if isinstance(tried, _Stream):
                return tried
            reply = tried
        raise _Failure(reply)

    async def _addresses(self, host: str, port: int) -> list[Address]:
        """What *host*, a name or an address, stands for. Raises _Failure."""
        if "%" not in host:  # No browser asks for an address with a zone.
            with suppress(ValueError):
                return [ip_address(host)]
        if not _HOST.fullmatch(host):
            raise self._refuse("invalid_host", host, port)
        try:
            return await asyncio.wait_for(resolve(host, port), RESOLVE_TIMEOUT)
        except (OSError, asyncio.TimeoutError):
            raise _Failure(_UNREACHABLE) from None

    def _refuse(self, reason: str, host: str, port: int) -> _Failure:
        self._refused(reason, host, port)
        return _Failure(_NOT_ALLOWED)


async def resolve(host: str, port: int) -> list[Address]:
    """The addresses of *host*, best first. It may read odd forms of IPv4 (127.1)."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(name[0]) for *_, name in found]


async def connect(address: Address, port: int) -> _Stream:
    """A connection to exactly *address*: nothing is resolved here."""
    reader, writer = await asyncio.open_connection(
        str(address), port, limit=_CHUNK, flags=socket.AI_NUMERICHOST
    )
    writer.transport.set_write_buffer_limits(0)
    return _Stream(reader, writer)


async def _try(address: Address, port: int) -> _Stream | int:
    """A connection, or the reply that says why there is none."""
    try:
        return await asyncio.wait_for(connect(address, port), CONNECT_TIMEOUT)
    except ConnectionRefusedError:
        return _REFUSED
    except (OSError, asyncio.TimeoutError):
        return _UNREACHABLE


def _alternate(addresses: list[Address]) -> Iterator[Address]:
    """The families in turn, so that one that does not work here costs little time."""
    first = [it for it in addresses if it.version == addresses[0].version]
    other = [it for it in addresses if it.version != addresses[0].version]
    return filter(None, chain.from_iterable(zip_longest(first, other)))


async def _handshake(browser: _Stream) -> tuple[str, int]:
    """The host and port that the browser wants to be connected to.

    Raises OSError or EOFError for what is no SOCKS, _Failure for more than CONNECT.
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
        raise _Failure(_NO_SUCH_COMMAND)
    return host, port


async def _read_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode("latin-1")
    if kind not in _ADDRESS_LENGTH:
        raise _Failure(_NO_SUCH_ADDRESS_TYPE)
    return str(ip_address(await reader.readexactly(_ADDRESS_LENGTH[kind])))


async def _reply(browser: _Stream, reply: int) -> None:
    """Tell how it went. The address that is used is nobody's business: 0.0.0.0:0."""
    browser.writer.write(bytes([_VERSION, reply, 0, _IPV4]) + bytes(6))
    await browser.writer.drain()


async def _carry(browser: _Stream, site: _Stream, max_bytes: int) -> None:
    """Hand on bytes both ways until both are through. Raises OSError, _TooLarge."""
    both = {
        asyncio.ensure_future(_pump(browser.reader, site.writer, None)),
        asyncio.ensure_future(_pump(site.reader, browser.writer, max_bytes)),
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
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int | None
) -> None:
    """Hand on what comes, not faster than it is taken, and its end."""
    carried = 0
    while data := await reader.read(_CHUNK):
        carried += len(data)
        if limit is not None and carried > limit:
            raise _TooLarge
        writer.write(data)
        await writer.drain()
    writer.write_eof()


async def _discard(stream: _Stream) -> None:
    """Close at once: drain() left nothing behind, as the buffers' limit is 0."""
    stream.writer.transport.abort()
    with suppress(OSError):
        await stream.writer.wait_closed()
