"""The scheduler of a shared crawl: scrapy-redis's, and no request is ever lost."""

from __future__ import annotations

import logging
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from redis import RedisError
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object
from scrapy_redis.scheduler import Scheduler

from ..settings import read_settings
from .dupefilter import SharedDupeFilter
from .engine import in_progress, wake

if TYPE_CHECKING:
    from redis import Redis
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from .queue import Exchange, LeasedQueue

logger = logging.getLogger(__name__)

STEP: Final = 0.25
"""Every so many seconds a worker without work looks whether there is some."""

PAUSE: Final = 5.0
"""For so many seconds after a failure Redis is left alone: every try may block."""

FAILED: Final = "shared_crawl_failed"
"""Why a worker closes that could not hand on a request."""


class SharedScheduler(Scheduler):  # type: ignore[misc]
    """Leases requests from Redis, and gives each up when all that it led to is done.

    Scrapy asks for requests one by one and waits for each answer; so does scrapy-redis,
    and so does this: a call takes about 0.1 ms where the server is near.

    What is done with a request is known when the engine has left it. A worker that
    could not put a request into Redis says of no other any more that it is done, and
    closes: what it had in hand is had again.
    """

    crawler: Crawler
    queue: LeasedQueue
    df: Any  # the project may have a filter of its own

    def __init__(self, server: Redis, **options: Any):
        super().__init__(server, **options)
        self.persist = True  # or the first worker that ends would clear it for all
        self._looping: AsyncioLoopingCall | LoopingCall | None = None
        self._held: dict[bytes, Request] = {}
        self._done: list[bytes] = []
        self._own: deque[Request] = deque()
        self._reported: set[str] = set()
        self._seen_at = self._paused_until = 0.0
        self._joined = self._waits = self._failed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the scheduler of a crawl."""
        scheduler: Self = super().from_crawler(crawler)
        scheduler.crawler = crawler
        return scheduler

    def open(self, spider: Spider) -> None:
        """Join the crawl."""
        in_progress(self.crawler)  # raises AttributeError for an unknown engine
        self.spider = spider
        self.queue = load_object(self.queue_cls)(
            self.server, spider, self.queue_key, self.serializer
        )
        self.queue.lease = read_settings(self.crawler).shared_lease
        self.df = self.df or load_object(self.dupefilter_cls).from_spider(spider)
        if self.flush_on_start:
            self.flush()
        self._say_what_is_there()
        self._looping = create_looping_call(self._look_around)
        self._looping.start(min(STEP, self.queue.lease / 4), now=False)

    def _say_what_is_there(self) -> None:
        if pending := self.queue.pending():
            self._log(logging.INFO, "Joins a crawl with %d requests to go", pending)
        elif isinstance(self.df, SharedDupeFilter) and (seen := len(self.df)):
            line = "%d requests were seen and none is left: that crawl has ended; for "
            line += "another one change the prefix in MAINPAGE_SHARED"
            self._log(logging.WARNING, line, seen)

    def close(self, reason: str) -> None:
        """Leave the crawl: the others go on at once with what is still in hand."""
        if self._looping is None:
            return  # it was never opened
        if self._looping.running:
            self._looping.stop()
        self._settle()
        if self._failed:
            return  # what this worker began is had again when its lease is over
        try:
            if count := self.queue.leave(self._done):
                self._log(logging.INFO, "%d requests are left to other workers", count)
        except (RedisError, OSError) as error:
            self._trouble("leave", error)

    # --- Requests in and out -----------------------------------------------

    def enqueue_request(self, request: Request) -> bool:
        """Put in a request, unless there was one with its fingerprint."""
        try:
            is_new = self._put(request)
        except (RedisError, OSError) as error:
            self._fail(request, error)
            return False
        if not is_new:
            self.df.log(request, self.spider)
        return is_new

    def _put(self, request: Request) -> bool:
        try:
            encoded = self.queue.encode(request)
        except Exception as error:  # noqa: BLE001 - pickle raises what it likes
            return self._keep_own(request, error)
        if is_new := self._add(request, encoded):
            self.stats.inc_value("scheduler/enqueued/redis")
            self.stats.max_value("mainpage/shared/request_bytes_max", len(encoded))
        return is_new

    def _add(self, request: Request, encoded: bytes) -> bool:
        if request.dont_filter:
            return self.queue.add(encoded, request.priority)
        if isinstance(self.df, SharedDupeFilter):
            fingerprint = self.df.fingerprint(request)
            return self.queue.add(encoded, request.priority, self.df.key, fingerprint)
        # The project's own filter: its answer and the request are two steps.
        if self.df.request_seen(request):
            return False
        return self.queue.add(encoded, request.priority)

    def next_request(self) -> Request | None:
        """Return the next request of the crawl; say what is done meanwhile."""
        if self._own:
            return self._own.popleft()
        while not self._failed and (taken := self._exchange()) and taken.number:
            try:
                request = self.queue.decode(taken.encoded)
            except Exception as error:  # noqa: BLE001 - it may raise what it likes
                self._done.append(taken.number)
                self._trouble("undecodable", error)
                continue
            self._held[taken.number] = request
            self._waits = False
            self.stats.inc_value("scheduler/dequeued/redis")
            return request
        self._waits = True
        return None

    def has_pending_requests(self) -> bool:
        """Whether there is work, or may be once other workers are done with theirs."""
        self._settle()
        if self._failed:
            return False
        if self._own or self._held or self._done:
            return True
        try:
            return self.queue.pending() > 0
        except (RedisError, OSError) as error:
            self._trouble("pending", error)
            return True  # nobody knows

    # --- Leases ------------------------------------------------------------

    def _look_around(self) -> None:
        """Show that the worker lives, and wake the engine if it has nothing to do."""
        if self._waits:
            wake(self.crawler)
        if monotonic() - self._seen_at >= self.queue.lease / 4:
            self._exchange(take=False)

    def _settle(self) -> None:
        """Note which requests the engine has left."""
        if self._failed:
            return
        current = in_progress(self.crawler)
        left = [n for n, request in self._held.items() if request not in current]
        for number in left:
            del self._held[number]
        self._done += left

    def _exchange(self, *, take: bool = True) -> Exchange | None:
        self._settle()
        if monotonic() < self._paused_until or self._failed:
            return None
        done = list(self._done)
        try:
            result = self.queue.exchange(done, len(self._held), take=take)
        except (RedisError, OSError) as error:
            self._trouble("exchange", error)
            return None
        del self._done[: len(done)]
        self._seen_at = monotonic()
        self._report(result)
        return result

    def _report(self, result: Exchange) -> None:
        if self._joined and not result.known:
            self._count("lease_lost")
            line = "Taken for dead: what is in hand may be crawled by others as well"
            self._log(logging.WARNING, line)
        self._joined = True
        if result.back:
            self._count("taken_back", result.back)
            line = "%d requests of workers that are gone are taken back"
            self._log(logging.INFO, line, result.back)
        for encoded in result.given_up:
            self._count("given_up")
            line = "Given up, too many workers ended while they had it: %s"
            self._log(logging.ERROR, line, self._url_of(encoded))

    # --- Troubles ----------------------------------------------------------

    def _keep_own(self, request: Request, error: Exception) -> bool:
        """Keep a request that cannot be handed over; it is lost with the worker."""
        if not request.dont_filter and self.df.request_seen(request):
            return False
        self.stats.inc_value("scheduler/unserializable")
        if self._is_first("unserializable"):
            line = "Not for other workers, and lost if this one is killed: %s: %s"
            self._log(logging.WARNING, line, request, error)
        self._own.append(request)
        return True

    def _fail(self, request: Request, error: Exception) -> None:
        """Close: what led to the request is had again, by another worker."""
        self._count("failed/add")
        if self._failed:
            return
        self._failed = True
        line = "Redis did not take %s, this worker ends: %s"
        self._log(logging.ERROR, line, request, error)
        assert self.crawler.engine is not None
        deferred_from_coro(self.crawler.engine.close_spider_async(reason=FAILED))

    def _trouble(self, name: str, error: Exception) -> None:
        self._count(f"failed/{name}")
        if isinstance(error, RedisError | OSError):
            self._paused_until = monotonic() + PAUSE
        if self._is_first(name):
            line = "The shared queue fails (%s): %s"
            self._log(logging.ERROR, line, name, error)

    def _is_first(self, name: str) -> bool:
        first = name not in self._reported
        self._reported.add(name)
        return first

    def _url_of(self, encoded: bytes) -> str:
        try:
            return self.queue.decode(encoded).url
        except Exception as error:  # noqa: BLE001 - it may raise what it likes
            return repr(error)

    def _count(self, name: str, number: int = 1) -> None:
        self.stats.inc_value(f"mainpage/shared/{name}", number)

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.spider})
