"""The texts of documents in the memory, by which copies of them are found.

A text is claimed before its document is written, and settled when its item has come
through all pipelines. A claim whose process was killed is *unsettled*: its document may
be in an index, or not. What replaces such a text deletes that document.
"""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager
from dataclasses import asdict
from struct import iter_unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..redaction import error_line
from . import SqliteConnection, tables
from .copies import Entry, Match, find_matches
from .fingerprints import Fingerprint, format_name
from .memory import Memory
from .tables import Change, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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

    ``matches`` are settled, or claimed by other workers, or ``unsettled`` ones of
    killed processes. The items of ``own`` are still in the pipelines of this process.
    ``seen`` are all texts that were compared.
    """

    matches: Sequence[Match] = ()
    own: Sequence[Match] = ()
    unsettled: frozenset[int] = frozenset()
    seen: frozenset[int] = frozenset()


class TextMemory:
    """The texts of one scope. Methods raise TextsFailed.

    Those of earlier runs, or of an earlier process of a crawl that goes on, count until
    their page has come: see :meth:`forget_former`.
    """

    def __init__(self, memory: Memory, scope: int, run: int):
        self._memory, self._scope, self._run = memory, scope, run
        #: Whether other workers have texts here at the same time.
        self.is_shared = memory.connection.is_shared
        self._worker = secrets.token_hex(8)
        self._last_former = 0

    @classmethod
    def of_process(cls) -> TextMemory:
        """Return a memory of texts that ends with the process."""
        return cls(Memory(SqliteConnection(None)), 0, 0)

    def open(self) -> int:
        """Return the number of texts that are known from before.

        Fingerprints of another version of the format are forgotten: they compare with
        none of this one.
        """
        with _failing(self._memory):
            name = f"{_FORMAT} {self._scope}"
            if self._memory.fact(name) != format_name():
                self._memory.write(tables.FORGET_TEXTS, scope=self._scope)
                self._memory.write(tables.FORGET_PLACES, scope=self._scope)
                self._memory.put_fact(name, format_name())
            values = {"scope": self._scope, "run": self._run}
            ((count, last, former),) = self._memory.read(tables.COUNT_TEXTS, **values)
        self._last_former = (former if self.is_shared else last) or 0
        return int(count)

    def find(self, entry: Entry, threshold: float) -> Findings:
        """Return the texts that the entry is a copy of."""
        with _failing(self._memory):
            rows = [*filter(tables.is_sound_text, self._near(entry, tables.texts_near))]
        found = find_matches(entry, [(row[0], _entry(row)) for row in rows], threshold)
        claimed = {row[0] for row in rows if row[2] and row[1] == self._worker}
        return Findings(
            matches=[match for match in found if match.key not in claimed],
            own=[match for match in found if match.key in claimed],
            unsettled=frozenset(row[0] for row in rows if self._is_unsettled(row)),
            seen=frozenset(row[0] for row in rows),
        )

    def _is_unsettled(self, row: Row) -> bool:
        """Whether the claim is that of a process which was killed."""
        _, worker, claimed_until, *_ = row
        if claimed_until is None or worker == self._worker:
            return False
        return not self.is_shared or time.time() >= claimed_until

    def _near(self, entry: Entry, query: Callable[[int, int], str]) -> list[Row]:
        places = _places(entry)
        values = {f"place{number}": place for number, place in enumerate(places)}
        statement = query(len(places), MAX_FOUND)
        return self._memory.read(statement, scope=self._scope, **values)

    def _read(self, statement: str, **values: Any) -> list[Row]:
        """Return the texts of a query that can be read."""
        return [*filter(tables.is_sound_text, self._memory.read(statement, **values))]

    def claim(self, entry: Entry, findings: Findings) -> int | None:
        """Note that a document with the text may be written; return its number.

        ``None`` if another worker has claimed a text that may be alike since the
        *findings*.
        """
        # Numbers of all workers grow with the time.
        number = (time.time_ns() // 1000 << 8) + secrets.randbelow(256)
        with _failing(self._memory), self._memory.connection.exclusive():
            near = self._near(entry, tables.numbers_near) if self.is_shared else ()
            if not findings.seen.issuperset(key for (key,) in near):
                return None
            self._memory.connection.write(self._put(number, entry))
        return number

    def _put(self, number: int, entry: Entry) -> list[Change]:
        scope, run, worker = self._scope, self._run, self._worker
        own = {"id": number, "scope": scope, "run": run, "worker": worker}
        values = asdict(entry) | asdict(entry.fingerprint) | own
        values["claimed_until"] = time.time() + CLAIM_SECONDS
        return [
            Change(tables.FORGET_REPLACED, [{"scope": scope, "url": entry.url}]),
            Change(tables.PUT_TEXT, [values]),
            Change(tables.PUT_PLACE, self._places(number, entry)),
        ]

    def release(self, number: int) -> None:
        """Withdraw a claim: its item was dropped, or failed."""
        with _failing(self._memory):
            for row in self._read(tables.TEXT, id=number):
                self._forget_row(row)

    def settle(
        self, number: int, entry: Entry, instead_of: Iterable[int] = ()
    ) -> list[str]:
        """Remember a claimed text for good, in the place of others.

        Returns the URLs of their documents, which are to be deleted: see
        :meth:`replaced`.
        """
        with _failing(self._memory), self._memory.connection.exclusive():
            found = [r for k in set(instead_of) for r in self._read(tables.TEXT, id=k)]
            others = [row for row in found if not _entry(row).has_url_of(entry)]
            urls = [url for row in others if (url := self._note_replaced(row))]
            for row in found:
                self._forget_row(row)
            for row in self._at_url(entry.own):
                is_again = row[2] is None and _entry(row).is_exact_copy(entry)
                if is_again or self._is_unsettled(row):
                    self._forget_row(row)
            self._memory.write(tables.SETTLE_TEXT, id=number)
            return urls

    def _note_replaced(self, row: Row) -> str | None:
        """Note that the document of a text is to be deleted; return its URL."""
        if url := _entry(row).url:
            values = {"scope": self._scope, "url": url, "worker": row[1]}
            self._memory.write(tables.PUT_REPLACED, **values)
        return url

    def _at_url(self, own: int) -> list[Row]:
        return self._read(tables.TEXTS_AT_URL, scope=self._scope, own=own)

    def forget_former(self, own: int) -> None:
        """Forget the texts of earlier times at the URL with this number.

        The document of a killed process goes, unless the page is claimed again.
        """
        with _failing(self._memory):
            for row in self._at_url(own):
                if row[0] <= self._last_former:
                    if self._is_unsettled(row):
                        self._note_replaced(row)
                    self._forget_row(row)

    def _forget_row(self, row: Row) -> None:
        places = self._places(row[0], _entry(row))
        forgotten = Change(tables.FORGET_TEXT, [{"id": row[0]}])
        self._memory.connection.write([Change(tables.FORGET_PLACE, places), forgotten])

    def _places(self, text: int, entry: Entry) -> list[dict[str, Any]]:
        return [
            {"scope": self._scope, "text": text, "place": p} for p in _places(entry)
        ]

    def replaced(self) -> list[str]:
        """Return the URLs of documents that were replaced, to be deleted.

        Those that other workers wrote stay noted: they may write them once more.
        """
        with _failing(self._memory):
            rows = self._memory.read(tables.REPLACED, scope=self._scope)
            for url, worker in rows:
                if worker == self._worker or not self.is_shared:
                    values = {"scope": self._scope, "url": url}
                    self._memory.write(tables.FORGET_REPLACED, **values)
        return [url for url, _ in rows]

    def close(self) -> None:
        """Close a memory of the process; that of a state is closed with it."""
        if self._memory.is_temporary:
            self._memory.close()


@contextmanager
def _failing(memory: Memory) -> Iterator[None]:
    """Name errors of the database as those of the texts."""
    try:
        yield
    except memory.errors as error:
        raise TextsFailed(f"{memory.shown}: {error_line(error)}") from error


def _entry(row: Row) -> Entry:
    url, own, address, *text = row[3:]
    return Entry(url, own, address, Fingerprint(*text))


def _places(entry: Entry) -> list[int]:
    """The numbers by which a text is found: of its bands and of its addresses."""
    bands = [number >> 1 for (number,) in iter_unpack(">Q", entry.fingerprint.bands)]
    return [*dict.fromkeys([*bands, *filter(None, (entry.own, entry.address))])]
