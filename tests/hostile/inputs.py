"""Hostile pages by name, each generated at any size.

``make(size)`` gives about *size* bytes. :data:`FULL` has the sizes of some that are
known to take minutes elsewhere.
"""

from __future__ import annotations

from typing import Final

from .attributes import ATTRIBUTES
from .data import DATA
from .encodings import ENCODINGS
from .floods import FLOODS
from .formulas import FORMULAS
from .making import ARTICLE, MEGABYTE, SENTENCE, Make, normal
from .nesting import NESTING
from .wording import WORDING

HOSTILE: Final[dict[str, Make]] = {
    **NESTING,
    **ATTRIBUTES,
    **FLOODS,
    **WORDING,
    **DATA,
    **ENCODINGS,
    **FORMULAS,
}

FULL: Final = {
    "nested div": 2_500_000,
    "attributes": 450_000,
    "table rows": 10_000_000,
    "an article": 18 * MEGABYTE,
    "one text": 30 * MEGABYTE,
    "less-than signs": 10 * MEGABYTE,
    "ampersands": 10 * MEGABYTE,
    "elements": 7 * MEGABYTE,
    "unclosed b": 3 * MEGABYTE,
    "unclosed font": 6 * MEGABYTE,
    "unclosed a": 3 * MEGABYTE,
    "links": 25 * MEGABYTE,
    "a long title": 5 * MEGABYTE,
    "deep JSON-LD": 5 * MEGABYTE,
    "hydration data": 5 * MEGABYTE,
    "metas": 3 * MEGABYTE,
    "tag names": 2 * MEGABYTE,
    "NULs": 10 * MEGABYTE,
}
"""The bytes of the inputs that have a size of their own in the benchmark."""

__all__ = ["ARTICLE", "FULL", "HOSTILE", "MEGABYTE", "SENTENCE", "normal"]
