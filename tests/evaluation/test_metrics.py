"""Each measure on examples that were worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_mainpage.evaluation.metrics import (
    Score,
    Snippets,
    count_snippets,
    score_words,
    tokenize,
)


class TestScore:
    def test_f1_is_the_harmonic_mean(self) -> None:
        assert Score(0.5, 1.0).f1 == pytest.approx(2 / 3)


class TestEmpty:
    def test_nothing_where_nothing_is_to_be_found_is_perfect(self) -> None:
        assert score_words([], []) == (1.0, 1.0)

    def test_one_empty_is_zero(self) -> None:
        assert score_words([], ["a"]) == (0.0, 0.0)
        assert score_words(["a"], []) == (0.0, 0.0)


class TestSnippets:
    def test_found_and_absent_are_counted(self) -> None:
        text = "The owl sleeps.\n\nIt wakes at night. Home"
        counts = count_snippets(
            text, ["owl sleeps", "It wakes", "mice"], ["Home", "Menu"]
        )
        assert counts == Snippets(found=2, required=3, absent=1, forbidden=2)

    def test_blanks_and_line_ends_say_nothing(self) -> None:
        assert count_snippets("a\n\n b", ["a  b"], ["b\na"]) == (1, 1, 1, 1)

    def test_a_forbidden_snippet_that_is_found_is_a_false_positive(self) -> None:
        # Positives: 6 right and 2 wrong, of 8 required.
        score = Snippets(found=6, required=8, absent=3, forbidden=5).score
        assert score == (6 / 8, 6 / 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("… — !", []),
        ("it's 3.5 under_score", ["it", "s", "3", "5", "under_score"]),
        ("Ünïcode ΣΊΣΥΦΟΣ Ёлка", ["ünïcode", "σίσυφος", "ёлка"]),
        ("2012年1月GDP增长", ["2012", "年", "1", "月", "gdp", "增", "长"]),
        ("ひらカタ 한국 𠀀a𠀁", ["ひ", "ら", "カ", "タ", "한", "국", "𠀀", "a", "𠀁"]),
        ("「你好」，世界。", ["你", "好", "世", "界"]),
    ],
)
def test_words_of_texts_in_any_script(text: str, words: list[str]) -> None:
    assert tokenize(text) == words
