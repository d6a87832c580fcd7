"""Where the Redis server is, and under which prefix a crawl has its keys there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ..indexes.errors import redacted

if TYPE_CHECKING:
    from redis import Redis

EXTRA: Final = "pip install 'scrapy-mainpage[redis]'"
FORM: Final = "redis://user:password@host:6379/0?prefix=name"
SCHEMES: Final = ("redis", "rediss", "unix")

TIMEOUT: Final = 5.0
"""Seconds that a call may take."""


class AddressRefused(ValueError):
    """A server that cannot be used, and why; ``shown`` is its URL without password."""

    def __init__(self, url: str, problem: str):
        super().__init__(f"{problem}; allowed: {FORM}, or None for none shared")
        self.shown = redacted(url)


def split(url: str, prefix: str) -> tuple[str, str]:
    """Return the prefix that the URL has, else *prefix*; and the URL without one."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise AddressRefused(url, str(error)) from None
    if parts.scheme not in SCHEMES:
        raise AddressRefused(url, f"{parts.scheme or 'nothing'} is no Redis scheme")
    options = dict(parse_qsl(parts.query))
    prefix = options.pop("prefix", prefix)
    return prefix, urlunsplit(parts._replace(query=urlencode(options)))


def connect(url: str, prefix: str) -> tuple[Redis, str]:
    """Connect to a server; return the client and the prefix.

    Raises :exc:`AddressRefused` if that cannot be.
    """
    try:
        import redis
    except ImportError:
        raise AddressRefused(url, f"needs redis: {EXTRA}") from None
    prefix, address = split(url, prefix)
    try:
        client = redis.Redis.from_url(
            address, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
        )
        client.ping()
    except (redis.RedisError, OSError, ValueError, TypeError) as error:
        raise AddressRefused(url, " ".join(str(error).split())) from None
    return client, prefix


def reason_of(error: Exception) -> str:
    """Return a code for stats: why a call of the client has failed."""
    import redis

    if isinstance(error, redis.TimeoutError):
        return "timeout"
    if isinstance(error, redis.ConnectionError | OSError):
        return "unreachable"
    return "refused"
