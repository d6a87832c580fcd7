"""Written questions about the documentations, each with the section that answers it.

``questions.tsv`` has the address of a page, the fragment of its section, and a question
in words of a person who does not know the heading. They were written from the pages'
contents, before any search for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_mainpage.indexes import BlockingIndex, Hit, IndexDocument

from .tables import Table

FILE = Path(__file__).with_name("questions.tsv")
HEADER = ["hits", "n", "nDCG@10", "right page first", "section in first three"]
LIMIT = 10


class Question(NamedTuple):
    """A question, and the page, fragment and heading of the section that answers it."""

    text: str
    url: str
    anchor: str
    heading: str


def questions_about(documents: Sequence[IndexDocument]) -> Iterator[Question]:
    """The questions whose sections are in the documents."""
    headings = {
        (document.url, section.anchor): section.heading
        for document in documents
        for section in document.sections
    }
    for line in FILE.read_text("utf-8").splitlines():
        address, anchor, text = line.split("\t")
        url = f"http://{address}"
        if (url, anchor) in headings:
            yield Question(text, url, anchor, headings[url, anchor])


def measure_questions(
    title: str, index: BlockingIndex, questions: Sequence[Question], **options: Any
) -> Table:
    """How high the right sections are among pages and among passages.

    *options* are those of a search. One section is right: nDCG is 1 / log2(1 + rank).
    """
    table = Table(title, HEADER)
    for passages in (False, True):
        ranks = [rank_of(index, each, passages, options) for each in questions]
        gains = [1 / log2(1 + rank) if 0 < rank <= 10 else 0.0 for rank, _ in ranks]
        pages = [is_first for _, is_first in ranks]
        first = [0 < rank <= 3 for rank, _ in ranks]
        shares = (sum(each) / len(ranks) for each in (gains, pages, first))
        name = "passages" if passages else "pages, with their sections"
        table.rows.append([name, len(ranks), *shares])
    return table


def rank_of(
    index: BlockingIndex, question: Question, passages: bool, options: dict[str, Any]
) -> tuple[int, bool]:
    """The rank of the section (0: none), and whether its page is the first hit's."""
    found = index.search(question.text, limit=LIMIT, passages=passages, **options)
    places = list(dict.fromkeys(_places(found, question)))
    rank = places.index("right") + 1 if "right" in places else 0
    return rank, bool(found) and found[0].url == question.url


def _places(hits: Sequence[Hit], question: Question) -> Iterator[object]:
    """The sections in the order in which a reader meets them."""
    for hit in hits:
        parts = hit.sections or (hit.passage,)
        for part in parts:
            anchor = part.anchor if part else None
            # A passage of short sections has the headings of all of them in its text.
            text = hit.passage.text if hit.passage else ""
            is_here = anchor == question.anchor or question.heading in text
            is_right = hit.url == question.url and is_here
            yield "right" if is_right else (hit.url, anchor or text or None)
