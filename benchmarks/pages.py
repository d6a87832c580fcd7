"""Pages to measure on: samples of labelled sets, or generated where there are none."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from w3lib.encoding import html_to_unicode

DATA = Path(__file__).parents[2] / "shared" / "data"
TIMED_SET = "wcxb-dev"
WORDS = (
    "the a of to and in is it owl river stone light winter garden house paper bread "
    "morning under between small every quiet written measured"
).split()


@dataclass(frozen=True)
class LabelledPage:
    """A page as text, with the text of its main content if that is known."""

    html: str
    gold: str = ""
    type: str = ""


def sets(data: Path) -> list[str]:
    return sorted(path.parent.name for path in data.glob("*/pages.jsonl"))


def sample(folder: Path, most: int) -> Iterator[LabelledPage]:
    """The same random pages of a set each time."""
    with (folder / "pages.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in random.Random(1).sample(rows, min(most, len(rows))):
        packed = folder / "html" / f"{row['id']}.html.gz"
        body = gzip.decompress(packed.read_bytes())
        html = html_to_unicode(None, body, default_encoding="utf-8")[1]
        yield LabelledPage(html, row.get("text", ""), row.get("type", ""))


def timed_pages(data: Path, most: int) -> tuple[str, list[str]]:
    """What the pages are, and the pages themselves."""
    folder = data / TIMED_SET
    if not (folder / "pages.jsonl").exists():
        pages = [generated(50 + 7 * k, seed=k) for k in range(most)]
        return f"{most} GENERATED pages: {folder} is not there", pages
    pages = [page.html for page in sample(folder, most)]
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
