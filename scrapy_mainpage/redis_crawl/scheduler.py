"""The scheduler of a shared crawl: that of scrapy-redis with leases."""

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

from ..compat import requests_in_progress, wake_engine
from ..redaction import message_line
from .queue import SharedDupeFilter

if TYPE_CHECKING:
    from redis import Redis
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall
    from typing_extensions import Self

    from .queue import Exchange, LeasedQueue

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.25
"""Time between two looks for work of a worker that has none."""

PAUSE_SECONDS: Final = 5.0
"""Time without calls after a failure of Redis: each call may block."""

FAILED: Final = "shared_crawl_failed"
"""Reason of closing for a worker that could not add a request."""


class SharedScheduler(Scheduler):  # type: ignore[misc]
    """Leases requests from Redis, and ends each lease when the engine has ended it.

    Scrapy asks for requests one by one and waits for each, as with scrapy-redis: a call
    takes about 0.1 ms if the server is near. A worker that could not add a request
    reports no other as done any more and closes; its leased requests are redelivered.
    """

    crawler: Crawler
    queue: LeasedQueue
    df: SharedDupeFilter

    def __init__(self, server: Redis, **options: Any):
        super().__init__(server, **options)
        self.persist = True  # or the first worker that ends would clear it for all
        self._looping: AsyncioLoopingCall | LoopingCall | None = None
        self._held: dict[bytes, Request] = {}
        self._done: list[bytes] = []
        self._local: deque[Request] = deque()
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
        requests_in_progress(
            self.crawler
        )  # raises AttributeError for an unknown engine
        self.spider = spider
        self.queue = load_object(self.queue_cls)(
            self.server, spider, self.queue_key, self.serializer
        )
        self.df = SharedDupeFilter.from_spider(spider)
        if self.flush_on_start:
            self.flush()
        self._log_pending()
        self._looping = create_looping_call(self._poll)
        self._looping.start(min(POLL_SECONDS, self.queue.lease / 4), now=False)

    def _log_pending(self) -> None:
        if pending := self.queue.pending():
            self._log(logging.INFO, "Joins a crawl with %d requests to go", pending)
        elif seen := len(self.df):
            line = "%d requests were seen and none is left: that crawl has ended; for "
            line += "another one change the prefix in MAINPAGE_SHARED"
            self._log(logging.WARNING, line, seen)

    def close(self, reason: str) -> None:
        """Leave the crawl: other workers get the leased requests at once."""
        if self._looping is None:
            return  # it was never opened
        if self._looping.running:
            self._looping.stop()
        self._note_done()
        if self._failed:
            return  # its requests are redelivered at the end of the lease
        try:
            if count := self.queue.leave(self._done):
                self._log(logging.INFO, "%d requests are left to other workers", count)
        except (RedisError, OSError) as error:
            self._report_failure("leave", error)

    # --- Requests in and out -----------------------------------------------

    def enqueue_request(self, request: Request) -> bool:
        """Add a request, unless its fingerprint is known."""
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
        except Exception as error:  # noqa: BLE001 - pickle raises any error
            return self._keep_local(request, error)
        if is_new := self._add(request, encoded):
            self.stats.inc_value("scheduler/enqueued/redis")
            self.stats.max_value("mainpage/shared/request_bytes_max", len(encoded))
        return is_new

    def _add(self, request: Request, encoded: bytes) -> bool:
        if request.dont_filter:
            return self.queue.add(encoded, request.priority)
        fingerprint = self.df.fingerprint(request)
        return self.queue.add(encoded, request.priority, self.df.key, fingerprint)

    def next_request(self) -> Request | None:
        """Return the next request; report those done since the last call."""
        if self._local:
            return self._local.popleft()
        while not self._failed and (taken := self._exchange()) and taken.number:
            try:
                request = self.queue.decode(taken.encoded)
            except Exception as error:  # noqa: BLE001 - it may raise any error
                self._done.append(taken.number)
                self._report_failure("undecodable", error)
                continue
            self._held[taken.number] = request
            self._waits = False
            self.stats.inc_value("scheduler/dequeued/redis")
            return request
        self._waits = True
        return None

    def has_pending_requests(self) -> bool:
        """Whether there is work, or may be when other workers have done theirs."""
        self._note_done()
        if self._failed:
            return False
        if self._local or self._held or self._done:
            return True
        try:
            return self.queue.pending() > 0
        except (RedisError, OSError) as error:
            self._report_failure("pending", error)
            return True  # unknown

    # --- Leases ------------------------------------------------------------

    def _poll(self) -> None:
        """Renew the lease in time, and wake the engine if it has no work."""
        if self._waits:
            wake_engine(self.crawler)
        if monotonic() - self._seen_at >= self.queue.lease / 4:
            self._exchange(take=False)

    def _note_done(self) -> None:
        """Note the requests that the engine has ended."""
        if self._failed:
            return
        current = requests_in_progress(self.crawler)
        left = [n for n, request in self._held.items() if request not in current]
        for number in left:
            del self._held[number]
        self._done += left

    def _exchange(self, *, take: bool = True) -> Exchange | None:
        self._note_done()
        if monotonic() < self._paused_until or self._failed:
            return None
        done = list(self._done)
        try:
            result = self.queue.exchange(done, len(self._held), take=take)
        except (RedisError, OSError) as error:
            self._report_failure("exchange", error)
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

    # --- Failures ----------------------------------------------------------

    def _keep_local(self, request: Request, error: Exception) -> bool:
        """Keep a request that cannot be pickled; it is lost with the worker."""
        if not request.dont_filter and self.df.request_seen(request):
            return False
        self.stats.inc_value("scheduler/unserializable")
        if self._is_first("unserializable"):
            line = "Not for other workers, and lost if this one is killed: %s: %s"
            self._log(logging.WARNING, line, request, error)
        self._local.append(request)
        return True

    def _fail(self, request: Request, error: Exception) -> None:
        """Close: the page that led to the request is redelivered to another worker."""
        self._count("failed/add")
        if self._failed:
            return
        self._failed = True
        line = "Redis did not take %s, this worker ends: %s"
        self._log(logging.ERROR, line, request, self._message(error))
        assert self.crawler.engine is not None
        deferred_from_coro(self.crawler.engine.close_spider_async(reason=FAILED))

    def _report_failure(self, name: str, error: Exception) -> None:
        self._count(f"failed/{name}")
        if isinstance(error, RedisError | OSError):
            self._paused_until = monotonic() + PAUSE_SECONDS
        if self._is_first(name):
            line = "The shared queue fails (%s): %s"
            self._log(logging.ERROR, line, name, self._message(error))

    def _message(self, error: Exception) -> str:
        """The error's message; a server may quote the command with the password."""
        return message_line(str(error), str(self.crawler.settings["REDIS_URL"]))

    def _is_first(self, name: str) -> bool:
        first = name not in self._reported
        self._reported.add(name)
        return first

    def _count(self, name: str, number: int = 1) -> None:
        self.stats.inc_value(f"mainpage/shared/{name}", number)

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.spider})
