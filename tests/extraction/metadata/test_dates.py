"""Dates of a page: how they are written, and where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.helpers import metadata_of
from tests.extraction.metadata.helpers import meta, og, read


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("2020", "2020"),
        ("2020-03", "2020-03"),
        ("2020/3", "2020-03"),
        ("2020-03-04", "2020-03-04"),
        ("20200304", "2020-03-04"),
        ("2020-03-04T10:00Z", "2020-03-04T10:00+00:00"),
        ("2020-03-04 10:00:05", "2020-03-04T10:00:05"),
        ("2020-03-04T10:00:05.250-0530", "2020-03-04T10:00:05.250000-05:30"),
        ("2020-03-04CET10:00:00+0100", "2020-03-04T10:00:00+01:00"),
        ("20200304T1000+0400Z", "2020-03-04T10:00+04:00"),
        ("1583316000", "2020-03-04T10:00:00+00:00"),
        ("1583316000123", "2020-03-04T10:00:00+00:00"),
        ("Wed, 04 Mar 2020 10:00:00 GMT", "2020-03-04T10:00:00+00:00"),
        ("Wed Mar 04 2020 10:00:00 GMT+0100 (CET)", "2020-03-04T10:00:00+01:00"),
        ("March 4, 2020", "2020-03-04"),
        ("March 2020", "2020-03"),
        ("Updated: 4 March 2020, 22:15", "2020-03-04T22:15"),
        ("Mar 4, 2020 10:15 PM PST", "2020-03-04T22:15-08:00"),
        ("March 4, 2020: 3:42", "2020-03-04T03:42"),
        ("Published:4 March 2020", "2020-03-04"),
        ("posted 16:07 March 2020", None),
        ("4. März 2020", "2020-03-04"),
        ("4 de marzo de 2020", "2020-03-04"),
        ("4 марта 2020", "2020-03-04"),
        ("4 березня 2020 р.", "2020-03-04"),
        ("4. maaliskuuta 2020", "2020-03-04"),
        ("4 Mart 2020, 10:15", "2020-03-04T10:15"),
        ("٤ مارس ٢٠٢٠", "2020-03-04"),
        ("5 March 2101", None),
        ("2020年3月4日 10:00", "2020-03-04T10:00"),
        ("२०२०-०३-०४", "2020-03-04"),
        ("04.03.2020", "2020-03-04"),
        ("25/03/2020", "2020-03-25"),
        ("04.03.20, 10.15 Uhr", "2020-03-04T10:15"),
        ("04 | 03 | 2020", None),
        ("25 | 03 | 2020", "2020-03-25"),
        ("04-Mar-2020", "2020-03-04"),
        ("Mar 04 09:34 2020", "2020-03-04T09:34"),
        ("2020-03-0414 min read", "2020-03-04"),
        ("March 3–4, 2020", "2020-03-04"),
        ("Pro 2 (2023)", None),
        ("Gen 4, 1900 mAh", None),
        ("03/25/2020", "2020-03-25"),
        ("03/04/2020", None),
        ("04/03/20", None),
        ("1970-01-01", None),
        ("2999-01-01", None),
        ("2020-02-30", None),
        ("0000-00-00", None),
        ("10:00", None),
        ("Mar 4", None),
        ("soon", None),
        ("9" * 50, None),
    ],
)
def test_date_of_a_meta_element(written: str, published: str | None) -> None:
    assert read(meta(date=written)).date_published == published


@pytest.mark.parametrize(
    ("language", "published"),
    [
        ("en", None),
        ("en-US", "2020-03-04"),
        ("en-GB", "2020-04-03"),
        ("fr", "2020-04-03"),
    ],
)
def test_the_language_settles_day_and_month(
    language: str, published: str | None
) -> None:
    html = f'<html lang="{language}"><meta name="date" content="03/04/2020"><p>x'
    assert metadata_of(html).date_published == published


def test_the_first_date_that_can_be_read_counts() -> None:
    head = og("article:published_time", "yesterday") + meta(date="2020-03-04")
    assert read(head).date_published == "2020-03-04"


def test_dates_of_time_elements_by_their_class() -> None:
    body = """<p><time class="entry-date published" datetime="2020-03-04">4</time>
      <time class="updated" datetime="2020-03-05">5</time></p>"""
    page = read("", body)
    assert (page.date_published, page.date_modified) == ("2020-03-04", "2020-03-05")


def test_the_only_time_on_the_page_counts_as_the_words_before_it_say() -> None:
    time = '<time datetime="2020-03-04">4 March</time>'
    assert read("", f"<p>{time}</p>").date_published == "2020-03-04"
    page = read("", f"<p>Last updated: {time}</p>")
    assert page.date_modified == "2020-03-04"
    assert page.probabilities["date_published"] < page.probabilities["date_modified"]


def test_a_whole_date_in_the_page_address_is_the_last_resort() -> None:
    url = "https://gardenpost.example/2020/03/04/moss"
    page = read(url=url)
    assert page.date_published == "2020-03-04"
    assert page.sources == {"date_published": "url"}
    assert read(meta(date="2020-03-05"), url=url).date_published == "2020-03-05"


def test_an_abbreviation_of_a_microformat_is_a_date() -> None:
    date = '<abbr class="published" title="2026-10-30T10:00:00+00:00">Friday</abbr>'
    assert read("", f"<p>{date}</p>").date_published == "2026-10-30T10:00:00+00:00"
    glossary = '<p><abbr title="2020 Engineering Co">TEC</abbr></p>'
    assert read("", glossary).date_published is None


DATED = '<p class="date">30 October 2020</p>'


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Moss</h1>" + DATED,
        DATED + "<h1>Moss</h1>",
        "<h1>Moss</h1>" + "<p>Moss grows.</p>" * 5 + DATED,
    ],
)
def test_a_date_in_words_is_read_where_its_class_says_so(body: str) -> None:
    assert read("", body).date_published == "2020-10-30"


@pytest.mark.parametrize(
    "body",
    [
        DATED,
        f"<h1>Posts</h1>{DATED}<p>Moss</p><p class=date>29 October 2020</p>",
        "<h1>Moss</h1><p>It was found on the coast of Maine, and on 30 October 2020 in "
        "gardens of the town, by those who look after them.</p>",
        "<h1>Posts</h1><p>30 October 2020</p><h2>Moss</h2><p>29 October 2020</p>",
    ],
)
def test_other_dates_in_words_are_not_the_pages(body: str) -> None:
    assert read("", body).date_published is None


@pytest.mark.parametrize(
    "line",
    [
        "<p>30 October 2020</p>",
        "<p>Posted on October 30, 2020 by Ann Mill</p>",
        "<p>Friday, 30 October 2020 | 5 comments</p>",
        "<p>2020年10月30日 10:05 来源：新华网</p>",
        "<p>Ann Mill</p><p>30.10.2020</p>",
        "<p><time>October 30, 2020</time></p>",
        "<div class=PublishDate>30 October 2020</div>",
        "<p class=meta><span>By Ann</span> <b class=post_date>30 October 2020</b></p>",
        "<p>30 October 2020</p><p>Updated: 2 November 2020</p>",
        "<p>30 October 2020, last updated on 2 November 2020</p>",
    ],
)
def test_a_date_in_a_line_below_the_title(line: str) -> None:
    page = read("", f"<header><h1>Log</h1></header><h1>Moss</h1>{line}<p>It grows.")
    assert (page.date_published or "")[:10] == "2020-10-30"
    updated = "2020-11-02" if "pdated" in line else None
    assert page.date_modified == updated


@pytest.mark.parametrize(
    "line", ["Updated: 30 October 2020", "Last modified on October 30, 2020"]
)
def test_a_change_in_a_line_below_the_title(line: str) -> None:
    page = read("", f"<h1>Moss</h1><p>{line}</p>")
    assert (page.date_published, page.date_modified) == ("2020-10-30", "2020-10-30")
    page = read("", f"<h1>Moss</h1><p>Updated:</p>{DATED}")
    assert (page.date_published, page.date_modified) == ("2020-10-30", "2020-10-30")


TIME = '<time datetime="2020-10-30T10:00">Friday</time>'
OTHER = '<time datetime="2019-01-02">before</time>'


def test_of_several_times_the_one_at_the_title_counts() -> None:
    text = "<p>Moss grows.</p>" * 5
    page = read("", f"<h1>Moss</h1><p>Published {TIME}</p>{text}<p>{OTHER}</p>")
    assert page.date_published == "2020-10-30T10:00"
    page = read("", f"<h1>Moss</h1><p>{TIME}</p><p>{OTHER}</p>")
    assert page.date_published is None


@pytest.mark.parametrize("frame", ["header", "nav", "footer", "aside"])
def test_clocks_of_the_site_are_no_dates_of_the_page(frame: str) -> None:
    page = read("", f"<{frame}>{OTHER}</{frame}><h1>Moss</h1><p>Moss grows.</p>")
    assert page.date_published is None
    page = read("", f"<article><{frame}>{OTHER}</{frame}><h1>Moss</h1></article>")
    assert page.date_published == "2019-01-02"


def test_only_the_first_dates_are_tried() -> None:
    head = og("article:published_time", "99 jan 2020 mar " * 6) * 5000
    assert read(head + meta(date="2020-03-04")).date_published is None


@given(text=st.text(alphabet="0123456789 -/.:+TZ,年月日aprmdecgutcAM()", max_size=30))
def test_no_date_text_raises(text: str) -> None:
    published = read(meta(date=text)).date_published
    assert published is None or published[:4].isdigit()
