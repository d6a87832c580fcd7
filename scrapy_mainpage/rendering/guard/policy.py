"""Policy of the guard: the hosts that a page may reach, and the log of refusals.

>>> from ipaddress import ip_address
>>> allowed = AllowedHosts.parse(["*.intranet.example", "10.1.0.0/16:8080"])
>>> check_address("10.1.2.3", ip_address("10.1.2.3"), 8080, allowed)
>>> check_address("10.1.2.3", ip_address("10.1.2.3"), 22, allowed)
'private'
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import idna

from .addresses import (
    Address,
    Network,
    find_reason,
    is_loopback_name,
    is_number,
    parse_host,
)

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

RESOLVE_SECONDS = 10.0
RESOLVE_SECONDS_BEHIND_PROXY = 2.0
"""Limits for resolving a name: here, and where the proxy resolves it in any case."""

_MAX_REMEMBERED: Final = 1000
"""Names, and refused endpoints: a page can ask for any number."""


# --- Allowed hosts -------------------------------------------------------------

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME: Final = re.compile(rf"(?:\*\.)?(?:{_LABEL}\.)*{_LABEL}")
_WITH_PORT: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*):([0-9]{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A name or a network, with one port or any."""

    host: str | Network
    port: int | None

    def permits(self, name: str, address: Address, port: int) -> bool:
        if self.port not in (None, port):
            return False
        if not isinstance(self.host, str):
            return address in self.host
        if self.host.startswith("*."):
            return name.endswith(self.host[1:])
        return name == self.host


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The user's hosts that pages may reach though they are not public."""

    entries: tuple[_Entry, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> AllowedHosts:
        """Parse host names (``*.example.com`` for all below one), addresses, networks.

        Each may end in a ``:port``, with IPv6 in brackets then. Raises
        :exc:`ValueError` with one line that names the invalid entry.
        """
        return cls(tuple(map(_parse_entry, entries)))

    def permits(self, host: str, address: Address, port: int) -> bool:
        """Whether *host*, as the page asked for it, or its *address* is listed.

        A listed name is permitted whatever its addresses are.
        """
        name = host.lower().removesuffix(".")
        return any(entry.permits(name, address, port) for entry in self.entries)


def _parse_entry(entry: str) -> _Entry:
    text, port = entry.strip(), None
    try:
        if split := _WITH_PORT.fullmatch(text):
            text, port = split[1], int(split[2])
            if not 0 < port < 65536:
                raise ValueError(f"there is no port {port}")
        if text.startswith("[") and text.endswith("]"):
            text = text[1:-1]
        return _Entry(_parse_network(text) or _parse_name(text), port)
    except ValueError as error:
        raise ValueError(f"allowed host {entry!r}: {error}") from None


def _parse_network(text: str) -> Network | None:
    """Return the address or network; ``None`` for a text that can only be a name."""
    if "/" in text:
        return ip_network(text)
    try:
        return ip_network(ip_address(text))
    except ValueError:
        if ":" in text:
            raise
        return None


def _parse_name(text: str) -> str:
    """Return the name as browsers ask for it."""
    name = text.lower().removesuffix(".")
    if not name.isascii():
        try:
            name = encode_name(name)
        except ValueError:
            raise ValueError("write the name in its form with xn--") from None
    if len(name) > 253 or not _HOST_NAME.fullmatch(name) or is_number(name):
        raise ValueError("neither a host name, an address nor a network")
    return name


def encode_name(name: str) -> str:
    """Return the ASCII form of a host name (UTS #46), ``*.`` in front included.

    Raises :exc:`ValueError` for an invalid name.
    """
    prefix = "*." if name.startswith("*.") else ""
    return prefix + idna.encode(name.removeprefix(prefix), uts46=True).decode("ascii")


def check_address(
    host: str, address: Address, port: int, allowed: AllowedHosts
) -> str | None:
    """Return why a page may not reach *address* of *host*; ``None`` if it may."""
    reason = find_reason(address)
    return None if reason and allowed.permits(host, address, port) else reason


# --- Destinations --------------------------------------------------------------


class ForbiddenError(Exception):
    """A page may not reach a host, for the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Destinations:
    """Resolves and checks the hosts that a browser asks for.

    *behind_proxy*: names without an address here are the proxy's to resolve.
    """

    def __init__(self, allowed: AllowedHosts, *, behind_proxy: bool) -> None:
        self._allowed = allowed
        self._behind_proxy = behind_proxy
        self._unknown: set[str] = set()

    async def find(self, host: str, port: int) -> tuple[Address | str, list[Address]]:
        """Return the host, as an address if it is one, and its checked addresses.

        The addresses are empty only where the proxy resolves the name. Raises
        :exc:`ForbiddenError` with a reason of :func:`.addresses.find_reason` or
        ``invalid_host``, and :exc:`OSError` for a name without an address.
        """
        try:
            target = parse_host(host)
        except ValueError:
            raise ForbiddenError("invalid_host") from None
        if isinstance(target, str) and is_loopback_name(target):
            return target, self._find_loopback(target, port)
        addresses = await self._resolve(target, port)
        for address in addresses:
            # One forbidden address condemns the name: browsers would try the next
            # address after a public one that fails, which is how names are rebound.
            if reason := check_address(host, address, port, self._allowed):
                raise ForbiddenError(reason)
        return target, addresses

    def _find_loopback(self, name: str, port: int) -> list[Address]:
        """Return the permitted loopback addresses: one of them permits the name."""
        found = [
            address
            for address in map(ip_address, ("127.0.0.1", "::1"))
            if not check_address(name, address, port, self._allowed)
        ]
        if not found:
            raise ForbiddenError("loopback")
        return found

    async def _resolve(self, target: Address | str, port: int) -> list[Address]:
        if not isinstance(target, str):
            return [target]
        if not self._behind_proxy:
            return await asyncio.wait_for(resolve(target, port), RESOLVE_SECONDS)
        if target in self._unknown:
            return []
        limit = RESOLVE_SECONDS_BEHIND_PROXY
        try:
            return await asyncio.wait_for(resolve(target, port), limit)
        except (OSError, asyncio.TimeoutError):
            # Where only the proxy resolves names, each failure here may take long.
            if len(self._unknown) >= _MAX_REMEMBERED:
                self._unknown.clear()
            self._unknown.add(target)
            return []


async def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of *host*, best first. Raises :exc:`OSError`."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(name[0]) for *_, name in found]


# --- Refusals ------------------------------------------------------------------

_LIMITS: Final = ("too_large", "too_many")
"""Reasons that do not concern the host: another connection to it may be fine."""


class Refusals:
    """Hosts and ports refused to the pages of a browser: counted, logged, found."""

    def __init__(self, stats: StatsCollector):
        self._stats = stats
        self._known: set[tuple[str, int, str]] = set()

    def add(self, reason: str, host: str, port: int) -> None:
        """Record a refusal, in the form of the callback of :class:`.proxy.Guard`."""
        self._stats.inc_value(f"mainpage/render/refused/{reason}")
        if len(self._known) >= _MAX_REMEMBERED:
            self._known.clear()
        if (host.lower(), port, reason) in self._known:
            return
        self._known.add((host.lower(), port, reason))
        message = "A rendered page may not reach %(host)s:%(port)s (%(reason)s); "
        message += "MAINPAGE_RENDER_ALLOWED_HOSTS lets hosts of your own through"
        if reason in _LIMITS:
            message = (
                "A rendered page's connection was cut (%(reason)s): %(host)s:%(port)s"
            )
        logger.warning(message, {"host": host, "port": port, "reason": reason})

    def find(self, url: str) -> str | None:
        """Return why the host of the URL was refused; ``None`` if it was not."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        place = (parts.hostname or "", port)
        reasons = (known[2] for known in self._known if known[:2] == place)
        return next((reason for reason in reasons if reason not in _LIMITS), None)
