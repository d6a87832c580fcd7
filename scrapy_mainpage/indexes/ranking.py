"""Ranking, one formula for every engine.

An engine finds candidates and scores them, by BM25 over weighted fields or its like. To
that comes how many of the words a page has, and how well its title or a heading fits
them. What is named as the query stands first. A document's weight multiplies all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from .documents import HIT_FIELDS, IndexDocument, Section
from .snippets import snippet_for
from .tokens import fold, names_in, segment, unsegment
from .word_forms import Vocabulary, complete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .documents import Hit
    from .query import Query, Term

#: Points beside the engine's score, which is from 0 to 1: for a name that is the query,
#: for a heading with all words, for the share of the words that the page has.
NAMED: Final = 6.0
IN_HEADING: Final = 3.0
OF_WORDS: Final = 4.0
#: For words in several headings, twice if the title has some.
SPREAD: Final = 1.0
#: More for the page's title; less for another form of a word, or of a name.
OF_TITLE: Final = 0.5
OTHER_FORM: Final = 0.5

#: Candidates of each kind of search, beside twice the hits that are wanted.
CANDIDATES: Final = 20

#: Sections of a hit, and headings of a page that are compared with the query.
MAX_SECTIONS: Final = 3
MAX_HEADINGS: Final = 2_000

#: Characters of a heading that are compared with the text, and of the text near it.
MAX_COMPARED: Final = 60
NEAR: Final = 5_000

#: Share of the words that is enough where too few pages, or passages, have all.
ENOUGH: Final = 2 / 3
ENOUGH_OF_PASSAGE: Final = 1 / 2


@dataclass(frozen=True)
class Found:
    """A candidate of an engine: a hit without a snippet, and how to read its text.

    The hit has all sections of the page. ``read`` gives the segmented text that the
    snippet is cut from.
    """

    hit: Hit
    read: Callable[[], str]

    def document(self) -> IndexDocument:
        """Return the document, with the fields that hits have."""
        hit = self.hit
        names = (name for name in HIT_FIELDS if name not in ("url", "site"))
        return IndexDocument(
            hit.url,
            unsegment(self.read()),
            **{name: getattr(hit, name) for name in names},
            fields=hit.fields,
            weight=hit.weight,
            sections=hit.sections,
        )


class Searched(Vocabulary, Protocol):
    """An index whose candidates are ranked."""

    async def candidates(self, query: Query) -> list[Found]:
        """Return the candidates of a query."""


async def search(
    index: Searched, query: Query, synonyms: Mapping[str, Sequence[str]] | None = None
) -> tuple[list[Hit], Query]:
    """Return the hits, the best first, and the query with the forms of its words."""
    typed, query = query, await complete(query, index, synonyms)
    ranking = _Ranking(typed, query)
    if query.sort:
        return ranking.in_order(await index.candidates(query)), query
    wide = replace(query, limit=2 * query.limit + CANDIDATES)
    if ranking.names:
        ranking.add(await index.candidates(wide.for_names(ranking.names)))
    if query.wanted:
        ranking.add(await index.candidates(replace(wide, in_headings=True)))
    ranking.add(await index.candidates(wide))
    count = len(query.wanted)
    is_strict = any(term.quoted for term in query.wanted)
    if len(ranking.found) < query.limit and count > 1 and not is_strict:
        enough = ceil(count * (ENOUGH_OF_PASSAGE if query.passages else ENOUGH))
        if enough == count and not ranking.found:
            enough = 1
        if enough < count:
            partly = await index.candidates(replace(wide, minimum=enough))
            ranking.add(partly, least=enough / count)
    return ranking.hits(), query


class _Ranking:
    """Candidates with their scores, each once."""

    def __init__(self, typed: Query, query: Query):
        self._query = query
        self._terms = list(map(_patterns, query.wanted))
        self._length = sum(len(term.text) for term in query.wanted)
        #: What the query may name; as it was typed, with function words, first.
        self.names = list(dict.fromkeys((*typed.names[:1], *query.names)))
        self._beginning = "" if self.names else typed.words
        self._headings: dict[str, _Headings] = {}
        self.found: dict[tuple[str, str], tuple[float, Found]] = {}

    def add(self, found: Sequence[Found], *, least: float = 1.0) -> None:
        """Add the candidates of a search that have at least this share of the words."""
        best = max((each.hit.score for each in found), default=0) or 1.0
        for each in found:
            passage = each.hit.passage
            key = (each.hit.url, passage.id if passage else "")
            if key in self.found:
                continue
            share = self._share_of(each) if least < 1 else 1.0
            if share >= least - 0.001:
                points = each.hit.score / best + OF_WORDS * share + self._points(each)
                self.found[key] = (each.hit.weight * points, each)

    def in_order(self, found: Iterable[Found]) -> list[Hit]:
        """Return the hits of these candidates in their order."""
        return [self._hit(-float(place), each) for place, each in enumerate(found)]

    def hits(self) -> list[Hit]:
        """Return the best, each with its snippet and its best sections."""
        rows = sorted(
            self.found.values(),
            key=lambda row: (-row[0], row[1].hit.url, _place(row[1])),
        )
        return [self._hit(score, found) for score, found in rows[: self._query.limit]]

    def _points(self, found: Found) -> float:
        """How well the title and the best heading fit."""
        hit = found.hit
        title = hit.title or ""
        own = self._fit(title)
        if (passage := hit.passage) is not None:
            own = own + OF_TITLE if own and not passage.position else 0.0
            path = _padded(" ".join((*passage.path, title)))
            above = IN_HEADING / 2 * self._share_in(path)
            return max(own, above, self._fit(passage.heading or ""))
        headings = self._headings_of(hit)
        best = own + OF_TITLE if own else 0.0
        if not best and self._share_in(_padded(title) + headings.together) == 1:
            best = SPREAD * (1 + (self._share_in(_padded(title)) > 0))
        if self._share_in(headings.together) < 1:
            return best
        pairs = zip(hit.sections, headings.padded, strict=False)
        fits = (self._fit(part.heading, padded) for part, padded in pairs)
        return max(best, max(fits, default=0.0))

    def _fit(self, heading: str, padded: str = "") -> float:
        """How well a title or heading fits, more if little stands beside the words."""
        padded = padded or _padded(heading)
        if not heading or not self._terms or self._share_in(padded) < 1:
            return 0.0
        names = names_in(heading) if self.names or self._beginning else []
        for place, name in enumerate(names):
            if name in self.names:
                other = (place > 1) + (name != self.names[0])
                return NAMED - other * OTHER_FORM
        points = IN_HEADING + min(self._length / len(padded), 1.0)
        is_as_typed = all(term[0] in padded for term in self._terms)
        begins = any(name.startswith(self._beginning) for name in names)
        points += OTHER_FORM if self._beginning and begins else 0.0
        return points - (0.0 if is_as_typed else OTHER_FORM)

    def _share_in(self, padded: str) -> float:
        """The share of the words that a folded text between spaces has."""
        found = sum(any(each in padded for each in term) for term in self._terms)
        return found / max(len(self._terms), 1)

    def _share_of(self, found: Found) -> float:
        title = _padded(found.hit.title or "")
        names = f"{title}{self._headings_of(found.hit).together}"
        if found.hit.passage:
            names += _padded(" ".join(found.hit.passage.path))
        return self._share_in(f"{names}{fold(found.read())} ")

    def _headings_of(self, hit: Hit) -> _Headings:
        if hit.url not in self._headings:
            self._headings[hit.url] = _Headings(hit.sections)
        return self._headings[hit.url]

    def _hit(self, score: float, found: Found) -> Hit:
        hit, text = found.hit, found.read()
        folded = fold(text)
        sections: tuple[Section, ...] = ()
        if hit.passage is None:
            sections = self._best_sections(hit, folded)
        forms = [word for term in self._query.wanted for word in term.forms]
        snippet = snippet_for(self._query, text, forms, folded)
        return replace(hit, score=score, snippet=snippet, sections=sections)

    def _best_sections(self, hit: Hit, folded: str) -> tuple[Section, ...]:
        """The sections that fit best, with their paths, the best first."""
        rated = []
        headings = self._headings_of(hit)
        places = _places(folded, headings.folded, hit.sections)
        rows = zip(
            with_paths(hit.title, hit.sections),
            places,
            [*places[1:], len(folded)],
            headings.padded,
            strict=False,
        )
        for (section, path, _), place, end, padded in rows:
            inside = 0.0
            if place >= 0:
                body = folded[place : end if end >= 0 else place + NEAR]
                inside = self._share_in(f" {body} ")
                if not inside:  # and the heading is at its beginning
                    continue
            share = self._share_in(padded)
            own = self._fit(section.heading, padded)
            if share and not own and self._share_in(_padded(" ".join(path))) == 1:
                own = IN_HEADING / 2 * share
            if points := own + inside + IN_HEADING / 2 * share:
                rated.append((points, section._replace(path=path)))
        rated.sort(key=lambda row: -row[0])
        return tuple(section for _, section in rated[:MAX_SECTIONS])


def _patterns(term: Term) -> list[str]:
    """What a folded text between spaces has where it has the term."""
    own = " ".join(term.words)
    forms = (" ".join(form.split()) for form in term.forms)
    return [f" {own}" if term.prefix else f" {own} ", *(f" {x} " for x in forms)]


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


def _places(
    folded: str, headings: Iterable[str], sections: Iterable[Section]
) -> list[int]:
    """The places of headings in a folded text; -1 if not found.

    Scripts that are segmented take more characters than the text that was indexed.
    """
    places, place = [], 0
    for section, whole in zip(sections, headings, strict=False):
        first = max(place, section.start)
        heading = whole[:MAX_COMPARED]
        found = -1
        if section.start >= 0 and heading.strip():
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
