"""What the published systems compute of a block, as signals."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values


def test_danags_share_is_that_of_content_in_three_lines() -> None:
    columns = features_of("<body><p>Hello you</p><div><b>Hi</b></div></body>")
    # Characters of content: 0 0 9 2; of code: <html> 6, <body> 6, <p></p> 7,
    # <div><b></b></div></body></html> 5 + 3 + 4 + 6 + 7 + 7.
    content, code = [0, 9, 11, 11], [12, 19, 45, 39]
    assert values(columns, "danag_share") == [
        pytest.approx(11 / 56, abs=1e-5),
        pytest.approx(11 / 50, abs=1e-5),
    ]
    wide = [
        (sum(content[1:4]), sum(code[1:4])),
        (sum(content[2:4]), sum(code[2:4])),
    ]
    assert values(columns, "danag_wide_share") == [
        pytest.approx(a / (a + b), abs=1e-5) for a, b in wide
    ]


def test_danags_choice() -> None:
    menu = "<ul>" + "<li><a href='/some/long/address'>x</a></li>" * 60 + "</ul>"
    text = f"<p>{'Words that tell a story. ' * 9}</p>" * 3
    columns = features_of(f"<body>{menu}{text}{menu}")
    chosen = values(columns, "danag_chosen")
    # Smoothing gives content to the line before; behind is that of the list itself.
    assert chosen == [0] * 59 + [1] * 4 + [0] * 60


def test_word_density_counts_the_full_lines_of_80_characters() -> None:
    # 15 words of 5 characters and their blanks are 74: a line holds 16 of 4.
    line = "word " * 40
    columns = features_of(f"<p>one two<p>{line}<p>three")
    assert values(columns, "word_density") == [2, 16, 1]
    assert values(columns, "word_density_before") == [0, 2, 16]
    assert values(columns, "word_density_after") == [16, 1, 0]
