"""Ranking, the same for every engine: names before headings before texts.

An engine finds candidates and orders them by its own score. Here each gets points for
where the words are: a title or heading that is the query, one that has all words, a
text. The engine's score decides among equals; a document's weight multiplies both.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from .documents import HIT_FIELDS, IndexDocument, Section
from .query import Query
from .snippets import snippet_for
from .tokens import fold, names_in, segment, unsegment
from .word_forms import Vocabulary, complete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .documents import Hit
    from .query import Term

#: Points of a candidate: for a name that is the query, and for all words in a place.
TITLE_IS_QUERY: Final = 8.0
HEADING_IS_QUERY: Final = 6.0
OTHER_NAME: Final = 0.5
IN_TITLE: Final = 4.0
IN_HEADING: Final = 3.5
IN_PATH: Final = 2.0
#: Lost where not all words are found, for each share of them that is missing.
MISSING: Final = 4.0

#: Candidates of each kind of search, beside twice the hits that are wanted.
CANDIDATES: Final = 20

#: Letters at the end of a word that another form of it may not have.
LIKE: Final = 3

#: Sections of a hit, and headings of a page that are compared with the query.
MAX_SECTIONS: Final = 3
MAX_HEADINGS: Final = 2_000

#: Characters of a heading that are compared with the text, and of the text near it.
MAX_COMPARED: Final = 60
NEAR: Final = 5_000

#: Share of the words that is enough where no page, or no passage, has all of them.
ENOUGH: Final = 2 / 3
ENOUGH_OF_PASSAGE: Final = 1 / 2


@dataclass(frozen=True)
class Found:
    """A candidate of an engine: a hit without a snippet, and how to read its text.

    The hit has all sections of the page. ``read`` gives the segmented text that the
    snippet is cut from; ``None`` if the hit has its snippet. ``start`` is the place of
    that text in the document's. ``forms`` are words of it that match. ``share`` is that
    of the words of the query, if the engine has counted them.
    """

    hit: Hit
    read: Callable[[], str] | None = None
    start: int = 0
    forms: Sequence[str] = ()
    share: float | None = None

    def document(self) -> IndexDocument:
        """Return the document, with the fields that hits have."""
        hit = self.hit
        names = (name for name in HIT_FIELDS if name not in ("url", "site"))
        return IndexDocument(
            hit.url,
            unsegment(self.read()) if self.read else "",
            **{name: getattr(hit, name) for name in names},
            fields=hit.fields,
            weight=hit.weight,
            sections=hit.sections,
        )


class _Terms:
    """The wanted terms as folded words with their forms, and what was typed."""

    def __init__(self, query: Query, typed: Query):
        self.name = typed.name
        self.each = [_patterns(term) for term in query.wanted]
        self._added: set[str] = set()
        self.beginning = "" if self.name else typed.words
        self.length = sum(len(term.text) for term in query.wanted)

    def add_forms(self, forms: Iterable[str]) -> None:
        """Add the forms that the engine has matched, each to the word like it."""
        for form in set(forms) - self._added:
            self._added.add(form)
            for term in self.each:
                word = term[0].strip()
                size = max(len(word) - LIKE, LIKE)
                if form[:size] == word[:size]:
                    term.append(f" {form} ")

    def within(self, padded: str) -> _Terms:
        """Return the terms without the other forms that a text does not have."""
        found = copy(self)
        found.each = [
            [term[0], *(each for each in term[1:] if each in padded)]
            for term in self.each
        ]
        return found

    def share_in(self, padded: str) -> float:
        """The share of the terms that a folded text between spaces has."""
        found = sum(any(each in padded for each in term) for term in self.each)
        return found / max(len(self.each), 1)

    def are_in(self, padded: str) -> bool:
        """Whether a folded text has all of the terms, of which there are some."""
        return bool(self.each) and all(
            any(each in padded for each in term) for term in self.each
        )

    def points_of(
        self, heading: str, is_query: float, has_words: float, padded: str = ""
    ) -> float:
        """Points for a title or heading, more if there is little beside the words."""
        padded = padded or _padded(heading)
        if not heading or not self.are_in(padded):
            return 0.0
        if self.name:
            names = names_in(heading)
            if self.name in names:
                return is_query - (OTHER_NAME if names.index(self.name) > 1 else 0)
        points = has_words + min(self.length / len(padded), 1.0)
        if self.beginning and self._begins(heading):
            points += OTHER_NAME
        # The words themselves count for more than other forms of them.
        is_as_typed = all(term[0] in padded for term in self.each)
        return points - (0.0 if is_as_typed else OTHER_NAME)

    def _begins(self, heading: str) -> bool:
        """Whether a name of the heading begins as the query does."""
        return any(name.startswith(self.beginning) for name in names_in(heading))


def _patterns(term: Term) -> list[str]:
    texts = [
        (" ".join(term.words), term.prefix),
        *((form, False) for form in term.forms),
    ]
    return [f" {text}" if is_prefix else f" {text} " for text, is_prefix in texts]


def _padded(text: str) -> str:
    return _pad(fold(segment(text)))


def _pad(folded: str) -> str:
    return f" {' '.join(folded.split())} "


class _Headings:
    """The headings of a page, folded: all at once, which is many times as fast."""

    def __init__(self, sections: Sequence[Section]):
        texts = [part.heading for part in sections[:MAX_HEADINGS]]
        segmented = segment("\n".join(texts))
        lines, folded, place = segmented.split("\n"), fold(segmented), 0
        self.folded = []
        if len(lines) == len(texts) and len(folded) == len(segmented):
            for line in lines:
                self.folded.append(folded[place : place + len(line)])
                place += len(line) + 1
        else:
            self.folded = [fold(segment(text)) for text in texts]
        self.padded = list(map(_pad, self.folded))
        self.together = "".join(self.padded)


class Searched(Vocabulary, Protocol):
    """An index whose candidates are ranked."""

    async def candidates(self, query: Query) -> list[Found]:
        """Return the candidates of a query."""


async def search(
    index: Searched, query: Query, synonyms: Mapping[str, Sequence[str]] | None = None
) -> tuple[list[Hit], Query]:
    """Return the hits, with all words first, then with most, and the query asked."""
    typed, named = query, query.for_name
    query = await complete(query, index, synonyms)
    room = 2 * query.limit + CANDIDATES
    wide = replace(query, limit=room)
    ranking = _Ranking(query, typed)
    if named is not None and not query.sort:
        ranking.add(await index.candidates(replace(named, limit=room)), is_named=True)
    if query.sort:
        ranking.keep(await index.candidates(query))
        return ranking.hits(), query
    in_headings = replace(wide, in_headings=True)
    found = await index.candidates(in_headings) if query.wanted else []
    ranking.add(found)
    if len(found) < room:  # else those with the words in a text come after all of them
        ranking.add(await index.candidates(wide))
    count = len(query.wanted)
    is_strict = any(term.quoted for term in query.wanted)
    if len(ranking.found) < query.limit and count > 1 and not is_strict:
        enough = ceil(count * (ENOUGH_OF_PASSAGE if query.passages else ENOUGH))
        if enough == count:
            enough = count if ranking.found else 1
        if enough < count:
            ranking.add(await index.candidates(replace(wide, minimum=enough)), enough)
    return ranking.hits(), query


class _Ranking:
    """Candidates with their points, each place once."""

    def __init__(self, query: Query, typed: Query):
        self._query = query
        self._terms = _Terms(query, typed)
        self._headings: dict[str, _Headings] = {}
        self.found: dict[tuple[str, str], tuple[float, Found]] = {}

    def add(
        self, found: Sequence[Found], enough: int = 0, *, is_named: bool = False
    ) -> None:
        """Add the candidates of a search; *enough* terms are needed, or all."""
        best = max((each.hit.score for each in found), default=0) or 1.0
        for each in found:
            passage = each.hit.passage
            key = (each.hit.url, passage.id if passage else "")
            if enough and len(self.found) >= 2 * self._query.limit:
                return
            if key not in self.found:
                points = self._points(each, is_named=is_named)
                if enough:
                    share = self._share(each)
                    if share * len(self._terms.each) < enough - 0.01:
                        continue
                    points -= MISSING * (1 - share)
                # From 0 to 1: engines count from any number on.
                own = each.hit.score / best if best > 0 else 1.0
                self.found[key] = (each.hit.weight * (points + own), each)

    def keep(self, found: Sequence[Found]) -> None:
        """Add the candidates in their order."""
        for place, each in enumerate(found):
            self.found[each.hit.url, str(place)] = (float(-place), each)

    def hits(self) -> list[Hit]:
        """Return the best, each with its snippet and its best sections."""
        rows = sorted(
            self.found.values(),
            key=lambda row: (-row[0], row[1].hit.url, _place(row[1])),
        )
        return [self._hit(score, found) for score, found in rows[: self._query.limit]]

    def _points(self, found: Found, *, is_named: bool) -> float:
        hit, terms = found.hit, self._terms
        terms.add_forms(found.forms)
        if (passage := hit.passage) is not None:
            if not passage.position:
                own = terms.points_of(hit.title or "", TITLE_IS_QUERY, IN_TITLE)
            else:
                own = 0.0
            path = _padded(" ".join((*passage.path, hit.title or "")))
            above = IN_PATH if terms.are_in(path) else 0.0
            heading = passage.heading or ""
            named = terms.points_of(heading, HEADING_IS_QUERY, IN_HEADING)
            return max(own, above, named)
        best = terms.points_of(hit.title or "", TITLE_IS_QUERY, IN_TITLE)
        headings = self._headings_of(hit)
        title = _padded(hit.title or "")
        if terms.are_in(headings.together):
            few = terms.within(headings.together)
            points = (
                few.points_of(part.heading, HEADING_IS_QUERY, IN_HEADING, padded)
                for part, padded in zip(hit.sections, headings.padded, strict=False)
            )
            best = max(best, max(points, default=0.0))
        if not best and terms.are_in(title + headings.together):
            best = IN_PATH if terms.share_in(title) else IN_PATH / 2
        return max(best, HEADING_IS_QUERY - OTHER_NAME if is_named else 0.0)

    def _headings_of(self, hit: Hit) -> _Headings:
        if hit.url not in self._headings:
            self._headings[hit.url] = _Headings(hit.sections)
        return self._headings[hit.url]

    def _share(self, found: Found) -> float:
        """The share of the terms in a candidate; 1 if the engine has counted."""
        if found.share is not None or found.read is None:
            return 1.0 if found.share is None else found.share
        hit = found.hit
        names = f"{_padded(hit.title or '')}{self._headings_of(hit).together}"
        return self._terms.share_in(f"{names}{fold(found.read())} ")

    def _hit(self, score: float, found: Found) -> Hit:
        hit = found.hit
        sections: tuple[Section, ...] = ()
        text = found.read() if found.read else ""
        folded = fold(text)
        if hit.passage is None:
            sections = self._best_sections(hit, folded, found.start)
        snippet = hit.snippet
        if found.read:
            forms = [word for term in self._query.wanted for word in term.forms]
            forms += found.forms
            snippet = snippet_for(self._query, text, forms, folded)
        return replace(hit, score=score, snippet=snippet, sections=sections)

    def _best_sections(self, hit: Hit, folded: str, start: int) -> tuple[Section, ...]:
        """The sections that fit best, with their paths, the best first."""
        rated = []
        headings = self._headings_of(hit)
        places = _places(folded, headings.folded, hit.sections, start)
        following = [*places[1:], len(folded)]
        terms = self._terms.within(f" {folded} {headings.together}")
        for (section, path, _), place, end, padded in zip(
            with_paths(hit.title, hit.sections),
            places,
            following,
            headings.padded,
            strict=False,
        ):
            inside = 0.0
            if place >= 0:
                body = folded[place : end if end >= 0 else place + NEAR]
                inside = terms.share_in(f" {body} ")
                if not inside:  # and the heading is at its beginning
                    continue
            share = terms.share_in(padded)
            own = terms.points_of(section.heading, HEADING_IS_QUERY, IN_HEADING, padded)
            if share and not own and self._terms.are_in(_padded(" ".join(path))):
                own = IN_PATH * share
            points = own + inside + 1.5 * share
            if points > 0:
                rated.append((points, section._replace(path=path)))
        rated.sort(key=lambda row: -row[0])
        return tuple(section for _, section in rated[:MAX_SECTIONS])


def _places(
    folded: str, headings: Iterable[str], sections: Iterable[Section], start: int
) -> list[int]:
    """The places of headings in a folded text from *start* on; -1 if not found.

    Scripts that are segmented take more characters than the text that was indexed.
    """
    places, place = [], 0
    for section, whole in zip(sections, headings, strict=False):
        first = max(place, section.start - start)
        heading = whole[:MAX_COMPARED]
        found = -1
        if section.start >= start and heading.strip():
            found = folded.find(heading, first, first + NEAR + len(heading))
        places.append(found)
        place = found if found >= 0 else place
    return places


def _place(found: Found) -> int:
    return found.hit.passage.position if found.hit.passage else 0


class _Placed(NamedTuple):
    section: Section
    path: tuple[str, ...]
    end: int


def with_paths(title: str | None, sections: Sequence[Section]) -> Iterator[_Placed]:
    """Yield sections with their paths, from the page's title on, and their ends."""
    above: list[Section] = []
    for number, section in enumerate(sections):
        while above and above[-1].level >= section.level:
            above.pop()
        above.append(section)
        path = [part.heading for part in above]
        if title and title != path[0]:
            path.insert(0, title)
        following = islice(sections, number + 1, number + 2)
        end = next((part.start for part in following), -1)
        yield _Placed(section, tuple(path), end)
