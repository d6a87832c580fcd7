"""The kinds of elements that events are of, in the order of ``_events.pxd``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import CODES, TAGS

if TYPE_CHECKING:
    import numpy.typing as npt

NAMES: Final = (
    "", "blockquote", "ul", "ol", "li", "dl", "dd", "table", "tr", "td", "th",
    "figure", "figcaption", "details",
    "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption",
    "p", "",
    "a", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "mark",
    "small", "q", "cite", "abbr", "kbd", "samp", "var", "time", "code",
)  # fmt: skip
"""The tag of each kind; empty for text without a tag of its own."""


# Tags that other names stand for today.
_SAME: Final = {
    "menu": "ul",
    "dir": "ul",
    "strike": "s",
    "tt": "code",
    "acronym": "abbr",
}


def _kind_of_tag() -> npt.NDArray[np.int32]:
    kinds = {name: kind for kind, name in enumerate(NAMES) if name and name != "p"}
    table = np.zeros(len(TAGS) + 1, np.int32)
    for name, code in CODES.items():
        table[code] = kinds.get(_SAME.get(name, name), 0)
    return table


_KIND_OF_TAG: Final = _kind_of_tag()


def kinds_of(tags: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The kind that each of the *tags* (codes) has; 0 for none."""
    kinds: npt.NDArray[np.int32] = _KIND_OF_TAG[np.minimum(tags, len(TAGS))]
    return kinds


__all__ = ["NAMES", "kinds_of"]
