"""Settings that an older version had, and what to write in place of each."""

from __future__ import annotations

from typing import Final

#: From the name without ``MAINPAGE_`` to the end of the warning that a project with the
#: setting gets: "removed; ..." in one line, no full stop.
REMOVED: Final = {
    "STRICT_SETTINGS": "unknown names are logged as warnings",
}
