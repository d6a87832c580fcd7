"""The entries of a listing: cards, teasers, rows, results that lead to other pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ..metadata.declarations import read_declarations
from .cards import Reader
from .declared_entries import complete_entries, declared_entries
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

if TYPE_CHECKING:
    from ...records import Entry
    from ..document.document import Document
    from ..document.schema import Bytes, Mask

MAX_ENTRIES: Final = 1000
MAX_SHARED: Final = 2
"""Entries, and a quarter of them, that may have the same summary."""

MIN_DECLARED: Final = 3
"""Declared entries of a page that shows none."""


class _Content(Protocol):
    """What an extraction knows of its page, by the names of ``Extraction``."""

    @property
    def document(self) -> Document: ...
    @property
    def url(self) -> str | None: ...
    @property
    def main(self) -> Mask: ...
    @property
    def labels(self) -> Bytes: ...
    @property
    def page_types(self) -> dict[str, float]: ...


def find_entries(content: _Content) -> tuple[Entry, ...]:
    """The entries of the page in document order; empty if it is no listing."""
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


def _alone(declared: list[Entry], content: _Content, odds: float) -> list[Entry]:
    """The *declared* entries of a page that shows none, if it is likely a listing."""
    named = [entry for entry in declared if entry.name and entry.url != content.url]
    likely = odds + ADDRESS * is_listing_address(content.url or "") >= MIN_ODDS
    return named if likely and len(named) >= MIN_DECLARED else []


def _seen_entries(
    content: _Content, odds: float, language: str | None
) -> list[Entry] | None:
    """The entries that a page shows; ``None`` if what it shows makes it no listing.

    *odds* are those of its type.
    """
    document = content.document
    groups = find_groups(document)
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
