"""Recipes: what a page declares, completed by the two lists that it shows.

The lists are below their headings: "Ingredients", "Method", in many languages. A page
that declares no recipe has one if it shows both, and most ingredients have an amount.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain, islice
from string import digits
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ...records import Recipe
from ..declared.lines import INGREDIENTS, steps
from ..document.schema import HEADING_SHIFT, Context
from ..title_rule import letters
from ..vocabulary import read_phrases
from .product_declared import read_rating
from .schema_records import MAX_LINES, completed, minutes_of, page_node, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Mask
    from .products import Content

MAX_HEAD: Final = 80
"""Characters of the line above a list."""

MAX_BETWEEN: Final = 3
"""Lines of another kind that stand inside of a list, as pictures' captions do."""

MIN_SHOWN: Final = 3
"""Ingredients of a recipe that is not declared; half of them have a number."""

_OUTSIDE: Final = int(Context.HIDDEN | Context.NAVIGATION | Context.FOOTER)
_PARTS: Final = ("ingredients", "instructions")


def find_recipe(content: Content) -> Recipe | None:
    """The recipe that a page declares as its own, or else shows."""
    node = page_node(content, "Recipe")
    found = Recipe()
    if node is not None:
        rating, _, count = read_rating(node)
        found = Recipe(
            name=node.first("name"),
            ingredients=tuple(islice(node.texts(*INGREDIENTS), MAX_LINES)),
            instructions=tuple(islice(steps(node, "recipeInstructions"), MAX_LINES)),
            author=node.first("author"),
            servings=node.first("recipeYield", "yield"),
            prep_time=written(minutes_of(node.first("prepTime"))),
            cook_time=written(minutes_of(node.first("cookTime"))),
            total_time=written(minutes_of(node.first("totalTime"))),
            cuisine=node.first("recipeCuisine"),
            category=node.first("recipeCategory"),
            calories=node.first_inner("nutrition").first("calories"),
            rating=rating,
            review_count=count,
            image=node.address("image"),
        )
    # One text is often the whole list, without what divides it.
    if min(len(found.ingredients), len(found.instructions)) < 2:
        shown = find_lists(content.document, content.title_block, content.main)
        if node is None and not _is_recipe(*shown):
            return None
        found = replace(
            found,
            ingredients=_completed(found.ingredients, shown[0]),
            instructions=_completed(found.instructions, shown[1]),
        )
    if None in {found.name, found.author, found.image}:
        page = content.metadata()
        found = replace(
            found,
            name=found.name or page.title,
            author=found.author or page.author,
            image=found.image or page.image,
        )
    found = completed(content, found)
    both = minutes_of(found.prep_time) + minutes_of(found.cook_time)
    return replace(found, total_time=found.total_time or written(both))


def _completed(declared: tuple[str, ...], shown: tuple[str, ...]) -> tuple[str, ...]:
    """The *declared* lines, or those *shown* where one text holds them undivided."""
    if len(declared) > 1 or not shown:
        return declared
    said = letters("".join(declared))
    is_whole = not said or any(letters(line) in said for line in shown)
    return shown if is_whole else declared


def _is_recipe(ingredients: tuple[str, ...], instructions: tuple[str, ...]) -> bool:
    """Whether two lists are of a recipe: a shampoo has ingredients, too."""
    amounts = sum(any(map(str.isnumeric, line)) for line in ingredients)
    return bool(instructions and amounts >= max(MIN_SHOWN, len(ingredients)) / 2 > 1)


class _Line(NamedTuple):
    """A line of a list: what kind of element it is in, and the level of a heading."""

    text: str
    kind: int
    level: int


def find_lists(
    document: Document, title: int, main: Mask
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ingredients and the steps below the headings that announce them."""
    heads = _heads(document, max(title, 0))
    found: list[tuple[str, ...]] = []
    for part in _PARTS:
        lists: dict[int, dict[tuple[str, ...], None]] = {}
        for block in (block for block, own in heads.items() if own == part):
            template = int(document.templates[document.blocks.element[block]])
            # The same list once more is for other devices.
            lists.setdefault(template, {})[
                _list_below(document, block, heads, main)
            ] = None
        lines = [tuple(chain.from_iterable(each)) for each in lists.values()]
        found.append(max(lines, key=len, default=())[:MAX_LINES])
    return found[0], found[1]


def _heads(document: Document, title: int) -> dict[int, str]:
    """The short blocks from the title on that announce a part, each with the part."""
    blocks = document.blocks
    flags = blocks.flags[title:]
    short = (blocks.chars[title:] <= MAX_HEAD) & (flags & _OUTSIDE == 0)
    short &= blocks.item[title:] < 0
    found = {}
    for block in (np.flatnonzero(short)[:MAX_LINES] + title).tolist():
        is_heading = bool(blocks.flags[block] >> HEADING_SHIFT)
        if part := _part_of(document.block_text(block), is_heading=is_heading):
            found[block] = part
    return found


@cache
def _phrases() -> dict[str, str]:
    """The part that each phrase announces, which is written as letters alone."""
    known = read_phrases("record_facts")
    return {letters(each): part for part in _PARTS for each in known[part]}


def _part_of(text: str, *, is_heading: bool) -> str | None:
    """The part that a line announces: "Ingredients"; in a heading with more."""
    said = letters(text)
    own = _phrases().get(said.rstrip(digits))
    if own or not is_heading:
        return own
    begun = (each for each in _phrases() if len(each) > 4 and said.startswith(each))
    return _phrases().get(max(begun, key=len, default=""))


def _list_below(
    document: Document, head: int, heads: dict[int, str], main: Mask
) -> tuple[str, ...]:
    """The lines of the list below a *head*, up to the next heading of its level.

    They are of the kind that most of the text there is of. Names of parts are among
    steps alone.
    """
    # Headings of parts below a line that is no heading are of the third level.
    level = int(document.blocks.flags[head]) >> HEADING_SHIFT or 2
    lines: list[_Line] = []
    for line in _lines(document, head, heads, main):
        # Below "Ingredients", "Salad" and "Dressing" may be of the same level.
        if line.level and line.level <= level:
            if lines:
                break
            level = line.level - 1
        lines.append(line)
    kinds = [line.kind for line in lines if not line.level]
    first = kinds[0] if kinds else 0
    kind = first if kinds.count(first) > 1 else max(kinds, key=kinds.count, default=0)
    is_step = heads[head] == _PARTS[1]
    found: list[str] = []
    between = 0
    for line in lines:
        is_own = line.kind == kind and not line.level
        between = 0 if is_own or line.level else between + 1
        if between > MAX_BETWEEN and found:
            break
        # "Step 1" is no name of a part.
        is_name = is_step and line.level and not any(map(str.isdigit, line.text))
        if is_own or is_name:
            found.append(line.text)
    return tuple(found)


def _lines(
    document: Document, head: int, heads: dict[int, str], main: Mask
) -> Iterator[_Line]:
    """The lines below a *head*, up to the next one: items of lists, rows, lines."""
    blocks = document.blocks
    end = min((b for b in heads if b > head), default=document.n_blocks)
    end = min(end, head + MAX_LINES)
    inside = np.flatnonzero(main[head + 1 : end]) + head + 1
    if len(inside):
        inside = np.arange(inside[0], inside[-1] + 1)
    else:
        around = document.elements.parent[blocks.element[head]]
        last = min(end, int(document.elements.end_block[around]))
        inside = np.arange(head + 1, last)
    inside = inside[blocks.flags[inside] & _OUTSIDE == 0]
    last = -1
    parts: list[str] = []
    for block in [*inside.tolist(), -1]:
        item = int(blocks.item[block]) if block >= 0 else -1
        if parts and item != last:
            yield _Line(" ".join(parts), -1, 0)
            parts = []
        last = item
        if block < 0:
            return
        text = document.block_text(block).removeprefix("[ ]").strip("▢☐□•·-–* ")
        level = int(blocks.flags[block]) >> HEADING_SHIFT
        if item >= 0 and text and not level:
            parts.append(" ".join(text.split()))
        elif item < 0 or level:
            kind = int(document.templates[blocks.element[block]])
            for line in map(str.strip, text.split("\n")):
                if letters(line).strip(digits):
                    yield _Line(line, kind, level)
