"""Labels in groups of one colour, apart for colour-blind people as well."""

from __future__ import annotations

from typing import Final

from ..page import MAIN_LABELS, Label

# Group, its colour, its background, its labels: Okabe's and Ito's colours.
_GROUPS: Final = (
    ("nav", "#e69f00", "#fdf2d9", "navigation breadcrumb pagination"),
    ("frame", "#5f6b7a", "#eceff2", "header footer legal"),
    ("side", "#009e73", "#e0f3ec", "sidebar related"),
    ("people", "#b0578d", "#f7e9f2", "comments byline share"),
    ("ad", "#d55e00", "#fbe6d8", "advertisement consent"),
    ("form", "#a89b00", "#fbf8cf", "form"),
    ("other", "#9aa5b1", "#f7f8f9", "other"),
)
MAIN_GROUP: Final = ("main", "#0072b2", "#e2f0f9")

GROUPS: Final = (MAIN_GROUP, *((name, bar, back) for name, bar, back, _ in _GROUPS))
"""Each group's name, its colour and its background."""

_GROUP_OF: Final = {
    Label(label): name for name, _, _, labels in _GROUPS for label in labels.split()
}


def group_of(label: Label) -> str:
    """The name of the group that *label* belongs to."""
    return "main" if label in MAIN_LABELS else _GROUP_OF.get(label, "other")


__all__ = ["GROUPS", "group_of"]
