"""What the PostgreSQL engine found, as hits with snippets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..documents import Hit, Passage, Section
from ..folding import fold
from ..text import is_segmented, segment
from ..snippets import LENGTH, PARTED_LENGTH, Phrase, marked, snippet
from .query import KEPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..query import Query

#: The columns of a row before those of the passage.
_BEFORE: Final = len(KEPT) + 3


def hits_of(rows: Iterable[Sequence[Any]], query: Query) -> list[Hit]:
    """The hits that rows of :meth:`.Search.statement` tell of."""
    texts = [segment(term.text) for term in query.wanted]
    length = PARTED_LENGTH if any(map(is_segmented, texts)) else LENGTH
    phrases = [
        Phrase(tuple(fold(text).split()), term.prefix)
        for text, term in zip(texts, query.wanted, strict=True)
    ]
    phrases = [phrase for phrase in phrases if phrase.words]
    return [_hit(row, phrases, length, query.highlight) for row in rows]


def _hit(
    row: Sequence[Any], phrases: Sequence[Phrase], length: int, marks: tuple[str, str]
) -> Hit:
    kept = dict(zip(KEPT, row, strict=False))
    kept["sections"] = tuple(Section(*part) for part in kept["sections"] or ())
    score, forms, text = row[len(KEPT) : _BEFORE]
    others = {Phrase((form,)) for form in forms}.difference(phrases)
    found = snippet(segment(text), [*phrases, *sorted(others)], length)
    return Hit(
        **kept,
        score=score,
        snippet=marked(found, marks),
        passage=_passage(text, *row[_BEFORE:]) if row[_BEFORE:] else None,
    )


def _passage(
    text: str, id_: str, position: int, heading: str | None, anchor: str | None
) -> Passage:
    return Passage(id_, position, text, heading, anchor)
