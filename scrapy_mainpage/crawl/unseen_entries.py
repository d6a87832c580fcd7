"""What a listing says that it has beyond what its page shows: entries, other pages.

Numbers say so in any language: "1-20 of 84", "20 / 84", "84 products" right above the
entries, "Page 1 of 5", and a row "1 2 3 >" that no link is in. The evidence has to
agree with the entries that are found, and no link may lead to another page.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..addresses import page_address
from ..label import Label
from .completeness import ENTRIES, SCRIPTED

if TYPE_CHECKING:
    from ..page import Block, Page

MIN_ENTRIES: Final = 4
MAX_WORDS: Final = 12
"""Words of a text that says how many entries there are."""

MAX_NOUN_WORDS: Final = 3
"""Words of a text with the total alone: "84 products found"."""

MAX_BELOW: Final = 30
"""Text blocks below the last entry's name that are read."""

_HEADINGS: Final = (Label.TITLE, Label.HEADING)
_NUMBER: Final = re.compile(
    r"\d{1,3}(?:[.,\s\u202f\u00a0]\d{3})+(?!\d)|(?<!\d)(?<!\d[.,:])\d+(?!\d|[.,:]\d)"
)
_NO_TOTAL: Final = re.compile(r"[%$€£¥₹]|\d[.,:/]\d|\b(?:19|20)\d\d\b")
_ROW: Final = re.compile(r"[\d\W]+")
_SIGNS: Final = re.compile(r"[›»>→⟩❯…⋯]|\.\.\.")


def find_unseen(page: Page) -> dict[str, str]:
    """What the page says that it does not show: kinds of completeness, with a note."""
    shown = len(page.entries)
    if shown < MIN_ENTRIES or page.page_links:
        return {}
    above, below = _around(page)
    own = page_address(page.url or "")
    away = {each.text for each in page.all_links if page_address(each.url) != own}
    pages = _read_pager(below, away)
    found = {}
    totals = (_read_total(each.text, shown) for each in (*above, *below))
    forms = Counter(_form(block.text) for block in page.blocks)
    # Elsewhere a number alone says anything: "30 days to return".
    alone = [*above, *(below if pages else filter(_is_pager, below))]
    texts = [each.text for each in alone if each.link_density < 1]
    counts = (_read_count(each, shown) for each in texts if forms[_form(each)] == 1)
    total = next(filter(None, chain(totals, counts)), None)
    if total and len({link.url for link in page.links}) < total:
        found[ENTRIES] = f"{shown} of {total}"
    if pages:
        found[SCRIPTED] = f"1 of {pages} pages"
    elif any(each.tag == "button" for each in below if _is_pager(each)):
        found[SCRIPTED] = "a button shows more"
    return found


def _around(page: Page) -> tuple[list[Block], list[Block]]:
    """The text blocks between the heading and the entries, and those below."""
    names = {entry.name for entry in page.entries}
    places = [block.index for block in page.blocks if block.text in names]
    if not places:
        return [], []
    last = places[-1]
    before = page.blocks[: places[0]]
    headings = [block.index for block in before if block.label in _HEADINGS]
    above = before[headings[-1] + 1 :] if headings else ()
    return [*above], [*page.blocks[last + 1 : last + MAX_BELOW]]


def _is_pager(block: Block) -> bool:
    return block.label is Label.PAGINATION


def _numbers(text: str) -> list[int]:
    """The whole numbers of a text, in the digits of any script."""
    return [int(re.sub(r"\D", "", each)) for each in _NUMBER.findall(text)]


def _read_total(text: str, shown: int) -> int | None:
    """The total of a text that has the number of the entries *shown*, too.

    >>> _read_total("Showing 1-20 of 84 results", 20), _read_total("84件中 1～20件", 20)
    (84, 84)
    >>> [_read_total(text, 20) for text in ("1-20 of 20", "Page 1 of 5", "$20.90")]
    [None, None, None]
    """
    if len(text.split()) > MAX_WORDS:
        return None
    numbers = sorted(_numbers(text))
    is_range = len(numbers) == 3 and numbers[0] == 1
    if not (is_range or len(numbers) == 2):
        return None
    seen, total = numbers[-2:]
    is_right = seen == shown or (is_range and abs(seen - shown) <= shown // 10)
    return total if is_right and seen < total else None


def _form(text: str) -> str:
    """A text without its digits; what entries have, such as dates, is there again."""
    return re.sub(r"\d", "", text)


def _read_count(text: str, shown: int) -> int | None:
    """The total of a text that says no more than that.

    >>> _read_count("84 products", 20), _read_count("from 84 EUR each", 20)
    (84, None)
    """
    numbers, words = _numbers(text), len(text.split())
    is_alone = len(numbers) == 1 and words <= MAX_NOUN_WORDS
    if not is_alone or _ROW.fullmatch(text) or _NO_TOTAL.search(text):
        return None
    return numbers[0] if shown < numbers[0] else None


def _read_pager(below: list[Block], linked: set[str]) -> int | None:
    """The last page of a pager without links to pages; ``None`` without a pager."""
    run: list[int] = []
    is_pager = False
    for block in below:
        numbers, is_labelled = _numbers(block.text), _is_pager(block)
        if not _ROW.fullmatch(block.text):
            if is_labelled and len(numbers) == 2 and 1 == numbers[0] < numbers[1]:
                return numbers[1]  # "Page 1 of 5"
            if len(run) > 1:
                break
        is_pager |= is_labelled or bool(_SIGNS.search(block.text))
        for number in numbers:
            is_next = run and number > run[-1]
            run = [*run, number] if is_next else [number] * (number == 1)
    is_pager &= run[:2] == [1, 2] and linked.isdisjoint({"2"})
    return run[-1] if is_pager else None
