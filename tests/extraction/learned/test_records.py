"""Blocks of one template, and records, are drawn to what the others of them are."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.learned.features import settle_odds
from tests.extraction.helpers import block_texts, document_of

LONG = " ".join(["word"] * 30)


def settled(html: str, odds: dict[str, float], other: float = 2.0) -> dict[str, float]:
    """The log odds after settling, by text; those before are *odds*, or *other*."""
    document = document_of(html)
    texts = block_texts(document)
    before = np.array([odds.get(text, other) for text in texts])
    after = settle_odds(document, before)
    return dict(zip(texts, after.tolist(), strict=True))


def posts(*texts: str) -> str:
    return "".join(f"<div class=post><p>{text}</p></div>" for text in texts)


def test_a_post_follows_the_others_of_the_thread() -> None:
    odds = {f"unlike {k}": -1.0 for k in range(1)}
    found = settled(posts(f"a {LONG}", f"b {LONG}", f"c {LONG}", "unlike 0"), odds)
    assert found["unlike 0"] > 1
    assert found[f"a {LONG}"] == 2


def test_paragraphs_of_one_text_are_judged_one_by_one() -> None:
    html = f"<div><p>a {LONG}</p><p>b {LONG}</p><p>c {LONG}</p><p>unlike</p></div>"
    assert settled(html, {"unlike": -1.0})["unlike"] == -1


@pytest.mark.parametrize(
    ("inside", "rises"),
    [
        ("<em>new kind</em><ul><li>only here 0</ul>", True),
        ("<a href=/>only here 0</a>", False),  # links may lead to other pages
    ],
)
def test_what_one_post_alone_has_is_part_of_it(inside: str, rises: bool) -> None:
    html = posts(f"a {LONG}", f"b {LONG}") + (
        f"<div class=post><p>c {LONG}</p><div>{inside}</div></div>"
    )
    found = settled(html, {"only here 0": -1.0, "new kind": -1.0})
    assert (found["only here 0"] > -1) is rises


def test_what_every_post_says_is_no_part_of_them() -> None:
    post = "<div class=post><p>{} {}</p><div>Report</div></div>"
    html = "".join(post.format(k, LONG) for k in "abc")
    assert settled(html, {"Report": -1.0})["Report"] == -1
    html = html.replace("Report", "{} €").replace("{}", "1", 1).replace("{}", "2")
    assert settled(html, {"1 €": -1.0, "2 €": -1.0})["1 €"] > -1


def test_records_that_are_boilerplate_stay_so() -> None:
    html = posts(f"a {LONG}", f"b {LONG}", f"c {LONG}")
    assert set(settled(html, {}, other=-2.0).values()) == {-2}
    assert settled(html, {f"a {LONG}": -6.0})[f"a {LONG}"] == -6
