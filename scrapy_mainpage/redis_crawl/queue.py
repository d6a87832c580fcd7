"""The queue of a shared crawl: requests stay until they are done; the seen requests."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from scrapy_redis.connection import get_redis_from_settings
from scrapy_redis.defaults import SCHEDULER_DUPEFILTER_KEY
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import Base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis import Redis
    from scrapy import Request, Spider
    from typing_extensions import Self

_USUAL: Final = {"method": "GET", "encoding": "utf-8"}


# --- Scripts ---------------------------------------------------------------

_COMMON: Final = """
local queue = KEYS[1]
local workers = queue .. ':workers'

local function taken_by(worker) return queue .. ':taken:' .. worker end

local function give_back(worker)
    local values = redis.call('HGETALL', taken_by(worker))
    for place = 1, #values, 2 do
        local number, value = values[place], values[place + 1]
        local mark = string.find(value, '|', 1, true)
        local score = string.sub(value, 1, mark - 1)
        redis.call('ZADD', queue, score, number .. string.sub(value, mark + 1))
    end
    redis.call('DEL', taken_by(worker))
    return #values / 2
end

local function done(worker, first)
    for place = first, #ARGV do
        redis.call('HDEL', taken_by(worker), ARGV[place])
    end
end
"""

#: KEYS: queue, fingerprints. ARGV: fingerprint or nothing, score, request. Returns 1,
#: or 0 if the fingerprint was known. One step: no fingerprint is without its request.
_ADD: Final = """
if ARGV[1] ~= '' and redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
local number = struct.pack('>I8', redis.call('INCR', KEYS[1] .. ':last'))
redis.call('ZADD', KEYS[1], ARGV[2], number .. ARGV[3])
return 1
"""

#: KEYS: queue. ARGV: worker, milliseconds of its lease, whether to take a request,
#: number of requests that the worker holds, numbers of those that are done. Returns the
#: number and the request, or two empty strings; whether the worker was known; how many
#: were taken back.
_EXCHANGE: Final = (
    _COMMON
    + """
local worker = ARGV[1]
done(worker, 5)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('ZSCORE', workers, worker) and 1 or 0
redis.call('ZADD', workers, string.format('%.0f', now + ARGV[2]), worker)
local back = 0
-- The worker holds nothing: answers with the requests leased to it got lost.
if ARGV[4] == '0' then back = give_back(worker) end
local over = redis.call('ZRANGEBYSCORE', workers, '-inf', string.format('%.0f', now))
for _, dead in ipairs(over) do
    back = back + give_back(dead)
    redis.call('ZREM', workers, dead)
end
local number, request = '', ''
if ARGV[3] == '1' then
    local first = redis.call('ZPOPMIN', queue)
    if first[1] then
        number, request = string.sub(first[1], 1, 8), string.sub(first[1], 9)
        redis.call('HSET', taken_by(worker), number, first[2] .. '|' .. request)
    end
end
return {number, request, known, back}
"""
)

#: KEYS: queue. Returns how many requests wait or are leased.
_PENDING: Final = (
    _COMMON
    + """
local count = redis.call('ZCARD', queue)
for _, worker in ipairs(redis.call('ZRANGE', workers, 0, -1)) do
    count = count + redis.call('HLEN', taken_by(worker))
end
return count
"""
)

#: KEYS: queue. ARGV: worker, numbers of its requests that are done. Returns how many
#: others it held.
_LEAVE: Final = (
    _COMMON
    + """
done(ARGV[1], 2)
local count = give_back(ARGV[1])
redis.call('ZREM', workers, ARGV[1])
return count
"""
)

# --- The queue -------------------------------------------------------------


class Exchange(NamedTuple):
    """The result of :meth:`LeasedQueue.exchange`."""

    number: bytes
    encoded: bytes
    known: bool
    back: int


class LeasedQueue(Base):  # type: ignore[misc]
    """Requests by priority, first come, first served; each is leased to its worker.

    A leased request stays in Redis until the worker reports it as done. A worker that
    has not called for ``lease`` seconds counts as dead, and its requests go back to the
    queue with the next call of another one. All methods may raise
    ``redis.RedisError``.
    """

    lease = 60.0

    def __init__(
        self,
        server: Redis,
        spider: Spider,
        key: str,
        serializer: Any = None,
    ):
        super().__init__(server, spider, key, serializer)
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._add, self._exchange, self._pending, self._leave = map(
            server.register_script, (_ADD, _EXCHANGE, _PENDING, _LEAVE)
        )

    def __len__(self) -> int:
        """The number of requests that wait."""
        return int(self.server.zcard(self.key))

    def pending(self) -> int:
        """Return how many requests wait or are leased."""
        return int(self._pending([self.key]))

    def encode(self, request: Request) -> bytes:
        """Return the request as bytes.

        Raises :exc:`ValueError`, or an error of pickle, for one that cannot be.
        """
        encoded: bytes = self._encode_request(request)
        return encoded

    def decode(self, encoded: bytes) -> Request:
        """Return the request of the bytes."""
        request: Request = self._decode_request(encoded)
        return request

    def add(
        self, encoded: bytes, priority: int, seen: str = "", fingerprint: bytes = b""
    ) -> bool:
        """Add a request and its fingerprint in one step.

        *seen* is the key of the set of fingerprints. Returns whether the fingerprint
        is new; ``True`` without one.
        """
        arguments: list[Any] = [fingerprint, -priority, encoded]
        return bool(self._add([self.key, seen or self.key], arguments))

    def exchange(
        self, done: Sequence[bytes], held: int, *, take: bool = True
    ) -> Exchange:
        """Report requests as done, renew the lease, and take another request.

        *done* are numbers; *held* is how many requests the worker has besides.
        ``number`` and ``encoded`` are empty if no request waits. The worker is not
        ``known`` with its first call, and if it counted as dead. ``back`` is how many
        requests of dead workers wait again.
        """
        arguments: list[Any] = [self.worker, round(self.lease * 1000)]
        arguments += [int(take), held, *done]
        number, encoded, known, back = self._exchange([self.key], arguments)
        return Exchange(number, encoded, bool(known), back)

    def leave(self, done: Sequence[bytes]) -> int:
        """End the lease: others get the requests at once. Return how many."""
        return int(self._leave([self.key], [self.worker, *done]))

    def push(self, request: Request) -> None:
        """Add a request."""
        self.add(self.encode(request), request.priority)

    def clear(self) -> None:
        """Delete all requests, leased ones included."""
        for key in self.server.scan_iter(f"{_escaped(self.key)}*"):
            self.server.delete(key)

    def _encode_request(self, request: Request) -> Any:
        """Encode a request without the values that are defaults."""
        values: dict[str, Any] = request.to_dict(spider=self.spider)
        if "_class" not in values:  # a subclass may have defaults of its own
            values = {
                name: value
                for name, value in values.items()
                if value and value != _USUAL.get(name)
            }
        return self.serializer.dumps(values)


def _escaped(text: str) -> str:
    """Return a pattern that matches the text only."""
    return "".join(f"\\{each}" if each in "*?[]\\^-" else each for each in text)


class SharedDupeFilter(RFPDupeFilter):  # type: ignore[misc]
    """A set in Redis of the fingerprints that the project's fingerprinter gives.

    Those of scrapy-redis know nothing of ``REQUEST_FINGERPRINTER_CLASS`` and take twice
    the memory.
    """

    def __init__(self, server: Redis, key: str, spider: Spider):
        crawler = spider.crawler
        debug = crawler.settings.getbool("DUPEFILTER_DEBUG")
        super().__init__(server, key, debug)
        self.crawler = crawler

    @classmethod
    def from_spider(cls, spider: Spider) -> Self:
        """Make the filter of a crawl."""
        settings = spider.crawler.settings
        key = settings.get("SCHEDULER_DUPEFILTER_KEY") or SCHEDULER_DUPEFILTER_KEY
        server = get_redis_from_settings(settings)
        return cls(server, key % {"spider": spider.name}, spider)

    def __len__(self) -> int:
        """The number of requests that were seen."""
        return int(self.server.scard(self.key))

    def fingerprint(self, request: Request) -> bytes:
        """Return the request's fingerprint."""
        assert self.crawler.request_fingerprinter is not None
        return self.crawler.request_fingerprinter.fingerprint(request)

    def request_seen(self, request: Request) -> bool:
        """Return whether the request was seen, and note that it was."""
        return not self.server.sadd(self.key, self.fingerprint(request))

    def log(self, request: Request, spider: Spider) -> None:
        """Count a request that was seen, and log the first."""
        super().log(request, spider)
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("dupefilter/filtered")
