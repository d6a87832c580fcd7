"""From the algorithm's selection to a label for every text block.

Main content gets its kind from the markup around it. The rest gets a boilerplate role:
from the names of the elements around it, from its words, and from its place.
"""

from __future__ import annotations

from typing import Final

from ...label import Label

LABELS: Final = tuple(Label)
"""A label's code in arrays is its place here."""

CODE: Final = {label: code for code, label in enumerate(LABELS)}
"""The code of each label."""

MAX_ROLES: Final = 16
"""Numbers of a row of learned weights and of a leaf, used or not."""
