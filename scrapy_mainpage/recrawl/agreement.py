"""Whether the indexes have what the ledger says: a mark of the last run in both."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from uuid import uuid4

from ..indexes import IndexFailure, IndexUnavailable, open_index
from ..redaction import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..ledger import Ledger

logger = logging.getLogger(__name__)


def marks_agree(ledger: Ledger, urls: Iterable[str]) -> bool:
    """Whether every index has the mark that the ledger has of it.

    An index that was made anew, or is an older copy, has not.
    """
    agree = True
    for url in urls:
        known = ledger.fact(_name(url))
        try:
            with open_index(url) as index:
                found = index.mark(ledger.id)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The mark of the index cannot be read: %s", error)
            found = None
        if known and known != found:
            line = (
                "%s is not as the last crawl has left it: all pages are written again"
            )
            logger.warning(line, redacted(url))
            agree = False
    return agree


def is_unmarked(ledger: Ledger, url: str) -> bool:
    """Whether the ledger has never written into the index."""
    return ledger.fact(_name(url)) is None


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
        if is_kept:
            ledger.put_fact(_name(url), mark)


def urls_of(url: str) -> Iterator[str]:
    """Yield the URLs of the documents of an index."""
    with open_index(url, read_only=True) as index:
        yield from index.urls()


def _name(url: str) -> str:
    return f"index {redacted(url)}"
