"""What the host is that a browser asks for: an address in some notation, or a name.

>>> read_host("0x7f.1")
IPv4Address('127.0.0.1')
>>> read_host("www.example.com")
'www.example.com'
>>> is_loopback_name("app.localhost.")
True
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from .addresses import Address

#: What a loopback name stands for.
LOOPBACK: Final[tuple[Address, ...]] = (
    IPv4Address("127.0.0.1"),
    IPv6Address("::1"),
)

# All that are asked for in practice; no NUL, no blank, no label that is too long.
_NAME: Final = re.compile(r"(?=.{1,253}\.?\Z)([\w-]{1,63}\.)*[\w-]{1,63}\.?", re.ASCII)
# What ends in a number is an address to browsers, and to some resolvers.
_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?")


def read_host(host: str) -> Address | str:
    """Return the address that *host* is, in whatever notation, or else the name.

    Raises ValueError for what is neither. Nothing is resolved.
    """
    if "%" in host:  # No browser asks for an address with a zone.
        raise ValueError(f"an address with a zone: {host!r}")
    with suppress(ValueError):
        return ip_address(host)
    if not _NAME.fullmatch(host):
        raise ValueError(f"no host name: {host!r}")
    return _number(host) if _NUMBER.fullmatch(host) else host


def _number(host: str) -> IPv4Address:
    """IPv4 as browsers read it: with parts left out, hexadecimal, octal."""
    try:
        return IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        raise ValueError(f"no address: {host!r}") from None


def is_loopback_name(host: str) -> bool:
    """Return whether *host* is a name of this machine wherever it is asked for.

    So it is for browsers; resolvers differ, and a proxy's would mean the proxy.
    """
    name = host.lower().removesuffix(".")
    return name == "localhost" or name.endswith(".localhost")
