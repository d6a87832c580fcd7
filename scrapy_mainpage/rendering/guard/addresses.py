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
