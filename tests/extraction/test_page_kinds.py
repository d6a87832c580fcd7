"""Warnings of pages that are no content: login forms, errors, directory listings."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract

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
        (f"<title>Sign in</title><h1>Sign in</h1>{LOGIN}", "login_form"),
        (
            "<title>Index of /pub</title><h1>Index of /pub</h1>",
            "directory_listing",
        ),
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
        f"<title>404 Not Found</title><h1>404 Not Found</h1>{TEXT}",
        f"<title>Knots</title>{TEXT}{LOGIN}",
    ],
)
def test_other_pages_do_not(html: str) -> None:
    codes = {"error_page", "login_form", "directory_listing"}
    assert codes.isdisjoint(extract(html).warnings)
