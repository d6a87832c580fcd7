"""Links that may lead to another page of a listing, and what each of them says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...addresses import link_address
from ..declared.meta import Values
from ..document.schema import RunKind
from ..output.urls import NOWHERE, Addresses
from ..repeats.candidates import Links, find_links, hrefs_of
from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Ints, Longs

    Numbers = npt.NDArray[Any]

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
_SIGN: Final = re.compile(rb"next|prev|newer|older|nxt|right|left|[^\x00-\x7f]")
"""What names have that the patterns say a direction of, and few others."""

_RIGHT: Final = re.compile(r"[›»>→⇒▶►⟩❯⏵]|(?:arrow|chevron|angle|caret)s?-?_?right")
_LEFT: Final = re.compile(r"[‹«<←⇐◀◄⟨❮⏴]|(?:arrow|chevron|angle|caret)s?-?_?left")
_REST: Final = re.compile(r"\s[-–:(]")
_STRONG: Final = 2
_NAMES: Final = "rel class id"
_LABELS: Final = "aria-label title alt"


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

    number: int
    """The number, or -1."""
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
    short = _short_links(document)
    if not len(short.element):
        return []
    elements, links = document.elements, short.element
    said = map(_read, _texts(document, links))
    number, words, signs, is_bare = map(np.array, zip(*said, strict=True))
    end = np.minimum(elements.end[links], links + MAX_INSIDE)
    parent = np.maximum(elements.parent[links], 0)
    around = np.where(elements.end[parent] <= end + 1, parent, links)
    is_near = elements.link >= 0
    is_near[parent] = True
    values = Values.read(document, _NAMES, is_near).those_with(_SIGN)
    names = _directions(values, _name_direction).sign(around, links, end)
    arrows = _directions(values, _arrow).sign(around, links, end)
    bare = np.zeros(document.n_elements + 1, bool)
    bare[links] = is_bare
    labels = Values.read(document, _LABELS, bare[elements.link])
    label = _directions(labels, _word_direction).first_inside(links, end)
    words = np.where(is_bare & (words == 0), label, words)
    signs = np.where(is_bare & (signs == 0), arrows, signs)
    direction = np.where(number < 0, words + _STRONG * names + signs, 0)
    mark = str(following).encode()
    # Lookbehind at its end: so it begins with a literal, which is found much faster.
    ends = re.compile(rb"%b(?![0-9A-Za-z])(?<![1-9]%b)" % (mark, mark)).search
    hrefs = hrefs_of(document, short)
    is_next = [mark in href and ends(href) is not None for href in hrefs]
    chosen = np.flatnonzero((number >= 0) | (direction != 0) | is_next).tolist()
    is_worded = (number < 0) & ((words != 0) | is_bare)
    addresses, found = Addresses(document, url), []
    for k in chosen:
        href = hrefs[k].decode("utf-8", "replace")
        target = None if href in NOWHERE else addresses.clean(href)
        if target and target.startswith(("http:", "https:", "/", "?", ".")):
            own = None if number[k] < 0 else int(number[k])
            columns = int(direction[k]), bool(is_worded[k])
            target = link_address(target, url or "")
            found.append(PageLink(int(links[k]), target, own, *columns))
    return found


def _short_links(document: Document) -> Links:
    """The links of at most :data:`MAX_TEXT_BYTES`, in document order."""
    elements, runs, links = document.elements, document.runs, document.once(find_links)
    sizes = np.where(runs.kind == RunKind.TEXT, runs.end - runs.start, 0)
    sums = np.concatenate([[0], np.cumsum(sizes)])
    chars = sums[elements.end_run[links.element]]
    chars -= sums[elements.first_run[links.element]]
    short = np.flatnonzero(chars <= MAX_TEXT_BYTES)
    if len(short) > 2 * MAX_LINKS:
        short = np.concatenate([short[:MAX_LINKS], short[-MAX_LINKS:]])
    return Links._make(column[short] for column in links)


def _texts(document: Document, links: Ints) -> list[bytes]:
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
    return _Said(-1, _phrase_direction(plain), arrow, is_bare=not plain)


class _Directions(NamedTuple):
    """Elements of which an attribute says a direction, in document order."""

    element: Ints
    direction: Longs

    def sign(self, around: Numbers, first: Numbers, end: Numbers) -> Longs:
        """What prevails in the element *around* and from *first* to before *end*."""
        sums = np.concatenate([[0], np.cumsum(self.direction)])
        edges = np.stack([around, np.minimum(around + 1, first), first, end])
        before = sums[np.searchsorted(self.element, edges)]
        return np.asarray(np.sign(before[1] - before[0] + before[3] - before[2]))

    def first_inside(self, first: Numbers, end: Numbers) -> Longs:
        """The first direction from element *first* to before *end*, or 0."""
        start, stop = np.searchsorted(self.element, [first, end])
        return np.append(self.direction, 0)[np.where(start < stop, start, -1)]


def _directions(values: Values, read: Callable[[str], int]) -> _Directions:
    """The elements with a value that has a direction, as *read* says."""
    texts = (text.decode("utf-8", "replace").lower() for text in values.texts)
    found = np.array([*map(read, texts)], np.int64)[values.place]
    return _Directions(values.element[found != 0], found[found != 0])


def _name_direction(names: str) -> int:
    """The direction that names say.

    >>> _name_direction("nav-next"), _name_direction("icon-preview")
    (1, 0)
    """
    return bool(_NEXT_NAME.search(names)) - bool(_PREVIOUS_NAME.search(names))


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
