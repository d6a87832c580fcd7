"""A SOCKS5 server on loopback, which is the only way out for rendered pages.

It resolves the names itself, checks the addresses, and connects to the very addresses
that it checked: what a name resolves to a moment later is of no use to a page. With a
proxy of the user's behind it, it checks what can be known here, and the proxy connects.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Final

from .addresses import Address, AllowedHosts
from .destinations import Destinations, Forbidden
from .socks import (
    NOT_ALLOWED,
    REFUSED,
    SUCCEEDED,
    UNREACHABLE,
    Failure,
    Refusal,
    answer,
    asked_for,
)
from .streams import CHUNK, Count, Stream, carry, connect, discard
from .upstream import Upstream, connect_through

logger = logging.getLogger(__name__)

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
CONNECT_TIMEOUT = 5.0  # for each address

# Two sockets each; many systems let a process have 1024.
MAX_TUNNELS = 256

# Different things that are wrong with a proxy.
_MOST_TOLD: Final = 100


class _TooLarge(Exception):
    """More came for the browser than one tunnel may carry."""


class Guard:
    """A SOCKS5 server without authentication, for CONNECT only.

    A tunnel is cut that carried more than *max_bytes* to the browser since the last
    `renew`. ``refused`` is called with the reason, the host as asked for, and the port:
    the reason is one of `addresses.forbidden`, ``invalid_host``, ``too_large`` or
    ``too_many``, the last one without host and port as that connection is not even
    read.

    With an *upstream* everything goes through that proxy. Addresses are checked all the
    same, and names that resolve here; others are the proxy's to resolve. Its failures
    are logged, each once, and are not ``refused``.
    """

    def __init__(
        self,
        allowed: AllowedHosts,
        *,
        max_bytes: int,
        refused: Callable[[str, str, int], None],
        upstream: Upstream | None = None,
    ) -> None:
        elsewhere = upstream is not None
        self._destinations = Destinations(allowed, resolved_elsewhere=elsewhere)
        self._max_bytes = max_bytes
        self._refused = refused
        self._upstream = upstream
        self._page = 0
        self._told: set[str] = set()
        self._server: asyncio.Server | None = None
        self._starting = asyncio.Lock()
        self._tunnels: set[asyncio.Task[None]] = set()

    def renew(self) -> None:
        """Start a page: what the tunnels carry is counted anew from here on.

        Browsers keep connections for the pages that follow. The limit is generous where
        pages are rendered at the same time, as each of them starts the counts of all.
        """
        self._page += 1

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1, unless it does already."""
        async with self._starting:
            if self._server is None:
                self._server = await asyncio.start_server(
                    self._accept, "127.0.0.1", 0, limit=CHUNK
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
            tunnel = asyncio.ensure_future(self._serve(Stream(reader, writer)))
            self._tunnels.add(tunnel)
            tunnel.add_done_callback(self._tunnels.discard)

    async def _serve(self, browser: Stream) -> None:
        try:
            await self._tunnel(browser)
        except Failure as failure:
            with suppress(OSError):
                await answer(browser, failure.reply)
        except (OSError, EOFError, asyncio.TimeoutError):
            pass  # One side spoke no SOCKS, was too slow, or is gone.
        finally:
            await discard(browser)

    async def _tunnel(self, browser: Stream) -> None:
        host, port = await asyncio.wait_for(asked_for(browser), HANDSHAKE_TIMEOUT)
        site = await self._open(host, port)
        try:
            await answer(browser, SUCCEEDED)
            await carry(browser, site, self._count())
        except _TooLarge:
            self._refused("too_large", host, port)
        finally:
            await discard(site)

    def _count(self) -> Count:
        """What counts the bytes of one tunnel. It raises _TooLarge."""
        page, carried = self._page, 0

        def count(size: int) -> None:
            nonlocal page, carried
            if page != self._page:
                page, carried = self._page, 0
            carried += size
            if carried > self._max_bytes:
                raise _TooLarge

        return count

    async def _open(self, host: str, port: int) -> Stream:
        """A connection to one of the host's addresses. Raises Failure."""
        try:
            target, addresses = await self._destinations.find(host, port)
        except Forbidden as forbidden:
            self._refused(forbidden.reason, host, port)
            raise Failure(NOT_ALLOWED) from None
        if self._upstream is None:
            return await _reach(addresses, port)
        return await self._through(self._upstream, target, port)

    async def _through(
        self, upstream: Upstream, target: Address | str, port: int
    ) -> Stream:
        try:
            return await connect_through(upstream, target, port)
        except Refusal as refusal:
            self._tell(upstream, str(refusal))
            raise Failure(refusal.reply) from None

    def _tell(self, upstream: Upstream, problem: str) -> None:
        if problem not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(problem)
            details = {"proxy": str(upstream), "problem": problem}
            logger.warning(
                "The proxy of rendered pages, %(proxy)s: %(problem)s", details
            )


async def _reach(addresses: list[Address], port: int) -> Stream:
    """A connection to the first of the addresses that answers. Raises Failure."""
    reply = UNREACHABLE
    for address in _alternate(addresses):
        tried = await _try(address, port)
        if isinstance(tried, Stream):
            return tried
        reply = tried
    raise Failure(reply)


async def _try(address: Address, port: int) -> Stream | int:
    """A connection, or the reply that says why there is none."""
    try:
        return await asyncio.wait_for(connect(address, port), CONNECT_TIMEOUT)
    except ConnectionRefusedError:
        return REFUSED
    except (OSError, asyncio.TimeoutError):
        return UNREACHABLE


def _alternate(addresses: list[Address]) -> Iterator[Address]:
    """The families in turn, so that one that does not work here costs little time."""
    first = [it for it in addresses if it.version == addresses[0].version]
    other = [it for it in addresses if it.version != addresses[0].version]
    return filter(None, chain.from_iterable(zip_longest(first, other)))
