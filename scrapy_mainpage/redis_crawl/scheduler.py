"""The scheduler of a shared crawl: its requests are leased from a queue in Redis."""

from __future__ import annotations

import logging
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from redis import RedisError
from scrapy.core.scheduler import BaseScheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from ..compat import requests_in_progress, wake_engine
from ..crawl.crawl_state import Component
from ..redaction import message_line
from . import TIMEOUT_SECONDS, split
from .queue import LeasedQueue

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall

Result = TypeVar("Result")

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.25
"""Time between two looks for work of a worker that has none."""

FAILED: Final = "shared_crawl_failed"
"""Reason of closing for a worker that could not add a request."""


class SharedScheduler(Component, BaseScheduler):
    """Leases requests from Redis, and ends each lease when the engine has ended it.

    Scrapy asks for requests one by one and waits for each: a call takes about 0.1 ms if
    the server is near. A worker that could not add a request reports no other as done
    any more and closes; its leased requests are redelivered.
    """

    lease = 60.0
    stats_prefix = "mainpage/shared"

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.url = self.settings.shared or ""
        self.spider: Spider
        self.queue: LeasedQueue
        self._looping: AsyncioLoopingCall | LoopingCall | None = None
        self._held: dict[bytes, Request] = {}
        self._done: list[bytes] = []
        self._local: deque[Request] = deque()
        self._reported: set[str] = set()
        self._renewed_at = self._paused_until = 0.0
        self._waits = self._failed = False

    def open(self, spider: Spider) -> None:
        """Join the crawl."""
        # Raises AttributeError for an engine whose requests cannot be read.
        requests_in_progress(self.crawler)
        prefix, address = split(self.url)
        self.spider = spider
        self.queue = LeasedQueue(address, f"{prefix}:{spider.name}", spider, self.lease)
        settings, prints = self.crawler.settings, self.crawler.request_fingerprinter
        assert prints is not None
        self._fingerprint = prints.fingerprint
        # It is asked for its messages alone.
        self._filter = RFPDupeFilter(
            debug=settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=prints
        )
        self._log_pending()
        self._renewed_at = monotonic()
        self._looping = create_looping_call(self._poll)
        self._looping.start(min(POLL_SECONDS, self.lease / 4), now=False)

    def _log_pending(self) -> None:
        if pending := self.queue.pending():
            self.log(logging.INFO, "Joins a crawl with %d requests to go", pending)
        elif seen := self.queue.count_seen():
            line = "%d requests were seen and none is left: that crawl has ended; for "
            line += "another one change the prefix in MAINPAGE_SHARED"
            self.log(logging.WARNING, line, seen)

    def close(self, reason: str) -> None:
        """Leave the crawl: other workers get the leased requests at once."""
        if self._looping is None:
            return  # it was never opened
        if self._looping.running:
            self._looping.stop()
        if not self._report_done():
            return  # its requests are redelivered at the end of the lease
        self._call("leave", None, self.queue.give_back, self._held)
        if self._held:
            line = "%d requests are left to other workers"
            self.log(logging.INFO, line, len(self._held))

    # --- Requests in and out -----------------------------------------------

    def enqueue_request(self, request: Request) -> bool:
        """Add a request, unless its fingerprint is known."""
        try:
            is_new = self._put(request)
        except (RedisError, OSError) as error:
            self._fail(request, error)
            return False
        if not is_new:
            self._filter.log(request, self.spider)
        return is_new

    def _put(self, request: Request) -> bool:
        seen = b"" if request.dont_filter else self._fingerprint(request)
        try:
            encoded = self.queue.encode(request)
        except Exception as error:  # noqa: BLE001 - pickle raises any error
            if is_new := not seen or self.queue.note_seen(seen):
                self._keep_local(request, error)
            return is_new
        if is_new := self.queue.add(encoded, request.priority, seen):
            self.crawler.stats.inc_value("scheduler/enqueued/redis")
            name = "mainpage/shared/request_bytes_max"
            self.crawler.stats.max_value(name, len(encoded))
        return is_new

    def _keep_local(self, request: Request, error: Exception) -> None:
        """Keep a request that cannot be pickled; it is lost with the worker."""
        self.crawler.stats.inc_value("scheduler/unserializable")
        if self._is_first("unserializable"):
            line = "Not for other workers, and lost if this one is killed: %s: %s"
            self.log(logging.WARNING, line, request, error)
        self._local.append(request)

    def next_request(self) -> Request | None:
        """Return the next request; report those done since the last call."""
        if self._local:
            return self._local.popleft()
        while self._report_done() and (entry := self._take()):
            try:
                request = self.queue.decode(entry)
            except Exception as error:  # noqa: BLE001 - it may raise any error
                self._done.append(entry)
                self._report_failure("undecodable", error)
                continue
            self._held[entry] = request
            self._waits = False
            self.crawler.stats.inc_value("scheduler/dequeued/redis")
            return request
        self._waits = True
        return None

    def _take(self) -> bytes:
        entry, back = self._call("take", (b"", 0), self.queue.take)
        if back:
            self.count("taken_back", back)
            line = "%d requests of workers that are gone are taken back"
            self.log(logging.INFO, line, back)
        return entry

    def has_pending_requests(self) -> bool:
        """Whether there is work, or may be when other workers have done theirs."""
        self._note_done()
        if self._failed:
            return False
        if self._local or self._held or self._done:
            return True
        unknown = 1
        return self._call("pending", unknown, self.queue.pending) > 0

    # --- Leases ------------------------------------------------------------

    def _poll(self) -> None:
        """Renew the leases in time, and wake the engine if it has no work."""
        if self._waits:
            wake_engine(self.crawler)
        age = monotonic() - self._renewed_at
        if age < self.lease / 4 or not self._report_done():
            return
        if not self._call("renew", False, self.queue.renew, self._held):
            return
        self._renewed_at = monotonic()
        if self._held and age > self.lease:
            self.count("lease_lost")
            line = "Taken for dead: what is in hand may be crawled by others as well"
            self.log(logging.WARNING, line)

    def _note_done(self) -> None:
        """Note the requests that the engine has ended."""
        current = requests_in_progress(self.crawler)
        left = [n for n, request in self._held.items() if request not in current]
        for entry in left:
            del self._held[entry]
        self._done += left

    def _report_done(self) -> bool:
        """Report what is done; say if the server takes calls now."""
        if self._failed or monotonic() < self._paused_until:
            return False
        self._note_done()
        is_known = self._call("end", False, self.queue.end, self._done)
        if is_known:
            self._done.clear()
        return is_known

    # --- Failures ----------------------------------------------------------

    def _fail(self, request: Request, error: Exception) -> None:
        """Close: the page that led to the request is redelivered to another worker."""
        self.count("failed/add")
        if self._failed:
            return
        self._failed = True
        line = "Redis did not take %s, this worker ends: %s"
        self.log(logging.ERROR, line, request, message_line(str(error), self.url))
        assert self.crawler.engine is not None
        deferred_from_coro(self.crawler.engine.close_spider_async(reason=FAILED))

    def _call(
        self, name: str, default: Result, operation: Callable[..., Result], *values: Any
    ) -> Result:
        """The result of an operation of the queue; *default* if it fails."""
        try:
            return operation(*values)
        except (RedisError, OSError) as error:
            self._paused_until = monotonic() + TIMEOUT_SECONDS  # each call may block
            self._report_failure(name, error)
            return default

    def _report_failure(self, name: str, error: Exception) -> None:
        self.count(f"failed/{name}")
        if self._is_first(name):
            # A server may quote the command with the password.
            problem = message_line(str(error), self.url)
            self.log(logging.ERROR, "The shared queue fails (%s): %s", name, problem)

    def _is_first(self, name: str) -> bool:
        first = name not in self._reported
        self._reported.add(name)
        return first
