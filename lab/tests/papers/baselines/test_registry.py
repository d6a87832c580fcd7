"""The baselines as algorithms: options, hidden text, strange pages, order."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.systems import BASELINES
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    AlgorithmError,
    get_algorithm,
)
from tests.extraction.helpers import document_of

MAX_REACH = {"cetr": 4, "dsc": 3, "tccb": 6}
"""Texts beside an article that a baseline may take along."""

STRANGE = {
    "empty": "",
    "no text": "<body><img src=a><br></body>",
    "one word": "<p>word</p>",
    "one link": "<p><a href=/>word</a></p>",
    "text beside elements": "a<p>b</p>c",
    "frames": "<frameset><frame src=a></frameset>",
    "unknown tags": "<x-a>one <y-b>two</y-b></x-a>",
    "no letters": "<p>--- ***</p>",
    "deep": "<div>" * 200 + "text" + "</div>" * 200,
}


def make(name: str) -> Algorithm:
    return get_algorithm(BASELINES[name])


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("html", STRANGE.values(), ids=STRANGE)
def test_strange_pages_have_a_score_per_block(name: str, html: str) -> None:
    document = document_of(html or "<html></html>")
    scores = make(name).score(document)
    assert scores.shape == (document.n_blocks,)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert (scores <= 1).all()


@pytest.mark.parametrize("name", BASELINES)
def test_hidden_text_is_never_main_content(name: str) -> None:
    text = "Many words of a long paragraph without any link in it. " * 9
    page = f"<p>{text}</p><p style='display:none'>{text}</p><p>{text}</p>"
    scores = make(name).score(document_of(page))
    assert scores[1] == 0


@pytest.mark.parametrize("name", [n for n in BASELINES if n != "fe"])
def test_an_article_is_found_among_menus(name: str) -> None:
    menu = "".join(f'<li><a href="/s/{i}">Menu {i}</a></li>' for i in range(30))
    text = "Many words of a long paragraph without any link in it. " * 9
    article = "".join(f"<p>{i} {text}</p>" for i in range(6))
    html = f"<body><ul>{menu}</ul><div>{article}</div><ul>{menu}</ul></body>"
    document = document_of(html)
    algorithm = make(name)
    chosen = algorithm.select(document, algorithm.score(document))
    # Blurring, smoothing and windows reach a little beyond the article.
    assert chosen[30:36].all()
    assert chosen.sum() <= 6 + MAX_REACH.get(name, 0)


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("boilerpipe-numwords", "segmentation", "lines"),
        ("ccb", "r", 0),
        ("ccb", "t", 1.5),
        ("accb", "steady", -1),
        ("tccb", "rounds", 1.5),
        ("cetd", "variant", "cetd"),
        ("cetr", "method", "3d"),
        ("cetr", "radius", 0),
        ("cetr", "alpha", True),
        ("cetr", "coefficient", None),
        ("dsc", "window", 1),
        ("dsc", "share", "half"),
        ("k-fe", "k", 0),
        ("lqf", "quota", 2),
        ("wlr", "best", 0),
    ],
)
def test_a_bad_value_is_refused(name: str, option: str, value: object) -> None:
    with pytest.raises(AlgorithmError, match=f"{option} must be "):
        get_algorithm(BASELINES[name], {option: value})
