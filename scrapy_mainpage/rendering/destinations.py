"""Destinations of rendered pages: public addresses, and the user's allowed hosts.

>>> find_reason(ip_address("::ffff:127.0.0.1"))
'loopback'
>>> parse_host("0x7f.1")
IPv4Address('127.0.0.1')
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
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_Value = TypeVar("_Value")

RESOLVE_SECONDS = 10.0
RESOLVE_SECONDS_BEHIND_PROXY = 2.0
"""Limits for resolving a name: here, and where the proxy resolves it in any case."""

_MAX_REMEMBERED: Final = 1000
"""Names, and refused endpoints: a page can ask for any number."""

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

#: What ``ipaddress`` calls global, at least in some versions of Python, and is no site:
#: Azure's metadata service, protocol assignments, relays, documentation.
_OTHERS: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            *("168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24"),
            *("2001::/23", "2002::/16", "3fff::/20"),
        ),
    )
)
#: Public IPv6: all that is allocated.
_GLOBAL: Final = IPv6Network("2000::/3")
#: IPv4 in IPv6: mapped, and NAT64 with its well-known prefix.
_IPV4_INSIDE: Final = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
#: ISATAP (RFC 5214), a tunnel to an IPv4 address: third quarter of an address.
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
_REASONS: Final = ("loopback", "unspecified", "link_local", "multicast")


def find_reason(address: Address) -> str | None:
    """Return why a page may not reach *address*; ``None`` if it is public.

    One of loopback, unspecified, link_local, multicast, private. An IPv6 address that
    stands for an IPv4 address is as forbidden as that one; tunnels are private.
    """
    if any(address in network for network in _IPV4_INSIDE):
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    for reason in _REASONS:
        if getattr(address, f"is_{reason}"):
            return reason
    return None if _is_public(address) else "private"


def _is_public(address: Address) -> bool:
    if not address.is_global or any(address in network for network in _OTHERS):
        return False
    if isinstance(address, IPv4Address):
        return True
    # Public addresses have no zone.
    is_tunnel = int(address) >> 32 & 0xFFFFFFFF in _ISATAP
    return address in _GLOBAL and not is_tunnel and address.scope_id is None


# --- Hosts as browsers ask for them --------------------------------------------

#: All names in practical use; no NUL, no blank, no label over 63 characters.
_NAME: Final = re.compile(r"(?=.{1,253}\.?\Z)([\w-]{1,63}\.)*[\w-]{1,63}\.?", re.ASCII)

#: A host that ends in a number is an address to browsers, and to some resolvers.
_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?")


def parse_host(host: str) -> Address | str:
    """Return *host* as an address, from any notation, or as a name.

    Raises :exc:`ValueError` for anything else. Nothing is resolved.
    """
    if "%" in host:  # Browsers ask for no address with a zone.
        raise ValueError(f"an address with a zone: {host!r}")
    with suppress(ValueError):
        return ip_address(host)
    if not _NAME.fullmatch(host):
        raise ValueError(f"not a host name: {host!r}")
    if not _NUMBER.fullmatch(host):
        return host
    try:  # As browsers do: with parts left out, hexadecimal, octal.
        return IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        raise ValueError(f"not an address: {host!r}") from None


def is_loopback_name(host: str) -> bool:
    """Whether *host* is a name of this machine (RFC 6761)."""
    name = host.lower().removesuffix(".")
    return name == "localhost" or name.endswith(".localhost")


# --- Allowed hosts -------------------------------------------------------------

_WITH_PORT: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*):([0-9]{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The user's hosts that pages may reach though they are not public.

    ``entries`` are names or networks, each with one port or any.
    """

    entries: tuple[tuple[str | Network, int | None], ...] = ()

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
        return any(
            _matches(entry, name, address)
            for entry, only in self.entries
            if only in (None, port)
        )


def _matches(entry: str | Network, name: str, address: Address) -> bool:
    if not isinstance(entry, str):
        return address in entry
    return name.endswith(entry[1:]) if entry.startswith("*.") else name == entry


def _parse_entry(entry: str) -> tuple[str | Network, int | None]:
    text, port = entry.strip(), None
    try:
        if split := _WITH_PORT.fullmatch(text):
            text, port = split[1], int(split[2])
            if not 0 < port < 65536:
                raise ValueError(f"there is no port {port}")
        if text.startswith("[") and text.endswith("]"):
            text = text[1:-1]
        return _parse_network(text) or _parse_name(text), port
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
        raise ValueError("write the name in its form with xn--")
    is_name = _NAME.fullmatch(name.removeprefix("*.")) and not name.startswith("-")
    if not is_name or _NUMBER.fullmatch(name):
        raise ValueError("neither a host name, an address nor a network")
    return name


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
    """Resolves and checks the hosts that the pages of a crawl ask for."""

    def __init__(self, allowed: AllowedHosts) -> None:
        self._allowed = allowed
        self._unknown: set[str] = set()

    async def find(
        self, host: str, port: int, *, behind_proxy: bool = False
    ) -> tuple[Address | str, list[Address]]:
        """Return the host, as an address if it is one, and its checked addresses.

        The addresses are empty only where a proxy resolves the name: *behind_proxy*,
        names without an address here are the proxy's. Raises :exc:`ForbiddenError` with
        a reason of :func:`find_reason` or ``invalid_host``, and :exc:`OSError` for a
        name without an address.
        """
        try:
            target = parse_host(host)
        except ValueError:
            raise ForbiddenError("invalid_host") from None
        if not isinstance(target, str):
            addresses: list[Address] = [target]
        elif is_loopback_name(target):
            return target, self._find_loopback(target, port)
        elif behind_proxy:
            addresses = await self._resolve_behind_proxy(target, port)
        else:
            addresses = await asyncio.wait_for(resolve(target, port), RESOLVE_SECONDS)
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

    async def _resolve_behind_proxy(self, name: str, port: int) -> list[Address]:
        """Return the name's addresses here, which it may lack.

        Where only the proxy resolves names, each failure may take long: it is kept.
        """
        if name in self._unknown:
            return []
        limit = RESOLVE_SECONDS_BEHIND_PROXY
        try:
            return await asyncio.wait_for(resolve(name, port), limit)
        except (OSError, asyncio.TimeoutError):
            _keep(self._unknown, name)
            return []


async def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of *host*, best first. Raises :exc:`OSError`."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(name[0]) for *_, name in found]


def _keep(known: set[_Value], value: _Value) -> None:
    """Add a value to a set that starts anew when it is full."""
    if len(known) >= _MAX_REMEMBERED:
        known.clear()
    known.add(value)


# --- Refusals ------------------------------------------------------------------

_LIMITS: Final = ("too_large", "too_many")
"""Reasons that do not concern the host: another connection to it may be fine."""


class Refusals:
    """Hosts and ports refused to the pages of a crawl: counted, logged, found.

    So are the problems of proxies. Each is logged once.
    """

    def __init__(self, stats: StatsCollector):
        self._stats = stats
        self._known: set[tuple[str, int, str]] = set()
        self._problems: set[tuple[str, str]] = set()

    def add(self, reason: str, host: str = "", port: int = 0) -> None:
        """Record a connection that is refused, or was cut."""
        self._stats.inc_value(f"mainpage/render/refused/{reason}")
        known = (_one_spelling(host), port, reason)
        if known in self._known:
            return
        _keep(self._known, known)
        line = "A rendered page may not reach %(host)s:%(port)s (%(reason)s); "
        line += "MAINPAGE_RENDER_ALLOWED_HOSTS lets hosts of your own through"
        if reason in _LIMITS:
            line = "A page's connection was cut (%(reason)s): %(host)s:%(port)s"
        logger.warning(line, {"host": host, "port": port, "reason": reason})

    def add_problem(self, proxy: str, problem: str) -> None:
        """Log what a proxy said, or did not."""
        if (proxy, problem) not in self._problems:
            _keep(self._problems, (proxy, problem))
            line = "The proxy of rendered pages, %(proxy)s: %(problem)s"
            logger.warning(line, {"proxy": proxy, "problem": problem})

    def find(self, url: str) -> str | None:
        """Return why the host of the URL was refused; ``None`` if it was not."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        place = (_one_spelling(parts.hostname or ""), port)
        reasons = (known[2] for known in self._known if known[:2] == place)
        return next((reason for reason in reasons if reason not in _LIMITS), None)


def _one_spelling(host: str) -> str:
    """A host as browsers send it: 127.1 is 127.0.0.1."""
    with suppress(ValueError):
        host = str(parse_host(host))
    return host.lower()
