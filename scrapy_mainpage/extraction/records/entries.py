"""The entries of a listing: cards, teasers, rows, results that lead to other pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Entry
from ..document.schema import HEADING_SHIFT
from ..metadata.dates import is_iso_date, normalise_date
from ..repeats.candidates import find_links, hrefs_of
from ..title_rule import letters
from .entry_fields import Reader
from .entry_lists import Record, choose_lists, find_lists, read_records
from .entry_names import name_lines
from .list_features import Listing, type_odds
from .prices import currency_of, read_amount
from .targets import Targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..declared import Declared, Node
    from .entry_lists import Lists
    from .products import Content

MAX_ENTRIES: Final = 1000
MAX_SHARED: Final = 2
"""Entries, and a quarter of them, that may have the same summary."""

MIN_DECLARED: Final = 3
"""Declared entries of a page that shows none."""

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
    declared = content.declared
    targets = Targets(content.document, content.url)
    lists = lists_of(content, targets)
    chosen = choose_lists(lists) if lists else []
    listed = declared_entries(declared)
    found = _seen_entries(content, lists, chosen, targets) if lists and chosen else []
    if {_key(each.url) for each in found}.isdisjoint(_key(e.url) for e in listed):
        found = _alone(listed, content) or found
    found = complete_entries(found, listed)
    distinct = {entry.url: entry for entry in reversed(found)}
    kept = [entry for entry in found if distinct[entry.url] is entry][:MAX_ENTRIES]
    return tuple(replace(each, position=k) for k, each in enumerate(kept, 1))


def _ruled_entries(content: Content, elements: list[int]) -> list[Entry]:
    """The entry of each element: of a link in a heading, or the longest, or around."""
    document = content.document
    columns, links = document.elements, document.once(find_links)
    targets, hrefs = Targets(document, content.url), hrefs_of(document, links)
    spans = columns.first_run, columns.end_run, columns.first_block, columns.end_block
    runs = columns.end_run[links.element] - columns.first_run[links.element]
    is_title = columns.flags[links.element] >> HEADING_SHIFT > 0
    found: list[tuple[Record, str]] = []
    for element in elements[:MAX_ENTRIES]:
        inside = (links.element >= element) & (links.element < columns.end[element])
        inside |= links.element == columns.link[element]
        places = np.flatnonzero(inside).tolist()
        places.sort(key=lambda k: (not is_title[k], -runs[k], k))
        urls = ((k, targets.find(hrefs[k])) for k in places)
        own, url = next(((k, url) for k, url in urls if url), (-1, None))
        if url:
            span = (int(column[element]) for column in spans)
            record = Record(int(links.element[own]), hrefs[own], *span)
            found.append((record, url))
    language = content.declared.meta.language
    reader = Reader(document, targets, [record for record, _ in found], language)
    read = (reader.read(record, url, (0, 0)) for record, url in found)
    return [entry for entry in read if entry]


def lists_of(content: Content, targets: Targets) -> Lists | None:
    """The lists of a page, found before its records were made main content."""
    if content.parts and content.parts.lists:
        return content.parts.lists
    page = Listing(content.document, content.main, content.page_types)
    return find_lists(page, targets)


def _alone(declared: list[Entry], content: Content) -> list[Entry]:
    """The *declared* entries of a page that shows none, if it is likely a listing."""
    named = [entry for entry in declared if entry.name and entry.url != content.url]
    is_listing = type_odds(content.page_types) >= 0
    return named if is_listing and len(named) >= MIN_DECLARED else []


def _seen_entries(
    content: Content, lists: Lists, chosen: list[int], targets: Targets
) -> list[Entry]:
    """The entries in the records of the *chosen* lists."""
    document = content.document
    named: dict[Record, tuple[int, int]] = {}
    for number in chosen:
        records = read_records(document, lists, number)
        named |= zip(records, name_lines(document, records), strict=True)
    ordered = sorted(named, key=lambda record: record.link)
    language = content.declared.meta.language
    reader = Reader(document, targets, ordered, language)
    found: dict[str, Entry] = {}
    for record in ordered:
        url = targets.find(record.href)
        if url and url not in found:
            if entry := reader.read(record, url, named[record]):
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


def declared_entries(declared: Declared) -> list[Entry]:
    """The entries of the longest list that the page declares, each with an address.

    Without a list in JSON-LD those works that elements mark, if there are several.
    """
    lists = [
        [*_read_all(node.inner(_LISTS[name]))]
        for node in declared.linked
        for name in node.types
        if name in _LISTS
    ]
    marked = [*_read_all(node for node in declared.marked if node.is_a(_WORKS))]
    marked = marked if len(marked) > 1 else []
    return max(lists, key=len, default=[]) or marked


def _read_all(nodes: Iterable[Node]) -> Iterator[Entry]:
    found = map(_read, islice(nodes, MAX_ENTRIES))
    return (entry for entry in found if entry)


def _read(node: Node) -> Entry | None:
    """The entry of a thing, or of the item that it lists; ``None`` without address."""
    item = next(node.inner("item"), node)
    url = item.address("url", "mainEntityOfPage") or node.address("url", "item", "@id")
    if not url:
        return None
    offer = next(item.inner("offers"), item)
    price = offer.first("price", "lowPrice")
    currency = offer.first("priceCurrency")
    return Entry(
        name=item.first("name", "headline") or node.first("name"),
        url=url.partition("#")[0],
        summary=item.first("description"),
        image=item.address("image", "thumbnailUrl"),
        price=read_amount(price, currency) if price else None,
        currency=currency_of(currency),
        date=normalise_date(item.first("datePublished", "startDate")),
        author=item.first("author"),
    )


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
