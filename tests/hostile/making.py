"""Builders of hostile inputs: ``make(size)`` gives about *size* bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from itertools import cycle, islice
from math import inf, log
from time import process_time
from typing import Any, Final

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.indexes.passages import PassageSplitter
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from tests.growth import TURNS

MEGABYTE: Final = 1_000_000

WORDS: Final = (
    "the water of a river runs through old towns and under bridges, past mills that "
    "no longer turn; people who live there say that it was cleaner when they were "
    "young. "
).split()

SENTENCE: Final = " ".join(WORDS)
ARTICLE: Final = f"<article><h1>The river</h1><p>{SENTENCE}</p></article>"

Make = Callable[[int], bytes]


def text_of(size: int) -> str:
    """Plain words of about *size* bytes."""
    return (SENTENCE * (size // len(SENTENCE) + 1))[:size]


def normal(size: int) -> bytes:
    """An ordinary page: a menu, an article with links, a list, a footer."""
    menu = "".join(f'<li><a href="/topic/{k}">Topic {k}</a></li>' for k in range(20))
    head = "<!DOCTYPE html><html><head><title>The river</title></head><body><nav><ul>"
    head += menu
    parts = [head, "</ul></nav><main><article><h1>The river</h1>"]
    done = len(head)
    for k in range(size):
        if done >= size:
            break
        part = (
            f'<p class="text">{SENTENCE} <a href="/page/{k}">More of it</a> and '
            f"<em>{SENTENCE}</em></p>"
        )
        if k % 8 == 0:
            part += (
                f"<h2 id=s{k}>Part {k}</h2><ul><li>{SENTENCE}</li><li>Mills</li></ul>"
            )
        parts.append(part)
        done += len(part)
    return "".join([*parts, "</article></main><footer>Imprint</footer>"]).encode()


def flood(unit: str, before: str = ARTICLE, after: str = "") -> Make:
    """The same again and again, after an article."""

    def make(size: int) -> bytes:
        return (before + unit * (size // len(unit.encode()) + 1) + after).encode()

    return make


def numbered(unit: str, before: str = ARTICLE, after: str = "") -> Make:
    """Something with a number in it (``{}``), each time another one."""

    def make(size: int) -> bytes:
        count = size // len(unit.format(10_000)) + 1
        return (before + "".join(map(unit.format, range(count))) + after).encode()

    return make


def nested(tag: str, text: str = "deep ") -> Make:
    """An element in itself, with a text on every level, opened and closed."""

    def make(size: int) -> bytes:
        count = size // (2 * len(tag) + 5 + len(text)) + 1
        deep = f"<{tag}>{text}" * count + f"</{tag}>" * count
        return f"<title>Deep</title>{deep}<p>{SENTENCE}".encode()

    return make


def nested_in_turn(tags: str) -> Make:
    """Elements of several kinds in one another."""
    names = tags.split()

    def make(size: int) -> bytes:
        count = size // 16 + 1
        opened = list(islice(cycle(names), count))
        start = "".join(f"<{tag}>a " for tag in opened)
        end = "".join(f"</{tag}>" for tag in reversed(opened))
        return f"{start}{end}<p>{SENTENCE}".encode()

    return make


def single(before: str, unit: str, after: str = "") -> Make:
    """One thing that is as long as the page."""
    return flood(unit, before, after)


def chosen(*pieces: str) -> Make:
    """Pieces in no order, the same for each run."""

    def make(size: int) -> bytes:
        mean = sum(len(piece.encode()) for piece in pieces) / len(pieces)
        picked = random.Random(8).choices(pieces, k=int(size / mean) + 1)
        return (ARTICLE + "".join(picked)).encode()

    return make


URL: Final = "http://a.example/list/x?page=2"

MAX_RATIO: Final = 20
MIN_CHARS: Final = 250_000
"""Characters of an output for each byte of the page, and of any page."""

MAX_EXPONENT: Final = 1.3
MIN_SECONDS: Final = 0.1
"""Of the growth of time with size; shorter times are harmless, and too noisy."""

PARTS: Final = [
    name
    for name, value in vars(Page).items()
    if isinstance(value, property | cached_property) and not name.startswith("_")
]
"""Whatever a page is asked for and makes then."""


def count_chars(value: Any) -> int:
    """The characters in a value and its parts."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return count_chars([*value, *value.values()])
    if isinstance(value, list | tuple):
        return sum(map(count_chars, value))
    if is_dataclass(value):
        return sum(count_chars(getattr(value, item.name)) for item in fields(value))
    return 0


def make_outputs(page: Page) -> Iterator[tuple[str, float, int]]:
    """Name of each output of a page, the seconds to make it, and its size."""
    maker = DocumentMaker(splitter=PassageSplitter(100))
    makes: dict[str, Callable[[], Any]] = {
        part: partial(getattr, page, part) for part in PARTS
    }
    makes["document"] = partial(maker.make, {"url": URL}, page)
    makes["as_dict"] = page.as_dict
    for part, make in makes.items():
        start = process_time()
        made = make()
        yield part, process_time() - start, count_chars(made)


def measure(source: bytes, extractor: Extractor) -> dict[str, tuple[float, int]]:
    """The seconds and the characters of each output, and of the extraction."""
    start = process_time()
    page = extractor.extract(source, url=URL)
    found = {"text": (process_time() - start, len(page.text))}
    return found | {part: (seconds, size) for part, seconds, size in make_outputs(page)}


def faults(make: Make, small: int, large: int, extractor: Extractor) -> list[str]:
    """The outputs of a made page that outgrow it, by their size or by their time."""
    source = make(large)
    after = measure(source, extractor)
    most = MAX_RATIO * len(source) + MIN_CHARS
    # Lists of records say each text twice: as text and as Markdown.
    found = [
        part
        for part, (_, chars) in after.items()
        if chars > most * (1 + (part == "as_dict"))
    ]
    slow = [part for part, (seconds, _) in after.items() if seconds > MIN_SECONDS]
    if slow:
        short = make(small)
        growth = max(log(len(source) / max(len(short), 1)), 1)
        least = dict.fromkeys(slow, (inf, inf))
        for _ in range(TURNS):  # others slow some of them down, hardly all
            before, after = measure(short, extractor), measure(source, extractor)
            least = {
                part: (min(few, before[part][0]), min(many, after[part][0]))
                for part, (few, many) in least.items()
            }
            slow = [
                part
                for part, (few, many) in least.items()
                if many > MIN_SECONDS
                and log(many / max(few, 2e-3)) > MAX_EXPONENT * growth
            ]
            if not slow:
                break
    return found + slow
