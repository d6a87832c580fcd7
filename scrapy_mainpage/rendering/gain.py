"""Shares of main content that rendering added to a page, and took from it.

The static page is gone when the rendered one arrives, so a sketch of its text travels
with the request: a bitmap of its word shingles (a Bloom filter with one hash function).
The beginning of its main text does, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from ..extraction.embedded.prose import split_words
from ..extraction.page_warnings import TROUBLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..crawl.rendered_requests import State
    from ..page import Block, Page

MIN_GAIN: Final = 0.1
MIN_NEW_WORDS: Final = 20
"""Share of new main text, and new words, from which rendering was worth it: a quote or
a date that differs at each visit has fewer."""

MIN_LARGE_GAIN: Final = 0.5
MIN_NEW_WORDS_OF_LARGE: Final = 5
"""The same where the static page was nearly empty."""

MIN_KEPT: Final = 0.7
"""Share of the static page's main text; with less of it the rendered page is another
one, and only the better where ..."""

MIN_STATIC_WORDS: Final = 20
"""... the static page had fewer words, or the rendered one has more and no warning."""

MIN_NAMED: Final = 0.6
"""Share of the words of a page's title that its text has, too."""

SHINGLE_WORDS: Final = 3
MAX_STATIC_CHARS: Final = 4_000
MAX_TITLE_CHARS: Final = 200
"""Characters of the static page's main text and of its title that are kept."""

MAX_TEXT_CHARS: Final = 500_000
"""Characters of a page that are read, from its beginning."""

_BITS: Final = 1 << 12
_SAMPLED: Final = 1 << 20
"""The lower 12 bits of a hash are its place in the bitmap, the upper 20 sample it."""


def add_sketch(state: State, page: Page) -> None:
    """Keep in the *state* of a request what compares its static *page* later."""
    state["sketch"] = make_sketch(page)
    state["words"] = page.words
    state["title"] = (page.title or "")[:MAX_TITLE_CHARS]
    has_text = page.words >= MIN_STATIC_WORDS
    state["static"] = page.text[:MAX_STATIC_CHARS] if has_text else ""


def make_sketch(page: Page) -> list[int]:
    """Return sampling limit and bitmap of all text of a static *page*."""
    shingles = _hash_shingles(_texts(page.blocks))
    # A bitmap is most precise with about as many shingles as bits.
    limit = min(_SAMPLED, _SAMPLED * _BITS // max(len(shingles), 1))
    bitmap = 0
    for shingle in _sample(shingles, limit):
        bitmap |= 1 << shingle % _BITS
    return [limit, bitmap]


def find_gain(state: State, rendered: Page) -> str:
    """Return ``yes``, ``no`` or ``worse`` for a *rendered* page.

    The state keeps the static page's text only where the page shows another one.
    """
    static, title = state.get("static", ""), state.pop("title", "")
    if not _is_other(static, rendered):
        state.pop("static", None)
    elif _is_worse(state.get("words", 0), title, static, rendered):
        return "worse"
    return (
        "yes" if is_gain(estimate_gain(state["sketch"], rendered), rendered) else "no"
    )


def estimate_gain(sketch: list[int], rendered: Page) -> float:
    """Estimate the share of the main text of *rendered* that the static page lacked.

    From 0 to 1: exactly 0 if nothing is new, else with an error of about 0.02 for a
    page of 600 words. 0 if the rendered page has no main content, or too little against
    a huge static page for a shingle in the sample.
    """
    limit, bitmap = sketch
    sample = _sample(_hash_shingles(_texts(rendered.blocks, main=True)), limit)
    if not sample:
        return 0.0
    unseen = sum(not bitmap >> shingle % _BITS & 1 for shingle in sample)
    # New shingles fall on set bits, too: divide by the share of free bits.
    free = 1 - bitmap.bit_count() / _BITS
    return min(unseen / len(sample) / free, 1.0) if free else 0.0


def is_gain(share: float, rendered: Page) -> bool:
    """Whether rendering was worth it; *share* is the estimated gain of *rendered*."""
    new_words = share * rendered.words
    return (share >= MIN_GAIN and new_words >= MIN_NEW_WORDS) or (
        share >= MIN_LARGE_GAIN and new_words >= MIN_NEW_WORDS_OF_LARGE
    )


def _is_other(static: str, rendered: Page) -> bool:
    """Whether most of the *static* page's main text is none of *rendered*."""
    known = _hash_shingles(static.splitlines())
    kept = known & _hash_shingles(_texts(rendered.blocks, main=True))
    return bool(known) and len(kept) < MIN_KEPT * len(known)


def _is_worse(words: int, title: str, static: str, rendered: Page) -> bool:
    """Whether the static page, with *words* of main content, was better than another.

    What came for it is less, no longer what the static page's *title* says, or a wall,
    a login, an error, a challenge.
    """
    if rendered.words < words or not TROUBLES.isdisjoint(rendered.warnings):
        return True
    names = set(split_words(title.lower()))
    had = len(names.intersection(split_words(static.lower())))
    has = len(names.intersection(split_words(rendered.text.lower())))
    return has < MIN_NAMED * len(names) <= had


def _texts(blocks: Iterable[Block], *, main: bool = False) -> Iterator[str]:
    """Yield the texts of all or the main blocks of the same part of both versions."""
    room = MAX_TEXT_CHARS
    for block in blocks:
        if block.is_main or not main:
            yield block.text[:room]
        room -= len(block.text)
        if room <= 0:
            return


def _hash_shingles(texts: Iterable[str]) -> set[int]:
    """Return the hash of each different shingle; none crosses the end of a block."""
    hashes: set[int] = set()
    for text in texts:
        words = [*split_words(text), *[""] * (SHINGLE_WORDS - 1)]
        shingles = zip(*(words[k:] for k in range(SHINGLE_WORDS)), strict=False)
        joined = map(" ".join, shingles)
        hashes.update(crc32(it.encode("utf-8", "surrogatepass")) for it in joined)
    return hashes


def _sample(shingles: set[int], limit: int) -> list[int]:
    return [shingle for shingle in shingles if shingle // _BITS < limit]
