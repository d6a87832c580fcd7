"""The texts of documents in the memory, by which copies of them are found.

A text is claimed before its document is written, and settled when its item has come
through all pipelines. A claim whose process was killed is *unsettled*: its document may
be in an index, or not. What replaces such a text deletes that document.
"""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager
from struct import iter_unpack
from typing import TYPE_CHECKING, Final, NamedTuple

from . import statements
from .copies import Entry, Match, find_matches
from .fingerprints import Fingerprint, format_name
from .memory import Memory
from .sqlite import SqliteConnection
from .statements import Change, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

#: Texts that a crawl without a state remembers, the newest. Each takes about 2 kB.
MAX_TEXTS: Final = 100_000

#: Texts that are found at one place, and texts that are compared with one: the newest,
#: and those that have most places in common with it.
MAX_FOUND: Final = 200

#: Seconds after which another worker's claim is unsettled: it may have died, and the
#: lost page is crawled again by then.
CLAIM_SECONDS: Final = 120.0

_FORMAT: Final = "format of texts"


class TextsFailed(RuntimeError):
    """The memory of texts that fails; the message is one line."""


class Findings(NamedTuple):
    """Texts that one is a copy of, the most similar first.

    ``matches`` are settled, or unsettled ones of killed processes, whose numbers are in
    ``unsettled``. The items of ``own`` are still in the pipelines of this process,
    those of ``others`` in another worker's. ``seen`` are all texts that were compared.
    """

    matches: Sequence[Match] = ()
    own: Sequence[Match] = ()
    others: Sequence[Match] = ()
    unsettled: frozenset[int] = frozenset()
    seen: frozenset[int] = frozenset()


class TextMemory:
    """The texts of one scope; with a *limit* the newest. Methods raise TextsFailed.

    Those of earlier runs, or of an earlier process of a crawl that goes on, count until
    their page has come: see :meth:`forget_former`.
    """

    def __init__(self, memory: Memory, scope: int, run: int, limit: int | None = None):
        self._memory, self._scope, self._run = memory, scope, run
        self._limit = limit
        #: Whether other workers have texts here at the same time.
        self.is_shared = memory.connection.is_shared
        self._worker = secrets.token_hex(8)
        self._last_former = self._count = 0

    @classmethod
    def of_process(cls, limit: int = MAX_TEXTS) -> TextMemory:
        """Return a memory of texts that ends with the process."""
        return cls(Memory(SqliteConnection(None)), 0, 0, limit)

    def open(self) -> int:
        """Return the number of texts that are known from before.

        Fingerprints of another version of the format are forgotten: they compare with
        none of this one.
        """
        with _failing(self._memory):
            name = f"{_FORMAT} {self._scope}"
            if self._memory.fact(name) != format_name():
                self._memory.write(statements.FORGET_TEXTS, scope=self._scope)
                self._memory.write(statements.FORGET_PLACES, scope=self._scope)
                self._memory.put_fact(name, format_name())
            values = {"scope": self._scope, "run": self._run}
            ((count, last, former),) = self._memory.read(
                statements.COUNT_TEXTS, **values
            )
        self._count = count
        self._last_former = (former if self.is_shared else last) or 0
        return self._count

    def find(self, entry: Entry, threshold: float) -> Findings:
        """Return the texts that the entry is a copy of."""
        with _failing(self._memory):
            rows = self._near(entry, statements.texts_near)
        found = find_matches(entry, [(row[0], _entry(row)) for row in rows], threshold)
        claims = {row[0]: self._kind(*row[1:3]) for row in rows}
        kinds: dict[str, list[Match]] = {"own": [], "others": [], "matches": []}
        for match in found:
            kind = claims[match.key]
            kinds["matches" if kind == "unsettled" else kind].append(match)
        unsettled = {number for number, kind in claims.items() if kind == "unsettled"}
        return Findings(**kinds, unsettled=frozenset(unsettled), seen=frozenset(claims))

    def _kind(self, worker: str, claimed_until: float | None) -> str:
        if claimed_until is None:
            return "matches"
        if worker == self._worker:
            return "own"
        is_alive = self.is_shared and time.time() < claimed_until
        return "others" if is_alive else "unsettled"

    def _near(self, entry: Entry, query: Callable[[int, int], str]) -> list[Row]:
        places = _places(entry)
        values = {f"place{number}": place for number, place in enumerate(places)}
        statement = query(len(places), MAX_FOUND)
        return self._memory.read(statement, scope=self._scope, **values)

    def _row(self, number: int) -> list[Row]:
        return self._memory.read(statements.TEXT, id=number)

    def claim(self, entry: Entry, findings: Findings) -> int | None:
        """Note that a document with the text may be written; return its number.

        ``None`` if another worker has claimed a text that may be alike since the
        *findings*.
        """
        # Numbers of all workers grow with the time.
        number = (time.time_ns() // 1000 << 8) + secrets.randbelow(256)
        until = time.time() + CLAIM_SECONDS
        with _failing(self._memory), self._memory.connection.exclusive():
            near = self._near(entry, statements.numbers_near) if self.is_shared else ()
            if not findings.seen.issuperset(key for (key,) in near):
                return None
            self._memory.connection.write(self._put(number, entry, until))
        self._count += 1
        return number

    def _put(self, number: int, entry: Entry, until: float) -> list[Change]:
        scope, text = self._scope, entry.fingerprint
        values = {
            "id": number,
            "scope": scope,
            "url": entry.url,
            "own": entry.own,
            "address": entry.address,
            "digest": text.digest,
            "words": text.words,
            "sketch": text.sketch,
            "bands": text.bands,
            "subject": text.subject,
            "run": self._run,
            "worker": self._worker,
            "claimed_until": until,
        }
        places = [{"scope": scope, "place": p, "text": number} for p in _places(entry)]
        return [
            Change(statements.PUT_TEXT, [values]),
            Change(statements.PUT_PLACE, places),
        ]

    def release(self, number: int) -> None:
        """Withdraw a claim: its item was dropped, or failed."""
        with _failing(self._memory):
            for row in self._row(number):
                self._forget_row(row)

    def settle(self, number: int, entry: Entry, instead_of: Iterable[int] = ()) -> int:
        """Remember a claimed text for good, in the place of others.

        The documents of others are to be deleted: see :meth:`replaced`. Returns how
        many of the oldest texts were forgotten to make room.
        """
        with _failing(self._memory), self._memory.connection.exclusive():
            for other in set(instead_of):
                for row in self._row(other):
                    self._note_replaced(row, entry)
                    self._forget_row(row)
            for row in self._at_url(entry.own):
                is_over = self._kind(*row[1:3]) == "unsettled"
                is_again = row[2] is None and _entry(row).is_exact_copy(entry)
                if is_over or is_again:
                    self._forget_row(row)
            known = {"scope": self._scope, "url": entry.url}
            self._memory.write(statements.FORGET_REPLACED, **known)
            self._memory.write(statements.SETTLE_TEXT, id=number)
            return self._forget_oldest()

    def _note_replaced(self, row: Row, better: Entry) -> None:
        """Note that the document of a row is to be deleted, if it has another URL."""
        other = _entry(row)
        if other.url and not other.has_url_of(better):
            values = {"scope": self._scope, "url": other.url, "worker": row[1]}
            self._memory.write(statements.PUT_REPLACED, **values)

    def _at_url(self, own: int) -> list[Row]:
        found = self._memory.read(statements.TEXTS_AT_URL, scope=self._scope, own=own)
        return [row for (number,) in found for row in self._row(number)]

    def _forget_oldest(self) -> int:
        excess = self._count - (self._limit or self._count)
        if excess <= 0:
            return 0
        scope, oldest = self._scope, statements.OLDEST_TEXTS
        rows = self._memory.read(oldest, scope=scope, most=excess)
        for (number,) in rows:
            self._forget_row(self._row(number)[0])
        return len(rows)

    def forget_former(self, own: int) -> None:
        """Forget the texts of earlier times at the URL with this number."""
        with _failing(self._memory):
            for row in self._at_url(own):
                if row[0] <= self._last_former:
                    self._forget_row(row)

    def _forget_row(self, row: Row) -> None:
        self._count -= 1
        places = [
            {"scope": self._scope, "place": place, "text": row[0]}
            for place in _places(_entry(row))
        ]
        self._memory.connection.write(
            [
                Change(statements.FORGET_PLACE, places),
                Change(statements.FORGET_TEXT, [{"id": row[0]}]),
            ]
        )

    def replaced(self) -> list[str]:
        """Return the URLs of documents that were replaced, to be deleted.

        Those that other workers wrote stay noted: they may write them once more.
        """
        with _failing(self._memory):
            rows = self._memory.read(statements.REPLACED, scope=self._scope)
            for url, worker in rows:
                if worker == self._worker or not self.is_shared:
                    values = {"scope": self._scope, "url": url}
                    self._memory.write(statements.FORGET_REPLACED, **values)
        return [url for url, _ in rows]

    def close(self) -> None:
        """Close a memory of the process; that of a state is closed with it."""
        if self._limit is not None:
            self._memory.close()


@contextmanager
def _failing(memory: Memory) -> Iterator[None]:
    """Name errors of the database as those of the texts."""
    try:
        yield
    except memory.errors as error:
        raise TextsFailed(" ".join(str(error).split())) from error


def _entry(row: Row) -> Entry:
    url, own, address, *text = row[3:]
    return Entry(url, own, address, Fingerprint(*text))


def _places(entry: Entry) -> list[int]:
    """The numbers by which a text is found: of its bands and of its addresses."""
    bands = [number >> 1 for (number,) in iter_unpack(">Q", entry.fingerprint.bands)]
    return [*dict.fromkeys([*bands, *filter(None, (entry.own, entry.address))])]
