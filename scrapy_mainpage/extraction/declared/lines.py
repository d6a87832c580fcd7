"""Lines of the page that its declaration repeats: ingredients, steps, answers.

What a page declares of its own content is content where the page shows it.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import HEADING_SHIFT, Context
from ..metadata.plaintext import clean
from ..title_rule import letters
from .nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document
    from ..document.schema import Mask
    from . import Declared

MAX_LINES: Final = 1000
MAX_BETWEEN: Final = 3
"""Blocks between two declared lines that belong to them, such as names of parts."""

MAX_TRIES: Final = 20
"""Places of one line that are looked at."""

KEY: Final = 6
"""Letters by which a line is looked up; of a shorter line all."""

_HIDDEN: Final = int(Context.HIDDEN)
INGREDIENTS: Final = ("recipeIngredient", "ingredients")
_NAMES: Final = (b"recipeIn", b"acceptedAnswer")  # of ingredients and instructions


def with_declared_lines(declared: Declared, main: Mask) -> Mask:
    """The *main* content with the lines that the page declares to be its own.

    Those of recipes are content. Of a question or its answer both are where one is.
    """
    document = declared.document
    if not any(name in document.values for name in _NAMES):
        return main
    page, found = _Lines(document), main
    for node in declared.nodes:
        if node.is_a(("Recipe",)):
            for texts in (node.texts(*INGREDIENTS), steps(node, "recipeInstructions")):
                found = found | page.find(islice(texts, MAX_LINES))
        for question in _questions(node):
            pair = page.find(_said(question))
            if (pair & main).any():
                found = found | pair
    return found


class _Lines:
    """The letters of all blocks, and the blocks by the first letters from there on."""

    def __init__(self, document: Document) -> None:
        blocks = document.blocks
        spans = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
        texts = (document.text[a:b].decode("utf-8", "replace") for a, b in spans)
        own = [*map(letters, texts)]
        self._text, self._flags = "".join(own), blocks.flags
        self._places = [*accumulate(map(len, own), initial=0)]
        self._block_at = {place: block for block, place in enumerate(self._places)}
        self._beginning: dict[str, list[int]] = {}
        for block, (place, said) in enumerate(zip(self._places, own, strict=False)):
            for start in {said[:KEY], self._text[place : place + KEY]}:
                self._beginning.setdefault(start, []).append(block)

    def find(self, texts: Iterable[str]) -> Mask:
        """Whether each block says one of the *texts*, which follow each other.

        With the heading above, and the few blocks between two of them.
        """
        found = np.zeros(len(self._flags), bool)
        last = 0
        for text in texts:
            first, end = self._find(letters(text), last)
            if end > first:
                is_near = last and 0 <= first - last <= MAX_BETWEEN
                found[last if is_near else self._with_heading(first) : end] = True
                last = end
        return found

    def _with_heading(self, block: int) -> int:
        """The heading right above a block, else the block."""
        return block - bool(block and self._flags[block - 1] >> HEADING_SHIFT)

    def _find(self, said: str, last: int) -> tuple[int, int]:
        """The first blocks from *last* on, or else anywhere, that say just this."""
        blocks = self._beginning.get(said[:KEY], []) if said else []
        split = bisect_left(blocks, last)
        for first in islice(chain(blocks[split:], blocks[:split]), MAX_TRIES):
            place = self._places[first]
            end = self._block_at.get(place + len(said))
            is_said = end and self._text.startswith(said, place)
            if end and is_said and not self._flags[first] & _HIDDEN:
                return first, end
        return 0, 0


def _questions(node: Node) -> Iterator[Node]:
    """The questions of a page of questions, in their order."""
    asked = (node, *islice(node.inner("mainEntity"), MAX_LINES))
    return (each for each in asked if each.is_a(("Question",)))


def _said(question: Node) -> Iterator[str]:
    """A question and its answer."""
    yield from question.texts("name")
    for answer in question.inner("acceptedAnswer"):
        yield from answer.texts("text")


def steps(node: Node, key: str) -> Iterator[str]:
    """The lines of steps, before them the names that their parts and steps have."""
    for value in node.below(key, "itemListElement"):
        if isinstance(value, str):
            yield from filter(None, map(clean, value.splitlines()))
            continue
        step = value if isinstance(value, Node) else Node(node.page, {"text": value})
        name = step.first("name") or ""
        text = None if "itemListElement" in step.data else step.first("text")
        said = letters(name)  # "Step 1", or how the text begins, says nothing more
        is_new = not text or (said.isalpha() and not letters(text).startswith(said))
        yield from filter(None, (name * is_new, text))
