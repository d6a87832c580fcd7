"""Ranking: one score for every engine.

An engine finds candidates: pages with the rare words of the query, or with words in
their titles and headings. All are scored here, from their texts: by BM25 over title,
headings and text, for the page and for its best section, and by how well a name (title,
heading or entry) fits the query. Words need not all be there; who has more of them
scores higher. A page named exactly as the query stands first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from .candidates import body_of, starts_of, with_paths
from .scoring import HEADING, TITLE, Fit, Scorer
from .snippets import snippet_for
from .tokens import segment
from .word_forms import Vocabulary, complete

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from .candidates import Body, Found
    from .documents import Hit
    from .query import Query

#: Score above which a hit is named as the query, if its weight is 1: by its title, by a
#: heading or entry.
TITLED: Final = 2.0
NAMED: Final = 1.0

#: Parts of the score beside the page: its best section or passage, and the name that
#: fits best. The engine's own score only chooses the candidates.
OF_PART: Final = 4.0
OF_NAME: Final = 2.0
#: A heading that fits, relative to a title.
OF_HEADING: Final = 0.8

#: Characters of a page and of a section that count as they are.
PAGE_CHARS: Final = 10_000
PART_CHARS: Final = 1_000

#: Candidates of a search, beside the pages that are wanted; passages are of few pages.
CANDIDATES: Final = 20

#: Sections of a hit.
MAX_SECTIONS: Final = 3


def search(
    index: Vocabulary, query: Query, synonyms: Mapping[str, Sequence[str]] | None = None
) -> tuple[list[Hit], Query]:
    """Return the hits, the best first, and the query with the forms of its words."""
    typed, query = query.words, complete(query, index, synonyms)
    if query.sort or not query.wanted:
        wide = replace(query, is_strict=True)
    else:
        wide = replace(query, limit=query.limit + CANDIDATES * (not query.passages))
    candidates = index.candidates(wide)
    scorer = Scorer(query, typed, index.size())
    ranking = _Ranking(query, scorer, candidates)
    rated = list(ranking.rated())
    if not query.sort:
        rated.sort(key=lambda each: (-each.score, each.found.hit.url))
    return [ranking.hit(each) for each in rated[: query.limit]], query


class _Scored(NamedTuple):
    """A part of a page with its score, and how well its heading fits."""

    part: int
    score: float
    fit: Fit


class _Rated(NamedTuple):
    """A page, or a passage of it, with its score and the parts that have the words."""

    score: float
    found: Found
    body: Body
    parts: list[_Scored]


class _Ranking:
    """The candidates of a query, which are compared with each other."""

    def __init__(self, query: Query, scorer: Scorer, candidates: Sequence[Found]):
        self._query, self._scorer, self._candidates = query, scorer, candidates

    def rated(self) -> Iterator[_Rated]:
        """Yield the pages, or their passages, with their scores."""
        if not self._candidates:
            return
        scorer, passages = self._scorer, self._query.passages
        bodies = [body_of(each, passages=passages) for each in self._candidates]
        names = [segment(name) for body in bodies for name in body.names]
        headings = _named(scorer, names)
        pages, parts, has_words = self._scores(bodies, headings)
        in_heading = np.flatnonzero(headings.any(axis=1)).tolist()
        fits = {place: scorer.fit(names[place]) for place in in_heading}
        first = 0
        for found, body, own in zip(self._candidates, bodies, pages, strict=True):
            places = range(first, first + len(body.names))
            scored = [
                _Scored(place - first, parts[place], fits.get(place, Fit()))
                for place in places
                if has_words[place]
            ]
            yield from self._of_page(found, body, own, scored)
            first = places.stop

    def _scores(
        self, bodies: Sequence[Body], headings: NDArray[np.bool_]
    ) -> tuple[list[float], list[float], list[bool]]:
        """The scores of pages, those of all their parts, and which parts have words."""
        scorer = self._scorer
        titles = [segment(found.hit.title or "") for found in self._candidates]
        counts = scorer.counts([x.text for x in bodies], [x.starts for x in bodies])
        sizes = [len(body.names) for body in bodies]
        firsts = np.cumsum([0, *sizes[:-1]])
        fields = TITLE * _named(scorer, titles)
        lengths = np.concatenate([body.lengths for body in bodies])
        pages = scorer.score(
            np.add.reduceat(counts.of_terms, firsts),
            np.add.reduceat(lengths, firsts) / PAGE_CHARS,
            fields + HEADING * np.logical_or.reduceat(headings, firsts),
        )
        fields = np.repeat(fields, sizes, axis=0) + HEADING * headings
        parts = scorer.score(counts.of_terms, lengths / PART_CHARS, fields)
        parts += scorer.closeness(counts.nearest)
        has_words = (counts.of_terms + headings).sum(axis=1) + (not scorer.terms.count)
        return [*map(float, pages)], [*map(float, parts)], [*map(bool, has_words)]

    def _of_page(
        self, found: Found, body: Body, own: float, parts: list[_Scored]
    ) -> Iterator[_Rated]:
        """Yield a page with the score of its best part, or its passages."""
        hit, title = found.hit, self._scorer.fit(found.hit.title or "")
        if not self._query.passages:
            best = max((each.score for each in parts), default=own)
            fit = max((each.fit for each in parts), default=Fit())
            yield _Rated(self._score(hit, own, best, title, fit), found, body, parts)
            return
        for each in parts:
            if each.part and self._is_allowed(found, body, each.part):
                of_title = title if each.part == 1 else Fit()
                score = self._score(hit, own, each.score, of_title, each.fit)
                yield _Rated(score, found, body, [each])

    def _is_allowed(self, found: Found, body: Body, part: int) -> bool:
        names = found.passages[part - 1].names
        return self._scorer.allows((*names, body.part(part)))

    def _score(
        self, hit: Hit, page: float, part: float, title: Fit, heading: Fit
    ) -> float:
        name = max(title.share, OF_HEADING * heading.share) ** 2
        total = page + OF_PART * part + OF_NAME * name
        score = total / (1 + OF_PART + OF_NAME)
        score = hit.weight * (score + NAMED * heading.is_named)
        return score + TITLED * title.is_named

    def hit(self, rated: _Rated) -> Hit:
        """Return the hit with its snippet and its best sections."""
        query, found, body = self._query, rated.found, rated.body
        parts = sorted(rated.parts, key=lambda x: -(x.score + x.fit.share + x.fit[1]))
        best = body.part(parts[0].part) if parts else ""
        snippet = snippet_for(query, best if best.strip() else body.text)
        hit = replace(found.hit, score=rated.score, snippet=snippet, sections=())
        if query.passages:
            passage = found.passages[parts[0].part - 1]
            return replace(hit, passage=passage.shown(found.stored))
        placed = list(with_paths(hit.title, found.hit.sections))
        numbers = [each.part - 1 for each in parts if each.part]
        sections = (placed[number] for number in numbers[:MAX_SECTIONS])
        made = [each.section._replace(path=each.path) for each in sections]
        return replace(hit, sections=tuple(made))


def _named(scorer: Scorer, names: Sequence[str]) -> NDArray[np.bool_]:
    """Which names have which terms."""
    return scorer.counts(["\n".join(names)], [starts_of(names)]).of_terms > 0
