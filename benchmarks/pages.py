"""Pages to measure on: samples of labelled sets, or generated where there are none."""

from __future__ import annotations

import random
from pathlib import Path

from w3lib.encoding import html_to_unicode

from scrapy_mainpage.evaluation.datasets import DataSet, DataSetError, load_sets
from scrapy_mainpage.evaluation.evaluate import sample

DATA = Path(__file__).parents[2] / "shared" / "data"
TIMED_SET = "wcxb-dev"
WORDS = (
    "the a of to and in is it owl river stone light winter garden house paper bread "
    "morning under between small every quiet written measured"
).split()


def sampled_sets(data: Path, most: int | None) -> list[DataSet]:
    """So many pages of each set (or all), the same ones; nothing where no set is."""
    try:
        sets = load_sets(data)
    except DataSetError:
        return []
    return sets if most is None else [sample(data_set, most) for data_set in sets]


def timed_pages(data: Path, most: int) -> tuple[str, list[str]]:
    """What the pages are, and the pages themselves."""
    folder = data / TIMED_SET
    if not (folder / "pages.jsonl").exists():
        pages = [generated(50 + 7 * k, seed=k) for k in range(most)]
        return f"{most} GENERATED pages: {folder} is not there", pages
    (data_set,) = sampled_sets(folder, most)
    pages = [
        html_to_unicode(None, page.html(), default_encoding="utf-8")[1]
        for page in data_set.pages
    ]
    return f"{len(pages)} pages of {TIMED_SET}", pages


def generated(paragraphs: int, seed: int = 0) -> str:
    """A page with navigation, text with markup, lists and a footer."""
    choose = random.Random(seed)
    body = "".join(_section(choose, k) for k in range(paragraphs))
    links = "".join(f'<li class="item"><a href="/{w}">{w}</a></li>' for w in WORDS)
    return (
        "<!DOCTYPE html><html lang=en><head><title>Generated</title></head><body>"
        f'<nav id="top"><ul>{links}</ul></nav><main class="content">{body}</main>'
        f'<footer class="site-footer"><ul>{links}</ul></footer></body></html>'
    )


def _section(choose: random.Random, number: int) -> str:
    text = " ".join(choose.choices(WORDS, k=choose.randrange(5, 60)))
    if number % 10 == 0:
        return f'<h2 id="s{number}">{text[:40]}</h2>'
    if number % 7 == 0:
        return f'<div class="card c{number}"><a href="/{number}">{text[:60]}</a></div>'
    return f'<p class="text">{text}, <b>{text[:20]}</b>. <a href="/x">More</a>.</p>\n'
