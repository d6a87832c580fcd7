"""Which addresses a rendered page may reach: those of the public internet, and those
that the user lists.

>>> from ipaddress import ip_address
>>> forbidden(ip_address("::ffff:127.0.0.1"))
'loopback'
>>> allowed = AllowedHosts.parse(["*.intranet.example", "10.1.0.0/16:8080"])
>>> check("10.1.2.3", ip_address("10.1.2.3"), 8080, allowed)
>>> check("10.1.2.3", ip_address("10.1.2.3"), 22, allowed)
'private'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# The services that tell a machine in a data centre its own credentials, as their
# providers document them.
_METADATA = """
169.254.169.254  Amazon, Google, Azure, Oracle, DigitalOcean, OpenStack and others
169.254.170.2    Amazon ECS
169.254.170.23   Amazon EKS
169.254.42.42    Scaleway
169.254.0.23     Tencent
100.100.100.200  Alibaba
168.63.129.16    Azure, a public address that each machine's host answers
192.0.0.192      Oracle, first generation
fd00:ec2::254    Amazon
fd00:ec2::23     Amazon EKS
fd20:ce::254     Google
fd00:42::42      Scaleway
fe80::a9fe:a9fe  OpenStack
"""

# https://www.iana.org/assignments/iana-ipv4-special-registry
# https://www.iana.org/assignments/iana-ipv6-special-registry
# The first one that holds an address counts. A table of our own, as the one behind
# ipaddress.is_global changed between Python 3.10 and 3.13. The registries call a few
# parts of 192.0.0.0/24 and 2001::/23 global: relays and port mappers, no sites.
_SPECIAL = """
255.255.255.255/32  broadcast
0.0.0.0/8           unspecified
10.0.0.0/8          private
100.64.0.0/10       shared
127.0.0.0/8         loopback
169.254.0.0/16      link_local
172.16.0.0/12       private
192.0.0.0/24        reserved     protocol assignments
192.0.2.0/24        reserved     documentation
192.88.99.0/24      reserved     6to4 relays, deprecated
192.168.0.0/16      private
198.18.0.0/15       reserved     benchmarking
198.51.100.0/24     reserved     documentation
203.0.113.0/24      reserved     documentation
224.0.0.0/4         multicast
240.0.0.0/4         reserved     future use
::/128              unspecified
::1/128             loopback
64:ff9b:1::/48      private      local-use NAT64
fc00::/7            private
fe80::/10           link_local
ff00::/8            multicast
2001:db8::/32       reserved     documentation
3fff::/20           reserved     documentation
"""

_CLOSED: Final[tuple[tuple[Network, str], ...]] = (
    *(
        (ip_network(line.split()[0]), "metadata")
        for line in _METADATA.split("\n")
        if line
    ),
    *(
        (ip_network(line.split()[0]), line.split()[1])
        for line in _SPECIAL.split("\n")
        if line
    ),
)

# IPv6 is public in the range that is given out, without the protocol assignments.
_GLOBAL: Final = IPv6Network("2000::/3")
_ASSIGNMENTS: Final = IPv6Network("2001::/23")

_TEREDO: Final = IPv6Network("2001::/32")
_6TO4: Final = IPv6Network("2002::/16")
# IPv4-compatible, IPv4-mapped, IPv4-translated, and NAT64 with its well-known prefix.
_LAST_BITS: Final = tuple(
    IPv6Network(text)
    for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
)
# The third quarter of an address that ISATAP made, of a local or a public IPv4 address.
_ISATAP: Final = (0x00005EFE, 0x02005EFE)


def forbidden(address: Address) -> str | None:
    """Why a page may not reach *address*, or None where it is public.

    One of loopback, private, link_local, metadata, shared, multicast, broadcast,
    unspecified, reserved. An IPv6 address that carries an IPv4 address is as
    forbidden as that one.
    """
    listed = next((reason for network, reason in _CLOSED if address in network), None)
    if listed is not None or isinstance(address, IPv4Address):
        return listed
    for carried in _carried(address):
        reason = forbidden(carried)
        if reason is not None:
            return reason
    if address.scope_id is not None:  # No public address has a zone.
        return "link_local"
    return None if _is_public(address) else "reserved"


def _is_public(address: IPv6Address) -> bool:
    if address in _ASSIGNMENTS:
        return address in _TEREDO
    return address in _GLOBAL or any(address in network for network in _LAST_BITS)


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses to which a gateway may hand over what is sent to *address*."""
    bits = int(address)
    last = IPv4Address(bits & 0xFFFFFFFF)
    if any(address in network for network in _LAST_BITS):
        yield last
    elif address in _6TO4:
        yield IPv4Address(bits >> 80 & 0xFFFFFFFF)
    elif address in _TEREDO:  # Its server, and the client with all bits inverted.
        yield IPv4Address(bits >> 64 & 0xFFFFFFFF)
        yield IPv4Address(~bits & 0xFFFFFFFF)
    if bits >> 32 & 0xFFFFFFFF in _ISATAP:
        yield last


def check(host: str, address: Address, port: int, allowed: AllowedHosts) -> str | None:
    """Why a page may not reach *address*, the one of *host*, or None if it may."""
    reason = forbidden(address)
    return None if reason and allowed.permits(host, address, port) else reason


_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"(?:\*\.)?(?:{_LABEL}\.)*{_LABEL}")
# What ends in a number is an address to browsers, be it 127.1 or 0x7f.0.0.1.
_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_WITH_PORT: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*):([0-9]{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A name or a network, with one port or any."""

    name: str
    network: Network | None
    port: int | None

    def permits(self, name: str, address: Address, port: int) -> bool:
        if self.port not in (None, port):
            return False
        if self.network is not None:
            return address in self.network
        if self.name.startswith("*."):
            return name.endswith(self.name[1:])
        return name == self.name


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The user's own hosts, which rendered pages may reach though they are not public.

    Without entries there are none.
    """

    entries: tuple[_Entry, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> AllowedHosts:
        """Read host names (``*.example.com`` for all below one), addresses, networks.

        Each may end in a ``:port``, with IPv6 in brackets then. Raises ValueError,
        with one line that names the entry which is none of these.
        """
        return cls(tuple(_parse(entry) for entry in entries))

    def permits(self, host: str, address: Address, port: int) -> bool:
        """Whether *host*, as the page asked for it, or its *address* is listed.

        A name that is listed is let through whatever its addresses are.
        """
        name = host.lower().removesuffix(".")
        return any(entry.permits(name, address, port) for entry in self.entries)


def _parse(entry: str) -> _Entry:
    text, port = entry.strip(), None
    split = _WITH_PORT.fullmatch(text)
    if split:
        text, port = split[1], int(split[2])
        if not 0 < port < 65536:
            raise ValueError(f"allowed host {entry!r}: there is no port {port}")
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    network = _network(entry, text)
    return _Entry("" if network else _name(entry, text), network, port)


def _network(entry: str, text: str) -> Network | None:
    """The address or network that *text* is, or None for what can be a name only."""
    try:
        return ip_network(text) if "/" in text else ip_network(ip_address(text))
    except ValueError as error:
        if "/" in text or ":" in text:
            raise ValueError(f"allowed host {entry!r}: {error}") from None
        return None


def _name(entry: str, text: str) -> str:
    """The name in the form in which browsers ask for it."""
    name = text.lower().removesuffix(".")
    if not name.isascii():
        name = _punycode(entry, name)
    if len(name) > 253 or not _NAME.fullmatch(name) or _NUMBER.fullmatch(name):
        raise ValueError(
            f"allowed host {entry!r}: neither a host name, an address nor a network"
        )
    return name


def _punycode(entry: str, name: str) -> str:
    """The ASCII form, where Python's rules and those of browsers agree about it."""
    try:
        encoded = name.encode("idna")
        if encoded.decode("idna") == name:
            return encoded.decode("ascii")
    except UnicodeError:
        pass
    raise ValueError(f"allowed host {entry!r}: write the name in its form with xn--")
