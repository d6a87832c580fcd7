"""Links that may lead to another page of a listing, and what each of them says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ...addresses import link_address
from ..document.schema import RunKind
from ..metadata.plaintext import element_text
from ..output.urls import Addresses
from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Longs

MAX_TEXT_BYTES: Final = 60
MAX_LINKS: Final = 2000
"""Short links that are read: so many from the start, and so many from the end."""

MAX_INSIDE: Final = 8
"""Elements around and inside of a link whose names are read."""

_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
_NUMBER: Final = re.compile(
    r"\W*(?:page |seite )?([0-9]{1,3}(?:[.,][0-9]{3})+|[0-9]{1,5})\W*"
)
_NEXT_NAME: Final = re.compile(r"next(?!js|cloud)|(?<![a-z])(?:newer|nxt)(?![a-z])")
_PREVIOUS_NAME: Final = re.compile(r"prev(?!iew|ent|ail)|(?<![a-z])older(?![a-z])")
_RIGHT: Final = re.compile(r"[›»>→⇒▶►⟩❯⏵]|(?:arrow|chevron|angle|caret)s?-?_?right")
_LEFT: Final = re.compile(r"[‹«<←⇐◀◄⟨❮⏴]|(?:arrow|chevron|angle|caret)s?-?_?left")
_STRONG: Final = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link with a short text, or with none.

    ``direction`` is the evidence that it leads to the next (positive) or the previous
    (negative) page; ``is_worded`` says that its text is a phrase, an arrow or nothing,
    and not the name of another page.
    """

    element: int
    url: str
    text: str
    number: int | None
    direction: int
    is_worded: bool


def find_short_links(document: Document, url: str | None) -> list[PageLink]:
    """The links of at most :data:`MAX_TEXT_BYTES`, in document order."""
    elements = document.elements
    own = np.flatnonzero(elements.link == np.arange(document.n_elements))
    short = own[_text_bytes(document, own) <= MAX_TEXT_BYTES]
    if len(short) > 2 * MAX_LINKS:
        short = np.concatenate([short[:MAX_LINKS], short[-MAX_LINKS:]])
    addresses = Addresses(document, url)
    found = addresses.find_targets(short)
    return [
        _read_link(document, element, link_address(target, url or ""))
        for element, target in found.items()
        if target.startswith(("http:", "https:", "/", "?", "."))
    ]


def _text_bytes(document: Document, links: Longs) -> Longs:
    """The bytes from the first to the last run of text in each link."""
    runs, elements = document.runs, document.elements
    sizes = np.where(runs.kind == RunKind.TEXT, runs.end - runs.start, 0)
    sums = np.concatenate([[0], np.cumsum(sizes)])
    found: Longs = sums[elements.end_run[links]] - sums[elements.first_run[links]]
    return found


def _read_link(document: Document, element: int, url: str) -> PageLink:
    text = element_text(document, element)
    number = _NUMBER.fullmatch(text.lower()) if text[-1:] else None
    value = int(re.sub(r"\D", "", number[1])) if number else None
    if value is not None:
        return PageLink(element, url, text, value, 0, is_worded=False)
    phrases, names = [*_said(document, element, text)], _names(document, element)
    words = next(filter(None, map(_word_direction, phrases)), 0)
    stripped = _EDGES.sub("", text)
    direction = words + _named_direction(names) + _arrow(text or names)
    worded = bool(words) or not stripped
    return PageLink(element, url, text, None, direction, is_worded=worded)


def _said(document: Document, element: int, text: str) -> Iterator[str]:
    """The text, or what an arrow or an image means to readers who cannot see it."""
    yield text
    if _EDGES.sub("", text):
        return
    end = min(int(document.elements.end[element]), element + MAX_INSIDE)
    for each in range(element, end):
        values = document.attributes_of(each)
        yield from (values.get(name, "") for name in ("aria-label", "title", "alt"))


def _names(document: Document, element: int) -> str:
    """Relations, classes and ids of a link, of those inside and alone around it."""
    elements = document.elements
    end, parent = int(elements.end[element]), int(elements.parent[element])
    around = [parent] if parent >= 0 and elements.end[parent] <= end + 1 else []
    inside = range(element, min(end, element + MAX_INSIDE))
    values = [document.attributes_of(each) for each in (*around, *inside)]
    names = (row.get(name, "") for row in values for name in ("rel", "class", "id"))
    return " ".join(names).lower()


def _named_direction(names: str) -> int:
    forward, back = _NEXT_NAME.search(names), _PREVIOUS_NAME.search(names)
    return _STRONG * (bool(forward) - bool(back))


def _arrow(text: str) -> int:
    return bool(_RIGHT.search(text)) - bool(_LEFT.search(text))


def _word_direction(text: str) -> int:
    """The direction of a phrase, which may go on behind a dash or a colon.

    >>> _word_direction("Next page »"), _word_direction("Vorherige Seite - 31 bis 60")
    (2, -2)
    """
    said = _EDGES.sub("", text).casefold()
    known = _phrases()
    return known.get(said) or known.get(re.split(r"\s+[-–:(]", said, maxsplit=1)[0], 0)


@cache
def _phrases() -> dict[str, int]:
    weights = {"next": _STRONG, "previous": -_STRONG, "newer": 1, "older": -1}
    return {
        phrase: weights[section]
        for section, phrases in read_phrases("pagination").items()
        for phrase in phrases
    }
