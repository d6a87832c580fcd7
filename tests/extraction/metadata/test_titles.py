"""Titles of forums and sites, without the names around them."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.metadata.titles import site_names
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


@pytest.mark.parametrize(
    "name",
    [
        "Harbour Forum",
        "The Harbour Forums",
        "Harbour Message Board",
        "Forum Harbour",
        "HARBOUR BBS",
        "harbour论坛",
    ],
)
def test_a_forum_that_is_called_as_its_host_is(name: str) -> None:
    assert title(f"Old ropes - {name}") == "Old ropes"
    assert title(f"{name} - Old ropes") == "Old ropes"
    assert title(f"Old ropes - {name}", url=ELSEWHERE) == f"Old ropes - {name}"


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/">Knots and Splices</a>',
        '<a href="/board/">Knots and Splices</a>',
        '<a href="./index.php?sid=0a1b">Knots and Splices</a>',
        '<a href="https://board.harbour.example">Knots and Splices</a>',
        '<a href="index.php#top"><img src="l.png" alt="Knots and Splices"></a>',
        '<a href="/"><h1>Knots and Splices</h1></a>',
    ],
)
def test_a_link_to_the_home_of_the_site_tells_its_name(link: str) -> None:
    assert title("Old ropes - new - Knots and Splices", link) == "Old ropes - new"
    assert title("Knots and Splices :: Old ropes - new", link) == "Old ropes - new"


@pytest.mark.parametrize(
    "link",
    [
        '<a href="viewtopic.php?t=3">Knots and Splices</a>',
        '<a href="index.php?topic=3">Knots and Splices</a>',
        '<a href="https://elsewhere.example/">Knots and Splices</a>',
        '<img src="/" alt="Knots and Splices">',
    ],
)
def test_any_other_link_or_picture_does_not(link: str) -> None:
    text = "Old ropes - Knots and Splices"
    assert title(text, link) == text


def test_a_single_word_of_a_home_link_is_no_name() -> None:
    text = "Home - a novel in three parts"
    assert title(text, '<a href="/">Home</a>') == text


@pytest.mark.parametrize("path", ["", "/", "/index.php"])
def test_the_home_page_keeps_what_it_is_called(path: str) -> None:
    link, url = '<a href="/">Knots and Splices</a>', f"https://rope.example{path}"
    text = "Knots and Splices - for all who tie"
    assert title(text, link, url=url) == text


@pytest.mark.parametrize("url", [None, "", "no url", "http://[", "mailto:a@b.example"])
def test_without_a_url_of_the_page_there_is_no_home(url: str | None) -> None:
    text = "Old ropes - Knots and Splices"
    assert title(text, '<a href="/">Knots and Splices</a>', url=url) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Old ropes | Page 2 | Harbour Forum", "Old ropes"),
        ("Old ropes - Page 2 of 14 - Harbour Forum", "Old ropes"),
        ("Old ropes - Seite 3 - Harbour Forum", "Old ropes"),
        ("Old ropes - strona 3 z 5 - Harbour Forum", "Old ropes"),
        ("Old ropes - Harbour Forum - Powered by Rope 1.2", "Old ropes"),
        ("Old ropes - Powered by Rope 1.2", "Old ropes"),
        ("Page 2 - Harbour Forum", "Page 2"),
        ("Old ropes - Page 2", "Old ropes - Page 2"),
        ("Engines powered by steam", "Engines powered by steam"),
        ("Harbour Forum", "Harbour Forum"),
    ],
)
def test_numbers_of_pages_and_names_of_software_go_with_the_site(
    text: str, left: str
) -> None:
    assert title(text) == left


WORDS = st.lists(st.sampled_from("Moss ferns 2024 is Why? (new)".split()), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=6), st.data())
def test_parts_that_nothing_is_known_of_stay(
    parts: list[list[str]], data: st.DataObject
) -> None:
    text = " ".join(parts[0])
    for part in parts[1:]:
        text += data.draw(st.sampled_from(SEPARATORS)) + " ".join(part)
    body = '<a href="/">Knots and Splices</a><p>Something else.</p>'
    # A title that is cut behind a blank does not end with it.
    assert title(text, body, site="Ship Chandlers") == text[:500].rstrip()


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("Moss | ", "", "Moss"),
        ("| Garden Post", "", "Garden Post"),
        ("Moss in spring - ", "", "Moss in spring"),
        (
            "Life of tomorrow: Seven jobs with a future - Post",
            "<h2>Life of tomorrow</h2><h1>Seven jobs with a future</h1>",
            "Seven jobs with a future",
        ),
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


def test_a_word_cut_by_a_missing_quotation_mark_is_whole() -> None:
    assert (
        declared("Ropes of hemp are back", og_title="Ropes") == "Ropes of hemp are back"
    )
    assert declared("Ropes - Tide", og_title="Ropes") == "Ropes"


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


def test_names_of_a_host_are_of_its_end_and_few() -> None:
    start = process_time()
    names = site_names([], f"http://{'a.' * 30_000}harbour.example/")
    assert "harbour" in names
    assert len(names) < 150
    assert process_time() - start < 1
