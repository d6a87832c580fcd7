"""The entries of a listing: cards, teasers, rows, results that lead to other pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...records import Entry
from ..document.schema import HEADING_SHIFT
from ..metadata.dates import is_iso_date, normalise_date
from ..metadata.declarations import read_declarations
from ..metadata.jsonld import read_jsonld, types_of
from ..metadata.microdata import read_items
from ..metadata.plaintext import clean
from ..title_rule import letters
from .cards import Reader
from .linkgroups import Targets, find_groups
from .listings import adopt, choose, rate
from .measures import Measures, Words
from .pagegate import (
    ADDRESS,
    MIN_ODDS,
    MOST_OF_RECORDS,
    is_listing_address,
    record_odds,
    type_odds,
)
from .prices import currency_of, read_amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from ..metadata.jsonld import Node
    from ..metadata.microdata import Item
    from .products import Content

MAX_ENTRIES: Final = 1000
MAX_SHARED: Final = 2
"""Entries, and a quarter of them, that may have the same summary."""

MIN_DECLARED: Final = 3
"""Declared entries of a page that shows none."""

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


def find_entries(content: Content) -> tuple[Entry, ...]:
    """The entries of the page in document order; empty if it is no listing.

    Those in the elements that rules of the site found are all, if there are any.
    """
    ruled = content.ruled_records.get("entries")
    if ruled and (found := _ruled_entries(content, ruled)):
        return tuple(replace(each, position=k) for k, each in enumerate(found, 1))
    odds = type_odds(content.page_types)
    if odds + MOST_OF_RECORDS < MIN_ODDS:
        return ()
    declarations = read_declarations(content.document, content.url)
    seen = _seen_entries(content, odds, declarations.language)
    if seen is None:
        return ()
    declared = declared_entries(content.document, declarations)
    found = (
        complete_entries(seen, declared) if seen else _alone(declared, content, odds)
    )
    distinct = {entry.url: entry for entry in reversed(found)}
    kept = [entry for entry in found if distinct[entry.url] is entry][:MAX_ENTRIES]
    return tuple(replace(each, position=k) for k, each in enumerate(kept, 1))


def _ruled_entries(content: Content, elements: list[int]) -> list[Entry]:
    """The entry of each element: of a link in a heading, or the longest, or around."""
    document = content.document
    groups = find_groups(document, content.url)
    if groups is None:
        return []
    columns, targets = document.elements, Targets(document, content.url)
    language = read_declarations(document, content.url).language
    taken = np.ones(document.n_blocks, bool)
    reader = Reader(document, targets, taken, language)
    runs = columns.end_run[groups.links] - columns.first_run[groups.links]
    is_title = columns.flags[groups.links] >> HEADING_SHIFT > 0
    found = []
    for element in elements[:MAX_ENTRIES]:
        first, end = columns.first_block[element], columns.end_block[element]
        inside = (groups.links >= element) & (groups.links < columns.end[element])
        inside |= groups.links == columns.link[element]
        places = np.flatnonzero(inside).tolist()
        places.sort(key=lambda k: (not is_title[k], -runs[k], k))
        for k in places:
            groups.tops[k], groups.first[k], groups.end[k] = element, first, end
            url = targets.find(groups.hrefs[k])
            if url and (entry := reader.read(groups, k, url, own_text=True)):
                found.append(entry)
                break
    return found


def _alone(declared: list[Entry], content: Content, odds: float) -> list[Entry]:
    """The *declared* entries of a page that shows none, if it is likely a listing."""
    named = [entry for entry in declared if entry.name and entry.url != content.url]
    likely = odds + ADDRESS * is_listing_address(content.url or "") >= MIN_ODDS
    return named if likely and len(named) >= MIN_DECLARED else []


def _seen_entries(
    content: Content, odds: float, language: str | None
) -> list[Entry] | None:
    """The entries that a page with these *odds* shows; ``None`` if it is no listing."""
    document = content.document
    groups = find_groups(document, content.url)
    if groups is None:
        return []
    words = Words(document, content.labels, np.asarray(content.main, bool))
    rating = rate(Measures(document, groups, words))
    targets = Targets(document, content.url)
    chosen, taken = choose(document, groups, rating, targets)
    if not chosen:
        return []
    score = float(rating.score[chosen].sum())
    if odds + record_odds(document, content.url, score, taken, words) < MIN_ODDS:
        return None
    named = {k: bool(rating.is_named[g]) for g in chosen for k in groups.places(g)}
    named |= dict.fromkeys(adopt(document, groups, rating, chosen, taken), True)
    reader = Reader(document, targets, taken, language)
    found: dict[str, Entry] = {}
    for k in sorted(named, key=groups.links.__getitem__):
        url = targets.find(groups.hrefs[k])
        if url and url not in found:
            if entry := reader.read(groups, k, url, own_text=named[k]):
                found[url] = entry
            if len(found) == MAX_ENTRIES:
                break
    return _without_repeated([*found.values()])


def _without_repeated(entries: list[Entry]) -> list[Entry]:
    """The *entries* without summaries that many share: lines of the template."""
    counts = Counter(entry.summary for entry in entries)
    most = max(MAX_SHARED, len(entries) // 4)
    return [
        replace(entry, summary=None) if counts[entry.summary] > most else entry
        for entry in entries
    ]


def declared_entries(document: Document, declared: Declarations) -> list[Entry]:
    """The entries of the longest list that the page declares, each with an address.

    Without a list in JSON-LD those that microdata marks, if there are several.
    """
    scripts = islice(document.head_texts("script"), MAX_SCRIPTS)
    lists = [
        [*_entries(node, name, declared)]
        for node in read_jsonld(scripts, (), document.budget.renew()).nodes
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
        url=url.partition("#")[0],
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
        url=url.partition("#")[0],
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
