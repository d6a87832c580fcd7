"""Builders of hostile inputs: ``make(size)`` gives about *size* bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import cycle, islice
from typing import Final

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
