"""Mutations of pages: cut, flip bytes, shuffle tags, repeat, nest."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from . import grammar

Mutation = Callable[[bytes, random.Random], bytes]

KILOBYTE = 1024
_TAG = re.compile(rb"<[^<>]{0,200}>")
_FLIPPED = b"\x00<>&\"'= \n/\xff\x80\xc3\xed\x0c"


def cut(page: bytes, choose: random.Random) -> bytes:
    """The page up to one of its kilobytes."""
    return page[: KILOBYTE * choose.randrange(1, len(page) // KILOBYTE + 2)]


def flip(page: bytes, choose: random.Random) -> bytes:
    """Some bytes replaced, by one that means something or by any."""
    changed = bytearray(page)
    for _ in range(choose.choice((1, 2, 8, 64))):
        if changed:
            any_byte = choose.randrange(256)
            byte = choose.choice(_FLIPPED) if choose.random() < 0.5 else any_byte
            changed[choose.randrange(len(changed))] = byte
    return bytes(changed)


def shuffle(page: bytes, choose: random.Random) -> bytes:
    """The same tags and texts, the tags in another order."""
    tags = _TAG.findall(page)
    if choose.random() < 0.5:  # near their places, or anywhere
        choose.shuffle(tags)
    else:
        tags = [tag for _, tag in sorted(
            (place + choose.randrange(12), tag) for place, tag in enumerate(tags)
        )]  # fmt: skip
    following = iter(tags)
    return _TAG.sub(lambda _: next(following), page)


def repeat(page: bytes, choose: random.Random) -> bytes:
    """A part of the page a few times more."""
    start, end = _part(page, choose)
    return page[:end] + page[start:end] * choose.choice((1, 2, 5)) + page[end:]


def drop(page: bytes, choose: random.Random) -> bytes:
    """The page without a part of it."""
    start, end = _part(page, choose)
    return page[:start] + page[end:]


def nest(page: bytes, choose: random.Random) -> bytes:
    """A part of the page inside of many elements, closed or not."""
    start, end = _part(page, choose)
    many, tag = choose.choice((1, 3, 30)), grammar.start_tag(choose).encode()
    name = re.match(rb"<([\w-]+)", tag)
    close = b"</" + name[1] + b">" if name and choose.random() < 0.7 else b""
    return page[:start] + tag * many + page[start:end] + close * many + page[end:]


def insert(page: bytes, choose: random.Random) -> bytes:
    """A few pieces of markup somewhere in the page."""
    place = choose.randrange(len(page) + 1)
    return page[:place] + grammar.page(choose.randrange(1 << 30), 6) + page[place:]


def _part(page: bytes, choose: random.Random) -> tuple[int, int]:
    """A part between two tags, as long as any, or of any bytes."""
    places = [found.start() for found in _TAG.finditer(page)]
    if len(places) < 2 or choose.random() < 0.2:
        places = list(range(len(page) + 1)) or [0]
    start = choose.choice(places)
    return start, choose.choice([place for place in places if place >= start])


MUTATIONS: tuple[Mutation, ...] = (
    cut, flip, shuffle, repeat, drop, nest, insert,
)  # fmt: skip


def mutate(page: bytes, choose: random.Random) -> bytes:
    """Do one to three of them."""
    for _ in range(choose.randrange(1, 4)):
        page = choose.choice(MUTATIONS)(page, choose)
    return page
