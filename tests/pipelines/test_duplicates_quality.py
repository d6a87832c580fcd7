"""Precision and recall of copies in generated texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from scrapy_mainpage.memory.copies import Entry
from scrapy_mainpage.memory.fingerprints import Fingerprint
from scrapy_mainpage.memory.texts import TextMemory
from scrapy_mainpage.settings import Settings

from .copies import Sample, Writer, collection, families

THRESHOLD = Settings().duplicates_threshold


def find_copies(texts: list[str], titles: list[str] | None = None) -> list[bool]:
    """Whether each text is found to be a copy of an earlier one that was kept."""
    memory = TextMemory.of_process()
    memory.open()

    def is_copy(number: int, text: str) -> bool:
        made = Fingerprint.of(text, titles[number] if titles else "")
        assert made is not None
        entry = Entry.of(made, f"https://example.com/{number}")
        findings = memory.find(entry, THRESHOLD)
        if findings.matches:
            return True
        key = memory.claim(entry, findings)
        assert key is not None
        memory.settle(key, entry)
        return False

    found = [is_copy(number, text) for number, text in enumerate(texts)]
    memory.close()
    return found


def is_later(samples: list[Sample]) -> list[bool]:
    """Whether one of each sample's group comes before it."""
    seen: set[int] = set()
    return [s.group in seen or bool(seen.add(s.group)) for s in samples]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_known_copies_are_found_and_nothing_else(seed: int) -> None:
    samples = collection(seed)
    assert len(samples) > 300
    found, copies = find_copies([sample.text for sample in samples]), is_later(samples)
    right = sum(f and c for f, c in zip(found, copies, strict=True))
    missed = Counter(
        s.kind for s, f, c in zip(samples, found, copies, strict=True) if c and not f
    )
    assert right / sum(found) >= 0.99
    assert right / sum(copies) >= 0.97, missed


def test_pages_that_share_much_of_a_template_or_a_licence_are_kept() -> None:
    texts = [text for _, text in families(Writer(7))]
    assert sum(find_copies(texts)) == 0


def forecast(writer: Writer) -> str:
    """The weather of a week: all that differs from another are numbers, and a town."""
    number = writer.random.randint
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    lines = (
        f"{day}: sun and clouds, {number(-9, 40)} °C by day, {number(-20, 9)} °C at "
        f"night, wind at {number(1, 99)} km/h, chance of rain {number(0, 100)} %."
        for day in days
    )
    return "\n".join([f"The weather in {writer.words(1)[0]}", *lines])


def forecast_in_chinese(writer: Writer) -> str:
    number, choose = writer.random.randint, writer.random.choice
    return "".join(
        f"星期{day}：{choose(['晴', '多云', '小雨', '大雪'])}，"
        f"最高气温{number(-9, 40)}度，最低气温{number(-20, 9)}度，"
        f"{choose('东南西北')}风{number(1, 12)}级，湿度{number(20, 99)}%。"
        for day in "一二三四五六日"
    )


def lottery(writer: Writer) -> str:
    number = writer.random.randint
    drawn = ", ".join(str(number(1, 70)) for _ in range(6))
    return (
        f"The winning lottery numbers of {number(1, 31)} May 2026 are {drawn}. The "
        f"jackpot was {number(20, 900)} million dollars, or {number(10, 400)} million "
        f"in cash. Of {number(1, 99)},{number(100, 999)} tickets, {number(100, 999)} "
        "matched four numbers. The next drawing is on Saturday. A ticket costs two "
        "dollars, and all proceeds go to schools and parks."
    )


@pytest.mark.parametrize("make", [forecast, forecast_in_chinese, lottery])
def test_pages_that_differ_in_their_numbers_are_kept(
    make: Callable[[Writer], str],
) -> None:
    writer = Writer(11)
    assert sum(find_copies([make(writer) for _ in range(40)])) == 0


def test_of_pages_full_of_numbers_edited_copies_are_found() -> None:
    writer = Writer(12)
    texts = [forecast(writer) for _ in range(40)]
    copies = [writer.edited(text) for text in texts]
    assert sum(find_copies(texts + copies)[40:]) >= 39


def test_other_dates_and_counters_do_not_hide_a_copy() -> None:
    writer = Writer(13)
    texts = [writer.prose(120) for _ in range(20)]
    dated = [f"12.01.2026, 10:3{k % 10}\n{text}" for k, text in enumerate(texts)]
    again = [f"Jan 17, 11:05 pm - 7{k} views\n{text}" for k, text in enumerate(texts)]
    assert find_copies(dated + again) == [False] * 20 + [True] * 20


def test_pages_that_differ_in_little_are_copies_as_those_of_two_versions() -> None:
    writer = Writer(8)
    page = writer.prose(400)
    newer = f"{page} {writer.prose(25)}".replace(page[:60], "In version 2, ")
    assert find_copies([page, newer]) == [False, True]


def test_a_text_that_another_quotes_is_no_copy_of_it() -> None:
    writer = Writer(9)
    news = writer.prose(100)
    assert (
        find_copies([news, f"{writer.prose(80)} {news} {writer.prose(80)}"])
        == [False] * 2
    )


def test_short_texts_are_told_apart_by_their_own_words() -> None:
    writer = Writer(10)
    texts = [" ".join(writer.words(30)) for _ in range(40)]
    copies = [writer.edited(text) for text in texts]
    assert sum(find_copies(texts)) == 0
    assert sum(find_copies(texts + copies)[40:]) >= 39


class Reference:
    """Pages of a reference: one template, filled with the name of a command.

    Each has its name six times among 160 words that the page of its neighbour has too.
    """

    def __init__(self, count: int, seed: int = 14):
        self.writer = Writer(seed)
        self.titles, self.texts = [], []
        for _ in range(count // 2):
            parts = [self.writer.prose(25) for _ in range(6)]
            verb = self.writer.words(1)[0]
            for name in self.writer.words(2):
                title = f"{verb} {name}"
                self.titles.append(title)
                self.texts.append("\n".join(f"{title} {part}" for part in parts))


def test_pages_of_a_reference_are_kept() -> None:
    reference = Reference(60)
    copies = sum(find_copies(reference.texts))
    assert copies >= 25, "without titles they are like each other"
    assert sum(find_copies(reference.texts, reference.titles)) == 0


def test_a_page_under_another_title_is_a_copy_of_itself() -> None:
    """As in the template of another site, whose title has nothing to do with it."""
    reference = Reference(40)
    writer = reference.writer
    texts, titles = reference.texts[::2], reference.titles[::2]
    others = [" ".join(writer.words(6)) for _ in titles]
    for copies in (
        [writer.extracted_otherwise(text) for text in texts],
        [writer.edited(text) for text in texts],
    ):
        found = find_copies(texts + copies, titles + others)
        assert found[: len(texts)] == [False] * len(texts)
        assert sum(found[len(texts) :]) >= len(texts) - 1
        again = find_copies(copies + texts, others + titles)
        assert sum(again[len(texts) :]) >= len(texts) - 1


def test_a_page_that_adds_its_own_title_and_teasers_to_a_text_is_a_copy() -> None:
    reference = Reference(40)
    writer = reference.writer
    texts, titles = reference.texts[::2], reference.titles[::2]
    others = [" ".join(writer.words(4)) for _ in titles]
    around = [
        f"{title}\n{text}\n{title} {writer.prose(20)} {title}"
        for title, text in zip(others, texts, strict=True)
    ]
    found = find_copies(texts + around, titles + others)
    assert sum(found[len(texts) :]) >= len(texts) - 1


def test_long_pages_of_a_reference_are_kept() -> None:
    """Longer than a sketch: it has a sample of the words."""
    reference = Reference(2)
    words = reference.writer.prose(900)
    long = [f"{text}\n{words}\n{text}\n{text}" for text in reference.texts]
    assert find_copies(long) == [False, True]
    assert find_copies(long, reference.titles) == [False, False]
