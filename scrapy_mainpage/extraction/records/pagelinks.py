"""Links that may lead to another page of a listing, and what each of them says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ...addresses import link_address
from ..document.schema import RunKind
from ..document.tags import ATTRIBUTE_CODES
from ..output.urls import NOWHERE, Addresses
from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..document.document import Document
    from ..document.schema import Ints, Longs, Mask

MAX_TEXT_BYTES: Final = 60
MAX_LINKS: Final = 2000
"""Short links that are read: so many from the start, and so many from the end."""

MAX_INSIDE: Final = 8
"""Elements inside of a link whose names are read."""

_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
_NUMBER: Final = re.compile(
    r"\W*(?:page |seite )?([0-9]{1,3}(?:[.,][0-9]{3})+|[0-9]{1,5})\W*"
)
_NEXT_NAME: Final = re.compile(r"next(?!js|cloud)|(?<![a-z])(?:newer|nxt)(?![a-z])")
_PREVIOUS_NAME: Final = re.compile(r"prev(?!iew|ent|ail)|(?<![a-z])older(?![a-z])")
_RIGHT: Final = re.compile(r"[›»>→⇒▶►⟩❯⏵]|(?:arrow|chevron|angle|caret)s?-?_?right")
_LEFT: Final = re.compile(r"[‹«<←⇐◀◄⟨❮⏴]|(?:arrow|chevron|angle|caret)s?-?_?left")
_REST: Final = re.compile(r"\s[-–:(]")
_STRONG: Final = 2
_NAMES: Final = ("rel", "class", "id")
_LABELS: Final = ("aria-label", "title", "alt")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link whose short text, names or address may be those of a pager.

    ``direction`` is the evidence that it leads to the next (positive) or the previous
    (negative) page; ``is_worded`` says that its text is a phrase, an arrow or nothing,
    and not the name of another page.
    """

    element: int
    url: str
    number: int | None
    direction: int
    is_worded: bool


class _Said(NamedTuple):
    """What a short text says: a number, a direction by its words, and by its arrows."""

    number: int | None
    words: int
    arrow: int
    is_bare: bool
    """Whether it has no letters and no digits."""


def find_links_of_pager(
    document: Document, url: str | None, following: int
) -> list[PageLink]:
    """The short links that a pager may have, in document order.

    *following* is the number of the next page, which their addresses may have.
    """
    links = _short_links(document)
    if not len(links):
        return []
    elements = document.elements
    said = [_read(text) for text in _texts(document, links)]
    end = np.minimum(elements.end[links], links + MAX_INSIDE)
    parent = np.maximum(elements.parent[links], 0)
    around = np.where(elements.end[parent] <= end + 1, parent, links)
    is_near = elements.link >= 0
    is_near[parent] = True
    values = _Values.read(document, _NAMES, is_near)
    names = values.directions(_name_direction).sign(around, links, end)
    arrows = values.directions(_arrow).sign(around, links, end)
    is_bare = np.zeros(document.n_elements + 1, bool)
    is_bare[links] = [each.is_bare for each in said]
    labels = _Values.read(document, _LABELS, is_bare[elements.link])
    label = labels.directions(_word_direction).first_inside(links, end)
    addresses = Addresses(document, url)
    hrefs = document.values_of("href", links)
    has_number = re.compile(rf"(?<![0-9])0{{0,9}}{following}(?![0-9])").search
    found = []
    columns = (each.tolist() for each in (links, names, arrows, label))
    for own, element, named, arrow, spoken in zip(said, *columns, strict=True):
        href = hrefs.get(element, "")
        words = own.words or spoken * own.is_bare
        direction = words + _STRONG * named + (own.arrow or arrow * own.is_bare)
        direction = 0 if own.number is not None else direction
        is_one = own.number is not None or direction or has_number(href)
        target = addresses.clean(href) if is_one and href not in NOWHERE else None
        if target and target.startswith(("http:", "https:", "/", "?", ".")):
            target = link_address(target, url or "")
            is_worded = own.number is None and (bool(words) or own.is_bare)
            found.append(PageLink(element, target, own.number, direction, is_worded))
    return found


def _short_links(document: Document) -> Longs:
    """The links of at most :data:`MAX_TEXT_BYTES`, in document order."""
    elements, runs = document.elements, document.runs
    own = np.flatnonzero(elements.link == np.arange(document.n_elements))
    sizes = np.where(runs.kind == RunKind.TEXT, runs.end - runs.start, 0)
    sums = np.concatenate([[0], np.cumsum(sizes)])
    chars = sums[elements.end_run[own]] - sums[elements.first_run[own]]
    short = own[chars <= MAX_TEXT_BYTES]
    if len(short) > 2 * MAX_LINKS:
        return np.concatenate([short[:MAX_LINKS], short[-MAX_LINKS:]])
    return np.asarray(short)


def _texts(document: Document, links: Longs) -> list[bytes]:
    """The text of each link, with a blank between its runs."""
    elements, runs, text = document.elements, document.runs, document.text
    first, end = elements.first_run[links].tolist(), elements.end_run[links].tolist()
    is_text = runs.kind == RunKind.TEXT
    edges = (runs.start, runs.end)
    start, stop = (np.where(is_text, each, 0).tolist() for each in edges)
    return [
        text[start[a] : stop[a]]
        if b - a == 1
        else b" ".join(text[start[k] : stop[k]] for k in range(a, b))
        for a, b in zip(first, end, strict=True)
    ]


@lru_cache(maxsize=4096)
def _read(text: bytes) -> _Said:
    said = " ".join(text.decode("utf-8", "replace").split())
    plain = _EDGES.sub("", said)
    if plain[-1:].isdigit() and (number := _NUMBER.fullmatch(said.lower())):
        return _Said(int(re.sub(r"\D", "", number[1])), 0, 0, is_bare=False)
    arrow = _arrow(said) if len(plain) < len(said) else 0
    return _Said(None, _phrase_direction(plain), arrow, is_bare=not plain)


class _Values(NamedTuple):
    """The distinct values of some attributes, and of each attribute its value."""

    texts: list[str]
    element: Ints
    place: Longs

    @classmethod
    def read(cls, document: Document, names: Iterable[str], near: Mask) -> _Values:
        """Those of the attributes *names* of the elements *near* a link."""
        attributes, values = document.attributes, document.values
        wanted = np.isin(attributes.name, [ATTRIBUTE_CODES[name] for name in names])
        rows = np.flatnonzero(wanted & near[attributes.element])
        starts, first, place = np.unique(
            attributes.start[rows], return_index=True, return_inverse=True
        )
        ends = attributes.end[rows[first]].tolist()
        texts = (values[a:b] for a, b in zip(starts.tolist(), ends, strict=True))
        found = [text.decode("utf-8", "replace").lower() for text in texts]
        return cls(found, attributes.element[rows], place)

    def directions(self, read: Callable[[str], int]) -> _Directions:
        """The elements with a value that has a direction, as *read* says."""
        found = np.array([*map(read, self.texts)], np.int64)[self.place]
        return _Directions(self.element[found != 0], found[found != 0])


class _Directions(NamedTuple):
    """Elements of which an attribute says a direction, in document order."""

    element: Ints
    direction: Longs

    def sign(self, around: Longs, first: Longs, end: Longs) -> Longs:
        """What prevails in the element *around* and from *first* to before *end*."""
        sums = np.concatenate([[0], np.cumsum(self.direction)])
        edges = np.stack([around, np.minimum(around + 1, first), first, end])
        before = sums[np.searchsorted(self.element, edges)]
        return np.asarray(np.sign(before[1] - before[0] + before[3] - before[2]))

    def first_inside(self, first: Longs, end: Longs) -> Longs:
        """The first direction from element *first* to before *end*, or 0."""
        start, stop = np.searchsorted(self.element, [first, end])
        return np.append(self.direction, 0)[np.where(start < stop, start, -1)]


@lru_cache(maxsize=4096)
def _name_direction(names: str) -> int:
    """The direction that names say.

    >>> _name_direction("nav-next"), _name_direction("icon-preview")
    (1, 0)
    """
    return bool(_NEXT_NAME.search(names)) - bool(_PREVIOUS_NAME.search(names))


@lru_cache(maxsize=4096)
def _arrow(text: str) -> int:
    return bool(_RIGHT.search(text)) - bool(_LEFT.search(text))


def _word_direction(text: str) -> int:
    """The direction of a phrase, which may go on behind a dash or a colon.

    >>> _word_direction("Next page »"), _word_direction("Vorherige Seite - 31 bis 60")
    (2, -2)
    """
    return _phrase_direction(_EDGES.sub("", text[: MAX_TEXT_BYTES + 1]))


def _phrase_direction(text: str) -> int:
    said, known = text.casefold(), _phrases()
    if said in known or " " not in said:
        return known.get(said, 0)
    return known.get(_REST.split(said, maxsplit=1)[0], 0)


@cache
def _phrases() -> dict[str, int]:
    weights = {"next": _STRONG, "previous": -_STRONG, "newer": 1, "older": -1}
    return {
        phrase: weights[section]
        for section, phrases in read_phrases("pagination").items()
        for phrase in phrases
    }
