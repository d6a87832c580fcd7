"""The queue of a shared crawl in Redis: requests stay there until they are done."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, Final

from redis import Redis
from scrapy.utils.request import request_from_dict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request, Spider

_USUAL: Final = {"method": "GET", "encoding": "utf-8"}

#: Time limit of a call to the server in a crawl.
CALL_SECONDS: Final = 30.0

#: A request in Redis is its priority and its number, as bytes, before its pickle.
_NOW: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

#: KEYS: queue, last number, fingerprints. ARGV: score, request, fingerprint or nothing.
#: Returns 1, or 0 if the fingerprint was known: none is there without its request.
_ADD: Final = """
if ARGV[3] ~= '' and redis.call('SADD', KEYS[3], ARGV[3]) == 0 then return 0 end
local number = redis.call('INCR', KEYS[2])
local entry = struct.pack('>i4I8', ARGV[1], number) .. ARGV[2]
redis.call('ZADD', KEYS[1], ARGV[1], entry)
return 1
"""

#: KEYS: queue, leased requests by the end of their lease. ARGV: milliseconds of a
#: lease. Returns a request or an empty string, and how many were taken back before.
_TAKE: Final = f"""{_NOW}
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)
for _, entry in ipairs(over) do
    redis.call('ZADD', KEYS[1], struct.unpack('>i4', entry), entry)
    redis.call('ZREM', KEYS[2], entry)
end
local first = redis.call('ZPOPMIN', KEYS[1])[1]
if first then redis.call('ZADD', KEYS[2], now + ARGV[1], first) end
return {{first or '', #over}}
"""

#: KEYS: leased requests. ARGV: milliseconds of a lease, requests whose lease goes on.
_RENEW: Final = f"""{_NOW}
for place = 2, #ARGV do
    redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[place])
end
"""


class LeasedQueue:
    """Requests by priority, first come, first served; each is leased to its worker.

    A leased request stays in Redis until it is done. One whose lease is not renewed in
    time goes back to the queue when a worker takes the next one. All methods may raise
    ``redis.RedisError``.
    """

    def __init__(self, url: str, key: str, spider: Spider, lease: float):
        self._server = Redis.from_url(
            url,
            socket_timeout=CALL_SECONDS,
            socket_connect_timeout=CALL_SECONDS,
            retry_on_timeout=True,
        )
        names = ("queue", "leased", "seen", "last")
        self._queue, self._leased, self._seen, self._last = (
            f"{key}:{name}" for name in names
        )
        self._spider, self._lease = spider, round(lease * 1000)
        self._add, self._take, self._renew = map(
            self._server.register_script, (_ADD, _TAKE, _RENEW)
        )

    def pending(self) -> int:
        """Return how many requests wait or are leased."""
        return int(self._server.zcard(self._queue) + self._server.zcard(self._leased))

    def count_seen(self) -> int:
        """Return how many requests were seen."""
        return int(self._server.scard(self._seen))

    def note_seen(self, fingerprint: bytes) -> bool:
        """Note that a request was seen; say if it is the first time."""
        return bool(self._server.sadd(self._seen, fingerprint))

    def encode(self, request: Request) -> bytes:
        """Return the request as bytes, without the values that are defaults.

        Raises :exc:`ValueError`, or an error of pickle, for one that cannot be.
        """
        values: dict[str, Any] = request.to_dict(spider=self._spider)
        if "_class" not in values:  # a subclass may have defaults of its own
            values = {k: v for k, v in values.items() if v and v != _USUAL.get(k)}
        return pickle.dumps(values, protocol=-1)

    def decode(self, entry: bytes) -> Request:
        """Return the request of an entry."""
        return request_from_dict(pickle.loads(entry[12:]), spider=self._spider)

    def add(self, encoded: bytes, priority: int, fingerprint: bytes = b"") -> bool:
        """Add a request and its fingerprint in one step; say if that is new."""
        keys = [self._queue, self._last, self._seen]
        return bool(self._add(keys, [-priority, encoded, fingerprint]))

    def take(self) -> tuple[bytes, int]:
        """Return the entry of the next request, and how many leases had ended.

        The entry is empty if no request waits.
        """
        entry, back = self._take([self._queue, self._leased], [self._lease])
        return entry, back

    def renew(self, entries: Iterable[bytes]) -> bool:
        """Renew the leases of these entries; return ``True``."""
        self._renew([self._leased], [self._lease, *entries])
        return True

    def end(self, entries: Iterable[bytes]) -> bool:
        """Remove requests that are done; return ``True``."""
        if listed := [*entries]:
            self._server.zrem(self._leased, *listed)
        return True

    def give_back(self, entries: Iterable[bytes]) -> None:
        """End the leases of requests that are not done: the next call takes them."""
        if ends := dict.fromkeys(entries, 0):
            self._server.zadd(self._leased, ends, xx=True)
