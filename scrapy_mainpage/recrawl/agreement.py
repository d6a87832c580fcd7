"""Whether the indexes have what the ledger says: a mark of the last run in both."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import uuid4

from ..indexes import IndexFailure, IndexUnavailable, open_index
from ..redaction import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..memory import Memory

logger = logging.getLogger(__name__)


#: Seconds between two looks at marks that another worker may be changing.
PAUSE: Final = 0.25
TRIES: Final = 6


class Agreement(NamedTuple):
    """Indexes with the mark that the ledger has of them, and those without.

    ``filled`` are those without that have documents.
    """

    agreeing: list[str]
    foreign: list[str]
    filled: list[str]


def compare_marks(
    ledger: Memory, scope: int, urls: Iterable[str], *, tries: int = 1
) -> Agreement:
    """Compare the marks of a scope.

    Another worker of a shared crawl may be about to change both: with *tries* those
    that differ are read again.

    An index that was made anew, or is an older copy, has another one. With a ledger
    without documents every index agrees.
    """
    result = Agreement([], [], [])
    for url in urls:
        for left in reversed(range(tries)):
            known = ledger.fact(_name(url, scope))
            found, is_filled = _look_at(ledger, scope, url, known)
            if known in (None, found) or not left:
                break
            time.sleep(PAUSE)
        if known is not None and known != found:
            line = "%s is not as the last crawl left it: all pages are written again"
            logger.warning(line, redacted(url))
        is_foreign = known != found and (
            known is not None
            or ledger.count("1", "content_hash IS NOT NULL LIMIT 1") != []
        )
        (result.foreign if is_foreign else result.agreeing).append(url)
        if is_filled:
            result.filled.append(url)
    return result


def _look_at(
    ledger: Memory, scope: int, url: str, known: str | None
) -> tuple[str, bool]:
    """Return the mark of an index, and whether one with another mark is filled."""
    try:
        with open_index(url) as index:
            found = index.mark(_mark(ledger, scope)) or ""
            if known == found:
                return found, False
            return found, next(iter(index.urls()), None) is not None
    except (IndexUnavailable, IndexFailure) as error:
        logger.warning("The mark of the index cannot be read: %s", error)
        return "", False


def put_marks(ledger: Memory, scope: int, urls: Iterable[str]) -> None:
    """Give the indexes and the ledger a new mark of a scope."""
    for url in urls:
        mark = uuid4().hex
        try:
            with open_index(url) as index:
                is_kept = index.put_mark(_mark(ledger, scope), mark)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The index cannot be marked: %s", error)
            continue
        ledger.put_fact(_name(url, scope), mark if is_kept else "")


def spoil_marks(ledger: Memory, scope: int, urls: Iterable[str]) -> None:
    """Give the indexes a mark that the ledger, which has failed, does not know."""
    for url in urls:
        with suppress(IndexUnavailable, IndexFailure), open_index(url) as index:
            index.put_mark(_mark(ledger, scope), uuid4().hex)


def urls_of(url: str) -> Iterator[str]:
    """Yield the URLs of the documents of an index."""
    with open_index(url, read_only=True) as index:
        yield from index.urls()


def _name(url: str, scope: int) -> str:
    return f"index {scope} {redacted(url)}"


def _mark(ledger: Memory, scope: int) -> str:
    return f"{ledger.id} {scope}"
