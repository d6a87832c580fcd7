"""The user's own proxy, behind the guard: what it is, and connecting by way of it.

>>> upstream = upstream_of("http://me:secret@proxy.example:3128", None, None)
>>> print(upstream)
http://proxy.example:3128
>>> upstream_of(None, None, None) is None
True
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from .addresses import Address
from .hosts import read_host
from .socks import Credentials, Refusal, ask_for
from .streams import CHUNK, Stream, discard

UPSTREAM_TIMEOUT = 20.0
"""Seconds for the connection to the proxy, and its own to the site."""

_PORTS: Final = {"http": 80, "https": 443, "socks5": 1080}

#: Playwright's own placeholder for "each context has one".
_PLACEHOLDERS: Final = ("per-context", "http://per-context")


@dataclass(frozen=True, slots=True)
class Upstream:
    """A proxy; as a string, without its credentials."""

    scheme: str
    """``http``, ``https`` or ``socks5``."""

    host: str
    """A name or an address, which is the user's choice and is not checked."""

    port: int

    authorization: bytes | None = field(default=None, repr=False)
    """As the value of a ``Proxy-Authorization`` header, for each of the schemes."""

    def __str__(self) -> str:
        return f"{self.scheme}://{_with_port(self.host, self.port)}"

    @property
    def credentials(self) -> Credentials | None:
        """Name and password, ``None`` if there are none.

        Raises ValueError, with one line, if SOCKS has no place for them.
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
        if not 0 < len(name) < 256 or len(password) > 255:
            raise ValueError(f"proxy {self}: SOCKS takes names of 1 to 255 bytes")
        return name, password


# --- What it is ------------------------------------------------------------


def upstream_of(
    proxy: str | None,
    authorization: bytes | None,
    launch_proxy: Mapping[str, object] | None,
) -> Upstream | None:
    """Return the proxy that a request is to go through, ``None`` if there is none.

    *proxy* is ``request.meta["proxy"]`` and *authorization* the request's
    ``Proxy-Authorization`` header, where HttpProxyMiddleware puts what stood in the
    URL. Without *proxy*, *launch_proxy* counts: ``proxy`` of Playwright's launch
    options, with ``server``, ``username`` and ``password``. Raises ValueError with one
    line, without credentials, for what is not understood.
    """
    if proxy:
        return _upstream(proxy, authorization)
    return _of_launch(launch_proxy) if launch_proxy else None


def _of_launch(options: Mapping[str, object]) -> Upstream | None:
    if not isinstance(options, Mapping):
        raise ValueError("proxy of the launch options: it is no dict")
    server, name = options.get("server"), options.get("username")
    if not isinstance(server, str) or not server:
        raise ValueError("proxy of the launch options: it has no server")
    if options.get("bypass") not in (None, "", "<-loopback>"):
        raise ValueError("proxy of the launch options: bypass is not supported")
    if server in _PLACEHOLDERS:
        return None
    if not name:
        return _upstream(server, None)
    return _upstream(server, _basic(str(name), str(options.get("password") or "")))


def _upstream(url: str, authorization: bytes | None) -> Upstream:
    parts, port = _split(url)
    scheme = "socks5" if parts.scheme == "socks5h" else parts.scheme
    if scheme not in _PORTS:
        known = ", ".join(_PORTS)
        raise ValueError(f"proxy of the scheme {scheme!r}: it is none of {known}")
    if parts.username:
        name, password = unquote(parts.username), unquote(parts.password or "")
        authorization = _basic(name, password)
    if authorization and set(authorization) & set(b"\r\n\0"):
        raise ValueError("proxy: its Proxy-Authorization is no header's value")
    host = _host(parts.hostname or "")
    upstream = Upstream(scheme, host, port or _PORTS[scheme], authorization or None)
    if scheme == "socks5":
        _ = upstream.credentials  # It says what is wrong with them.
    return upstream


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        return parts, parts.port
    except ValueError:  # Its message may hold the credentials.
        raise ValueError("proxy: its URL cannot be read") from None


def _host(name: str) -> str:
    try:
        return str(read_host(name.encode("idna").decode("ascii")))
    except ValueError:
        raise ValueError(
            f"proxy: {name!r} is neither a host name nor an address"
        ) from None


def _basic(name: str, password: str) -> bytes:
    if ":" in name:
        raise ValueError("proxy: its user name has a colon")
    return b"Basic " + b64encode(f"{name}:{password}".encode())


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


# --- Connecting by way of it -----------------------------------------------


async def connect_through(upstream: Upstream, host: Address | str, port: int) -> Stream:
    """Return a connection to *host* that the proxy makes.

    Raises Refusal, whose message says in one line what is wrong with the proxy.
    """
    try:
        return await asyncio.wait_for(_connect(upstream, host, port), UPSTREAM_TIMEOUT)
    except asyncio.TimeoutError:
        raise Refusal("it takes too long") from None
    except EOFError:
        raise Refusal("it hung up") from None
    except OSError as error:
        raise Refusal(f"no connection: {error}") from None


async def _connect(upstream: Upstream, host: Address | str, port: int) -> Stream:
    is_tls = upstream.scheme == "https"
    reader, writer = await asyncio.open_connection(
        upstream.host,
        upstream.port,
        limit=CHUNK,
        ssl=tls_context() if is_tls else None,
    )
    writer.transport.set_write_buffer_limits(0)
    proxy = Stream(reader, writer)
    try:
        if upstream.scheme == "socks5":
            await ask_for(proxy, host, port, upstream.credentials)
        else:
            await _ask_http(proxy, _with_port(str(host), port), upstream.authorization)
    except BaseException:
        await discard(proxy)
        raise
    return proxy


@cache
def tls_context() -> ssl.SSLContext:
    """Return how ``https`` proxies are connected to: their names are verified."""
    return ssl.create_default_context()


async def _ask_http(proxy: Stream, target: str, authorization: bytes | None) -> None:
    head = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode("ascii")
    if authorization is not None:
        head += b"Proxy-Authorization: " + authorization + b"\r\n"
    proxy.writer.write(head + b"\r\n")
    try:
        answer = await proxy.reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise Refusal("it speaks no HTTP") from None
    version, _, status = answer.split(b"\r\n")[0].partition(b" ")
    if not version.startswith(b"HTTP/1.") or not status[:3].isdigit():
        raise Refusal("it speaks no HTTP")
    if not status.startswith(b"2"):
        raise Refusal(f"it answers {status[:3].decode('ascii')}")
