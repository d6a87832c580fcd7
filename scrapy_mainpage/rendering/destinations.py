"""What a host stands for, and whether a page may reach it."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Final

from .addresses import Address, AllowedHosts, check
from .hosts import LOOPBACK, is_loopback_name, read_host
from .socks import UNREACHABLE, Failure

# Seconds.
RESOLVE_TIMEOUT = 10.0
CHECK_TIMEOUT = 2.0  # for a name that a proxy resolves, too

_MOST_REMEMBERED: Final = 1000


class Forbidden(Exception):
    """A page may not reach a host, for the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Destinations:
    """Finds what is behind the hosts that a browser asks for.

    *resolved_elsewhere* says that a proxy resolves names: then those without an
    address here are let through to it.
    """

    def __init__(self, allowed: AllowedHosts, *, resolved_elsewhere: bool) -> None:
        self._allowed = allowed
        self._elsewhere = resolved_elsewhere
        self._unknown: set[str] = set()

    async def find(self, host: str, port: int) -> tuple[Address | str, list[Address]]:
        """Return the host, as an address in plain notation if it is one, and addresses.

        All of these may be reached; there are none only where the name is resolved
        elsewhere. Raises Forbidden with one of the reasons of `addresses.forbidden` or
        ``invalid_host``, and Failure where there is no address.
        """
        try:
            target = read_host(host)
        except ValueError:
            raise Forbidden("invalid_host") from None
        if isinstance(target, str) and is_loopback_name(target):
            return target, self._loopback(target, port)
        addresses = await self._addresses(target, port)
        for address in addresses:
            # One forbidden address condemns the name: browsers would try the next
            # address after a public one that fails, which is how names are rebound.
            if reason := self._reason(host, address, port):
                raise Forbidden(reason)
        return target, addresses

    def _loopback(self, name: str, port: int) -> list[Address]:
        """Whoever lets one of the addresses through means the name as well."""
        found = [it for it in LOOPBACK if not self._reason(name, it, port)]
        if not found:
            raise Forbidden("loopback")
        return found

    def _reason(self, host: str, address: Address, port: int) -> str | None:
        return check(host, address, port, self._allowed)

    async def _addresses(self, target: Address | str, port: int) -> list[Address]:
        if not isinstance(target, str):
            return [target]
        if self._elsewhere:
            return await self._known_addresses(target, port)
        try:
            return await asyncio.wait_for(resolve(target, port), RESOLVE_TIMEOUT)
        except (OSError, asyncio.TimeoutError):
            raise Failure(UNREACHABLE) from None

    async def _known_addresses(self, name: str, port: int) -> list[Address]:
        """The addresses of a name that resolves here, too, else none.

        Where nothing but the proxy resolves names, finding that out may take its time.
        """
        if name in self._unknown:
            return []
        try:
            return await asyncio.wait_for(resolve(name, port), CHECK_TIMEOUT)
        except (OSError, asyncio.TimeoutError):
            if len(self._unknown) >= _MOST_REMEMBERED:
                self._unknown.clear()
            self._unknown.add(name)
            return []


async def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of *host*, best first. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(name[0]) for *_, name in found]
