"""The user's own proxy behind the guard: its options, and connections through it.

>>> upstream = find_upstream("http://me:secret@proxy.example:3128", None, None)
>>> print(upstream)
http://proxy.example:3128
>>> find_upstream(None, None, None) is None
True
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from python_socks import ProxyConnectionError, ProxyError, ProxyType
from python_socks.async_.asyncio.v2 import Proxy

from .addresses import Address, parse_host
from .policy import encode_name

CHUNK_BYTES: Final = 65536
"""Largest piece that is read at once."""

FAILED: Final = 1
"""The reply of SOCKS for a failure of any kind."""

UPSTREAM_SECONDS = 20.0
"""Time for the connection to the proxy, and the proxy's own to the site."""

_PORTS: Final = {"http": 80, "https": 443, "socks5": 1080}

#: Playwright's placeholders for a proxy per context.
_PLACEHOLDERS: Final = ("per-context", "http://per-context")


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
    """A proxy; as a string, without its credentials."""

    scheme: str
    """``http``, ``https`` or ``socks5``."""

    host: str
    """A name or an address of the user's choice; it is not checked."""

    port: int

    authorization: bytes | None = field(default=None, repr=False)
    """The value of a ``Proxy-Authorization`` header, for each of the schemes."""

    def __str__(self) -> str:
        return f"{self.scheme}://{_join_port(self.host, self.port)}"

    @property
    def credentials(self) -> tuple[str, str] | None:
        """Name and password for SOCKS, if any.

        Raises :exc:`ValueError`, with one line, for credentials that SOCKS cannot send.
        """
        if self.authorization is None:
            return None
        kind, _, encoded = self.authorization.partition(b" ")
        try:
            decoded = b64decode(encoded, validate=True)
        except ValueError:
            decoded = b""
        if kind.lower() != b"basic" or b":" not in decoded:
            raise ValueError(f"proxy {self}: SOCKS takes a name and a password only")
        name, _, password = decoded.partition(b":")
        is_short = 0 < len(name) < 256 and 0 < len(password) < 256
        if not is_short or not decoded.isascii():
            raise ValueError(
                f"proxy {self}: SOCKS takes names and passwords of 1 to 255 ASCII "
                "characters"
            )
        return name.decode("ascii"), password.decode("ascii")


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
        return _make_upstream(proxy, authorization)
    return _read_launch_proxy(launch_proxy) if launch_proxy else None


def _read_launch_proxy(options: Mapping[str, object]) -> Upstream | None:
    if not isinstance(options, Mapping):
        raise ValueError("proxy of the launch options: it is not a dict")
    server, name = options.get("server"), options.get("username")
    if not isinstance(server, str) or not server:
        raise ValueError("proxy of the launch options: it has no server")
    if options.get("bypass") not in (None, "", "<-loopback>"):
        raise ValueError("proxy of the launch options: bypass is not supported")
    if server in _PLACEHOLDERS:
        return None
    if not name:
        return _make_upstream(server, None)
    password = str(options.get("password") or "")
    return _make_upstream(server, _encode_basic(str(name), password))


def _make_upstream(url: str, authorization: bytes | None) -> Upstream:
    parts, port = _split(url)
    scheme = "socks5" if parts.scheme == "socks5h" else parts.scheme
    if scheme not in _PORTS:
        known = ", ".join(_PORTS)
        raise ValueError(f"proxy of the scheme {scheme!r}: it is none of {known}")
    if parts.username:
        name, password = unquote(parts.username), unquote(parts.password or "")
        authorization = _encode_basic(name, password)
    if authorization and set(authorization) & set(b"\r\n\0"):
        raise ValueError("proxy: its Proxy-Authorization is not the value of a header")
    host = _parse_host(parts.hostname or "")
    upstream = Upstream(scheme, host, port or _PORTS[scheme], authorization or None)
    if scheme == "socks5":
        _ = upstream.credentials  # Raises for invalid ones.
    return upstream


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        # Or an unquoted / ? # has cut the password, and its digits are not a port.
        if "@" not in f"{parts.path}{parts.query}{parts.fragment}":
            return parts, parts.port
    except ValueError:  # Its message may contain the credentials.
        pass
    raise ValueError("proxy: its URL cannot be read")


def _parse_host(name: str) -> str:
    try:
        return str(parse_host(name if name.isascii() else encode_name(name)))
    except ValueError:
        raise ValueError(
            f"proxy: {name!r} is neither a host name nor an address"
        ) from None


def _encode_basic(name: str, password: str) -> bytes:
    if ":" in name:
        raise ValueError("proxy: its user name has a colon")
    return b"Basic " + b64encode(f"{name}:{password}".encode())


def _join_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


# --- Connections ---------------------------------------------------------------


async def connect_through(upstream: Upstream, host: Address | str, port: int) -> Stream:
    """Connect to *host* through the proxy, which resolves a name.

    Raises :exc:`UpstreamError`, whose message describes the problem in one line.
    """
    is_socks = upstream.scheme == "socks5"
    connecting = _connect_socks if is_socks else _connect_http
    try:
        return await asyncio.wait_for(
            connecting(upstream, host, port), UPSTREAM_SECONDS
        )
    except asyncio.TimeoutError:
        raise UpstreamError("it takes too long") from None
    except EOFError:
        raise UpstreamError("it hung up") from None
    except OSError as error:
        raise UpstreamError(f"no connection: {error}") from None


async def _connect_socks(upstream: Upstream, host: Address | str, port: int) -> Stream:
    name, password = upstream.credentials or (None, None)
    proxy = Proxy(
        ProxyType.SOCKS5, upstream.host, upstream.port, name, password, rdns=True
    )
    try:
        # The limit of its own is never reached.
        opened = await proxy.connect(str(host), port, timeout=2 * UPSTREAM_SECONDS)
    except ProxyConnectionError as error:
        raise UpstreamError(f"no connection: {error.strerror}") from None
    except ProxyError as error:
        raise UpstreamError(f"SOCKS5: {error}", error.error_code or FAILED) from None
    opened.writer.transport.set_write_buffer_limits(0)
    return Stream(opened.reader, opened.writer)


async def _connect_http(upstream: Upstream, host: Address | str, port: int) -> Stream:
    reader, writer = await asyncio.open_connection(
        upstream.host,
        upstream.port,
        limit=CHUNK_BYTES,
        ssl=make_tls_context() if upstream.scheme == "https" else None,
    )
    writer.transport.set_write_buffer_limits(0)
    proxy = Stream(reader, writer)
    try:
        target = _join_port(str(host), port)
        await _open_http_tunnel(proxy, target, upstream.authorization)
    except BaseException:
        await discard(proxy)
        raise
    return proxy


@cache
def make_tls_context() -> ssl.SSLContext:
    """Return the TLS context for ``https`` proxies, which verifies their names."""
    return ssl.create_default_context()


async def _open_http_tunnel(
    proxy: Stream, target: str, authorization: bytes | None
) -> None:
    """Ask a proxy to CONNECT (RFC 9110, section 9.3.6).

    Not by python-socks, which takes the first bytes of the answer for all of it: an
    answer in two packets would reach the browser in part.
    """
    head = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode("ascii")
    if authorization is not None:
        head += b"Proxy-Authorization: " + authorization + b"\r\n"
    proxy.writer.write(head + b"\r\n")
    try:
        answer = await proxy.reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise UpstreamError("it speaks no HTTP") from None
    version, _, status = answer.split(b"\r\n")[0].partition(b" ")
    if not version.startswith(b"HTTP/1.") or not status[:3].isdigit():
        raise UpstreamError("it speaks no HTTP")
    if not status.startswith(b"2"):
        raise UpstreamError(f"it answers {status[:3].decode('ascii')}")
