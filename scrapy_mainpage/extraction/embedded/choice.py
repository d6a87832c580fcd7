"""The main content among the texts of a page's data, whatever wrote it.

Data holds much beside the text: other articles, translations of the interface,
settings. The one object that has the page's title, or else the group of texts (of one
path, places in lists left out) with the most words, tells where the content is; only
what stands with it is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .keys import is_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    Path = tuple[str, ...]

LEAST_TITLED: Final = 25
"""Words of the texts that stand with the page's title."""

LEAST_ALONE: Final = 100
SHARE_ALONE: Final = 0.6
"""Words of the longest text, and its share, where the title is nowhere."""


@dataclass(frozen=True, eq=False)
class Text:
    """A text in the data: where it is, what it says as HTML, and its words.

    ``objects`` are the numbers of the objects around it, the outermost first.
    """

    path: Path
    objects: tuple[int, ...]
    html: str
    words: int
    origin: _Element

    @property
    def group(self) -> Path:
        """The path without the places in lists."""
        return tuple(key for key in self.path if key != "*")


def chosen(texts: Iterable[Text], titled: set[int]) -> list[Text]:
    """Those of *texts* that are the main content, in their order; often none.

    *titled* are the objects that have the page's title.
    """
    texts = list(_distinct(texts))
    found = _best([text for text in texts if not titled.isdisjoint(text.objects)])
    if sum(text.words for text in found) >= LEAST_TITLED:
        return found
    found = _best([text for text in texts if _is_wanted(text)])
    return found if _stands_out(found) else []


def _stands_out(texts: list[Text]) -> bool:
    """Whether one object holds a long text, and most of all: no list of many things."""
    words: dict[int, int] = {}
    for text in texts:
        words[text.objects[-1]] = words.get(text.objects[-1], 0) + text.words
    longest = max(words.values(), default=0)
    return longest >= max(LEAST_ALONE, SHARE_ALONE * sum(words.values()))


def _distinct(texts: Iterable[Text]) -> Iterator[Text]:
    seen = set()
    for text in texts:
        if text.html not in seen:
            seen.add(text.html)
            yield text


def _best(texts: list[Text]) -> list[Text]:
    """The group with the most words, and the groups that stand with it."""
    totals: dict[Path, int] = {}
    for text in texts:
        weight = 2 if _is_wanted(text) else 1
        totals[text.group] = totals.get(text.group, 0) + weight * text.words
    if not totals:
        return []
    best = max(totals, key=lambda group: totals[group])
    holder = best[:-1]
    return [
        text
        for text in texts
        if text.group == best or (_is_wanted(text) and text.group[:-1] == holder)
    ]


def _is_wanted(text: Text) -> bool:
    return any(map(is_wanted, text.path[-3:]))


__all__ = ["Text", "chosen"]
