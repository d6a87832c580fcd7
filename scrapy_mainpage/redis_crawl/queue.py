"""The queue of a shared crawl: what a worker has taken stays there until it is done."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from scrapy_redis.queue import Base

from .queuescripts import ADD, EXCHANGE, LEAVE, PENDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis import Redis
    from scrapy import Request, Spider

MOST_DEATHS: Final = 5
"""In the hand of so many workers that died, a request is given up: it may kill them."""

_USUAL: Final = {"method": "GET", "encoding": "utf-8"}


class Exchange(NamedTuple):
    """What came of an exchange: see :meth:`LeasedQueue.exchange`."""

    number: bytes
    encoded: bytes
    known: bool
    back: int
    given_up: Sequence[bytes]


class LeasedQueue(Base):  # type: ignore[misc]
    """Requests by priority, first come, first served; each is leased to its worker.

    A request that was taken stays in Redis until the worker says that it is done with
    it. A worker that says nothing for ``lease`` seconds is taken for dead; the next of
    the others that comes takes back what it had in hand. All methods may raise
    ``redis.RedisError``.
    """

    def __init__(
        self,
        server: Redis,
        spider: Spider,
        key: str,
        serializer: Any = None,
        lease: float = 60.0,
    ):
        super().__init__(server, spider, key, serializer)
        self.lease = lease
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._add, self._exchange, self._pending, self._leave = map(
            server.register_script, (ADD, EXCHANGE, PENDING, LEAVE)
        )

    def __len__(self) -> int:
        """How many requests wait."""
        return int(self.server.zcard(self.key))

    def pending(self) -> int:
        """Return how many requests wait, or are in the hand of any worker."""
        return int(self._pending([self.key]))

    def encode(self, request: Request) -> bytes:
        """Return the request as bytes.

        Raises what pickle raises, or ``ValueError``, for one that cannot be.
        """
        encoded: bytes = self._encode_request(request)
        return encoded

    def decode(self, encoded: bytes) -> Request:
        """Return the request that the bytes were made of."""
        request: Request = self._decode_request(encoded)
        return request

    def add(
        self, encoded: bytes, priority: int, seen: str = "", fingerprint: bytes = b""
    ) -> bool:
        """Put in a request and its fingerprint, in one step.

        *seen* is the key of the set of fingerprints. Returns whether the fingerprint
        is a new one; without a fingerprint, ``True``.
        """
        arguments: list[Any] = [fingerprint, -priority, encoded]
        return bool(self._add([self.key, seen or self.key], arguments))

    def exchange(
        self, done: Sequence[bytes], held: int, *, take: bool = True
    ) -> Exchange:
        """Say which requests are done, that the worker lives, and take another one.

        *done* are numbers, *held* is how many the worker has in hand without those.
        ``number`` and ``encoded`` are empty if there is no request. The worker is not
        ``known`` when it comes for the first time, or was taken for dead. ``back``
        says how many requests of dead workers wait again, ``given_up`` are those that
        no other worker is to die of.
        """
        arguments: list[Any] = [self.worker, round(self.lease * 1000), MOST_DEATHS]
        arguments += [int(take), held, *done]
        number, encoded, known, back, given_up = self._exchange([self.key], arguments)
        return Exchange(number, encoded, bool(known), back, given_up)

    def leave(self, done: Sequence[bytes]) -> int:
        """Let the others have at once what is still in hand; return how many."""
        return int(self._leave([self.key], [self.worker, *done]))

    def push(self, request: Request) -> None:
        """Put in a request."""
        self.add(self.encode(request), request.priority)

    def clear(self) -> None:
        """Forget all requests, also those that are in the hands of workers."""
        for key in self.server.scan_iter(f"{_escaped(self.key)}*"):
            self.server.delete(key)

    def _encode_request(self, request: Request) -> Any:
        """Encode a request, without what every other request has as well."""
        values: dict[str, Any] = request.to_dict(spider=self.spider)
        if "_class" not in values:  # a subclass may have defaults of its own
            values = {
                name: value
                for name, value in values.items()
                if value and value != _USUAL.get(name)
            }
        return self.serializer.dumps(values)


def _escaped(text: str) -> str:
    """The text as a pattern that matches nothing else."""
    return "".join(f"\\{each}" if each in "*?[]\\^-" else each for each in text)
