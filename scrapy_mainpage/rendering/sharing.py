"""What several workers learn of the rendering of sites, together by way of Redis.

Each worker decides by its own :class:`~.knowledge.SiteKnowledge`. Once a second it
writes what it has noted of the sites that it is at, and takes over what all have noted:
in a thread, so that nothing waits. A site is one JSON text in Redis, a kilobyte or so,
which is replaced only if nobody has replaced it since it was read.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from weakref import ref

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from ..crawl.futures import wait_for
from ..redis_crawl.address import connect, reason_of
from .knowledge import SiteKnowledge

if TYPE_CHECKING:
    from redis import Redis
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall

    from .experience import Note

logger = logging.getLogger(__name__)

Notes: TypeAlias = "dict[str, list[Note]]"
"""Notes by host."""

INTERVAL: Final = 1.0
"""Seconds between two exchanges."""

PAUSE: Final = 10.0
"""For so many seconds after a failure nothing is tried."""

KEPT: Final = 30 * 24 * 3600
"""For so many seconds a site is known that nobody has come to since."""

MOST_NOTES: Final = 20_000
"""So many notes are kept while Redis is away: the newest."""

MOST_TRIES: Final = 20

_REPLACE: Final = """
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then return {0, current} end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return {1, ''}
"""


class SiteRecords:
    """The sites in Redis. All methods block, and may raise ``redis.RedisError``."""

    def __init__(self, client: Redis, prefix: str):
        self._client = client
        self._prefix = prefix
        self._replace = client.register_script(_REPLACE)

    def exchange(self, notes: Notes) -> dict[str, dict[str, Any]]:
        """Add notes; return what is known then of each of their hosts, if anything."""
        names = list(notes)
        texts: list[Any] = self._client.mget([self._key(name) for name in names])
        found = {
            name: self._add(name, text or b"", notes[name])
            for name, text in zip(names, texts, strict=True)
        }
        return {name: data for name, data in found.items() if data is not None}

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _add(self, name: str, text: bytes, notes: list[Note]) -> dict[str, Any] | None:
        changes = [note for note in notes if note.what != "look"]
        for _ in range(MOST_TRIES):
            data = _read(text)
            if not changes:
                return data
            new = _with_notes(name, data, changes)
            body = json.dumps(new, separators=(",", ":"))
            done, text = self._replace([self._key(name)], [text, body, KEPT])
            if done:
                return new
        return None  # others are faster: what they have is taken over the next time

    def _key(self, name: str) -> str:
        return f"{self._prefix}:site:{name}"


def _read(text: bytes) -> dict[str, Any] | None:
    """What the text says, if it is a site at all."""
    try:
        data: dict[str, Any] = json.loads(text)
        SiteKnowledge().adopt("", data, ())
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
    return data


def _with_notes(
    name: str, data: dict[str, Any] | None, notes: list[Note]
) -> dict[str, Any]:
    knowledge = SiteKnowledge()
    if data is not None:
        knowledge.adopt(name, data, ())
    knowledge.take(name, notes)
    return knowledge.data_of(name)


class SharedLearning:
    """Keeps a knowledge up to date with those of the other workers of a crawl.

    It begins and ends with the spider. Raises :exc:`~..shared.address.AddressRefused`
    if the server cannot be used.
    """

    def __init__(self, crawler: Crawler, url: str, knowledge: SiteKnowledge):
        self._crawler = ref(crawler)  # which is not to live as long as what is learned
        self._knowledge = knowledge
        self._records = SiteRecords(*connect(url, "mainpage:rendering"))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-learning")
        self._notes: list[tuple[str, Note]] = []
        self._looping: AsyncioLoopingCall | LoopingCall | None = None
        self._busy = False
        self._paused_until = 0.0
        self._reported: set[str] = set()
        crawler.signals.connect(self.start, signals.spider_opened)
        crawler.signals.connect(self.close, signals.spider_closed)

    def start(self) -> None:
        """Begin to exchange what is learned."""
        self._knowledge.notes = self._notes
        self._looping = create_looping_call(self._exchange_soon)
        self._looping.start(INTERVAL, now=False)

    async def close(self) -> None:
        """Write what was noted last."""
        if self._looping is not None and self._looping.running:
            self._looping.stop()
        self._knowledge.notes = None
        await self.exchange()
        await wait_for(self._thread.submit(self._records.close))
        self._thread.shutdown(wait=False)

    def _exchange_soon(self) -> None:
        if not self._busy and self._notes and monotonic() >= self._paused_until:
            self._busy = True
            deferred_from_coro(self._exchange_once())

    async def _exchange_once(self) -> None:
        try:
            await self.exchange()
        finally:
            self._busy = False

    async def exchange(self) -> None:
        """Write what was noted, and take over what others have noted of its hosts."""
        import redis

        sent = list(self._notes)
        by_host: Notes = defaultdict(list)
        for name, note in sent:
            by_host[name].append(note)
        if not by_host:
            return
        try:
            known = await wait_for(self._thread.submit(self._records.exchange, by_host))
        except (redis.RedisError, OSError) as error:
            self._failed(error)
            return
        del self._notes[: len(sent)]
        for name, data in known.items():
            since = [note for host, note in self._notes if host == name]
            self._knowledge.adopt(name, data, since)

    def _failed(self, error: Exception) -> None:
        self._paused_until = monotonic() + PAUSE
        del self._notes[:-MOST_NOTES]
        reason = reason_of(error)
        crawler = self._crawler()
        assert crawler is not None
        assert crawler.stats is not None
        crawler.stats.inc_value(f"mainpage/render/sharing_failed/{reason}")
        if reason not in self._reported:
            self._reported.add(reason)
            logger.error(
                "What is learned of sites is not shared for a while (%s): %s",
                reason,
                " ".join(str(error).split()),
                extra={"spider": crawler.spider},
            )
