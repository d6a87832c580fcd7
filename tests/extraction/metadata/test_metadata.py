"""Metadata of a page, read from its flat document."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.metadata.reader import read_metadata, read_title
from scrapy_mainpage.page import Metadata
from tests.extraction.helpers import document_of

ARTICLE = '{"@type": "Article", "headline": "Moss", "x": 1}'
URL = "https://www.gardenpost.example/2021/moss"


def read(head: str = "", body: str = "", url: str | None = URL) -> Metadata:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return read_metadata(document_of(html), url)


def script(data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="application/ld+json">{text}</script>'


def meta(**values: str) -> str:
    return "".join(
        f'<meta name="{name}" content="{text}">' for name, text in values.items()
    )


def og(name: str, text: str) -> str:
    return f'<meta property="{name}" content="{text}">'


def test_a_page_that_says_nothing_has_empty_metadata() -> None:
    assert read(url=None) == Metadata()


def test_all_fields_of_an_article() -> None:
    article = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": "Moss is back",
        "author": [{"@type": "Person", "name": "Ida Berg"}, {"name": "Tom Ray"}],
        "datePublished": "2021-05-06T07:08:09+02:00",
        "dateModified": "2021-05-07",
        "description": "Why gardens grow moss again.",
        "image": {"@type": "ImageObject", "url": "/moss.jpg"},
        "publisher": {"@type": "Organization", "name": "Garden Post"},
        "inLanguage": "en-GB",
    }
    assert read('<link rel="canonical" href="/moss">' + script(article)) == Metadata(
        title="Moss is back",
        language="en-gb",
        canonical_url="https://www.gardenpost.example/moss",
        author="Ida Berg; Tom Ray",
        date_published="2021-05-06T07:08:09+02:00",
        date_modified="2021-05-07",
        description="Why gardens grow moss again.",
        image="https://www.gardenpost.example/moss.jpg",
        site_name="Garden Post",
    )


# Titles


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Moss is back</title>", "", "Moss is back"),
        ("<title> Moss\n is   back </title>", "", "Moss is back"),
        ("<title>Moss | Ferns</title>", "", "Moss | Ferns"),
        ("<title>Moss | The Gardenpost</title>", "", "Moss"),
        ("<title>gardenpost.example: Moss</title>", "", "Moss"),
        (
            "<title>Moss is back - Weekly</title>",
            "<h1>Moss is back</h1>",
            "Moss is back",
        ),
        ("<title>苔藓回来了_园艺网</title>", "<h1>苔藓回来了</h1>", "苔藓回来了"),
        ("<title>Moss - News</title>", "<h1>News</h1>", "Moss - News"),
        ("", "<h1>Moss <b>is</b> back</h1>", "Moss is back"),
        ("<title>Gardenpost</title>", "<h1>Moss is back</h1>", "Moss is back"),
        ("<title>Gardenpost</title>", "", "Gardenpost"),
    ],
)
def test_title_element(head: str, body: str, title: str) -> None:
    assert read(head, body).title == title


SITE = og("og:site_name", "Leaf &amp; Root")
NODE = script({"@type": "WebPage", "publisher": {"name": "Leaf & Root"}, "url": URL})
HERALD = "Moss - The Weekly Herald of Gardens"


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        (f"{SITE}<title>Moss – Leaf & Root</title>", "", "Moss"),
        (f"{SITE}<title>Moss – The Leaf & Root</title>", "", "Moss"),
        (f"{NODE}<title>Moss | Leaf & Root</title>", "", "Moss"),
        (f"{SITE}{og('og:title', 'Leaf & Root')}<title>Moss</title>", "", "Moss"),
        (f"{og('og:title', 'Wow')}<title>Moss</title>", "<h1>MOSS</h1>", "Moss"),
        (
            "<title>Moss is back again | Local | Weekly</title>",
            "<p>x</p><h2>Moss is back again</h2><p>x</p>",
            "Moss is back again",
        ),
        (
            f"<title>{HERALD}</title>",
            "<a href=/x>The Weekly Herald of Gardens</a>",
            HERALD,
        ),
        (f"{og('og:title', 'Moss is …')}<title>Moss is up</title>", "", "Moss is up"),
        (og("og:title", "Fern &amp;amp; moss&amp;#8217;s"), "", "Fern & moss’s"),
        ("", "<svg><title>Icon</title></svg><h1>Moss</h1>", "Moss"),
    ],
    ids="named article publisher site heading block logo cut escaped drawing".split(),
)
def test_the_title_is_the_page_s_own(head: str, body: str, title: str) -> None:
    assert read(head, body).title == title


# Languages


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("en-US", "en-us"),
        ("de_DE", "de-de"),
        (" zh-Hant-TW ", "zh-hant-tw"),
        ("es-419", "es-419"),
        ("pt_BR.UTF-8", "pt-br"),
        ("jp", "ja"),
        ("deu", "de"),
        ("{{lang}}", None),
        ("utf-8", None),
        ("und", None),
        ("English please", None),
        ("", None),
    ],
)
def test_language_of_the_root_element(written: str, language: str | None) -> None:
    html = f'<html lang="{written}"><body><p>x'
    assert read_metadata(document_of(html), None).language == language


def test_language_of_meta_and_open_graph() -> None:
    header = '<meta http-equiv="Content-Language" content="fr, en">'
    assert read(header).language == "fr"
    assert read(og("og:locale", "fr_CA")).language == "fr-ca"


def test_english_of_a_template_yields_to_another_declaration() -> None:
    html = '<html lang="en"><meta property="og:locale" content="el_GR"><p>x'
    assert read_metadata(document_of(html), None).language == "el-gr"


def test_english_of_the_root_keeps_its_region_beside_english() -> None:
    html = '<html lang="en-GB"><meta property="og:locale" content="en_US"><p>x'
    assert read_metadata(document_of(html), None).language == "en-gb"


# URLs


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        ('<link rel="canonical" href="https://a.example/x">', "https://a.example/x"),
        ('<base href="/b/"><link rel=canonical href=x>', "https://www.gardenpost.example/b/x"),
        ('<link rel="alternate canonical" href="//a.example/x">', "https://a.example/x"),
        (og("og:url", "https://a.example/y"), "https://a.example/y"),
        ('<link rel="canonical" href="javascript:x">', None),
        ('<link rel="canonical" href="ftp://a.example/x">', None),
        ('<link rel="canonical" href="https://localhost/x">', None),
        ('<link rel="canonical" href="https://a.example/{{path}}">', None),
        ('<link rel="canonical" href="https://[a/x">', None),
        ('<link rel="canonical" href="">', None),
    ],
)  # fmt: skip
def test_canonical_url(head: str, canonical: str | None) -> None:
    assert read(head).canonical_url == canonical


def test_a_relative_canonical_url_needs_the_page_url() -> None:
    head = '<link rel="canonical" href="/x">'
    assert read(head, url=None).canonical_url is None
    assert (
        read(head, url="http://localhost:8000/").canonical_url
        == "http://localhost:8000/x"
    )


def test_image_is_absolute_and_data_urls_are_passed_over() -> None:
    head = og("og:image", "data:image/png;base64,AA") + og("twitter:image", "i.png")
    assert read(head).image == "https://www.gardenpost.example/2021/i.png"


# Authors


@pytest.mark.parametrize(
    ("written", "author"),
    [
        ("Ida Berg", "Ida Berg"),
        ("By Ida Berg", "Ida Berg"),
        ("Von: Ida Berg", "Ida Berg"),
        ("Ida Berg (ida@gardenpost.example)", "Ida Berg"),
        ("Ida Berg (Author)", "Ida Berg"),
        ("Ludwig von Berg", "Ludwig von Berg"),
        ("https://gardenpost.example/ida", None),
        ("admin", None),
        ("{{author}}", None),
        ("[object Object]", None),
        ("x" * 500, None),
    ],
)
def test_author_of_a_meta_element(written: str, author: str | None) -> None:
    assert read(meta(author=written)).author == author


def test_an_address_as_article_author_is_no_name() -> None:
    head = og("article:author", "https://social.example/ida") + meta(author="Ida Berg")
    assert read(head).author == "Ida Berg"


def test_an_author_yields_to_a_person_where_it_is_only_the_site() -> None:
    head = og("og:site_name", "Leaf") + og("article:author", "Leaf")
    assert read(head).author == "Leaf"
    assert read(head + meta(author="Ida Berg")).author == "Ida Berg"


def test_a_reference_to_an_author_node_is_followed() -> None:
    graph = [
        {"@type": "Article", "author": {"@id": "#ida"}, "headline": "Moss"},
        {"@type": "Person", "@id": "#ida", "name": "Ida Berg"},
    ]
    assert read(script({"@graph": graph})).author == "Ida Berg"


def test_author_of_microdata_that_stands_in_the_article() -> None:
    body = """<div itemscope itemtype="https://schema.org/Article"><h1>Moss</h1>
      <span itemprop="author" itemscope itemtype="https://schema.org/Person">
        <span itemprop="name">Ida Berg</span></span>
      <div itemprop="comment" itemscope itemtype="https://schema.org/Comment">
        <span itemprop="author">Tom Ray</span></div></div>"""
    assert read("", body).author == "Ida Berg"


def test_a_byline_counts_only_where_all_bylines_agree() -> None:
    byline = '<p>Moss</p><p><span class="author-name">By Ida Berg</span></p>'
    other = '<p><span class="author-name">Tom Ray</span></p>'
    assert read("", byline).author == "Ida Berg"
    assert read("", byline + other).author is None


# Dates


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
    assert read_metadata(document_of(html), None).date_published == published


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
    assert (page.date_published, page.date_modified) == (None, "2020-03-04")


def test_a_whole_date_in_the_page_address_is_the_last_resort() -> None:
    url = "https://gardenpost.example/2020/03/04/moss"
    assert read(url=url).date_published == "2020-03-04"
    assert read(meta(date="2020-03-05"), url=url).date_published == "2020-03-05"


# Descriptions


def test_a_cut_description_is_completed_from_a_longer_one_only() -> None:
    head = og("og:description", "Why gardens …")
    assert read(head + meta(description="All plants")).description == "Why gardens …"
    whole = "Why gardens grow moss."
    assert read(head + meta(description=whole)).description == whole


# JSON-LD


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "Moss", "tags": [1, 2,],}',
        '{"@type": "Article", "headline": "Moss",\n "text": "a\nb\tc"}',
        f"<!-- {ARTICLE} -->",
        f"//<![CDATA[\n{ARTICLE}\n//]]>",
        f"/*<![CDATA[*/{ARTICLE}/*]]>*/",
        '{"@type": "Article", // kind\n "headline": "Moss",\n "x": 1}',
        ARTICLE.replace('"', "&quot;"),
        f"{ARTICLE};",
        '{"@type": "Thing"} ' + ARTICLE,
        '{"@type": ["http://schema.org/Article"], "headline": "Moss", "x": 1}',
        '{"@type": "WebPage", "mainEntity": ' + ARTICLE + "}",
    ],
)  # fmt: skip
def test_jsonld_that_is_broken_or_nested_is_read(text: str) -> None:
    assert read(script(text)).title == "Moss"


def test_of_several_articles_the_one_with_the_page_address_counts() -> None:
    nodes = [
        {
            "@type": "Article",
            "headline": "Ferns",
            "url": "https://gardenpost.example/f",
        },
        {"@type": "Article", "headline": "Moss", "url": URL.replace("www.", "")},
    ]
    assert read(script(nodes)).title == "Moss"


def test_a_list_of_articles_does_not_describe_the_page() -> None:
    nodes = [
        {"@type": "Article", "headline": name, "datePublished": "2020-03-04"}
        for name in ("Ferns", "Moss")
    ]
    page = read(script(nodes) + "<title>All plants</title>")
    assert (page.title, page.date_published) == ("All plants", None)


def test_the_answers_of_a_question_page_are_not_the_page() -> None:
    node = {
        "@type": "FAQPage",
        "mainEntity": {"@type": "Question", "name": "Why moss?", "text": "So."},
    }
    assert read(script(node) + "<title>Questions</title>").title == "Questions"


@pytest.mark.parametrize(
    "value", [None, 1, 1.5, True, [], {}, [[]], {"name": 1}, {"name": [[1]]}, "", "{"]
)
def test_jsonld_values_of_unexpected_types_are_passed_over(value: Any) -> None:
    node = dict.fromkeys(
        "headline name author creator datePublished dateModified description image "
        "publisher inLanguage url mainEntityOfPage @id".split(),
        value,
    )
    nodes = [{"@type": "Article", **node}, {"@type": value}, {"@graph": value}, value]
    assert read(script([*nodes, {"@type": "WebSite", "name": value}])).author is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"@graph":' * 5000 + "1" + "}" * 5000,
        '{"mainEntity":' * 500 + "1" + "}" * 500,
        '{"@type": "Article", "headline": "' + "x" * 1_200_000 + '"}',
        "[" + '{"@type": "Thing"},' * 20_000 + '{"@type": "Article"}]',
        '{"a": ' + "9" * 10_000 + "}",
        '{"a": "\\ud800"}',
        "//" * 50_000,
    ],
)
def test_hostile_jsonld_ends_quietly(text: str) -> None:
    assert read(script(text) + "<title>Moss</title>").title == "Moss"


def test_only_the_first_dates_are_tried() -> None:
    head = og("article:published_time", "99 jan 2020 mar " * 6) * 5000
    assert read(head + meta(date="2020-03-04")).date_published is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "@type @id @graph headline name author url datePublished image "
                "inLanguage mainEntity publisher description".split()
            ),
            inner | st.sampled_from(["Article", "WebPage", "2020", "#a"]),
            max_size=6,
        )
    ),
    max_leaves=20,
)
texts = st.text(max_size=40) | st.sampled_from(["2020-03-04", "a | b", "//x", "{{x}}"])


@given(value=json_values, text=texts, url=st.none() | texts)
def test_nothing_raises_and_every_field_is_text_or_none(
    value: Any, text: str, url: str | None
) -> None:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    names = "date author description og:title og:url og:image og:locale".split()
    head = script(value) + meta(**dict.fromkeys(names, escaped))
    head += f'<title>{escaped}</title><base href="{escaped}">'
    head += f'<link rel="canonical" href="{escaped}">'
    body = f'<time datetime="{escaped}">x</time>'
    body += f'<a rel="author" class="byline">{escaped}</a>'
    page = read(head, f"<h1>{escaped}</h1>{body}", url=url)
    assert all(field is None or field for field in page.as_dict().values())
    assert all(
        isinstance(field, str) for field in page.as_dict().values() if field is not None
    )


@given(text=st.text(alphabet="0123456789 -/.:+TZ,年月日aprmdecgutcAM()", max_size=30))
def test_no_date_text_raises(text: str) -> None:
    published = read(meta(date=text)).date_published
    assert published is None or published[:4].isdigit()


def test_an_abbreviation_of_a_microformat_is_a_date() -> None:
    date = '<abbr class="published" title="2026-10-30T10:00:00+00:00">Friday</abbr>'
    assert read("", f"<p>{date}</p>").date_published == "2026-10-30T10:00:00+00:00"
    glossary = '<p><abbr title="2020 Engineering Co">TEC</abbr></p>'
    assert read("", glossary).date_published is None


DATED = '<p class="date">30 October 2020</p>'


@pytest.mark.parametrize("body", ["<h1>Moss</h1>" + DATED, DATED + "<h1>Moss</h1>"])
def test_a_date_in_words_is_read_where_its_class_says_so(body: str) -> None:
    assert read("", body).date_published == "2020-10-30"


@pytest.mark.parametrize(
    "body",
    [
        DATED,
        "<h1>Moss</h1><p>30 October 2020</p>",
        "<h1>Moss</h1>" + "<p>Moss grows.</p>" * 5 + DATED,
        f"<h1>Posts</h1>{DATED}<p>Moss</p><p class=date>29 October 2020</p>",
    ],
)
def test_other_dates_in_words_are_not_the_pages(body: str) -> None:
    assert read("", body).date_published is None


@pytest.mark.parametrize(
    "date", [", <time>30 October</time>", " on <time>1/2/2020</time>"]
)
def test_a_byline_may_have_a_date(date: str) -> None:
    assert read("", f'<p class="byline">By Ida Berg{date}</p>').author == "Ida Berg"


def test_the_title_alone_is_that_of_the_metadata() -> None:
    html = "<title>Moss in spring - Garden Post</title><h1>Moss in spring</h1><p>a"
    document = document_of(html)
    assert read_title(document, None) == read_metadata(document, None).title
