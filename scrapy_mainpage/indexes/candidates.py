"""Candidates: the pages that an engine finds, with their parts, which are scored."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from .documents import Passage
from .tokens import ZERO_WIDTH_SPACE, unsegment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from .documents import Hit, Section

#: Sections of a page that are compared with the query.
MAX_SECTIONS: Final = 2_000


#: Passages of a section have the same path.
_path = lru_cache(20_000)(json.loads)


class StoredPassage(NamedTuple):
    """A passage in its columns: a part of the page's stored text, or with its own.

    ``path`` is JSON.
    """

    id: str
    position: int
    heading: str | None
    anchor: str | None
    path: str | None
    start: int
    length: int
    text: str | None

    def of(self, page: str) -> str:
        """Return the text of the passage, which is in that of the page."""
        if self.text is not None:
            return self.text
        return page[self.start : self.start + self.length]

    @property
    def names(self) -> tuple[str, ...]:
        """The page's title and the headings from the highest to the passage's own."""
        return tuple(_path(self.path or "[]"))

    def shown(self, page: str) -> Passage:
        """Return the passage as hits have it, by the page's stored text."""
        text = unsegment(self.of(page))
        place = self.heading, self.anchor, self.names
        return Passage(self.id, self.position, text, *place)


@dataclass(frozen=True)
class Found:
    """A candidate of an engine: a hit without a snippet, and how to read its text.

    The hit has all sections of the page and the engine's score. ``segmented`` gives the
    segmented text of a ``stored`` one. ``passages`` are the page's, in a search for
    them.
    """

    hit: Hit
    segmented: Callable[[str], str]
    stored: str
    passages: list[StoredPassage] = field(default_factory=list)


class Body(NamedTuple):
    """A page as it is scored: its segmented text, divided into parts with headings.

    The parts are the sections or passages. Before them is one without a heading, which
    has what comes before the first section.
    """

    text: str
    starts: NDArray[np.intp]
    names: list[str]

    @property
    def lengths(self) -> NDArray[np.intp]:
        """The characters of each part."""
        return np.diff(self.starts, append=len(self.text))

    def part(self, number: int) -> str:
        """Return the text of a part."""
        ends = [*self.starts[number + 1 : number + 2].tolist(), len(self.text)]
        return self.text[int(self.starts[number]) : ends[0]]


def body_of(found: Found, *, passages: bool) -> Body:
    """Return the text of a candidate with its sections, or with its passages."""
    if not passages:
        page = found.segmented(found.stored)
        sections = found.hit.sections[:MAX_SECTIONS]
        names = ["", *(section.heading for section in sections)]
        return Body(page, _starts([section.start for section in sections], page), names)
    texts = [found.segmented(each.of(found.stored)) for each in found.passages]
    names = ["", *(each.heading or "" for each in found.passages)]
    return Body("\n".join(["", *texts]), starts_of(["", *texts]), names)


def starts_of(texts: Sequence[str]) -> NDArray[np.intp]:
    """Return where texts start that are joined, a line each."""
    return np.cumsum([0, *(len(text) + 1 for text in texts[:-1])], dtype=np.intp)


def _starts(places: Sequence[int], text: str) -> NDArray[np.intp]:
    """Return where the parts of a segmented text start, the first at its beginning.

    The places of headings are those in the text before it was segmented; a section
    without one is empty.
    """
    starts = np.array([0, *places], np.intp)
    is_known = starts >= 0
    if ZERO_WIDTH_SPACE in text:
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        spaces = np.flatnonzero(codes == ord(ZERO_WIDTH_SPACE))
        starts += np.searchsorted(spaces - np.arange(len(spaces)), starts)
    starts = np.maximum.accumulate(np.where(is_known, starts, 0))
    known = np.where(is_known, np.minimum(starts, len(text)), len(text))
    return np.minimum.accumulate(known[::-1])[::-1]


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
