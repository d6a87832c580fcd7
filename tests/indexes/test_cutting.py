"""Folded words, and snippets cut from a text; without an engine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.indexes.query import Term
from scrapy_mainpage.indexes.scoring import Terms
from scrapy_mainpage.indexes.snippets import (
    ELLIPSIS,
    END,
    START,
    cut_snippet,
    mark,
)
from scrapy_mainpage.indexes.tokens import fold, segment, unsegment

#: Combining marks, letters that change length with their case, symbols.
TEXTS = st.text(st.characters() | st.sampled_from("a ὰαά ё\u0301İßﬁς🎉天ไ\u200b .-"))


def cut(text: str, *phrases: str, length: int = 60) -> str:
    wanted = [Term(phrase.strip("*"), phrase.endswith("*")) for phrase in phrases]
    return mark(cut_snippet(segment(text), Terms(wanted), length), ("[", "]"))


class TestFold:
    def test_diacritics_of_latin_letters_go_and_others_stay(self) -> None:
        assert fold(segment("Ångström Việt й हिन्दी")) == "angstrom viet й हिन्दी"

    def test_greek_is_found_without_accents(self) -> None:
        assert fold(segment("Άλφα ΟΔΟΣ")).split() == ["αλφα", "οδοσ"]

    @given(text=st.text(st.characters(codec="cp1252"), max_size=30))
    def test_is_the_same_in_a_text_of_many_scripts(self, text: str) -> None:
        assert fold(text) == fold(f"{text}天")[:-1]

    @given(text=TEXTS)
    def test_is_not_longer_and_stays_as_it_is(self, text: str) -> None:
        folded = fold(segment(text))
        assert len(folded) <= len(segment(text))
        assert fold(folded) == folded


class TestSnippet:
    def test_words_between_the_words_of_a_phrase_are_no_match(self) -> None:
        assert cut("a b, a-b, a c b, ab", "a b") == "[a b], [a-b], a c b, ab"

    def test_phrase_may_begin_within_another(self) -> None:
        assert cut("ba a a", "a a") == "ba [a a]"
        assert cut("x y z", "x y", "y z") == "[x y z]"

    def test_accents_that_stand_apart_are_marked_with_their_letters(self) -> None:
        assert cut("το Καφέ, ναι", "καφε") == "το [Καφέ], ναι"

    def test_word_longer_than_a_snippet_is_cut_but_not_its_match(self) -> None:
        assert len(cut("x" * 10_000, "owl")) < 100
        assert cut("x" * 10_000 + " owl", "owl") == "…[owl]"
        assert cut("x" * 500, "x*") == f"[{'x' * 500}]"

    def test_thousands_of_matches_are_a_snippet(self) -> None:
        hit = cut("owl " * 100_000, "owl", "ow*", length=20)
        assert hit == "[owl] [owl] [owl] [owl] [owl]…"

    @given(text=TEXTS, words=st.lists(TEXTS, max_size=3), prefix=st.booleans())
    def test_is_a_part_of_the_text_whatever_both_are(
        self, text: str, words: list[str], prefix: bool
    ) -> None:
        parted = segment(text)
        terms = [Term(word, prefix) for word in words if fold(segment(word)).strip()]
        part = cut_snippet(parted, Terms(terms), 20)
        assert part.count(START) == part.count(END)
        plain = part.replace(START, "").replace(END, "")
        assert plain in f"{ELLIPSIS}{parted}{ELLIPSIS}" or (
            plain.strip(ELLIPSIS) in parted
        )

    @given(text=TEXTS, word=TEXTS)
    def test_word_of_the_text_is_marked(self, text: str, word: str) -> None:
        folded = fold(segment(word)).split()
        if folded:
            whole = segment(f"{text} {word} {text}")
            part = cut_snippet(whole, Terms([Term(word)]), 30)
            assert START in part
            assert fold(unsegment(part[part.index(START) : part.index(END)])).strip()
