"""The title in the text: one rule for all pages and outputs."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.title_rule import TitleFinder
from tests.extraction.helpers import block_texts, document_of

URL = "https://harbour.example/p/"
FRAME = (
    "<title>{title}</title><header><a href='/'>Low tide</a></header>"
    "<article>{body}</article><footer><p>Built with Eleventy</p></footer>"
)
HEADING = "<h1>Read a level</h1>"
BODY = "<p>Plug the gauge in, and start the program.</p><p>It prints a level.</p>"


def chosen(html: str, main: list[str], rule: str = "auto") -> list[str]:
    """The texts of the main blocks after the rule, with *main* chosen before."""
    document = document_of(html)
    texts = block_texts(document)
    mask = np.array([text in main for text in texts], bool)
    after = TitleFinder(document).apply(mask, rule)
    return [texts[i] for i in after.nonzero()[0]]


def page(title: str, body: str) -> str:
    return FRAME.format(title=title, body=body)


@pytest.mark.parametrize("title", ["Read a level - Low tide", "Low tide", ""])
@pytest.mark.parametrize("before", [[], ["Read a level"]])
def test_own_heading_is_in_the_text_whatever_was_chosen(
    title: str, before: list[str]
) -> None:
    html = page(title, HEADING + BODY)
    main = [*before, "It prints a level."]
    assert chosen(html, main) == ["Read a level", "It prints a level."]
    assert chosen(html, main, "never") == ["It prints a level."]


@pytest.mark.parametrize(
    "banner",
    [
        "<h1><a href='/'>Low tide</a></h1>",
        "<h1><a href='../index.html'>Low tide</a></h1>",
        "<header><h1>Low tide</h1></header>",
    ],
)
def test_name_of_the_site_is_no_title(banner: str) -> None:
    html = f"<title>Levels - Low tide</title>{banner}<main><p>one</p><p>two</p></main>"
    assert chosen(html, ["one", "two"]) == ["one", "two"]


def test_of_two_headings_the_one_that_the_title_begins_with_counts() -> None:
    html = (
        "<title>Comments - The Book</title><div><h1>The Book</h1></div>"
        "<main><h2>Comments</h2><p>text</p></main>"
    )
    assert chosen(html, ["text"]) == ["Comments", "text"]


@pytest.mark.parametrize(
    "title",
    [
        "Tides: how to read a level - Low tide",
        "Low tide | Tides: how to read a level",
        "Low tide | Gauges | Tides: how to read a level",
        "Low tide: Tides: how to read a level",
    ],
)
def test_separator_inside_of_the_title_does_not_cut_it(title: str) -> None:
    html = page(
        title, "<h2>Gauges</h2><h1>Tides: how to read a level</h1>" + BODY
    ).replace("<a href='/'>Low tide</a>", "<h1>Low tide</h1>")
    main = ["Plug the gauge in, and start the program.", "It prints a level."]
    assert chosen(html, main) == ["Tides: how to read a level", *main]


def test_name_of_the_site_in_the_text_gives_way_to_the_title_below() -> None:
    html = "<title>Levels of the week - Low tide</title><div><h1>Low tide</h1></div>"
    html += "<h2>Levels of the week</h2><p>one</p>"
    main = ["Low tide", "one"]
    assert chosen(html, main) == ["Low tide", "Levels of the week", "one"]


def test_underscore_beside_chinese_cuts_the_title() -> None:
    html = page("农民怎样磨燕麦_新闻", "<h1>新闻</h1><h2>农民怎样磨燕麦</h2>" + BODY)
    assert chosen(html, ["It prints a level."]) == [
        "农民怎样磨燕麦",
        "It prints a level.",
    ]


@pytest.mark.parametrize("href", ["", ".", "./"])
def test_heading_that_links_to_its_own_page_is_its_title(href: str) -> None:
    heading = f"<header><h1><a href='{href}'>Read a level</a></h1></header>"
    html = page("Read a level | Low tide", heading + BODY)
    assert chosen(html, ["It prints a level."])[0] == "Read a level"


def test_page_without_main_content_stays_empty() -> None:
    assert chosen(page("Read a level", HEADING), []) == []


@pytest.mark.parametrize("body", [HEADING + BODY, BODY])
def test_always_writes_the_title_first_in_all_outputs(body: str) -> None:
    html = page("Read a level - Low tide", body)
    made = extract(html, url=URL, algorithm="semantic-markup", title_in_text="always")
    assert made.text.startswith("Read a level\n\nPlug")
    assert made.markdown.startswith("# Read a level\n\nPlug")
    assert made.html.startswith("<h1>Read a level</h1>\n<p>Plug")
    assert [(part.heading, part.level) for part in made.sections] == [
        ("Read a level", 1)
    ]


def test_title_without_a_heading_is_not_in_the_text() -> None:
    html = page("Read a level - Low tide", BODY)
    made = extract(html, url=URL, algorithm="semantic-markup")
    assert made.text.startswith("Plug")
    assert made.title == "Read a level"


BYLINES = "<p>Jo</p><p>May</p><p>Print</p><p>Share</p>"


def test_the_only_heading_counts_above_the_lines_between_it_and_the_text() -> None:
    html = f"<title>Low tide</title>{HEADING}{BYLINES}{BODY}"
    assert chosen(html, ["It prints a level."])[0] == "Read a level"


def test_title_in_a_plain_block_above_the_text_counts_unless_it_is_a_link() -> None:
    title = "<div class='head'>Read a level</div>" + BYLINES
    html = page("Read a level", f"<a href=/l>Read a level</a>{BYLINES}{BODY}")
    assert chosen(html, ["It prints a level."])[0] != "Read a level"
    html = page("Low tide: Read a level", title + BODY)
    assert chosen(html, ["It prints a level."])[0] != "Read a level"
    html = page("Read a level | Low tide", title + BODY)
    texts = [chosen(html, ["It prints a level."], rule) for rule in ("auto", "never")]
    assert texts == [["Read a level", "It prints a level."], ["It prints a level."]]


@pytest.mark.parametrize(("names", "found"), [("title", True), ("name", False)])
def test_later_part_of_the_title_in_a_plain_block_needs_a_name(
    names: str, found: bool
) -> None:
    block = f"<div class='head'><div class='{names}'>Read a level</div></div>"
    html = page("Low tide: Read a level", block + BODY)
    assert ("Read a level" in chosen(html, ["It prints a level."])) == found


def test_unknown_rule_is_an_error() -> None:
    with pytest.raises(ValueError, match="title_in_text='sometimes'; allowed: auto"):
        extract("<p>a", title_in_text="sometimes")
