"""What is selected with the blocks that it belongs to."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.learned.learned import Learned
from tests.extraction.helpers import block_texts, document_of, texts_of

TEXT = "<p>" + "text " * 40 + "</p>"
# By the first word; "no" is the least likely.
CHANCE = {
    "text": 0.95,
    "likely": 0.9,
    "maybe": 0.3,
    "low": 0.15,
    "rarely": 0.07,
    "no": 0.01,
    "Copy": 0.01,
}


def chosen(html: str) -> list[str]:
    """The first words of the blocks that are chosen, without the text's."""
    document = document_of(html)
    likely = [CHANCE[text.split()[0]] for text in block_texts(document)]
    found = Learned().judge_scores(document, np.array(likely, np.float32)).main
    return [text for text in texts_of(document, found) if text[:4] != "text"]


MORE = TEXT * 3
ITEMS = "<ul><li>maybe a<li>maybe b</ul>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{MORE}<div>{ITEMS}</div>", 2),
        (f"{MORE}<figure><figcaption>rarely a caption</figcaption></figure>", 1),
        (f"{MORE}<figure><figcaption>no caption</figcaption></figure>", 0),
        (f"{MORE}<div><button>no</button><pre>low code</pre></div>", 1),
        (f"{MORE}<div><button>low for a question</button><div>low</div></div>", 2),
        (f"{MORE}<p>likely meanings:</p><ul><li>low a<li>low b</ul>", 3),
        (f"{MORE}<table><tr><td>no<ul><li>maybe a<li>maybe b</ul></table>", 2),
        (f"<ul>{'<li><a href=/>low a</a>' * 90}</ul>{TEXT}", 90),
        (f"{MORE}<table>{'<tr><th>maybe a</th><td>maybe b</td></tr>' * 3}</table>", 6),
        (f"{MORE}<table>{'<tr><th>low a</th><td>low b</td></tr>' * 3}</table>", 6),
        # Unlikely; links; hidden; another text around
        (f"{MORE}<ul><li>low a<li>low b</ul>", 0),
        (f"{MORE}<ul><li><a href=/>maybe a</a></ul>", 0),
        (f"{MORE}<ul hidden><li>maybe a</ul>", 0),
        (f"{MORE}<div>{'<p>no</p>' * 80}{ITEMS}</div>", 0),
    ],
)
def test_a_unit_is_taken_with_its_frame(html: str, expected: int) -> None:
    assert len(chosen(html)) == expected


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
