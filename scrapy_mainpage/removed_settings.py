"""Settings that an older version had, and what to write in place of each."""

from __future__ import annotations

from typing import Final

#: From the name without ``MAINPAGE_`` to the end of the warning that a project with the
#: setting gets: "removed; ..." in one line, no full stop.
REMOVED: Final = {
    "EMBEDDER_OPTIONS": "MAINPAGE_EMBEDDER has the model: 'model2vec:/models/small'",
    "INDEX_PASSAGE_OVERLAP": "a passage repeats up to 15% of its words",
    "STRICT_SETTINGS": "unknown names are logged as warnings",
}
