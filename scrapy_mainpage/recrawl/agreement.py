"""Whether the indexes have what the ledger says: a mark of the last run in both."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from ..indexes import IndexFailure, IndexUnavailable, open_index
from ..redaction import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..ledger import Ledger

logger = logging.getLogger(__name__)


def find_foreign(ledger: Ledger, urls: Iterable[str]) -> list[str]:
    """Return the indexes that are not as the ledger has left them.

    That is an index that was made anew or is an older copy; or the ledger is new.
    """
    foreign = []
    for url in urls:
        known = ledger.fact(_name(url))
        try:
            with open_index(url) as index:
                found = index.mark(ledger.id)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The mark of the index cannot be read: %s", error)
            found = None
        if known is not None and known != (found or ""):
            line = "%s is not as the last crawl left it: all pages are written again"
            logger.warning(line, redacted(url))
        if known is None or known != (found or ""):
            foreign.append(url)
    return foreign


def put_marks(ledger: Ledger, urls: Iterable[str]) -> None:
    """Give every index and the ledger a new mark."""
    for url in urls:
        mark = uuid4().hex
        try:
            with open_index(url) as index:
                is_kept = index.put_mark(ledger.id, mark)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The index cannot be marked: %s", error)
            continue
        ledger.put_fact(_name(url), mark if is_kept else "")


def spoil_marks(ledger: Ledger, urls: Iterable[str]) -> None:
    """Give every index a mark that the ledger, which has failed, does not know."""
    for url in urls:
        with suppress(IndexUnavailable, IndexFailure), open_index(url) as index:
            index.put_mark(ledger.id, uuid4().hex)


def urls_of(url: str) -> Iterator[str]:
    """Yield the URLs of the documents of an index."""
    with open_index(url, read_only=True) as index:
        yield from index.urls()


def _name(url: str) -> str:
    return f"index {redacted(url)}"
