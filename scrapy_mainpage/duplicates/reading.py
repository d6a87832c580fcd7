"""What is compared of an item: its text, its URL and its canonical URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from .entries import Entry, same_page
from .signatures import Fingerprint

if TYPE_CHECKING:
    from ..pipelines.item_pages import Sources
    from ..settings import Settings


class EntryReader:
    """Makes the entries of items, from their fields and from the pages they are about.

    The fields are those that ``MAINPAGE_ITEM_FIELDS`` fills, else ``text``, ``url`` and
    ``canonical_url``; for the URL first the one that ``MAINPAGE_INDEX_FIELDS`` names.
    """

    def __init__(self, settings: Settings, sources: Sources):
        self._sources = sources
        self._fields = _fields(settings)

    def read(self, item: Any) -> Entry | None:
        """Return the entry of an item; ``None`` if there is no word in its text."""
        source = self._sources.get(item)
        page = source.page if source else None
        text, url, canonical = self._read(item)
        # Of several items of a page with a URL each, none is the page.
        if page is not None and page.url and (not url or same_page(url, page.url)):
            url = url or page.url
            text = text or page.text
            canonical = canonical or page.metadata.canonical_url or ""
        fingerprint = Fingerprint.of(text)
        return None if fingerprint is None else Entry.of(fingerprint, url, canonical)

    def _read(self, item: Any) -> list[str]:
        """Text, URL and canonical URL; empty where the item has none.

        Of several URLs the first counts, as in an index.
        """
        fields = ItemAdapter(item) if ItemAdapter.is_item(item) else {}
        text, *urls = [_as_text(fields.get(name)) for name in self._fields]
        return [text, *(url.strip().partition("\n")[0] for url in urls)]


def _fields(settings: Settings) -> tuple[str, str, str]:
    """The fields that hold text, URL and canonical URL."""
    filled = {
        attribute.removeprefix("metadata."): name
        for name, attribute in settings.item_fields.items()
    }
    # An index knows an item by this field, and is told so when to delete it.
    url = settings.index_fields.get("url") or filled.get("url", "url")
    canonical = filled.get("canonical_url", "canonical_url")
    return filled.get("text", "text"), url, canonical


def _as_text(value: object) -> str:
    """What a field holds as text: item loaders give lists, for example."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, map(_as_text, value)))
    return ""
