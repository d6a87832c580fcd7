"""Settings that an older version had, and what to write in place of each."""

from __future__ import annotations

from typing import Final

_FIXED: Final = "how documents are written to an index is fixed"
_OUTBOX: Final = (
    "the outbox is in the project's data directory, and has the dead letters: "
    "scrapy mainpage-index --dead-letters"
)

#: From the name without ``MAINPAGE_`` to the end of the warning that a project with the
#: setting gets: "removed; ..." in one line, no full stop.
REMOVED: Final = {
    "FILTER_MIN_SHARE": "MAINPAGE_FILTER_MIN_WORDS and MAINPAGE_MIN_CONFIDENCE filter",
    "INDEX_BATCH": _FIXED,
    "INDEX_BATCH_BYTES": _FIXED,
    "INDEX_BATCH_AGE": _FIXED,
    "INDEX_PENDING": _FIXED,
    "INDEX_RETRIES": _FIXED,
    "INDEX_BACKOFF": _FIXED,
    "INDEX_TIMEOUT": _FIXED,
    "INDEX_JOURNAL": _OUTBOX,
    "INDEX_DEAD_LETTERS": _OUTBOX,
    "STRICT_SETTINGS": "unknown names are logged as warnings",
}
