"""Metadata of a page, read from its flat document."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.metadata.field_models import source_probability
from scrapy_mainpage.items import describes
from scrapy_mainpage.page import Metadata
from tests.extraction.helpers import metadata_of
from tests.extraction.metadata.helpers import URL, meta, og, read, script


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
        sources=dict.fromkeys(
            "title language author date_published date_modified description image "
            "site_name".split(),
            "json-ld",
        ),
        probabilities={
            name: source_probability(name, "json-ld")
            for name in ("title", "author", "date_published")
        },
    )


@pytest.mark.parametrize(
    ("head", "body", "name", "source"),
    [
        (og("og:title", "Moss is back"), "<h1>Moss is back</h1>", "title", "heading"),
        (og("og:title", "Moss is back"), "", "title", "opengraph"),
        ("<title>Moss is back</title>", "", "title", "title"),
        (meta(author="Ida Berg"), "", "author", "meta"),
        ("", "<h1>Moss</h1><p>By Ida Berg</p>", "author", "byline"),
        ("", "<h1>Moss</h1><time datetime=2021-05-06>May</time>", "date_published",
         "time"),
        ("", "<h1>Moss</h1><p>6 May 2021</p>", "date_published", "byline"),
        (og("og:locale", "de_AT"), "", "language", "opengraph"),
        (meta(description="Moss."), "", "description", "meta"),
    ],
)  # fmt: skip
def test_source_of_a_field(head: str, body: str, name: str, source: str) -> None:
    found = read(head, body)
    assert getattr(found, name)
    assert found.sources[name] == source


# Titles

SITE = og("og:site_name", "Leaf &amp; Root")
NODE = script({"@type": "WebPage", "publisher": {"name": "Leaf & Root"}, "url": URL})
HERALD = "Moss - The Weekly Herald of Gardens"


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
        # By the name of the site, headings, a block, a logo; cut, escaped; a drawing
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
        (og("og:title", "Fern &amp;amp; moss&amp;#8217;s"), "", "Fern & moss’s"),
        ("", "<svg><title>Icon</title></svg><h1>Moss</h1>", "Moss"),
    ],
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
    assert metadata_of(html).language == language


def test_language_of_meta_and_open_graph() -> None:
    header = '<meta http-equiv="Content-Language" content="fr, en">'
    assert read(header).language == "fr"
    assert read(og("og:locale", "fr_CA")).language == "fr-ca"


def test_english_of_a_template_yields_to_another_declaration() -> None:
    html = '<html lang="en"><meta property="og:locale" content="el_GR"><p>x'
    assert metadata_of(html).language == "el-gr"


def test_english_of_the_root_keeps_its_region_beside_english() -> None:
    html = '<html lang="en-GB"><meta property="og:locale" content="en_US"><p>x'
    assert metadata_of(html).language == "en-gb"


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


def test_a_declared_canonical_url_stays_but_is_not_that_of_a_route() -> None:
    head = '<link rel="canonical" href="https://example.com/wiki">'
    url = "https://example.com/wiki/#/media/File:Bar.jpg"
    page = extract(f"<head>{head}</head><p>Text", url=url)
    assert page.metadata.canonical_url == "https://example.com/wiki"
    for other in ("https://example.com/wiki", "https://EXAMPLE.com/wiki/#/b"):
        assert describes(other, page)
        assert not describes(other, page, routes=True)
    assert describes(url.replace("example", "EXAMPLE"), page, routes=True)


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
        ("Last Updated: ", None),
        ("{{author}}", None),
        ("[object Object]", None),
        ("x" * 500, None),
        # Lists of authors, and names with commas
        ("By A. Ford, B. Corey, and C. Watkins, CNN", "A. Ford; B. Corey; C. Watkins"),
        ("Ida Berg und Tom Ray", "Ida Berg; Tom Ray"),
        ("Berg, Ida", "Berg, Ida"),
        ("Ida Berg, Garden Post", "Ida Berg, Garden Post"),
        ("Ernst & Young", "Ernst & Young"),
        ("Johnson and Johnson Services", "Johnson and Johnson Services"),
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


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("By Ida Berg", "Ida Berg"),
        ("Posted on <b>January 1, 2023</b> by <a href=/ida>Ida van der Berg</a>",
         "Ida van der Berg"),
        ("30 October 2020 by Ida Berg", "Ida Berg"),
        ("By Ida Berg October 30, 2020", "Ida Berg"),
        ("Von Ida Berg, 30. Oktober 2020", "Ida Berg"),
        ("News | Por: Ida Berg | 19 abril 2022", "Ida Berg"),
        ("By Ida Berg and Tom Ray", "Ida Berg; Tom Ray"),
        ("Von Ida Berg, Tom Ray und Ann Mill, dpa", "Ida Berg; Tom Ray; Ann Mill"),
        ("Sort By: Featured Items", None),
        ("Photo by Ida Berg on Splash", None),
        ("Reviewed by Ida Berg", None),
        ("Powered by Great Software", None),
        ("It was found by Ida Berg", None),
        ("Moss by the river", None),
    ],
)  # fmt: skip
def test_an_author_in_a_line_below_the_title(line: str, author: str | None) -> None:
    page = read("", f"<h1>Moss</h1><p>{line}</p><p>Moss grows.</p>")
    assert page.author == author


# Descriptions


@pytest.mark.parametrize(
    "date", [", <time>30 October</time>", " on <time>1/2/2020</time>"]
)
def test_a_byline_may_have_a_date(date: str) -> None:
    byline = f'<h1>Moss</h1><p class="byline">By Ida Berg{date}</p>'
    assert read("", byline).author == "Ida Berg"
