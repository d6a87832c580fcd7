"""Items that the spiders of this project yield."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class PageItem:
    """One HTML page.

    The spider sets the URL. The plugin fills the other fields, as
    ``MAINPAGE_ITEM_FIELDS`` in the settings says, wherever they are ``None``.
    """

    url: str
    title: str | None = None
    text: str | None = None
    language: str | None = None
    author: str | None = None
    date_published: str | None = None
    words: int | None = None
    words_total: int | None = None
