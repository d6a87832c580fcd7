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
    "STRICT_SETTINGS": "unknown names are logged as warnings",
    "STRUCTURED_DATA": "it is always read where a page shows little text",
}
