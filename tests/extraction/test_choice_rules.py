"""Rules on the chosen blocks: ledes, copies, frame lines, titles."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction._choice_rules import mend_choice
from tests.extraction.helpers import block_texts, document_of

LEDE = "The quay floods twice a month, and the town has no plan for it."
BODY = (
    "On Tuesday the water stood knee-deep in the fish hall, for the third time.",
    "The council meets in May. Until then pumps have to do, and sandbags at the doors.",
)
COPY = "We repair nets and sails of every size, while you wait, on any day but Sunday."


def mended(
    html: str,
    *left: str,
    score: float = 0.5,
    title: str | None = None,
    descriptions: tuple[str, ...] = (),
) -> list[str]:
    """The texts of the main blocks, if all but those *left* were chosen before."""
    document = document_of(html)
    texts = block_texts(document)
    main = np.array([text not in left for text in texts], bool)
    scores = np.full(len(texts), score, np.float32)
    place = -1 if title is None else texts.index(title)
    after = mend_choice(document, main, scores, place, lambda: descriptions)
    return [texts[i] for i in after.nonzero()[0]]


def news(above: str) -> str:
    return above + "".join(f"<p>{text}</p>" for text in BODY)


@pytest.mark.parametrize(
    "description", [LEDE, LEDE.upper(), f"{LEDE} More in the paper."]
)
def test_a_lede_that_is_the_description_is_main(description: str) -> None:
    html = news(f"<p>{LEDE}</p><p>By Jo Quay</p>")
    found = mended(html, LEDE, "By Jo Quay", descriptions=("Other", description))
    assert found == [LEDE, *BODY]


@pytest.mark.parametrize(
    ("description", "score"),
    [("All about the harbour, its ships and its people.", 0.5), (LEDE, 0.01)],
)
def test_other_lines_above_the_text_stay_out(description: str, score: float) -> None:
    html = news(f"<p>{LEDE}</p>")
    assert mended(html, LEDE, score=score, descriptions=(description,)) == [*BODY]


def test_a_lede_that_the_text_begins_with_is_not_doubled() -> None:
    html = news(f"<p>{LEDE}</p><p>BRACKWATER - {LEDE} So says the mayor.</p>")
    assert LEDE not in mended(html, LEDE, descriptions=(LEDE,))


def test_a_description_below_the_text_is_no_lede() -> None:
    html = news("") + f"<p>{LEDE}</p>"
    assert mended(html, LEDE, descriptions=(LEDE,)) == [*BODY]


@pytest.mark.parametrize(
    ("header", "is_lede"),
    [
        ("<header><h1>High water</h1><p hidden>Close</p><h2>{}</h2></header>", True),
        ("<header><h1>High water</h1><p>{}</p><p>By Jo Quay</p></header>", True),
        ("<h1>High water</h1><p>{}</p>", False),
        ("<header><h1>High water</h1><p>Harbour</p><p>{}</p></header>", False),
        ("<header><h1>High water</h1><p><a href=/m>{}</a></p></header>", False),
        ("<header><h1>High water</h1><p>{} Jo, May 12 2025</p></header>", False),
    ],
)
def test_a_sentence_below_the_title_is_a_lede(header: str, is_lede: bool) -> None:
    dated = f"{LEDE} Jo, May 12 2025"
    left = ("Close", LEDE, dated, "By Jo Quay", "Harbour")
    found = mended(news(header.format(LEDE)), *left, title="High water")
    assert found == ["High water", *[LEDE] * is_lede, *BODY]


@pytest.mark.parametrize("hidden", ["", " id=a hidden"])
def test_of_equal_sections_one_stays_whole(hidden: str) -> None:
    slide = "<div{}><h3>Nets</h3><p>" + COPY + "</p></div>"
    html = "<main>" + slide.format(hidden) + slide.format("") + "</main>"
    assert mended(html) == ["Nets", COPY]
    document = document_of(html)
    main = np.array([True, False, False, True])
    after = mend_choice(document, main, np.ones(4, np.float32), -1)
    assert after.tolist() == [bool(not hidden)] * 2 + [bool(hidden)] * 2


def test_equal_rows_items_paragraphs_and_examples_stay() -> None:
    html = f"<table><tr><td>{COPY}<tr><td>{COPY}</table><ul><li>{COPY}<li>{COPY}</ul>"
    html += f"<p>{COPY}</p><p>{COPY}</p><div><pre>{COPY}</pre></div>" * 2
    assert mended(html).count(COPY) == 4 + 2 * 3


def test_short_and_different_sections_stay() -> None:
    html = "<div>Nets</div><div>Nets</div>"
    html += f"<div>{COPY} Ask Jo.</div><div>{COPY} Ask Al.</div>"
    assert len(mended(html)) == 4


@pytest.mark.parametrize(
    "line",
    [
        "<p>Advertisement</p>",
        "<p>Anzeige</p>",
        "<div class=path-breadcrumbs><a href=/>Harbour</a> / <b>News</b></div>",
        "<p>Skip to content</p>",
        "<table><tr><td>View in browser</table>",
        "<p>You asked for this letter. <a href=/u>Unsubscribe</a></p>",
    ],
)
def test_small_parts_of_the_frame_are_left_out(line: str) -> None:
    assert mended(line + news("")) == [*BODY]


@pytest.mark.parametrize(
    "line",
    [
        "<h2>Advertisement</h2>",
        "<pre>Show more</pre>",
        "<table><tr><td>Show more<td>b</table>",
        "<p>How you may unsubscribe</p>",
        "<p>We advertise here</p>",
    ],
)
def test_lines_that_may_be_text_stay(line: str) -> None:
    assert len(mended(line + news(""))) > len(BODY)


def test_a_page_keeps_its_only_text() -> None:
    assert mended("<p>Advertisement</p>") == ["Advertisement"]


def test_the_title_stands_once_above_the_text() -> None:
    head = "<p>High water</p><h1>High  water!</h1><h2>High water</h2>"
    html = head + news("") + "<h2>High water</h2>"
    found = mended(html, title="High water!")
    assert found == ["High water!", *BODY, "High water"]


def test_a_list_of_contents_keeps_the_title() -> None:
    html = "<ul><li>High water</ul><h1>High water!</h1>" + news("")
    assert mended(html, title="High water!")[0] == "High water"


def test_default_extraction_follows_the_rules() -> None:
    head = f"<title>High water</title><meta name=description content='{LEDE}'>"
    text = "".join(f"<p>{text}</p>" for text in BODY * 3)
    html = f"{head}<article><h1>High water</h1><p class=byline>{LEDE}</p>{text}"
    assert LEDE in extract(html + "</article>").text
