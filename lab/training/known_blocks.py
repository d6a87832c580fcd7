"""Pages of which some main blocks are known: the lines of recipes, records of listings.

``learned`` learns from them, too. Nothing is known of the rest of these pages, so they
have no part in the calibration nor in the scores.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.gold import element_blocks
from scrapy_mainpage.evaluation.datasets import LabelledPage
from scrapy_mainpage.evaluation.scores import tokenize

from .training_pages import MAX_BLOCK_SHARE, MIN_PART_CHARS, read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from scrapy_mainpage.extraction.document.schema import Mask

    from .training_pages import TrainingPage

    Row = dict[str, Any]
    Find = Callable[[Row, LabelledPage, TrainingPage], Mask]

MIN_BLOCKS: Final = 3
"""Known blocks of a page that is used."""

LISTING_WEIGHT: Final = 0.4
"""Of the blocks in records; with 1 documentation loses .007, cross-validated."""

MIN_LINE_SHARE: Final = 0.6
"""Of the characters of a block or line that are those of the other."""


def read_known(
    data: Path, names: Iterable[str], limit: int | None = None
) -> Iterator[TrainingPage]:
    """The pages of the sets with these *names* below *data*, with the known blocks.

    *limit* is the number of pages of each set that are read.
    """
    for name in names:
        with open(data / name / "pages.jsonl", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows[:limit]:
            # Some addresses are hosts; those of listings are made up, all of one site.
            url = row["url"] if name == "recipes" else row["id"]
            url = url if "://" in url else f"https://{url}/"
            page = LabelledPage(row["id"], url, data / name / "html", text="")
            read = read_page(name, page)
            main = SETS[name](row, page, read) if read else np.zeros(0, bool)
            if read and main.sum() >= MIN_BLOCKS:
                share = min(1 / main.sum(), MAX_BLOCK_SHARE)
                share *= LISTING_WEIGHT if name == "listings" else 1
                read.main, read.known, read.shares = main, main, share * main
                yield read


def in_records(row: Row, page: LabelledPage, read: TrainingPage) -> Mask:
    """The blocks in the elements of a listing's records, if these are known."""
    paths = [path for record in row.get("records", ()) for path in record]
    if not paths:
        return np.zeros(read.document.n_blocks, bool)
    return element_blocks(page.html(), " | ".join(paths))


def in_recipe(row: Row, page: LabelledPage, read: TrainingPage) -> Mask:
    """The blocks that are a line of a recipe's ingredients or steps, or most of one."""
    told = [*row["ingredients"], *(row["instructions_list"] or ())]
    lines = {" ".join(tokenize(line)) for line in told}
    document = read.document
    texts = (document.block_text(i) for i in range(document.n_blocks))
    return np.array([is_line(" ".join(tokenize(text)), lines) for text in texts], bool)


def is_line(text: str, lines: set[str]) -> bool:
    """Whether the *text* is one of the *lines*; a longer one may be a part of it."""
    if text in lines or len(text) <= MIN_PART_CHARS:
        return bool(text) and text in lines
    return any(
        text in line or (line in text and len(line) > MIN_LINE_SHARE * len(text))
        for line in lines
    )


SETS: Final[dict[str, Find]] = {"listings": in_records, "recipes": in_recipe}
"""The function of each set that finds the main blocks of a page."""
