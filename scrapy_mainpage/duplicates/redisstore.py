"""Remembered texts in Redis, shared by many workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ..indexes.errors import redacted
from ..pipelines.threads import ended
from .entries import Entry, Key, Match, find_matches
from .redisscripts import ADD, FIND
from .signatures import Fingerprint, format_name
from .store import Store, StoreFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from redis import Redis

EXTRA: Final = "pip install 'scrapy-mainpage[redis]'"
FORM: Final = "redis://user:password@host:6379/0?prefix=name"
SCHEMES: Final = ("redis", "rediss", "unix")
PREFIX: Final = "mainpage:duplicates"

TIMEOUT: Final = 5.0
"""Seconds that a call may take."""

PAUSE: Final = 10.0
"""For so many seconds after a failure nothing is tried: the crawl is not to wait."""

MOST_FETCHED: Final = 100
"""How many texts are compared with one at most: those that look most like it."""

MOST_OF_PLACE: Final = 100
"""How many texts of a band or an address are found at most: the newest."""

Result = TypeVar("Result")


class StoreRefused(ValueError):
    """A store that cannot be used, and why; ``shown`` is its URL without password."""

    def __init__(self, url: str, problem: str):
        super().__init__(f"{problem}; allowed: {FORM}, or None for none shared")
        self.shown = redacted(url)


class RedisStore(Store):
    """Remembers entries in Redis. A thread talks to it, so that nothing waits.

    Workers that share the URL share the texts. Each looks what is there, and adds what
    it has kept, in one step of the server: of two copies that two workers see at the
    same moment both may be kept, but never none.
    """

    def __init__(self, client: Redis, prefix: str, most: int):
        self.most = most
        self._client = client
        self._prefix = f"{prefix}:{format_name()}"
        self._find = client.register_script(FIND)
        self._add = client.register_script(ADD)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-duplicates")
        self._paused_until = 0.0

    @classmethod
    def connect(cls, url: str, most: int) -> RedisStore:
        """Connect to a server; raises :exc:`StoreRefused` if that cannot be."""
        try:
            import redis
        except ImportError:
            raise StoreRefused(url, f"needs redis: {EXTRA}") from None
        prefix, address = _split(url)
        try:
            client = redis.Redis.from_url(
                address, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
            )
            client.ping()
        except (redis.RedisError, OSError, ValueError, TypeError) as error:
            raise StoreRefused(url, " ".join(str(error).split())) from None
        return cls(client, prefix, most)

    async def open(self) -> int:
        """Return how many entries there are, of all workers."""
        return int(await self._call(lambda: self._client.zcard(f"{self._prefix}:age")))

    async def matches(self, entry: Entry, threshold: float) -> list[Match]:
        """Return what the entry is a copy of."""
        bands = b"".join(entry.fingerprint.bands())
        arguments: list[Any] = [bands, entry.own, entry.address, MOST_FETCHED]
        rows = await self._call(lambda: self._find([self._prefix], arguments))
        return find_matches(entry, [_read(row) for row in rows], threshold)

    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry; the oldest of all workers are forgotten."""
        text = entry.fingerprint
        row: list[Any] = [
            entry.url.encode("utf-8", "surrogatepass"),
            entry.own,
            entry.address,
        ]
        row += [text.digest, text.words, text.sketch, b"".join(text.bands())]
        arguments = [_name(entry), *row, self.most, MOST_OF_PLACE, *instead_of]
        return int(await self._call(lambda: self._add([self._prefix], arguments)))

    async def close(self) -> None:
        """Close the connection."""
        await ended(self._thread.submit(self._client.close))
        self._thread.shutdown(wait=False)

    async def _call(self, function: Callable[[], Result]) -> Any:
        import redis

        if monotonic() < self._paused_until:
            raise StoreFailure("paused", "Redis failed a moment ago")
        try:
            return await ended(self._thread.submit(function))
        except (redis.RedisError, OSError) as error:
            self._paused_until = monotonic() + PAUSE
            _fail(error)


def _fail(error: Exception) -> NoReturn:
    import redis

    if isinstance(error, redis.TimeoutError):
        reason = "timeout"
    elif isinstance(error, redis.ConnectionError | OSError):
        reason = "unreachable"
    else:
        reason = "refused"
    raise StoreFailure(reason, str(error)) from error


def _split(url: str) -> tuple[str, str]:
    """The prefix that the URL has, and the URL as the client understands it."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise StoreRefused(url, str(error)) from None
    if parts.scheme not in SCHEMES:
        raise StoreRefused(url, f"{parts.scheme or 'nothing'} is no Redis scheme")
    options = dict(parse_qsl(parts.query))
    prefix = options.pop("prefix", PREFIX)
    return prefix, urlunsplit(parts._replace(query=urlencode(options)))


def _name(entry: Entry) -> str:
    """What the entry is called: the same for the same text of the same URL."""
    own = entry.own.to_bytes(8, "big")
    return blake2b(own + entry.fingerprint.digest, digest_size=8).hexdigest()


def _read(row: list[bytes]) -> tuple[Key, Entry]:
    name, url, own, address, digest, words, sketch = row
    fingerprint = Fingerprint(digest, int(words), sketch, b"")
    shown = url.decode("utf-8", "surrogatepass")
    return name.decode(), Entry(shown, int(own), int(address), fingerprint)
