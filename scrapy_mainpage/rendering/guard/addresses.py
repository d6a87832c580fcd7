"""Addresses and host names: public or forbidden, in all notations of browsers.

>>> from ipaddress import ip_address
>>> find_reason(ip_address("::ffff:127.0.0.1"))
'loopback'
>>> parse_host("0x7f.1")
IPv4Address('127.0.0.1')
>>> parse_host("www.example.com")
'www.example.com'
>>> is_loopback_name("app.localhost.")
True
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
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

# Metadata services, which give a cloud machine its credentials: from the providers'
# documentation. The others are of the registries of special addresses:
# https://www.iana.org/assignments/iana-ipv4-special-registry
# https://www.iana.org/assignments/iana-ipv6-special-registry
# The first network that contains an address counts. A table of our own, as the one
# behind ipaddress.is_global changed between Python 3.10 and 3.13. The registries call
# parts of 192.0.0.0/24 and 2001::/23 global: relays and port mappers, not sites.
_TABLE: Final = """
169.254.169.254     metadata     Amazon, Google, Azure, Oracle, OpenStack and others
169.254.170.2       metadata     Amazon ECS
169.254.170.23      metadata     Amazon EKS
169.254.42.42       metadata     Scaleway
169.254.0.23        metadata     Tencent
100.100.100.200     metadata     Alibaba
168.63.129.16       metadata     Azure, a public address answered by each machine's host
192.0.0.192         metadata     Oracle, first generation
fd00:ec2::254       metadata     Amazon
fd00:ec2::23        metadata     Amazon EKS
fd20:ce::254        metadata     Google
fd00:42::42         metadata     Scaleway
fe80::a9fe:a9fe     metadata     OpenStack
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
_FORBIDDEN: Final[tuple[tuple[Network, str], ...]] = tuple(
    (ip_network(line.split()[0]), line.split()[1])
    for line in _TABLE.strip().split("\n")
)

# Public IPv6: the allocated range without the protocol assignments.
_GLOBAL: Final = IPv6Network("2000::/3")
_ASSIGNMENTS: Final = IPv6Network("2001::/23")

_TEREDO: Final = IPv6Network("2001::/32")
_6TO4: Final = IPv6Network("2002::/16")
# IPv4-compatible, IPv4-mapped, IPv4-translated, and NAT64 with its well-known prefix.
_LAST_BITS: Final = tuple(
    IPv6Network(text)
    for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
)
# ISATAP (RFC 5214): third quarter of an address with a local or a public IPv4 address.
_ISATAP: Final = (0x00005EFE, 0x02005EFE)


def find_reason(address: Address) -> str | None:
    """Return why a page may not reach *address*; ``None`` if it is public.

    One of loopback, private, link_local, metadata, shared, multicast, broadcast,
    unspecified, reserved. An IPv6 address that embeds an IPv4 address is as forbidden
    as that one.
    """
    listed = next((reason for net, reason in _FORBIDDEN if address in net), None)
    if listed is not None or isinstance(address, IPv4Address):
        return listed
    for embedded in _iter_embedded(address):
        reason = find_reason(embedded)
        if reason is not None:
            return reason
    if address.scope_id is not None:  # Public addresses have no zone.
        return "link_local"
    return None if _is_public(address) else "reserved"


def _is_public(address: IPv6Address) -> bool:
    if address in _ASSIGNMENTS:
        return address in _TEREDO
    return address in _GLOBAL or any(address in network for network in _LAST_BITS)


def _iter_embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses to which a gateway may forward *address*."""
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
    return _parse_number(host) if _NUMBER.fullmatch(host) else host


def _parse_number(host: str) -> IPv4Address:
    """Parse IPv4 as browsers do: with parts left out, hexadecimal, octal."""
    try:
        return IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        raise ValueError(f"not an address: {host!r}") from None


def is_number(host: str) -> bool:
    """Whether browsers take a host for an IPv4 address."""
    return bool(_NUMBER.fullmatch(host))


def is_loopback_name(host: str) -> bool:
    """Whether *host* is a name of this machine (RFC 6761)."""
    name = host.lower().removesuffix(".")
    return name == "localhost" or name.endswith(".localhost")
