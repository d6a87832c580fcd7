"""Settings that an older version had, and what to write in place of each."""

from __future__ import annotations

from typing import Final

_LIMITS: Final = "ATTRIBUTES DEPTH ELEMENTS FULL_SIZE TEXT_NODE".split()
_WRITING: Final = "BATCH BATCH_BYTES BATCH_AGE PENDING RETRIES BACKOFF TIMEOUT".split()
_FIXED: Final = "how documents are written to an index is fixed"
_OUTBOX: Final = (
    "the outbox is in the project's data directory, and has the dead letters: "
    "scrapy mainpage-index --dead-letters"
)

_INSTEAD: Final = {
    **{f"MAX_{name}": "a fixed limit, see docs/security" for name in _LIMITS},
    **{f"INDEX_{name}": _FIXED for name in _WRITING},
    "EMBEDDER_OPTIONS": "MAINPAGE_EMBEDDER has the model: 'wordllama:64'",
    "INDEX_PASSAGE_OVERLAP": "passages repeat nothing of each other",
    "RENDER_HASH_ROUTES": "routes (#/about) are pages where MAINPAGE_RENDER is on",
    "RENDER_LAYOUT": 'a request asks for it: meta={"mainpage_layout": True}',
    "RENDER_MAX_SIZE": "it is 32 MiB",
    "RENDER_PAGES_PER_CONTEXT": "it is 50",
    "RENDER_PAGES_PER_MINUTE": "DOWNLOAD_DELAY counts for rendered pages, too",
    "RENDER_STABLE": "it is one second",
    "DUPLICATES_MEMORY": "with MAINPAGE_STATE all texts are remembered, else 100,000",
    "DUPLICATES_STORE": "texts are in MAINPAGE_STATE, of several workers in PostgreSQL",
    "PROCESSES_MIN_SIZE": "pages of 200 kB and more are extracted by other processes",
    "PROCESSES_TIMEOUT": "a page may take a process 60 seconds",
    "SHARED_LEASE": "a worker that has not called for 60 seconds counts as dead",
    "FILTER_DRY_RUN": (
        "export confidence, words and page_type as fields of items, and look at them "
        "before the filter is on"
    ),
    "FILTER_MIN_SHARE": "MAINPAGE_FILTER_MIN_WORDS and MAINPAGE_MIN_CONFIDENCE filter",
    "INDEX_JOURNAL": _OUTBOX,
    "INDEX_DEAD_LETTERS": _OUTBOX,
    "STRICT_SETTINGS": "unknown names are logged as warnings",
    "STRUCTURED_DATA": "it is always read where a page shows little text",
}

#: From the name without ``MAINPAGE_`` to the warning of a project with the setting.
REMOVED: Final = {name: f"removed; {instead}" for name, instead in _INSTEAD.items()}
