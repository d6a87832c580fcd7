"""Which copies are found, and what is not taken for one, in generated texts."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from scrapy_mainpage.duplicates.entries import Entry
from scrapy_mainpage.duplicates.signatures import Fingerprint
from scrapy_mainpage.duplicates.store import LocalStore
from scrapy_mainpage.settings import Settings

from .copies import Sample, Writer, collection, families

THRESHOLD = Settings().duplicates_threshold


def judge(texts: list[str]) -> list[bool]:
    """Whether each text is taken for a copy of one before it that was kept."""
    store = LocalStore(100_000)

    async def is_copy(number: int, text: str) -> bool:
        made = Fingerprint.of(text)
        assert made is not None
        entry = Entry.of(made, f"https://example.com/{number}")
        if await store.matches(entry, THRESHOLD):
            return True
        await store.remember(entry)
        return False

    async def run() -> list[bool]:
        return [await is_copy(number, text) for number, text in enumerate(texts)]

    return asyncio.run(run())


def is_later(samples: list[Sample]) -> list[bool]:
    """Whether one of each sample's group comes before it."""
    seen: set[int] = set()
    return [s.group in seen or bool(seen.add(s.group)) for s in samples]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_known_copies_are_found_and_nothing_else(seed: int) -> None:
    samples = collection(seed)
    assert len(samples) > 300
    found, copies = judge([sample.text for sample in samples]), is_later(samples)
    right = sum(f and c for f, c in zip(found, copies, strict=True))
    missed = Counter(
        s.kind for s, f, c in zip(samples, found, copies, strict=True) if c and not f
    )
    assert right / sum(found) >= 0.99
    assert right / sum(copies) >= 0.97, missed


def test_pages_that_share_much_of_a_template_or_a_licence_are_kept() -> None:
    texts = [text for _, text in families(Writer(7))]
    assert sum(judge(texts)) == 0


def test_pages_that_differ_in_little_are_copies_as_those_of_two_versions() -> None:
    writer = Writer(8)
    page = writer.prose(400)
    newer = f"{page} {writer.prose(25)}".replace(page[:60], "In version 2, ")
    assert judge([page, newer]) == [False, True]


def test_a_text_that_another_quotes_is_no_copy_of_it() -> None:
    writer = Writer(9)
    news = writer.prose(100)
    assert judge([news, f"{writer.prose(80)} {news} {writer.prose(80)}"]) == [False] * 2


def test_short_texts_are_told_apart_by_their_own_words() -> None:
    writer = Writer(10)
    texts = [" ".join(writer.words(30)) for _ in range(40)]
    copies = [writer.edited(text) for text in texts]
    assert sum(judge(texts)) == 0
    assert sum(judge(texts + copies)[40:]) >= 39
