"""SOCKS5 (RFC 1928) from both ends: the guard's, and a client's of a proxy."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Final

from .addresses import Address
from .streams import Stream

VERSION: Final = 5
SUCCEEDED, FAILED, NOT_ALLOWED, UNREACHABLE, REFUSED = 0, 1, 2, 4, 5
_NO_SUCH_COMMAND, _NO_SUCH_ADDRESS_TYPE = 7, 8

_NO_AUTHENTICATION, _PASSWORD, _NO_ACCEPTABLE_METHOD = 0, 2, 0xFF
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_LENGTH: Final = {_IPV4: 4, _IPV6: 16}
_PASSWORD_VERSION: Final = 1  # RFC 1929

Credentials = tuple[bytes, bytes]


class Failure(Exception):
    """The browser gets this reply instead of a tunnel."""

    def __init__(self, reply: int) -> None:
        super().__init__(reply)
        self.reply = reply


class Refusal(Exception):
    """A proxy gives no tunnel; the reply is its own, or FAILED."""

    def __init__(self, message: str, reply: int = FAILED) -> None:
        super().__init__(message)
        self.reply = reply


# --- The server's end ------------------------------------------------------


async def asked_for(browser: Stream) -> tuple[str, int]:
    """Return the host and port that the browser wants to be connected to.

    Raises OSError or EOFError for what is no SOCKS, Failure for more than CONNECT.
    """
    reader, writer = browser
    version, methods = await reader.readexactly(2)
    if version != VERSION:
        raise ConnectionAbortedError
    offered = await reader.readexactly(methods)
    if _NO_AUTHENTICATION not in offered:
        writer.write(bytes([VERSION, _NO_ACCEPTABLE_METHOD]))
        await writer.drain()
        raise ConnectionAbortedError
    writer.write(bytes([VERSION, _NO_AUTHENTICATION]))
    version, command, _, kind = await reader.readexactly(4)
    if version != VERSION:
        raise ConnectionAbortedError
    host = await _read_host(reader, kind)
    port = int.from_bytes(await reader.readexactly(2), "big")
    if command != _CONNECT:
        raise Failure(_NO_SUCH_COMMAND)
    return host, port


async def _read_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode("latin-1")
    if kind not in _ADDRESS_LENGTH:
        raise Failure(_NO_SUCH_ADDRESS_TYPE)
    return str(ip_address(await reader.readexactly(_ADDRESS_LENGTH[kind])))


async def answer(browser: Stream, reply: int) -> None:
    """Tell how it went. The address that is used is nobody's business: 0.0.0.0:0."""
    browser.writer.write(bytes([VERSION, reply, 0, _IPV4]) + bytes(6))
    await browser.writer.drain()


# --- The client's end ------------------------------------------------------


async def ask_for(
    proxy: Stream, host: Address | str, port: int, credentials: Credentials | None
) -> None:
    """Have a proxy connect to *host*, a name of which is the proxy's to resolve.

    *credentials*, a name and a password of 255 bytes at most, are sent if the proxy
    asks for them. Raises Refusal, OSError, EOFError.
    """
    await _introduce(proxy, credentials)
    head = bytes([VERSION, _CONNECT, 0])
    proxy.writer.write(head + _packed(host) + port.to_bytes(2, "big"))
    version, reply, _, kind = await proxy.reader.readexactly(4)
    if version != VERSION:
        raise Refusal("it speaks no SOCKS5")
    if reply != SUCCEEDED:
        raise Refusal(f"it replies {reply} of SOCKS5", reply)
    try:
        await _read_host(proxy.reader, kind)
    except Failure:
        raise Refusal("it speaks no SOCKS5") from None
    await proxy.reader.readexactly(2)


async def _introduce(proxy: Stream, credentials: Credentials | None) -> None:
    offered = [_NO_AUTHENTICATION] if credentials is None else [0, _PASSWORD]
    proxy.writer.write(bytes([VERSION, len(offered), *offered]))
    version, method = await proxy.reader.readexactly(2)
    if version != VERSION:
        raise Refusal("it speaks no SOCKS5")
    if method == _PASSWORD and credentials is not None:
        await _log_in(proxy, credentials)
    elif method != _NO_AUTHENTICATION:
        raise Refusal("it wants other credentials, or some")


async def _log_in(proxy: Stream, credentials: Credentials) -> None:
    parts = b"".join(bytes([len(part)]) + part for part in credentials)
    proxy.writer.write(bytes([_PASSWORD_VERSION]) + parts)
    _, status = await proxy.reader.readexactly(2)
    if status != SUCCEEDED:
        raise Refusal("it does not take the credentials")


def _packed(host: Address | str) -> bytes:
    if isinstance(host, str):
        name = host.encode("ascii")
        return bytes([_NAME, len(name)]) + name
    return bytes([_IPV4 if host.version == 4 else _IPV6]) + host.packed
