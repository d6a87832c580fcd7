"""Settings that an older version had, and what to write in place of each."""

from __future__ import annotations

from typing import Final

#: From the name without ``MAINPAGE_`` to the end of the warning that a project with the
#: setting gets: "removed; ..." in one line, no full stop.
REMOVED: Final = {
    "MAX_ATTRIBUTES": "a fixed limit, see docs/security",
    "MAX_DEPTH": "a fixed limit, see docs/security",
    "MAX_ELEMENTS": "a fixed limit, see docs/security",
    "MAX_FULL_SIZE": "a fixed limit, see docs/security",
    "MAX_TEXT_NODE": "a fixed limit, see docs/security",
    "RENDER_HASH_ROUTES": "routes (#/about) are pages where MAINPAGE_RENDER is on",
    "RENDER_LAYOUT": 'a request asks for it: meta={"mainpage_layout": True}',
    "RENDER_MAX_SIZE": "it is 32 MiB",
    "RENDER_PAGES_PER_CONTEXT": "it is 50",
    "RENDER_STABLE": "it is one second",
    "DUPLICATES_MEMORY": "with MAINPAGE_STATE all texts are remembered, else 100,000",
    "DUPLICATES_STORE": "texts are in MAINPAGE_STATE, of several workers in PostgreSQL",
    "PROCESSES_MIN_SIZE": "pages of 200 kB and more are extracted by other processes",
    "PROCESSES_TIMEOUT": "a page may take a process 60 seconds",
    "SHARED_LEASE": "a worker that has not called for 60 seconds counts as dead",
    "STRICT_SETTINGS": "unknown names are logged as warnings",
    "STRUCTURED_DATA": "it is always read where a page shows little text",
}
