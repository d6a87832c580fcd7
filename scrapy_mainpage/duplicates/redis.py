"""The store of entries in Redis, shared by many workers."""

from __future__ import annotations

from asyncio import wrap_future
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from importlib.resources import files
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from ..redis_server import connect, reason_of
from .entry import Entry, Key, find_matches
from .fingerprint import Fingerprint, format_name
from .store import Findings, Store, StoreFailure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from concurrent.futures import Future


PREFIX: Final = "mainpage:duplicates"

CLAIM_SECONDS: Final = 60.0
"""After this time a claim is void: its worker may have died."""

PAUSE_SECONDS: Final = 10.0
"""After a failure nothing is tried for this time, so that the crawl does not wait."""

MAX_FETCHED: Final = 100
"""Entries that are compared with one: those that have most bands in common with it."""

MAX_PER_PLACE: Final = 100
"""Entries that are found by one band or address: the newest."""

Result = TypeVar("Result")


class RedisStore(Store):
    """Remembers entries in Redis. Its calls are made in a thread.

    Workers with the same URL share the entries. A worker claims an entry before its
    item goes on, and remembers it once the item has come through; the server refuses a
    claim while there are similar entries newer than the worker's search. So of copies
    that workers see at the same moment one is kept. *claim_time*: seconds after which a
    claim is void. *wait* awaits the future of a thread, where there is no asyncio loop.
    Raises :exc:`~scrapy_mainpage.redis_server.AddressRefused` without a connection.
    """

    is_shared = True

    def __init__(
        self,
        url: str,
        max_entries: int,
        claim_time: float = CLAIM_SECONDS,
        wait: Callable[[Future[Any]], Awaitable[Any]] = wrap_future,
    ):
        self._wait = wait
        self.max_entries, self.claim_time = max_entries, claim_time
        self._client, prefix = connect(url, PREFIX)
        self._prefix = f"{prefix}:{format_name()}"
        self._replaced = f"{self._prefix}:replaced"
        source = files(__package__).joinpath("redis.lua").read_text("utf-8")
        self._script = self._client.register_script(source)
        self._worker = uuid4().hex[:16].encode()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-duplicates")
        self._paused_until = 0.0

    async def open(self) -> int:
        """Return the number of entries of all workers."""
        return int(await self._call(lambda: self._client.zcard(f"{self._prefix}:age")))

    async def find(self, entry: Entry, threshold: float) -> Findings:
        """Return the entries that the entry is a copy of, without own claims."""
        bands = b"".join(entry.fingerprint.bands())
        age, rows = await self._run(
            "find", bands, entry.own, entry.address, MAX_FETCHED
        )
        others = [row for row in rows if not row[-1] or row[-2] != self._worker]
        claimed = {row[0].decode() for row in others if row[-1]}
        matches = find_matches(entry, list(map(_read_row, others)), threshold)
        return Findings(
            [match for match in matches if match.key not in claimed],
            [match for match in matches if match.key in claimed],
            int(age),
        )

    async def claim(self, entry: Entry, findings: Findings) -> bool:
        """Make the other workers wait for the entry's item."""
        milliseconds = round(self.claim_time * 1000)
        options = self._worker, MAX_PER_PLACE, findings.age, milliseconds
        return bool(await self._run("claim", *options, *_write_row(entry)))

    async def release(self, entry: Entry) -> None:
        """Withdraw the claim, so that other workers go on."""
        await self._run("release", self._worker, _name(entry))

    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry; the oldest of all workers are forgotten."""
        options = self._worker, MAX_PER_PLACE, self.max_entries
        return int(await self._run("add", *options, *_write_row(entry), *instead_of))

    async def take_replaced(self) -> list[str]:
        """Return the replaced URLs of this worker and of those that have not asked yet.

        Those may have been killed. If not they ask, too: their lists stay.
        """
        urls = await self._call(self._take_replaced)
        return [url.decode("utf-8", "surrogatepass") for url in urls]

    def _take_replaced(self) -> list[bytes]:
        workers = f"{self._replaced}:of"
        self._client.srem(workers, self._worker)
        others: Any = self._client.smembers(workers)
        names = [each.decode() for each in (self._worker, *others)]
        with self._client.pipeline() as pipeline:
            for name in names:
                pipeline.lrange(f"{self._replaced}:{name}", 0, -1)
            pipeline.delete(f"{self._replaced}:{names[0]}")
            *found, _ = pipeline.execute()
        return [url for urls in found for url in urls]

    async def filter_replaced(self, urls: Sequence[str]) -> list[str]:
        """Return those of the URLs that were replaced, and not remembered since."""
        if not urls:
            return []
        encoded = [url.encode("utf-8", "surrogatepass") for url in urls]
        found = await self._call(
            lambda: self._client.smismember(self._replaced, encoded)
        )
        return [url for url, is_one in zip(urls, found, strict=True) if is_one]

    async def close(self) -> None:
        """Close the connection."""
        await self._wait(self._thread.submit(self._client.close))
        self._thread.shutdown(wait=False)

    async def _run(self, operation: str, *arguments: Any) -> Any:
        """Run an operation of the script."""
        return await self._call(
            lambda: self._script([self._prefix], [operation, *arguments])
        )

    async def _call(self, function: Callable[[], Result]) -> Any:
        import redis

        if monotonic() < self._paused_until:
            raise StoreFailure("paused", "Redis failed a moment ago")
        try:
            return await self._wait(self._thread.submit(function))
        except (redis.RedisError, OSError) as error:
            self._paused_until = monotonic() + PAUSE_SECONDS
            raise StoreFailure(reason_of(error), str(error)) from error


def _name(entry: Entry) -> str:
    """The key of an entry: the same for the same text of the same URL."""
    own = entry.own.to_bytes(8, "big")
    return blake2b(own + entry.fingerprint.digest, digest_size=8).hexdigest()


def _write_row(entry: Entry) -> list[Any]:
    """The values of an entry as the script takes them, its name first."""
    text = entry.fingerprint
    url = entry.url.encode("utf-8", "surrogatepass")
    row: list[Any] = [_name(entry), url, entry.own, entry.address]
    row += [text.digest, text.words, text.sketch, b"".join(text.bands())]
    return [*row, text.subject]


def _read_row(row: list[bytes]) -> tuple[Key, Entry]:
    name, url, own, address, digest, words, sketch, subject = row[:8]
    fingerprint = Fingerprint(digest, int(words), sketch, b"", subject)
    shown = url.decode("utf-8", "surrogatepass")
    return name.decode(), Entry(shown, int(own), int(address), fingerprint)
