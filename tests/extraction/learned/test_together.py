"""What is selected with the blocks that it belongs to."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.learned.learned import Learned
from tests.extraction.helpers import block_texts, document_of, texts_of

TEXT = "<p>" + "text " * 40 + "</p>"
# By the first word; "no" is the least likely.
CHANCE = {"text": 0.95, "likely": 0.9, "maybe": 0.3, "low": 0.15, "no": 0.01}


def chosen(html: str) -> list[str]:
    """The first words of the blocks that are chosen, without the text's."""
    document = document_of(html)
    likely = [CHANCE[text.split()[0]] for text in block_texts(document)]
    found = Learned().judge_scores(document, np.array(likely, np.float32)).main
    return [text for text in texts_of(document, found) if text[:4] != "text"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>likely meanings:</p><ul><li>low a<li>low b</ul>", 3),
        ("<p>likely meanings：</p><dl><dt>low a<dd>low b</dl>", 3),
        ("<p>likely meanings:</p><div><pre>low code</pre></div>", 2),
        # Without a colon; not introduced; too unlikely
        ("<p>likely meanings</p><ul><li>low a<li>low b</ul>", 1),
        ("<p>likely meanings:</p><p>low</p><ul><li>low a<li>low b</ul>", 1),
        ("<p>likely meanings:</p><ul><li>no a<li>no b</ul>", 1),
        # The other way round
        ("<p>low meanings:</p><ul><li>likely a<li>likely b</ul>", 3),
        ("<p>low meanings</p><ul><li>likely a<li>likely b</ul>", 2),
        ("<p>no meanings:</p><ul><li>likely a<li>likely b</ul>", 2),
        ("<p><a href=/>low meanings:</a></p><ul><li>likely a<li>likely b</ul>", 2),
    ],
)
def test_a_list_and_its_introduction(html: str, expected: int) -> None:
    assert len(chosen(TEXT + html)) == expected


@pytest.mark.parametrize(
    ("second", "third", "expected"),
    [
        ("likely", "low", 6),
        ("likely", "no", 4),
        ("low", "low", 2),  # the first has less than two fifths of the words
    ],
)
def test_the_definitions_of_a_list(second: str, third: str, expected: int) -> None:
    pairs = "".join(
        f"<dt>{word} a</dt><dd>{word} b {'c ' * 9}</dd>"
        for word in ("likely", second, third)
    )
    assert len(chosen(f"{TEXT}<dl>{pairs}</dl>")) == expected


@pytest.mark.parametrize(
    ("around", "is_taken"),
    [(TEXT * 8, True), (TEXT, False), ("<p>no</p>" * 400, False)],
)
def test_code_in_the_middle_of_a_text(around: str, is_taken: bool) -> None:
    main = f"<main>{around}<div><pre>low code</pre></div>{around}</main>"
    found = chosen(TEXT + main)
    assert ("low code" in found) is is_taken


def questions(answers: list[str]) -> str:
    """A page of questions, each with an answer that nobody sees before a click."""
    return "".join(
        f"<div><h3>likely question?</h3><div hidden><p>{answer} one two three four"
        "</p></div></div>"
        for answer in answers
    )


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["low", "low", "low"], 6),
        (["low", "low", "low", "no"], 7),
        (["low", "low"], 2),  # too few questions
    ],
)
def test_a_question_and_its_answer(answers: list[str], expected: int) -> None:
    assert len(chosen(TEXT + questions(answers))) == expected


@pytest.mark.parametrize(
    ("price", "is_taken"),
    [
        ("low £12.50", True),
        ("low 1 299,00 €", True),
        ("low 12 USD", True),
        ("low CHF 12.-", True),
        ("low 499 zł", True),
        ("low ￥1200", True),
        ("low 1200円", True),
        ("low 12", False),
        ("low USDA 12", False),
        ("low $ and more", False),
        ("no $12", False),
        ("low $12 for one of these and many more words", False),
    ],
)
def test_a_price_below_what_is_chosen(price: str, is_taken: bool) -> None:
    assert (price in chosen(f"{TEXT}<p>no</p><p>{price}</p>")) is is_taken
    assert price not in chosen(f"{TEXT}{'<p>no</p>' * 3}<p>{price}</p>")


def test_a_price_below_the_first_heading() -> None:
    above = TEXT + "<p>no</p>" * 5
    assert "low £12" in chosen(f"{above}<h1>maybe a name</h1><p>low £12</p>")
    assert "low £12" not in chosen(f"{above}<h2>maybe a name</h2><p>low £12</p>")
    assert "low £12" not in chosen(f"{above}<h1>no name</h1><p>low £12</p>")


@pytest.mark.parametrize(
    ("above", "row", "rows", "expected"),
    [
        ("", "<th>maybe a</th><td>maybe b</td>", 3, 6),
        ("<p>low data</p>", "<th>maybe a</th><td>maybe b</td>", 3, 7),  # its name
        ("<p><a href=/>low data</a></p>", "<th>maybe a</th><td>maybe b</td>", 3, 6),
        # Far from the text; too small; no pairs; unlikely; links
        ("<p>no</p><p>no</p>", "<th>maybe a</th><td>maybe b</td>", 3, 0),
        ("", "<th>maybe a</th><td>maybe b</td>", 2, 0),
        ("", "<td>maybe a</td><td>maybe b</td>", 3, 0),
        ("", "<th>low a</th><td>low b</td>", 3, 0),
        ("", "<th>maybe a</th><td><a href=/>maybe b c d</a></td>", 3, 0),
    ],
)
def test_a_table_of_facts_below_the_text(
    above: str, row: str, rows: int, expected: int
) -> None:
    table = f"<table>{f'<tr>{row}</tr>' * rows}</table>"
    assert len(chosen(TEXT + above + table)) == expected
