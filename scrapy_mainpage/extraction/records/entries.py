"""The entries of a listing: cards, teasers, rows, results that lead to other pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ..metadata.declarations import read_declarations
from .cards import Reader
from .linkgroups import Targets, find_groups
from .listings import adopt, choose, rate
from .measures import Measures, Words
from .pagegate import MIN_ODDS, MOST_OF_RECORDS, record_odds, type_odds

if TYPE_CHECKING:
    from ...records import Entry
    from ..document.document import Document
    from ..document.schema import Bytes, Mask

MAX_ENTRIES: Final = 1000


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
    document = content.document
    odds = type_odds(content.page_types)
    if odds + MOST_OF_RECORDS < MIN_ODDS:
        return ()
    groups = find_groups(document)
    if groups is None:
        return ()
    words = Words(document, content.labels, np.asarray(content.main, bool))
    rating = rate(Measures(document, groups, words))
    targets = Targets(document, content.url)
    chosen, taken = choose(document, groups, rating, targets)
    score = float(rating.score[chosen].sum())
    odds += record_odds(document, content.url, score, taken, words)
    if not chosen or odds < MIN_ODDS:
        return ()
    named = {k: bool(rating.is_named[g]) for g in chosen for k in groups.places(g)}
    named |= dict.fromkeys(adopt(document, groups, rating, chosen, taken), True)
    language = read_declarations(document, content.url).language
    reader = Reader(document, targets, taken, language)
    found: dict[str | None, Entry] = {}
    for k in sorted(named, key=groups.links.__getitem__):
        entry = reader.read(groups, k, own_text=named[k])
        if entry and entry.url not in found:
            found[entry.url] = replace(entry, position=len(found) + 1)
        if len(found) == MAX_ENTRIES:
            break
    return tuple(found.values())
