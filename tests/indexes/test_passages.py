"""Passages: complete, bounded in length, with stable ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.indexes.passages import PassageSplitter, markdown_sections
from scrapy_mainpage.page import Section
from scrapy_mainpage.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable

URL = "https://example.com/"

WORDS = st.sampled_from(["word", "Wörter,", "(x)", "正文", "。", "end.", "—", "“Oh!”"])
GAPS = st.sampled_from([" ", " ", " ", "\n", "\n\n", "", "\t", "\n \n"])
TEXTS = st.lists(st.tuples(WORDS, GAPS), max_size=80).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)
SECTIONS = st.lists(
    st.builds(
        Section,
        heading=st.sampled_from(["", "Alpha", "Beta gamma", "标题"]),
        level=st.integers(0, 6),
        anchor=st.sampled_from([None, "a", "b"]),
        text=TEXTS,
    ),
    max_size=8,
)
NUMBERED = st.lists(
    st.tuples(st.sampled_from([",", "", "", ".", "?”"]), st.sampled_from(" \n\t")),
    max_size=120,
).map(
    lambda parts: "".join(
        f"w{place}{mark}{gap}" for place, (mark, gap) in enumerate(parts)
    ).strip()
)
LIMITS = st.integers(1, 40)


def split(
    text: str | Iterable[Section], words: int, overlap: int = 0, url: str = URL
) -> list[str]:
    sections = [Section(text=text)] if isinstance(text, str) else text
    passages = PassageSplitter(words, overlap).split(url, sections)
    return [passage.text for passage in passages]


def ids(sections: Iterable[Section], words: int = 10, url: str = URL) -> list[str]:
    passages = PassageSplitter(words, 3).split(url, sections)
    return [passage.id for passage in passages]


def ink(text: str) -> str:
    return "".join(text.split())


def begins_sentence(text: str, word: str) -> bool:
    place = text.split().index(word)
    before = text.split()[place - 1]
    gap = text[text.index(f"{before}") + len(before)]
    return before.endswith((".", "?”")) or gap == "\n"


def many(word: str, number: int) -> str:
    return " ".join([word] * number)


class TestGenerated:
    @given(TEXTS, LIMITS)
    def test_all_of_a_text_is_in_its_passages_in_order(
        self, text: str, words: int
    ) -> None:
        assert ink("".join(split(text, words))) == ink(text)

    @given(SECTIONS, LIMITS)
    def test_all_sections_are_in_the_passages_in_order(
        self, sections: list[Section], words: int
    ) -> None:
        found = ink("".join(split(sections, words)))
        at = 0
        for section in sections:
            at = found.index(ink(section.text), at) + len(ink(section.text))

    @given(SECTIONS, LIMITS, st.integers(0, 50))
    def test_passages_are_bounded_numbered_and_have_unique_ids(
        self, sections: list[Section], words: int, overlap: int
    ) -> None:
        passages = PassageSplitter(words, overlap).split(URL, sections)
        assert all(count_words(part.text) <= words for part in passages)
        assert [part.position for part in passages] == list(range(len(passages)))
        assert all(part.text == part.text.strip("\n") != "" for part in passages)
        assert len({part.id for part in passages}) == len(passages)

    @given(NUMBERED, LIMITS, st.integers(0, 50))
    def test_passages_share_whole_sentences_or_as_many_words_as_said(
        self, text: str, words: int, overlap: int
    ) -> None:
        most, whole = min(overlap, words // 2), text.split()
        parts = [part.split() for part in split(text, words, overlap)]
        starts = [whole.index(part[0]) for part in parts]
        ends = [start + len(part) for start, part in zip(starts, parts, strict=True)]
        assert [whole[a:b] for a, b in zip(starts, ends, strict=True)] == parts
        assert (starts[:1], ends[-1:]) == (
            [0][: len(whole)],
            [len(whole)][: len(whole)],
        )
        for end, start in zip(ends, starts[1:], strict=False):
            assert 0 <= end - start <= most
            if end - start < most:
                assert most > 0
                assert end > start
                assert start == 0 or begins_sentence(text, whole[start])

    @given(SECTIONS, TEXTS, st.integers(2, 40))
    def test_ids_stay_when_a_section_is_inserted_before(
        self, sections: list[Section], text: str, words: int
    ) -> None:
        new = Section("New", 1, None, f"{many('word', words)} {text}")
        assert set(ids(sections, words)) <= set(ids([new, *sections], words))


class TestSplitting:
    def test_ids_know_the_first_characters_of_a_heading(self) -> None:
        def ids(heading: str) -> list[str]:
            sections = [Section(heading, 1, text="word " * 30)]
            return [each.id for each in PassageSplitter(10).split(URL, sections)]

        assert ids("a" * 250 + "b") == ids("a" * 250 + "c")
        assert set(ids("a" * 249 + "b")).isdisjoint(ids("a" * 249 + "c"))

    @pytest.mark.parametrize("text", ["", " \n\n "])
    def test_no_text_gives_no_passage(self, text: str) -> None:
        assert split(text, 10) == []

    def test_long_paragraph_is_cut_between_sentences(self) -> None:
        text = 'One two three. "Four five!" Six seven eight? Nine.'
        assert split(text, 6) == [
            'One two three. "Four five!"',
            "Six seven eight? Nine.",
        ]

    def test_chinese_sentences_are_not_cut(self) -> None:
        assert split("这是第一句。“这是第二句！”这是第三句。", 6) == [
            "这是第一句。",
            "“这是第二句！”",
            "这是第三句。",
        ]

    def test_long_sentence_is_cut_between_words(self) -> None:
        assert split("one two three four five six seven", 3) == [
            "one two three",
            "four five six",
            "seven",
        ]

    def test_indentation_at_the_start_of_a_passage_is_kept(self) -> None:
        text = f"{many('word', 5)}\n\n    code here\n    more code"
        assert split(text, 5)[1] == "    code here\n    more code"

    def test_hostile_text_takes_no_longer_than_its_length(self) -> None:
        # Texts that could make a search for sentences backtrack at each place.
        for text in ("." * 100_000, " " * 100_000, "\n " * 50_000, ".)" * 50_000):
            assert len(split(f"a{text}b", 1)) <= 2

    @pytest.mark.parametrize(("words", "overlap"), [(0, 0), (-1, 0), (10, -1)])
    def test_bad_numbers_are_refused(self, words: int, overlap: int) -> None:
        with pytest.raises(ValueError, match="passages of"):
            PassageSplitter(words, overlap)


class TestOverlap:
    def test_overlap_is_of_whole_sentences(self) -> None:
        text = "One two three four. Five six. Seven. Eight nine ten eleven."
        assert split(text, 8, 4) == [
            "One two three four. Five six. Seven.",
            "Five six. Seven. Eight nine ten eleven.",
        ]


class TestSections:
    def test_sections_have_their_own_passages_with_heading_and_anchor(self) -> None:
        sections = [
            Section("", 0, None, many("zero", 5)),
            Section("One", 1, "one", many("one", 5)),
            Section("Two", 2, None, many("two", 15)),
        ]
        passages = PassageSplitter(10).split(URL, sections)
        assert [(p.heading, p.anchor, p.text.split()[0]) for p in passages] == [
            (None, None, "zero"),
            ("One", "one", "one"),
            ("Two", None, "two"),
            ("Two", None, "two"),
        ]

    def test_heading_alone_is_no_passage(self) -> None:
        sections = [
            Section("One", 1),
            Section("Two", 2, None, "Text."),
            Section("X", 1),
        ]
        (passage,) = PassageSplitter(10).split(URL, sections)
        assert (passage.heading, passage.text) == ("Two", "Text.")

    def test_tiny_section_is_joined_by_those_below_it(self) -> None:
        sections = [
            Section("One", 2, "one", "Tiny."),
            Section("Empty", 3, "empty"),
            Section("Two", 3, "two", "Text of two."),
        ]
        (passage,) = PassageSplitter(20).split(URL, sections)
        assert passage.text == "Tiny.\n\nEmpty\n\nTwo\n\nText of two."
        assert (passage.heading, passage.anchor) == ("One", "one")

    def test_tiny_section_is_not_joined_by_one_above_it(self) -> None:
        sections = [Section("One", 3, None, "Tiny."), Section("Two", 2, None, "Two.")]
        assert split(sections, 10) == ["Tiny.", "Two."]

    def test_what_joins_text_before_the_first_heading_gives_its_heading(self) -> None:
        sections = [Section("", 0, None, "a"), Section("One", 1, "one", "b")]
        (passage,) = PassageSplitter(10).split(URL, sections)
        assert (passage.heading, passage.anchor) == ("One", "one")
        assert passage.text == "a\n\nOne\n\nb"


class TestIds:
    SECTION = Section("One", 1, "one", many("word", 25))

    def test_id_is_the_same_in_every_process(self) -> None:
        (name,) = ids([Section("H", 1, None, "Some text.")])
        assert name == "191481b40ffb878e413146128a08ce6c"

    def test_anchor_that_was_renumbered_changes_no_id(self) -> None:
        other = Section("One", 1, "id17", self.SECTION.text)
        assert ids([self.SECTION]) == ids([other])

    def test_equal_passages_have_ids_of_their_own(self) -> None:
        once, twice = ids([self.SECTION]), ids([self.SECTION, self.SECTION])
        assert twice[: len(once)] == once
        assert len(set(twice)) == 2 * len(once)


def test_sections_of_markdown_have_no_entities_outside_of_code() -> None:
    markdown = """# no | &#123;a, [b&#93;](/x)} `&lt;` <code>&#60;T&#62;</code>

Wow&#33; <code>&#60;T&#62;</code> `&lt;` \\&lt; &amp;amp;

```
&lt;
```"""
    (section,) = markdown_sections(markdown)
    assert section.heading == "no | {a, b]} &lt; <T>"
    assert section.text == "Wow! <T> `&lt;` \\&lt; &amp;\n\n```\n&lt;\n```"
