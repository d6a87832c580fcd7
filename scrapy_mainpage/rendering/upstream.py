"""The user's own proxy behind the guard: its options, and connections through it.

>>> upstream = find_upstream("http://me:secret@proxy.example:3128", None, None)
>>> print(upstream)
http://proxy.example:3128
>>> find_upstream(None, None, None) is None
True
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from python_socks import ProxyConnectionError, ProxyError, ProxyType
from python_socks.async_.asyncio.v2 import Proxy

from .destinations import Address, parse_host

CHUNK_BYTES: Final = 65536
"""Largest piece that is read at once."""

FAILED: Final = 1
"""The reply of SOCKS for a failure of any kind."""

UPSTREAM_SECONDS = 20.0
"""Time for the connection to the proxy, and the proxy's own to the site."""

_PORTS: Final = {"http": 80, "socks5": 1080}
_KINDS: Final = {"http": ProxyType.HTTP, "socks5": ProxyType.SOCKS5}


class Stream(NamedTuple):
    """Both directions of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


async def discard(stream: Stream) -> None:
    """Close at once; with a write buffer of 0 nothing is left to be sent."""
    stream.writer.transport.abort()
    with suppress(OSError):
        await stream.writer.wait_closed()


class UpstreamError(Exception):
    """The proxy opens no tunnel; *reply* is the SOCKS reply for the browser."""

    def __init__(self, message: str, reply: int = FAILED) -> None:
        super().__init__(message)
        self.reply = reply


@dataclass(frozen=True, slots=True)
class Upstream:
    """A proxy (``http`` or ``socks5``); as a string, without its credentials.

    *host* is a name or an address of the user's choice: it is not checked.
    *credentials* are name and password.
    """

    scheme: str
    host: str
    port: int
    credentials: tuple[str, str] | None = field(default=None, repr=False)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


# --- Options -------------------------------------------------------------------


def find_upstream(
    proxy: str | None,
    authorization: bytes | None,
    launch_proxy: Mapping[str, object] | None,
) -> Upstream | None:
    """Return the proxy that a request is to go through, if any.

    *proxy* is ``request.meta["proxy"]`` and *authorization* the request's
    ``Proxy-Authorization`` header, to which HttpProxyMiddleware moves credentials from
    the URL. Without *proxy*, *launch_proxy* counts: ``proxy`` of Playwright's launch
    options, with ``server``, ``username`` and ``password``. Raises :exc:`ValueError`
    with one line, without credentials, for an invalid proxy.
    """
    if proxy:
        known = _decode_basic(authorization) if authorization else None
        return _make_upstream(proxy, known)
    return _read_launch_proxy(launch_proxy) if launch_proxy else None


def _read_launch_proxy(options: Mapping[str, object]) -> Upstream | None:
    server = options.get("server") if isinstance(options, Mapping) else None
    if not isinstance(server, str) or not server:
        raise ValueError("proxy of the launch options: it has no server")
    if options.get("bypass") not in (None, "", "<-loopback>"):
        raise ValueError("proxy of the launch options: bypass is not supported")
    name, password = options.get("username"), str(options.get("password") or "")
    return _make_upstream(server, (str(name), password) if name else None)


def _make_upstream(url: str, credentials: tuple[str, str] | None) -> Upstream:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port, host = parts.port, str(parse_host(parts.hostname or ""))
    except ValueError:  # Its message may contain the credentials.
        raise ValueError("proxy: its URL cannot be read") from None
    # An unquoted / ? # has cut the password, and its digits are not a port.
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        raise ValueError("proxy: its URL cannot be read")
    scheme = "socks5" if parts.scheme == "socks5h" else parts.scheme
    if scheme not in _PORTS:
        known = ", ".join(_PORTS)
        raise ValueError(f"proxy of the scheme {scheme!r}: it is none of {known}")
    if parts.username:
        credentials = unquote(parts.username), unquote(parts.password or "")
    # SOCKS gives the length of each in one byte.
    if not all(text.isascii() and 0 < len(text) < 256 for text in credentials or ()):
        raise ValueError("proxy: name and password have 1 to 255 ASCII characters")
    return Upstream(scheme, host, port or _PORTS[scheme], credentials)


def _decode_basic(authorization: bytes) -> tuple[str, str]:
    kind, _, encoded = authorization.partition(b" ")
    name, colon, password = "", "", ""
    if kind.lower() == b"basic":
        with suppress(ValueError):
            decoded = b64decode(encoded, validate=True).decode("utf-8")
            name, colon, password = decoded.partition(":")
    if not colon:
        raise ValueError("proxy: its Proxy-Authorization is no name and password")
    return name, password


# --- Connections ---------------------------------------------------------------


async def connect_through(upstream: Upstream, host: Address | str, port: int) -> Stream:
    """Connect to *host* through the proxy, which resolves a name.

    Raises :exc:`UpstreamError`, whose message describes the problem in one line.
    """
    name, password = upstream.credentials or (None, None)
    kind = _KINDS[upstream.scheme]
    proxy = Proxy(kind, upstream.host, upstream.port, name, password, rdns=True)
    is_bracketed = upstream.scheme == "http" and isinstance(host, IPv6Address)
    target = f"[{host}]" if is_bracketed else str(host)
    # The limit of the proxy's own is never reached.
    connecting = proxy.connect(target, port, timeout=2 * UPSTREAM_SECONDS)
    try:
        opened = await asyncio.wait_for(connecting, UPSTREAM_SECONDS)
    except asyncio.TimeoutError:
        raise UpstreamError("it takes too long") from None
    except EOFError:
        raise UpstreamError("it hung up") from None
    except ProxyConnectionError as error:
        raise UpstreamError(f"no connection: {error.strerror}") from None
    except ProxyError as error:
        reply = FAILED if upstream.scheme == "http" else error.error_code
        # The proxy's own words, which may be any bytes.
        raise UpstreamError(ascii(str(error))[1:-1], reply or FAILED) from None
    except OSError as error:
        raise UpstreamError(f"no connection: {error}") from None
    opened.writer.transport.set_write_buffer_limits(0)
    return Stream(opened.reader, opened.writer)
