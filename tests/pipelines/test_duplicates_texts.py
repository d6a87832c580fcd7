"""Fingerprints of texts, their similarity, and the rules for copies."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.memory.copies import Entry, find_matches
from scrapy_mainpage.memory.fingerprints import Fingerprint, similarities
from tests.crawling import ROOT

from .copies import Writer

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéèêñçåøæ"


def fingerprint(text: str) -> Fingerprint:
    made = Fingerprint.of(text)
    assert made is not None
    return made


def alike(one: str, other: str) -> float:
    return similarities(fingerprint(one), [fingerprint(other)])[0]


def digest(text: str) -> bytes | None:
    made = Fingerprint.of(text)
    return made.digest if made else None


def count_words(text: str) -> int:
    made = Fingerprint.of(text)
    return made.words if made else 0


class TestWords:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("It works.", "IT -- works!"),
            ("a\u00a0b\n\n c", "a b c"),
            ("ﬁne ２０２６ Straße", "fine 2026 STRASSE"),
            ("café Ångström", unicodedata.normalize("NFD", "café Ångström")),
            ("soft\u00adly \u200bwritten\ufeff", "softly written"),
            ("正文，在這裡。", "正文在這裡"),
            ("ｶﾀｶﾅ", "カタカナ"),
            ("(שלום)", "שלום"),
        ],
    )
    def test_case_punctuation_blanks_and_unicode_form_do_not_matter(
        self, one: str, other: str
    ) -> None:
        assert digest(one) == digest(other) is not None

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("now here", "nowhere"),
            ("a b", "b a"),
            ("version 1", "version 2"),
            ("中文", "文中"),
            ("ไทยแลนด์", "แลนด์ไทย"),
        ],
    )
    def test_other_words_and_another_order_do(self, one: str, other: str) -> None:
        assert digest(one) != digest(other)

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("", 0),
            ("... -- !", 0),
            ("one", 1),
            ("don't stop", 3),
            ("中文 and 日本", 5),
            ("カタカナ", 4),
            ("สวสดครบ", 7),
            ("한국어 문장", 2),
            ("नमस्ते दुनिया", 2),
        ],
    )
    def test_every_script_has_words(self, text: str, count: int) -> None:
        assert count_words(text) == count

    def test_a_lone_surrogate_and_a_million_words_are_read(self) -> None:
        assert count_words("a \ud800 b") == 2
        assert count_words("lorem ipsum " * 500_000) == 1_000_000

    def test_fingerprints_are_the_same_in_every_process(self) -> None:
        script = (
            "from scrapy_mainpage.memory.fingerprints import Fingerprint as F\n"
            "f = F.of('The same 文 text')\n"
            "print((f.digest + f.sketch + f.bands).hex())"
        )
        outputs = {
            subprocess.run(
                [sys.executable, "-c", script],
                capture_output=True,
                check=True,
                cwd=ROOT,
            ).stdout
            for _ in range(2)
        }
        assert len(outputs) == 1

    @pytest.mark.parametrize("blank", [" ", "\n", "\n\n"])
    def test_a_text_of_any_length_has_the_words_of_its_parts(self, blank: str) -> None:
        parts = ["one 17 two", "正文，在這裡", "ｶﾀｶﾅ", "e\u0301", "a" * 300] * 1_000
        assert count_words(blank.join(parts)) == sum(map(count_words, parts))

    def test_a_word_of_any_length_is_one(self) -> None:
        assert count_words("a" * 200_000) == 1
        assert count_words("a" * 200_000 + " b\n" + "c" * 200_000) == 3
        assert count_words("川" * 200_000) == 200_000


class TestSimilarity:
    @given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=100))
    def test_a_text_is_like_itself_in_any_order(self, words: list[str]) -> None:
        assert alike(" ".join(words), " ".join(sorted(words))) == 1.0

    @given(*[st.lists(st.sampled_from(LETTERS), min_size=1, max_size=255)] * 2)
    def test_of_short_texts_it_is_exact(self, one: list[str], other: list[str]) -> None:
        common = sum((Counter(one) & Counter(other)).values())
        share = 2 * common / (len(one) + len(other))
        of_shorter = common / min(len(one), len(other))
        expected = (share + of_shorter) / 2
        assert alike(" ".join(one), " ".join(other)) == pytest.approx(expected)

    def test_of_long_texts_it_is_right_within_a_few_hundredths(self) -> None:
        writer = Writer()
        text = writer.prose(5000)
        for share in (0.1, 0.2, 0.3):
            words = text.split()
            for place in writer.random.sample(range(5000), int(share * 5000)):
                words[place] = f"new{place}"
            assert alike(text, " ".join(words)) == pytest.approx(1 - share, abs=0.08)

    def test_a_number_counts_as_four_words_in_any_script(self) -> None:
        assert alike("lorem ipsum 17", "lorem ipsum 18") == pytest.approx(2 / 6)
        assert alike("lorem ipsum ١٧", "lorem ipsum 18th") == pytest.approx(2 / 6)
        assert alike("lorem ipsum a1", "lorem ipsum a2") == pytest.approx(2 / 3)

    def test_nothing_in_common_is_zero(self) -> None:
        assert alike("one two three", "four five six") == 0.0

    def test_a_text_without_words_has_no_fingerprint(self) -> None:
        assert Fingerprint.of(" -- ") is None


class TestMatches:
    TEXT = Writer().prose(100)

    def matches(self, entry: Entry, other: Entry, threshold: float = 0.8) -> int:
        return len(find_matches(entry, [(1, other)], threshold))

    def test_canonical_urls_lower_the_threshold_and_do_not_abolish_it(self) -> None:
        writer = Writer(2)
        words = self.TEXT.split()
        unlike = fingerprint(writer.prose(100))
        like = fingerprint(" ".join(words[:70] + writer.prose(30).split()))
        page = Entry.of(fingerprint(self.TEXT), "https://a.example/page")
        for theirs in ("https://a.example/page", "/page", "//a.example/page#top"):
            copy = Entry.of(like, "https://a.example/print", theirs)
            assert self.matches(copy, page) == self.matches(page, copy) == 1
            other = Entry.of(unlike, "https://a.example/print", theirs)
            assert self.matches(other, page) == 0
        assert self.matches(Entry.of(like, "https://a.example/print"), page) == 0

    def test_both_with_one_canonical_url_are_copies_if_alike(self) -> None:
        words = self.TEXT.split()
        like = fingerprint(" ".join(words[:70]) + Writer(3).prose(30))
        canonical = "https://a.example/c"
        one = Entry.of(fingerprint(self.TEXT), "https://a.example/1", canonical)
        two = Entry.of(like, "https://a.example/2", canonical)
        assert self.matches(one, two) == 1

    @pytest.mark.parametrize("home", ["https://a.example/", "https://a.example", "/"])
    def test_a_home_page_that_another_page_declares_does_not_count(
        self, home: str
    ) -> None:
        like = fingerprint(" ".join(self.TEXT.split()[:70]) + Writer(3).prose(30))
        one = Entry.of(fingerprint(self.TEXT), "https://a.example/1", home)
        two = Entry.of(like, "https://a.example/2", home)
        assert not one.shares_address(two)
        assert self.matches(one, two) == self.matches(two, one) == 0
        same = Entry.of(like, "https://a.example/?from=mail", home)
        page = Entry.of(fingerprint(self.TEXT), "https://a.example/")
        assert self.matches(same, page) == 1

    def test_usual_words_do_not_make_pages_with_one_canonical_url_copies(self) -> None:
        writer = Writer(4)
        usual = writer.prose(80)
        entries = [
            Entry.of(
                fingerprint(f"{usual} {writer.prose(80)}"),
                f"https://a.example/{number}",
                "https://a.example/c",
            )
            for number in range(10)
        ]
        for number, entry in enumerate(entries):
            assert not any(self.matches(entry, other) for other in entries[:number])

    def test_very_short_texts_have_exact_copies_only(self) -> None:
        one = Entry.of(fingerprint("Sorry, this page is not here"))
        two = Entry.of(fingerprint("Sorry, this page is not there"))
        assert self.matches(one, two, 0.5) == 0
        assert self.matches(one, Entry.of(one.fingerprint)) == 1

    def test_titles_and_urls_count_on_one_site_only(self) -> None:
        text = "\n".join(f"NAME {Writer(6).prose(25)}" for _ in range(5))
        drop, make = (
            Fingerprint.of(text.replace("NAME", name), name)
            for name in ("drop table", "make index")
        )
        assert drop is not None
        assert make is not None
        here = Entry.of(drop, "https://a.example/drop")
        assert self.matches(here, Entry.of(make, "https://a.example/make")) == 0
        assert self.matches(here, Entry.of(make, "https://b.example/make")) == 1
        assert self.matches(here, Entry.of(make, "https://a.example/drop")) == 1

    def test_no_url_is_not_the_same_as_no_url(self) -> None:
        made = fingerprint("text")
        assert not Entry.of(made).has_url_of(Entry.of(made))
        assert not Entry.of(made).shares_address(Entry.of(made))

    def test_an_url_is_the_same_however_it_is_written(self) -> None:
        made = fingerprint("text")
        one = Entry.of(made, "https://a.example/x?b=1&a=2#top")
        assert one.has_url_of(Entry.of(made, "https://A.example/x?a=2&b=1"))
        assert not one.has_url_of(Entry.of(made, "https://a.example/y?a=2&b=1"))
        assert Entry.of(made, "http://[broken").own
        a, b = (f"https://a.example/#/{route}" for route in "ab")
        assert Entry.of(made, a).has_url_of(Entry.of(made, b))
        one = Entry.of(made, a, routes=True)
        assert not one.has_url_of(Entry.of(made, b, routes=True))
