"""Warnings of pages that are no content: logins, errors, challenges, navigation."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.page_warnings import find_navigation, find_skip_links
from scrapy_mainpage.extraction.parsing.tree import parse_html

TEXT = "".join(
    f"<p>Knot number {n} is a thing that holds, and that you can open again.</p>"
    for n in range(9)
)
LOGIN = "<form><label>Password <input type='Password'></label></form>"


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<title>404 Not Found</title><h1>404 Not Found</h1><p>nginx", "error_page"),
        ("<title>404</title><p>Nothing here.", "error_page"),
        ("<title>Error 500</title><p>Sorry.", "error_page"),
        ("<title>HTTP 403: Forbidden</title><p>Sorry.", "error_page"),
        ("<title>Bakery</title><h1>Page not found</h1><p>Sorry.", "error_page"),
        ("<title>Page introuvable - Bakery</title><p>Pardon.", "error_page"),
        ("<title>Not Found | Bakery</title><p>Sorry.", "error_page"),
        ("<title>Ошибка 404</title><p>Здесь ничего нет.", "error_page"),
        ("<title>Bäckerei</title><body class='x Error404'><p>Weg.", "error_page"),
        (f"<title>Sign in</title><h1>Sign in</h1>{LOGIN}", "login_form"),
        ("<title>Index of /pub</title><h1>Index of /pub</h1>", "directory_listing"),
        ("<title>Directory listing for /</title><ul><li>a", "directory_listing"),
    ],
)
def test_a_page_that_is_no_content_says_so(html: str, code: str) -> None:
    assert code in extract(html).warnings


@pytest.mark.parametrize(
    "html",
    [
        "<title>404 ways to tie a knot</title><p>The first one is simple.",
        "<title>500 Days of Summer</title><p>A film.",
        "<title>Gone - a poem</title><p>The street is blue.",
        "<title>Index of birds</title><p>Auk, bittern, coot.",
        "<title>Sign in</title><form><input name='q'></form><p>No search results.",
        "<title>Bakery</title><body class='postid-404 page'><p>Bread and rolls.",
        f"<body class=error404><title>Knots</title>{TEXT}",
        f"<title>404 Not Found</title><h1>404 Not Found</h1>{TEXT}",
        f"<title>Knots</title>{TEXT}{LOGIN}",
    ],
)
def test_other_pages_do_not(html: str) -> None:
    codes = {"error_page", "login_form", "directory_listing"}
    assert codes.isdisjoint(extract(html).warnings)


@pytest.mark.parametrize(
    "mark",
    [
        "<script>window._cf_chl_opt = {}</script>",
        "<script src='https://geo.captcha-delivery.com/captcha/'></script>",
        "<iframe src='/_Incapsula_Resource?SWUDNSAI=31&incident_id=1'></iframe>",
        "<div id=sec-if-cpt-container></div>",
        "<meta http-equiv=refresh content='0;/.well-known/sgcaptcha/?r=%2F'>",
    ],
)
def test_a_page_that_checks_the_browser_says_so(mark: str) -> None:
    html = f"<title>Einen Moment</title>{mark}<p>Wir prüfen Ihren Browser."
    assert "challenge" in extract(html).warnings
    assert "challenge" not in extract(html + TEXT * 2).warnings


def test_a_service_on_a_short_page_is_no_challenge() -> None:
    scripts = "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"
    scripts += "<script>window._pxAppId = 'x'</script>"
    assert "challenge" not in extract(f"{scripts}<p>Bread and rolls.").warnings


def test_links_that_no_one_expects_to_be_content_are_navigation() -> None:
    menus = "".join(f"<li><a href=/{n}>Knots of rope {n}</a>" for n in range(30))
    document = read_tree(parse_html(f"<ul>{menus}</ul>".encode()))
    main = np.ones(document.n_blocks, bool)
    assert find_navigation(document, main, 0.3) == ("navigation_only",)
    assert find_navigation(document, main, 0.8) == ()
    assert find_navigation(document, main, None) == ()
    document = read_tree(parse_html(f"<ul>{menus}</ul>{TEXT}".encode()))
    main = np.ones(document.n_blocks, bool)
    assert find_navigation(document, main, 0.3) == ()


@pytest.mark.parametrize("text", ["Skip to content", "Zum Inhalt", "跳到内容"])
def test_a_link_over_the_menu_is_never_main_content(text: str) -> None:
    skip = f"<a href='#main'>{text}</a>"
    for rest in ("", f"<div id=main>{TEXT}</div>"):
        page = extract(f"<title>Knots</title><body>{skip}{rest}")
        assert text not in page.text
        assert not [b for b in page.blocks if b.is_main and b.text == text]


def test_a_table_of_contents_at_the_top_is_no_way_over_a_menu() -> None:
    links = "".join(f"<li><a href='#k{n}'>Knot {n}</a>" for n in range(9))
    document = read_tree(parse_html(f"<ul>{links}</ul>{TEXT}".encode()))
    assert [*find_skip_links(document, np.ones(document.n_blocks, bool))] == []
