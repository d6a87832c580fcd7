"""Entries that a page declares: lists of items, collections and blogs in JSON-LD, and
products, articles and other works in microdata."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ...addresses import page_address
from ...records import Entry
from ..metadata.dates import is_iso_date, normalise_date
from ..metadata.jsonld import read_jsonld, types_of
from ..metadata.plaintext import clean
from ..title_rule import letters
from .microdata import read_items
from .prices import currency_of, read_amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from ..metadata.jsonld import Node
    from .microdata import Item

MAX_DECLARED: Final = 1000
MAX_SCRIPTS: Final = 100
_LISTS: Final = {
    "ItemList": "itemListElement", "OfferCatalog": "itemListElement",
    "CollectionPage": "hasPart", "SearchResultsPage": "hasPart", "Blog": "blogPost",
}  # fmt: skip
_WORKS: Final = frozenset(
    "Product Article BlogPosting NewsArticle Event Recipe JobPosting Book Movie "
    "Course SoftwareApplication LocalBusiness Restaurant Hotel".split()
)


def declared_entries(document: Document, declared: Declarations) -> list[Entry]:
    """The entries of the longest list that the page declares, each with an address.

    Without a list in JSON-LD those that microdata marks, if there are several.
    """
    scripts = islice(document.head_texts("script"), MAX_SCRIPTS)
    lists = [
        [*_entries(node, name, declared)]
        for node in read_jsonld(scripts).nodes
        for name in types_of(node)
        if name in _LISTS
    ]
    return max(lists, key=len, default=[]) or _marked(document, declared)


def _marked(document: Document, declared: Declarations) -> list[Entry]:
    """The products, articles and other works of the page's microdata."""
    if not any(name.encode() in document.values for name in _WORKS):
        return []
    items = (item for item in read_items(document) if item.types & _WORKS)
    found = (_read_item(item, declared) for item in islice(items, MAX_DECLARED))
    entries = [entry for entry in found if entry]
    return entries if len(entries) > 1 else []


def _read_item(item: Item, declared: Declarations) -> Entry | None:
    url = declared.absolute(item.address("url", "mainEntityOfPage"))
    offer = item.inner("offers") or item
    author = item.inner("author") or item
    price = offer.text("price", "lowPrice")
    currency = offer.text("priceCurrency")
    if not url:
        return None
    return Entry(
        name=item.text("name", "headline"),
        url=page_address(url),
        summary=item.text("description"),
        image=declared.absolute(item.address("image", "thumbnailUrl")),
        price=read_amount(price, currency) if price else None,
        currency=currency_of(currency),
        date=normalise_date(item.text("datePublished", "startDate")),
        author=author.text("author")
        or (author.text("name") if author is not item else None),
    )


def _entries(node: Node, name: str, declared: Declarations) -> Iterator[Entry]:
    values = node.get(_LISTS[name]) or ()
    for value in values[:MAX_DECLARED] if isinstance(values, list) else (values,):
        if isinstance(value, dict) and (entry := _read(value, declared)):
            yield entry


def _read(value: Node, declared: Declarations) -> Entry | None:
    """The entry of a list's element, or of the item in it; ``None`` without address."""
    item = value.get("item")
    item = item if isinstance(item, dict) else {}
    both: Node = {**value, **item}
    link = both.get("url") or value.get("item") or both.get("@id")
    url = declared.absolute(link)
    if not url:
        return None
    offer = _first(both.get("offers"))
    offer = offer if isinstance(offer, dict) else {}
    price = offer.get("price") or offer.get("lowPrice")
    currency = str(offer.get("priceCurrency") or "")
    return Entry(
        name=_text(both.get("name") or both.get("headline")),
        url=page_address(url),
        summary=_text(both.get("description")),
        image=declared.absolute(_text(both.get("image"), "url", "contentUrl")),
        price=read_amount(str(price), currency or None) if price else None,
        currency=currency_of(currency),
        date=normalise_date(both.get("datePublished") or both.get("startDate")),
        author=_text(both.get("author")),
    )


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _text(value: Any, *names: str) -> str | None:
    """A text, or that of one of the *names* (else its name) of a node."""
    value = _first(value)
    if isinstance(value, dict):
        keys = names or ("name",)
        value = next((value[key] for key in keys if value.get(key)), None)
    return clean(_first(value))


def complete_entries(entries: list[Entry], declared: list[Entry]) -> list[Entry]:
    """The *entries* with what only *declared* ones of the same address or name say."""
    if not declared:
        return entries
    known: dict[str | None, Entry] = {
        letters(each.name or ""): each for each in declared
    }
    known |= {_key(each.url): each for each in declared}
    known.pop("", None)
    return [_completed(each, known) for each in entries]


def _completed(entry: Entry, known: dict[str | None, Entry]) -> Entry:
    other = known.get(_key(entry.url)) or known.get(letters(entry.name or ""))
    if other is None:
        return entry
    priced = entry if entry.price else other
    is_read = bool(entry.date) and is_iso_date(entry.date or "")
    return replace(
        entry,
        summary=entry.summary or other.summary,
        image=entry.image or other.image,
        price=priced.price,
        currency=priced.currency,
        date=other.date if other.date and not is_read else entry.date,
        author=entry.author or other.author,
    )


def _key(url: str | None) -> str:
    """An address without query and the slash at its end."""
    return (url or "").partition("?")[0].rstrip("/")
