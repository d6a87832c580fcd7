"""Remembered texts in Redis, shared by many workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from ..crawl.futures import wait_for
from ..redis_crawl.address import connect, reason_of
from .entries import Entry, Key, find_matches
from .redisscripts import ADD, CLAIM, FIND, RELEASE
from .signatures import Fingerprint, format_name
from .store import Look, Store, StoreFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from redis import Redis

PREFIX: Final = "mainpage:duplicates"

CLAIM_TIME: Final = 60.0
"""For so many seconds others wait for an item that its worker says nothing more of."""

PAUSE: Final = 10.0
"""For so many seconds after a failure nothing is tried: the crawl is not to wait."""

MOST_FETCHED: Final = 100
"""How many texts are compared with one at most: those that look most like it."""

MOST_OF_PLACE: Final = 100
"""How many texts of a band or an address are found at most: the newest."""

Result = TypeVar("Result")


class RedisStore(Store):
    """Remembers entries in Redis. A thread talks to it, so that nothing waits.

    Workers that share the URL share the texts. A worker claims a text before its item
    goes on, and remembers it once the item has come through; the server lets nobody
    claim a text while there are others that may be alike and were not looked at. So of
    copies that workers see at the same moment one is kept. *claim_time* is for how many
    seconds a claim is believed: its worker may have died.
    """

    is_shared = True

    def __init__(
        self, client: Redis, prefix: str, most: int, claim_time: float = CLAIM_TIME
    ):
        self.most, self.claim_time = most, claim_time
        self._client = client
        self._prefix = f"{prefix}:{format_name()}"
        self._replaced = f"{self._prefix}:replaced"
        self._find, self._claim, self._release, self._add = map(
            client.register_script, (FIND, CLAIM, RELEASE, ADD)
        )
        self._holder = uuid4().hex[:16].encode()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-duplicates")
        self._paused_until = 0.0

    @classmethod
    def connect(cls, url: str, most: int, claim_time: float = CLAIM_TIME) -> RedisStore:
        """Connect to a server; :exc:`~..shared.address.AddressRefused` if it cannot."""
        client, prefix = connect(url, PREFIX)
        return cls(client, prefix, most, claim_time)

    async def open(self) -> int:
        """Return how many entries there are, of all workers."""
        return int(await self._call(lambda: self._client.zcard(f"{self._prefix}:age")))

    async def look(self, entry: Entry, threshold: float) -> Look:
        """Return what the entry is a copy of; not what this worker has claimed."""
        bands = b"".join(entry.fingerprint.bands())
        arguments: list[Any] = [bands, entry.own, entry.address, MOST_FETCHED]
        age, rows = await self._call(lambda: self._find([self._prefix], arguments))
        others = [row for row in rows if not row[-1] or row[-2] != self._holder]
        claimed = {row[0].decode() for row in others if row[-1]}
        matches = find_matches(entry, list(map(_read, others)), threshold)
        return Look(
            [match for match in matches if match.key not in claimed],
            [match for match in matches if match.key in claimed],
            int(age),
        )

    async def claim(self, entry: Entry, look: Look) -> bool:
        """Have the others wait for what becomes of the entry."""
        arguments = [*_row(entry), MOST_OF_PLACE, look.age]
        arguments += [self._holder, round(self.claim_time * 1000)]
        return bool(await self._call(lambda: self._claim([self._prefix], arguments)))

    async def release(self, entry: Entry) -> None:
        """Let the others pass."""
        arguments: list[Any] = [_name(entry), self._holder]
        await self._call(lambda: self._release([self._prefix], arguments))

    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry; the oldest of all workers are forgotten."""
        arguments = [*_row(entry), self.most, MOST_OF_PLACE, self._holder, *instead_of]
        return int(await self._call(lambda: self._add([self._prefix], arguments)))

    async def told(self) -> list[str]:
        """Return what was left for this worker, or for one that has not asked yet.

        That one may have been killed. If it was not it asks, too: its own stays.
        """
        urls = await self._call(self._take_told)
        return [url.decode("utf-8", "surrogatepass") for url in urls]

    def _take_told(self) -> list[bytes]:
        workers = f"{self._replaced}:of"
        self._client.srem(workers, self._holder)
        others: Any = self._client.smembers(workers)
        names = [each.decode() for each in (self._holder, *others)]
        with self._client.pipeline() as pipeline:
            for name in names:
                pipeline.lrange(f"{self._replaced}:{name}", 0, -1)
            pipeline.delete(f"{self._replaced}:{names[0]}")
            *found, _ = pipeline.execute()
        return [url for urls in found for url in urls]

    async def replaced(self, urls: Sequence[str]) -> list[str]:
        """Return those that were replaced, and not remembered since."""
        if not urls:
            return []
        encoded = [url.encode("utf-8", "surrogatepass") for url in urls]
        found = await self._call(
            lambda: self._client.smismember(self._replaced, encoded)
        )
        return [url for url, is_one in zip(urls, found, strict=True) if is_one]

    async def close(self) -> None:
        """Close the connection."""
        await wait_for(self._thread.submit(self._client.close))
        self._thread.shutdown(wait=False)

    async def _call(self, function: Callable[[], Result]) -> Any:
        import redis

        if monotonic() < self._paused_until:
            raise StoreFailure("paused", "Redis failed a moment ago")
        try:
            return await wait_for(self._thread.submit(function))
        except (redis.RedisError, OSError) as error:
            self._paused_until = monotonic() + PAUSE
            raise StoreFailure(reason_of(error), str(error)) from error


def _name(entry: Entry) -> str:
    """What the entry is called: the same for the same text of the same URL."""
    own = entry.own.to_bytes(8, "big")
    return blake2b(own + entry.fingerprint.digest, digest_size=8).hexdigest()


def _row(entry: Entry) -> list[Any]:
    """What the server keeps of the entry, its name first."""
    text = entry.fingerprint
    url = entry.url.encode("utf-8", "surrogatepass")
    row: list[Any] = [_name(entry), url, entry.own, entry.address]
    return [*row, text.digest, text.words, text.sketch, b"".join(text.bands())]


def _read(row: list[bytes]) -> tuple[Key, Entry]:
    name, url, own, address, digest, words, sketch = row[:7]
    fingerprint = Fingerprint(digest, int(words), sketch, b"")
    shown = url.decode("utf-8", "surrogatepass")
    return name.decode(), Entry(shown, int(own), int(address), fingerprint)
