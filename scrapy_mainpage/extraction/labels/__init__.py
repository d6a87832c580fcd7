"""From the algorithm's selection to a label for every text block.

Main content gets its kind from the markup around it. The rest gets a boilerplate role:
from the names of the elements around it, from its words, and from its place.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from ...label import Label

LABELS: Final = tuple(Label)
"""A label's code in arrays is its place here."""

CODE: Final = {label: code for code, label in enumerate(LABELS)}
"""The code of each label."""

MAX_ROLES: Final = 16
"""Numbers of a row of learned weights and of a leaf, used or not."""


class Region(IntEnum):
    """A part of a page, as tags, classes and other attributes name it."""

    NONE = 0
    CONSENT = 1
    BREADCRUMB = 2
    PAGINATION = 3
    ADVERTISEMENT = 4
    COMMENTS = 5
    SHARE = 6
    RELATED = 7
    FORM = 8
    ACCOUNT = 9
    """Sign in, cart and the like."""
    BYLINE = 10
    LEGAL = 11
    BRAND = 12
    """The name of the site."""
    NAVIGATION = 13
    SIDEBAR = 14
    FOOTER = 15
    HEADER = 16
    OVERLAY = 17
    """A dialogue, a tooltip, a calendar."""
    CONTENT = 18
    """Names itself content."""

    @property
    def bit(self) -> int:
        """The region as a bit of names; 0 for none."""
        return 1 << self - 1 if self else 0


CAPTION: Final = 40
PICTURE: Final = 41
"""Places of the bits of captions and pictures, which are not regions."""

NETWORK: Final = 62
"""Place of the bit of words that name a social network; no element has it."""

_MENU: Final = 42
MENU: Final = np.uint64(1 << _MENU)
"""The bit of an element whose tag or role says that it is a menu."""

NAMED: Final = {
    **{region.name.lower(): region - 1 for region in Region if region},
    "caption": CAPTION,
    "picture": PICTURE,
    "menu": _MENU,
}
"""The place of the bit of each name that the model of roles reads."""
