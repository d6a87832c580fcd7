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
from .product_fields import MAX_LINE
from .schema_records import MAX_LINES, completed, minutes_of, page_node, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from .products import Content

MAX_BETWEEN: Final = 3
"""Lines of another kind that stand inside of a list, as pictures' captions do."""

MAX_FIRST: Final = 8
"""Lines below a heading among which a list begins: there are buttons above it."""

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
        shown = find_lists(content.document, content.title_block)
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
    least = max(MIN_SHOWN, len(ingredients)) / 2
    return bool(instructions) and _amounts(ingredients) >= least


class _Line(NamedTuple):
    """A line of a list: what kind of element it is in, and the level of a heading."""

    text: str
    kind: int
    level: int


def find_lists(
    document: Document, title: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ingredients and the steps below the headings that announce them.

    An article may tell of both above its recipe: most amounts are in the recipe's own
    list, and the steps are the next ones.
    """
    heads = _heads(document, max(title, 0))
    ingredients, steps_of = ([*_lists(document, heads, part)] for part in _PARTS)
    place, own = max(ingredients, key=lambda pair: _amounts(pair[1]), default=(0, ()))
    after = (lines for block, lines in steps_of if block > place)
    made = next(after, None) or next((lines for _, lines in steps_of), ())
    return own[:MAX_LINES], made[:MAX_LINES]


def _amounts(lines: tuple[str, ...]) -> int:
    return sum(any(map(str.isnumeric, line)) for line in lines)


def _lists(
    document: Document, heads: dict[int, str], part: str
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lists of a *part* below headings of one template, each with its place.

    A heading that says no more than what it announces is that of the recipe.
    """
    found = [
        (block, lines)
        for block, own in heads.items()
        if own == part and (lines := _list_below(document, block, heads))
    ]
    exact = [
        (block, lines)
        for block, lines in found
        if letters(document.block_text(block)) in _phrases() and _amounts(lines)
    ]
    lists: dict[int, dict[tuple[str, ...], int]] = {}
    for block, lines in exact or found:
        template = int(document.templates[document.blocks.element[block]])
        # The same list once more is for other devices.
        lists.setdefault(template, {}).setdefault(lines, block)
    for each in lists.values():
        yield min(each.values()), tuple(chain.from_iterable(each))


def _heads(document: Document, title: int) -> dict[int, str]:
    """The short blocks from the title on that announce a part, each with the part."""
    blocks = document.blocks
    flags = blocks.flags[title:]
    short = (blocks.chars[title:] <= MAX_LINE) & (flags & _OUTSIDE == 0)
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
    document: Document, head: int, heads: dict[int, str]
) -> tuple[str, ...]:
    """The lines of the list below a *head*, up to the next heading of its level.

    They are of the kind that says most. Names of parts are among steps alone.
    """
    # Headings of parts below a line that is no heading are of the third level.
    level = int(document.blocks.flags[head]) >> HEADING_SHIFT or 2
    lines: list[_Line] = []
    for line in _lines(document, head, heads):
        # Below "Ingredients", "Salad" and "Dressing" may be of the same level.
        if line.level and line.level <= level:
            if lines:
                break
            level = line.level - 1
        lines.append(line)
    first = [line.kind for line in lines if not line.level][:MAX_FIRST]
    runs = (_run(lines, kind, is_step=heads[head] == _PARTS[1]) for kind in {*first})
    return max(runs, key=lambda run: sum(map(len, run)), default=())


def _run(lines: list[_Line], kind: int, *, is_step: bool) -> tuple[str, ...]:
    """The first *lines* of a *kind*, few others apart; of steps with names of parts."""
    found: list[str] = []
    end = between = 0
    for line in lines:
        is_own = line.kind == kind and not line.level
        between = 0 if is_own or line.level else between + 1
        if between > MAX_BETWEEN and found:
            break
        # "Step 1" is no name of a part.
        is_name = is_step and line.level and not any(map(str.isdigit, line.text))
        if is_own or is_name:
            found.append(line.text)
            end = len(found) if is_own else end
    return tuple(found[:end])


def _lines(document: Document, head: int, heads: dict[int, str]) -> Iterator[_Line]:
    """The lines below a *head*, up to the next one: items, rows, lines of texts."""
    blocks, elements = document.blocks, document.elements
    end = min((b for b in heads if b > head), default=document.n_blocks)
    inside = np.arange(head + 1, min(end, head + MAX_LINES))
    inside = inside[blocks.flags[inside] & _OUTSIDE == 0]
    cells = blocks.cell[inside]
    rows = np.where(cells >= 0, elements.parent[cells], -1)
    # Of a table that arranges the page a row is no line.
    is_row = elements.end_block[rows] - elements.first_block[rows] <= MAX_BETWEEN + 1
    owners = np.maximum(blocks.item[inside], np.where(is_row, rows, -1)).tolist()
    last = -1
    parts: list[str] = []
    for block, owner in zip([*inside.tolist(), -1], [*owners, -1], strict=True):
        if parts and owner != last:
            yield _Line(" ".join(parts), int(document.kinds[last]), 0)
            parts = []
        last = owner
        if block < 0:
            return
        text = document.block_text(block).removeprefix("[ ]").strip("▢☐□•·-–* ")
        level = int(blocks.flags[block]) >> HEADING_SHIFT
        if owner >= 0 and text and not level:
            parts.append(" ".join(text.split()))
        elif owner < 0 or level:
            kind = int(document.templates[blocks.element[block]])
            for line in map(str.strip, text.split("\n")):
                if letters(line).strip(digits):
                    yield _Line(line, kind, level)
