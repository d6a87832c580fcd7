from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.output.urls import (
    IMAGE_SCHEMES,
    Addresses,
    clean_url,
    largest_candidate,
)
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.label import Label
from scrapy_mainpage.page import Link, Media

from .helpers import URL, content_of


def test_links_have_address_text_label_and_rel() -> None:
    html = (
        "<nav><ul class=menu><li><a href=/>Home</a></ul></nav>"
        "<p>See <a href=next.html rel='NoFollow  UGC'>the <b>next</b> one</a>"
        "<a href='mailto:a@b.example'>mail</a>"
    )
    assert content_of(html, boilerplate=("Home",)).links() == (
        Link("https://example.com/", "Home", Label.NAVIGATION),
        Link(
            "https://example.com/blog/next.html",
            "the next one",
            Label.PARAGRAPH,
            "nofollow ugc",
        ),
        Link("mailto:a@b.example", "mail", Label.PARAGRAPH),
    )


def test_links_without_text_have_that_of_their_image_or_name() -> None:
    html = (
        "<p>a<a href=1><img alt='A  b' src=x></a><a href=2 aria-label=c></a>"
        "<a href=3 title=d></a><a href=4></a>"
    )
    assert [link.text for link in content_of(html).links()] == ["A b", "c", "d", ""]


def test_a_link_around_blocks_has_all_their_text_and_the_first_ones_label() -> None:
    (link,) = content_of("<a href=/x><h2>a</h2><p>b</p></a>").links()
    assert (link.text, link.label) == ("a b", Label.HEADING)


def test_a_link_outside_of_text_has_the_label_of_what_is_around_it() -> None:
    html = (
        "<nav><div><a href=1><img src=x></a></div><p>menu</p></nav>"
        "<div><p>text</p><div><a href=2><img src=y></a></div></div>"
    )
    links = content_of(html, boilerplate=("menu",)).links()
    assert [link.label for link in links] == [Label.NAVIGATION, Label.PARAGRAPH]


def test_links_with_unsafe_or_empty_addresses_are_left_out() -> None:
    html = "<a href='javascript:x'>a</a><a href>b</a><a name=c>c</a><a href=d>d</a>"
    assert [link.text for link in content_of(html).links()] == ["d"]


@pytest.mark.parametrize("html", ["", "<p>a</p>", "<a href=/x></a>"])
def test_pages_with_little_on_them(html: str) -> None:
    content = content_of(html)
    assert all(link.label is Label.OTHER for link in content.links())
    assert content.media() == ()


def test_many_nested_links_are_no_burden() -> None:
    html = "<a href=x><div>a" * 1_000 + "<p><a href=y>b</a>" * 2_000
    links = content_of(html).links()
    assert len(links) == 3_000
    assert sum(len(link.text) for link in links) < 10_000


def test_media_of_the_main_content() -> None:
    html = (
        "<nav>menu<img src=logo.png></nav>"
        "<p>text<img src=1.png alt='A  b'><img src=1.png alt='again'></p>"
        "<video><source src=2.mp4></video><audio src=3.mp3 title=Talk></audio>"
        "<iframe data-src=//example.org/4 title=Film></iframe>"
        "<object data=5.pdf></object>"
    )
    assert content_of(html, boilerplate=("menu",)).media() == (
        Media("image", "https://example.com/blog/1.png", "A b"),
        Media("video", "https://example.com/blog/2.mp4"),
        Media("audio", "https://example.com/blog/3.mp3", "Talk"),
        Media("embed", "https://example.org/4", "Film"),
        Media("embed", "https://example.com/blog/5.pdf"),
    )


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img src=a.png>", "a.png"),
        ("<img src=a.png data-src=b.png>", "b.png"),
        ("<img src='data:image/gif;base64,R0lGOD' srcset='a.png, b.png 2x'>", "b.png"),
        ("<img src=/img/placeholder.gif srcset='a.png 300w,b.png 90w'>", "a.png"),
        ("<picture><source srcset='a.webp 1x'><img src=data:x></picture>", "a.webp"),
        ("<img src='data:image/gif;base64,R0lGOD'>", None),
        ("<img src=''>", None),
        ("<img src='javascript:x'>", None),
        ("<img src='mailto:x'>", None),
        ("<img src=/blank.gif?x=1>", None),
        ("<img src=/blanket.jpg>", "/blanket.jpg"),
    ],
)
def test_source_of_an_image(image: str, expected: str | None) -> None:
    found = [media.url for media in content_of(f"<p>a{image}").media()]
    assert found == ([clean_url(expected, URL)] if expected else [])


def test_hidden_images_outside_of_text_are_left_out() -> None:
    html = "<div>text<p></p><div style='display:none'><img src=t.gif></div></div>"
    assert content_of(html).media() == ()


def test_half_of_the_words_around_an_image_decide() -> None:
    html = (
        "<div><p>one two</p><div><img src=a.png></div><div><p>three {}</p></div></div>"
    )
    assert content_of(html.format("four"), boilerplate=("one two",)).media()
    assert not content_of(html.format(""), boilerplate=("one two",)).media()


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", "https://example.com/blog/x"),
        ("<base target=_top>", "https://example.com/blog/x"),
        ("<base href=/other/>", "https://example.com/other/x"),
        ("<base href=//cdn.example/><base href=/y/>", "https://cdn.example/x"),
        ("<base href='javascript:'>", "https://example.com/blog/x"),
    ],
)
def test_base_of_relative_addresses(base: str, expected: str) -> None:
    content = content_of(f"<head>{base}</head><a href=x>a</a>")
    assert content.links()[0].url == expected


def test_without_an_address_relative_links_stay_relative() -> None:
    content = content_of("<a href=../x>a</a>", url=None)
    assert content.links()[0].url == "../x"
    assert Addresses(content.document, content.url).base is None


def test_a_base_serves_a_page_without_an_address() -> None:
    content = content_of("<base href=https://a.example/b/><a href=x>a</a>", url=None)
    assert content.links()[0].url == "https://a.example/b/x"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (" /a b ", "https://example.com/a%20b"),
        ("HTTPS://EXAMPLE.org", "https://EXAMPLE.org"),
        ("\\\\host\\x", "https://host/x"),
        ("#top", URL + "#top"),
        ("?q=<é>", URL + "?q=%3Cé%3E"),
        ("tel:+1 2", "tel:+1%202"),
        ("java\tscript:x", None),
        ("\x01javascript:x", None),
        ("x:y", None),
        ("//[bad", None),
        ("//host:x/", None),
        ("http://", None),
        ("", None),
    ],
)
def test_clean_address(value: str, expected: str | None) -> None:
    assert clean_url(value, URL) == expected


@pytest.mark.parametrize(
    ("srcset", "expected"),
    [
        ("a 1x, b 3x, c 2x", "b"),
        ("a 2x,b 3x", "b"),
        ("a, b 2x", "b"),
        ("w_1,h_2/a 300w, b 200w", "w_1,h_2/a"),
        ("a", "a"),
        ("a 1xyz", None),
        (" , ", None),
        ("", None),
        (", " * 9_000 + "a", "a"),
    ],
)
def test_largest_candidate(srcset: str, expected: str | None) -> None:
    assert largest_candidate(srcset) == expected


@given(
    st.lists(
        st.sampled_from(["a", "b.html", "/", "../", "//", *".:?#%=;é ~(", "http://h"]),
        max_size=7,
    ).map("".join),
    st.sampled_from(
        [None, "http://a.example/x/./y?z#q", "http://u@b.example:80", "ftp://c/a/../b"]
    ),
)
@example("a.html?b=c#d:e", "http://a.example/x/y")
@example("../../../a./.b", "http://a.example/x/y/z?a")
@example("#a", "http://a.example/x;y?z#q")
@example("a/..", "http://a.example/x/y/")
def test_plain_addresses_are_joined_as_all_others(path: str, base: str | None) -> None:
    addresses = Addresses(read_tree(parse_html(b"<p>a")), base)
    assert addresses.clean(path) == clean_url(path, base)
    assert addresses.clean(path, IMAGE_SCHEMES) == clean_url(path, base, IMAGE_SCHEMES)
