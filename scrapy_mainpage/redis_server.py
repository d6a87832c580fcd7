"""The Redis server that crawls share: its address, and the prefix of keys there.

The client library is imported by the first connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from .redaction import UNREADABLE, hide_secrets, is_readable, redacted

if TYPE_CHECKING:
    from redis import Redis

EXTRA: Final = "pip install 'scrapy-mainpage[redis]'"
FORM: Final = "redis://user:password@host:6379/0?prefix=name"
SCHEMES: Final = ("redis", "rediss", "unix")

PREFIX: Final = "mainpage"
"""Prefix of the keys of a crawl whose URL names none."""

TIMEOUT_SECONDS: Final = 5.0
"""Time limit of a call to the server."""


class AddressRefused(ValueError):
    """A server that cannot be used; ``shown`` is its URL without password."""

    def __init__(self, url: str, problem: str):
        problem = " ".join(hide_secrets(problem, url).split())
        super().__init__(f"{problem}; allowed: {FORM}, or None for none shared")
        self.shown = redacted(url)


def split(url: str, prefix: str) -> tuple[str, str]:
    """Return the prefix of the URL, else *prefix*; and the URL without one.

    Raises :exc:`AddressRefused` for a URL of another kind.
    """
    if not is_readable(url):
        raise AddressRefused(url, UNREADABLE)
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise AddressRefused(url, str(error)) from None
    if parts.scheme not in SCHEMES:
        raise AddressRefused(url, f"{parts.scheme or 'nothing'} is not a Redis scheme")
    options = dict(parse_qsl(parts.query))
    prefix = options.pop("prefix", prefix)
    return prefix, urlunsplit(parts._replace(query=urlencode(options)))


def part_of(url: str, part: str) -> str:
    """Return the URL for one part of a crawl, with a prefix of its own.

    >>> part_of("redis://localhost/1?prefix=docs", "duplicates")
    'redis://localhost/1?prefix=docs%3Aduplicates'
    """
    prefix, address = split(url, PREFIX)
    parts = urlsplit(address)
    own = urlencode({"prefix": f"{prefix}:{part}"})
    query = f"{parts.query}&{own}" if parts.query else own
    return urlunsplit(parts._replace(query=query))


def connect(url: str, prefix: str) -> tuple[Redis, str]:
    """Connect to a server; return the client and the prefix.

    Raises :exc:`AddressRefused` if the server does not answer.
    """
    try:
        import redis
    except ImportError:
        raise AddressRefused(url, f"needs redis: {EXTRA}") from None
    prefix, address = split(url, prefix)
    try:
        client = redis.Redis.from_url(
            address,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
        )
        client.ping()
    except (redis.RedisError, OSError, ValueError, TypeError) as error:
        raise AddressRefused(url, str(error)) from None
    return client, prefix


def reason_of(error: Exception) -> str:
    """Return the code for statistics of a failed call of the client."""
    import redis

    if isinstance(error, redis.TimeoutError):
        return "timeout"
    if isinstance(error, redis.ConnectionError | OSError):
        return "unreachable"
    return "refused"
