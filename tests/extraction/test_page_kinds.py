"""Warnings of pages that are no content: logins, errors, challenges, navigation."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.page_warnings import find_navigation
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
        ("<h1>Oups !</h1><p>La page que vous cherchez n’existe plus.", "error_page"),
        ("<h1>お知らせ</h1><p>お探しのページは見つかりませんでした。", "error_page"),
        ("<title>Server Error (500)</title><h1>Server Error (500)</h1>", "error_page"),
        ("<b>Fatal error</b>: no f() in /www/a.php on line <b>12</b>", "error_page"),
        ("<h1>Traceback</h1><pre>File \"a.py\", line 1\nKeyError: 'b'", "error_page"),
        ("<h1>Welcome</h1><p>We and our partners use cookies.", "wall"),
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
        "<h1>Contact</h1><p>Something went wrong with your order? Write to us.",
        "<h1>404 (song)</h1><p>“404” is a song by the band Lorem.",
        "<h1>Boilers</h1><p>We offer scheduled maintenance in all of Kent.",
        "<h1>Chair</h1><b>Notice</b>: in /www/a.php on line <b>3</b>" + TEXT[:150],
        f"<body class=error404><title>Knots</title>{TEXT}",
        f"<title>404 Not Found</title><h1>404 Not Found</h1>{TEXT}",
        f"<title>Knots</title>{TEXT}{LOGIN}",
    ],
)
def test_other_pages_do_not(html: str) -> None:
    codes = {"error_page", "login_form", "directory_listing", "wall"}
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
