"""Titles of forums and sites, without the names around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.helpers import metadata_of

TOPIC = "https://board.harbour.example/board/viewtopic.php?f=2&t=17"
ELSEWHERE = "https://tide.example/2021/story"
SEPARATORS = [" | ", " - ", " – ", " — ", " :: ", " • ", " » ", " / ", " @ ", ": "]


def title(
    text: str, body: str = "", *, site: str = "", url: str | None = TOPIC
) -> str | None:
    named = f'<meta property="og:site_name" content="{site}">' if site else ""
    head = f"<title>{text}</title>{named}"
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    return metadata_of(page, url).title


@pytest.mark.parametrize("separator", SEPARATORS)
def test_a_title_keeps_the_separators_of_its_own(separator: str) -> None:
    own = separator.join(["Old ropes", "new knots", "a question: hemp or not?"])
    assert title(f"Ship Chandlers{separator}{own}", site="Ship Chandlers") == own
    assert title(f"{own}{separator}Ship Chandlers", site="Ship Chandlers") == own
    assert title(own, site="Ship Chandlers") == own


@pytest.mark.parametrize(
    "text",
    [
        "Ship Chandlers :: View topic - Old ropes - new knots",
        "Ship Chandlers • View topic - Old ropes - new knots",
        "View topic - Old ropes - new knots",
        "View thread: Old ropes - new knots",
        "Ship Chandlers » Blog Archive » Old ropes - new knots",
        "Ship Chandlers :: Zobacz temat - Old ropes - new knots",
        "Ship Chandlers • Просмотр темы - Old ropes - new knots",
        "Ship Chandlers • Thema anzeigen - Old ropes - new knots",
        "Ship Chandlers • 查看主题 - Old ropes - new knots",
    ],
)
def test_what_comes_before_view_topic_needs_no_name_to_be_known(text: str) -> None:
    assert title(text, url=ELSEWHERE) == "Old ropes - new knots"


@pytest.mark.parametrize(
    "text",
    [
        "View from the topic - a pamphlet",
        "The view: topic - thread - post",
        "Old ropes - View topic",
        "View topic",
    ],
)
def test_words_like_view_topic_in_a_title_stay(text: str) -> None:
    assert title(text, url=ELSEWHERE) == text


# Six parts of six words are short enough to be read whole.
WORDS = st.lists(
    st.sampled_from("Moss ferns 2024 is Why? (new)".split()), min_size=1, max_size=6
)


@given(st.lists(WORDS, min_size=1, max_size=6), st.data())
def test_parts_that_nothing_is_known_of_stay(
    parts: list[list[str]], data: st.DataObject
) -> None:
    text = " ".join(parts[0])
    for part in parts[1:]:
        text += data.draw(st.sampled_from(SEPARATORS)) + " ".join(part)
    body = '<a href="/">Knots and Splices</a><p>Something else.</p>'
    assert title(text, body, site="Ship Chandlers") == text


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("Moss | ", "", "Moss"),
        ("| Garden Post", "", "Garden Post"),
        ("Moss in spring - ", "", "Moss in spring"),
        (
            "Moss was sentenced to grow | Project of Wara",
            "<h3><a href=/moss>Moss was sentenced to grow</a></h3>",
            "Moss was sentenced to grow",
        ),
        ("Moss - Post of gardens", "<h1>Moss</h3><div>a</div><div>b</div>", "Moss"),
    ],
)
def test_titles_with_edges_and_inner_parts(text: str, body: str, expected: str) -> None:
    assert title(text, body, url=ELSEWHERE) == expected


def test_a_title_of_separators_alone_is_none() -> None:
    assert title(" | ") is None


HEADLINE = "<h1>Old ropes are sold by weight</h1><p>At the quay.</p>"


def declared(text: str, body: str = "", og_title: str = "") -> str | None:
    head = f'<meta property="og:title" content="{og_title}">' if og_title else ""
    page = f"<title>{text}</title>{head}{body}"
    return metadata_of(page, ELSEWHERE).title


def test_the_only_heading_of_several_words_is_the_headline() -> None:
    assert (
        declared("Best ropes 2026, tested", HEADLINE) == "Old ropes are sold by weight"
    )
    assert declared("Tide", HEADLINE, "Home") == "Old ropes are sold by weight"


@pytest.mark.parametrize(
    "body",
    ["", "<h1>Ropes</h1>", "<h1>Sold by weight only</h1><h1>Knots of the year</h1>"],
)
def test_without_a_headline_the_declared_title_stays(body: str) -> None:
    assert declared("Best ropes 2026, tested", body) == "Best ropes 2026, tested"


def test_a_headline_with_the_topic_above_is_not_the_title() -> None:
    body = "<h1>Harbour trade: Best ropes 2026, tested</h1>"
    assert declared("Best ropes 2026, tested", body) == "Best ropes 2026, tested"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("&lt;a&gt;", "<a>"),
        ("AT&amp;T &lt;b&gt; guide", "AT&T <b> guide"),
        ("A &lt;b&gt;bold&lt;/b&gt; step", "A bold step"),
    ],
)
def test_titles_about_tags_keep_them(text: str, found: str) -> None:
    assert declared(text) == found


def test_a_name_in_square_brackets_goes() -> None:
    assert title("start [Ship Chandlers]", site="Ship Chandlers") == "start"


@pytest.mark.parametrize("name", ["kicker", "article__overline", "Dachzeile"])
def test_a_kicker_is_not_part_of_the_headline(name: str) -> None:
    body = f"<h1><span class='{name}'>On the quay</span> - <b>Ropes are short</b></h1>"
    assert title("On the quay: Ropes are short", body) == "Ropes are short"
    alone = f"<h1><span class='{name}'>Ropes are short</span></h1>"
    assert title("Ropes are short", alone) == "Ropes are short"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("What the old ropes are made of", "What the old ropes are made of"),
        ("Subscribe to the weekly letter now", "Chandlers explain ropes"),
    ],
)
def test_of_several_headings_the_headline_has_words_of_the_declared_title(
    heading: str, expected: str
) -> None:
    body = f"<h1>{heading}</h1><p>Text.</p><h1>Comments of our many readers</h1>"
    assert title("Chandlers explain ropes", body) == expected


@pytest.mark.parametrize("text", ["「밧줄」ㅣ항구일보", "밧줄「港」:항구일보"])
def test_separators_of_korean_and_japanese_titles(text: str) -> None:
    expected = text.removesuffix("항구일보")[:-1]
    assert title(text, site="항구일보") == expected
