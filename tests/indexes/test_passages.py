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
LIMITS = st.integers(1, 40)


def split(text: str | Iterable[Section], words: int, url: str = URL) -> list[str]:
    sections = [Section(text=text)] if isinstance(text, str) else text
    passages = PassageSplitter(words).split(url, sections)
    return [passage.text for passage in passages]


def ids(sections: Iterable[Section], words: int = 10, url: str = URL) -> list[str]:
    passages = PassageSplitter(words).split(url, sections)
    return [passage.id for passage in passages]


def ink(text: str) -> str:
    return "".join(text.split())


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

    @given(SECTIONS, LIMITS)
    def test_passages_are_bounded_numbered_and_have_unique_ids(
        self, sections: list[Section], words: int
    ) -> None:
        passages = PassageSplitter(words).split(URL, sections)
        assert all(count_words(part.text) <= words for part in passages)
        assert [part.position for part in passages] == list(range(len(passages)))
        assert all(part.text == part.text.strip("\n") != "" for part in passages)
        assert len({part.id for part in passages}) == len(passages)

    @given(SECTIONS, TEXTS, st.integers(2, 40))
    def test_ids_stay_when_a_section_is_inserted_before(
        self, sections: list[Section], text: str, words: int
    ) -> None:
        new = Section("New", 1, None, f"{many('word', words)} {text}")
        assert set(ids(sections, words)) <= set(ids([new, *sections], words))


class TestSplitting:
    def test_a_heading_that_is_too_long_for_a_path_is_text(self) -> None:
        heading = many("long", 60)
        (passage,) = PassageSplitter(80).split(URL, [Section(heading, 1, text="x")])
        assert (passage.heading, passage.text) == (None, f"{heading}\n\nx")

    @pytest.mark.parametrize("limit", [1, 7, 40])
    def test_tokens_are_bounded_even_within_a_word(self, limit: int) -> None:
        text = f"Some words. {'x' * 300} 正文正文正文 and more words of a text. " * 3
        found = PassageSplitter(limit, tokens=True).split(URL, [Section(text=text)])
        assert max(each.tokens for each in found) <= limit
        assert ink("".join(each.text for each in found)) == ink(text)

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

    @pytest.mark.parametrize("words", [0, -1])
    def test_bad_numbers_are_refused(self, words: int) -> None:
        with pytest.raises(ValueError, match="passages of"):
            PassageSplitter(words)


LINES = [f"    run(x{n}).  # Once. Then again." for n in range(40)]


class TestCode:
    @pytest.mark.parametrize("fence", ["```", "~~~~"])
    @pytest.mark.parametrize("tokens", [False, True])
    def test_parts_of_code_have_the_fence_and_whole_lines(
        self, fence: str, tokens: bool
    ) -> None:
        code = "\n".join(["def f():", *LINES[:20], "", *LINES[20:]])
        text = f"Before. More.\n\n{fence}python\n{code}\n{fence}\n\nAfter."
        splitter = PassageSplitter(60, tokens=tokens)
        found = splitter.split(URL, [Section(text=text)], is_markdown=True)
        assert len(found) > 2
        assert max(x.tokens if tokens else x.words for x in found) <= 60
        lines = [line for each in found for line in each.text.split("\n")]
        assert lines.count(f"{fence}python") == lines.count(fence) == len(found)
        assert {*lines} == {*text.split("\n")}
        assert "".join(dict.fromkeys(filter(None, lines))).endswith("again.After.")

    def test_code_of_a_text_is_cut_between_lines(self) -> None:
        found = split("\n".join(LINES), 12)
        assert {line for each in found for line in each.split("\n")} == {*LINES}

    def test_fence_within_a_fence_or_without_an_end_is_text(self) -> None:
        section = Section(text=f"````\n```\n{many('x', 9)}\n```\n````\n\n```\nopen")
        (first, second) = PassageSplitter(9).split(URL, [section], is_markdown=True)
        assert first.text.endswith("```\n````")
        assert second.text == "```\nopen"

    def test_limit_without_room_for_fences_is_kept(self) -> None:
        section = Section(text=f"```a b c d\n{many('x', 9)}\n```")
        for each in PassageSplitter(3).split(URL, [section], is_markdown=True):
            assert each.words <= 3


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

    def test_headings_without_a_text_are_in_a_path_or_a_text(self) -> None:
        sections = [
            Section("Functions", 1, "f", path=("Functions",)),
            Section("max(a)", 2, "a", path=("Functions", "max(a)")),
            Section("max(b)", 2, "b", many("x", 12), path=("Functions", "max(b)")),
            Section("min(c)", 2, "c", path=("Functions", "min(c)")),
            Section("End", 1, "end", path=("End",)),
        ]
        passages = PassageSplitter(10).split(URL, sections)
        assert [(p.heading, p.path, p.text) for p in passages] == [
            ("max(b)", ("Functions", "max(b)"), f"max(a)\n\n{many('x', 9)}"),
            ("max(b)", ("Functions", "max(b)"), many("x", 3)),
            ("min(c)", ("Functions", "min(c)"), "min(c)"),
            ("End", ("End",), "End"),
        ]

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
