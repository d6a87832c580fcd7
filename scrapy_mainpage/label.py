"""Labels of text blocks."""

from __future__ import annotations

from enum import Enum


class Label(str, Enum):
    """The label of a text block: a kind of main content, or a boilerplate role."""

    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    PRICE = "price"
    FACT = "fact"

    NAVIGATION = "navigation"
    BREADCRUMB = "breadcrumb"
    HEADER = "header"
    FOOTER = "footer"
    SIDEBAR = "sidebar"
    BYLINE = "byline"
    SHARE = "share"
    COMMENTS = "comments"
    RELATED = "related"
    ADVERTISEMENT = "advertisement"
    CONSENT = "consent"
    FORM = "form"
    PAGINATION = "pagination"
    LEGAL = "legal"
    OTHER = "other"

    @property
    def is_main(self) -> bool:
        """Whether the label is a kind of main content."""
        return self in MAIN_LABELS

    def __str__(self) -> str:
        return self.value


_KINDS = "title heading paragraph list table code quote caption price fact"
MAIN_LABELS = frozenset(map(Label, _KINDS.split()))
