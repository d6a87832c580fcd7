"""The script that records a page's layout in the browser."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ..extraction.document.layout import DISPLAYS, MAX_LENGTH, STAMP


@cache
def snapshot_script() -> str:
    """A JavaScript expression whose value is the page's layout snapshot, a string.

    It stamps the elements, so the page's source is to be read after it.
    """
    function = files(__package__).joinpath("snapshot.js").read_text("utf-8")
    arguments = ", ".join(json.dumps(value) for value in (STAMP, DISPLAYS, MAX_LENGTH))
    return f"(\n{function.strip()}\n)({arguments})"
