"""An index in memory with scripted failures, and writers into it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    Rejection,
)
from scrapy_mainpage.indexes.outbox import Outbox, Row
from scrapy_mainpage.indexes.writer import IndexWriter

URL = "memory://tests"
NEVER = 1e6
"""Seconds, longer than any test."""

Step = Callable[["Memory", Sequence[IndexDocument]], Any]


class Memory:
    """The content of the index, the calls on it, and their scripted results.

    ``steps`` are the results of the next puts; later ones succeed. ``refused`` are
    always rejected. ``opening`` are the errors of the next openings. ``hold()`` blocks
    the index until ``release()``.
    """

    def __init__(self) -> None:
        self.documents: dict[str, str] = {}
        self.calls: list[list[str]] = []
        self.deleted: list[list[str]] = []
        self.steps: deque[Step] = deque()
        self.deletions: deque[Exception] = deque()
        self.opening: deque[Exception] = deque()
        self.closing: deque[Exception] = deque()
        self.refused: dict[str, Rejection] = {}
        self.opened = self.closed = 0
        self._changed = threading.Condition()
        self._go = threading.Event()
        self._go.set()

    def hold(self) -> None:
        self._go.clear()

    def release(self) -> None:
        self._go.set()

    def put(self, documents: Sequence[IndexDocument]) -> list[Rejection]:
        rejected = [self.refused[d.url] for d in documents if d.url in self.refused]
        accepted = [d for d in documents if d.url not in self.refused]
        self.documents |= {document.url: document.text for document in accepted}
        return rejected

    def called(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        with self._changed:
            self.calls.append([document.url for document in documents])
            self._changed.notify_all()
        self._go.wait()
        step = self.steps.popleft() if self.steps else Memory.put
        found: Sequence[Rejection] = step(self, documents)
        return found

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition is true."""
        with self._changed:
            assert self._changed.wait_for(condition, timeout=60)

    def connect(self) -> Index:
        if self.opening:
            raise self.opening.popleft()
        self.opened += 1
        return MemoryIndex(self)


class MemoryIndex(Index):
    """The index of a :class:`Memory`."""

    def __init__(self, memory: Memory):
        self.memory = memory

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Any:
        raise NotImplementedError

    def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        return self.memory.called(documents)

    def _delete(self, urls: Sequence[str]) -> int:
        self.memory.deleted.append(list(urls))
        if self.memory.deletions:
            raise self.memory.deletions.popleft()
        found = [self.memory.documents.pop(url, None) for url in urls]
        return len(found) - found.count(None)

    def urls(self) -> Iterator[str]:
        yield from self.memory.documents

    def close(self) -> None:
        self.memory.closed += 1
        if self.memory.closing:
            raise self.memory.closing.popleft()


def document(number: int, text: str = "words") -> IndexDocument:
    return IndexDocument(page(number), text)


def page(number: int) -> str:
    return f"https://example.com/{number}"


def failing(exc: BaseException, *, applied: bool = False) -> Step:
    """A call that fails as a whole, before or after it was applied."""

    def step(memory: Memory, documents: Sequence[IndexDocument]) -> list[Rejection]:
        if applied:
            memory.put(documents)
        raise exc

    return step


def rejecting(*numbers: int, reason: str = "busy", retryable: bool = True) -> Step:
    """A call that rejects some documents and puts the others."""

    def step(memory: Memory, documents: Sequence[IndexDocument]) -> list[Rejection]:
        refused = {page(number) for number in numbers}
        memory.put([each for each in documents if each.url not in refused])
        return [
            Rejection(each.url, reason, f"it is {reason}", retryable)
            for each in documents
            if each.url in refused
        ]

    return step


def gone(*, retryable: bool = True) -> IndexFailure:
    return IndexFailure("connection_lost", "connection reset", retryable=retryable)


def unavailable() -> IndexUnavailable:
    return IndexUnavailable(URL, "connection refused")


class Place:
    """An index in memory and an outbox of one test."""

    def __init__(self, folder: Path):
        self.memory = Memory()
        self.url = URL
        self.outbox = folder / "outbox.sqlite"

    def make(
        self,
        *,
        direct: bool = False,
        retry: bool = False,
        retries: int = 6,
        **limits: Any,
    ) -> IndexWriter:
        writer = IndexWriter(self.url, self.outbox, direct=direct, retry=retry)
        limits = {"batch": 3, "age": NEVER, "direct_age": NEVER, **limits}
        for name, value in limits.items():
            setattr(writer, name, value)
        sender = writer._sender
        sender.retries, sender.backoff = retries, 1e-6
        return writer

    @contextmanager
    def writer(self, **options: Any) -> Iterator[IndexWriter]:
        """A writer that is closed after the block."""
        writer = self.make(**options)
        writer.start()
        try:
            yield writer
        finally:
            self.memory.release()
            writer.close().result(60)
            writer.stop()
        assert_counted(writer)

    def run(self, *documents: IndexDocument, **options: Any) -> dict[str, int]:
        """Put the documents; return the final counts."""
        with self.writer(**options) as writer:
            for each in documents:
                writer.put(each)
        return counts(writer)

    def rows(self) -> list[Row]:
        """What is in the outbox."""
        outbox = Outbox(self.outbox)
        found = outbox.rows() if outbox.exists else []
        outbox.close()
        return found

    def dead(self) -> list[tuple[str, str]]:
        """The URLs of the dead letters with their reasons."""
        return [(row.url, row.reason) for row in self.rows() if row.reason]

    def left(self) -> list[str]:
        """The URLs of the operations that a new run would restore."""
        return [row.url for row in self.rows() if not row.reason]


def counts(writer: IndexWriter) -> dict[str, int]:
    return writer.counts


def assert_counted(writer: IndexWriter, accepted: int | None = None) -> None:
    """Check that each operation has exactly one outcome."""
    found = writer.counts
    ends = ("put", "deleted", "superseded", "dead", "kept", "lost")
    total = sum(found.get(name, 0) for name in ends)
    reasons = sum(n for name, n in found.items() if name.startswith("dead/"))
    assert reasons == found.get("dead", 0)
    assert writer.pending == 0
    if accepted is not None:
        assert total == accepted + found.get("restored", 0)
