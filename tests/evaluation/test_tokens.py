"""Words: what every measure counts."""

from __future__ import annotations

import pytest

from scrapy_mainpage.evaluation.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("… — !", []),
        ("Three BLIND mice", ["three", "blind", "mice"]),
        ("it's 3.5 under_score", ["it", "s", "3", "5", "under_score"]),
        ("Ünïcode ΣΊΣΥΦΟΣ Ёлка", ["ünïcode", "σίσυφος", "ёлка"]),
    ],
)
def test_words_are_runs_of_letters_digits_and_underscores_in_lower_case(
    text: str, words: list[str]
) -> None:
    assert tokenize(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("今天天气", ["今", "天", "天", "气"]),
        ("ひらカタ", ["ひ", "ら", "カ", "タ"]),
        ("한국어", ["한", "국", "어"]),
        ("𠀀a𠀁", ["𠀀", "a", "𠀁"]),
        ("2012年1月GDP增长", ["2012", "年", "1", "月", "gdp", "增", "长"]),
    ],
)
def test_chinese_japanese_and_korean_give_a_word_a_character(
    text: str, words: list[str]
) -> None:
    assert tokenize(text) == words


def test_punctuation_of_east_asia_is_no_word() -> None:
    assert tokenize("「你好」，世界。") == ["你", "好", "世", "界"]
