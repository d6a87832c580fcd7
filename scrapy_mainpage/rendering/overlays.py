"""The script that tells consent overlays from the text they lie over."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

ROLE: Final = "dialog"
NAMES: Final = "cookie-consent modal"
"""What is added to an overlay's class: both parts, and the role, say what it is not."""


@cache
def overlay_script() -> str:
    """A JavaScript expression that marks consent overlays; its value is their number.

    An overlay is an element that lies over the page by its position, speaks of cookies
    or consent, and has something to click. It gets a role and a class by which the
    extraction knows it; nothing is removed. The page's source is to be read after it.
    """
    function = files(__package__).joinpath("overlays.js").read_text("utf-8")
    return f"(\n{function.strip()}\n)({json.dumps(ROLE)}, {json.dumps(NAMES)})"
