"""Nothing of a page's text becomes markup, whatever renders its Markdown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from importlib import import_module
from typing import Any

import pytest

from scrapy_mainpage import Page

from .bodies import RIVER, Judge, body, extracted

ATTACK = escape("<img src=x onerror=alert(1)>")
#: What stood beside code, and made its text live in a renderer.
BESIDE_CODE = (
    f"<p>https://a.example/<code>x {ATTACK}</code></p>",
    f"<p>www.a.com<kbd>x {ATTACK}</kbd></p>",
    f"<table><tr><th>a<th>b<tr><td><code>\\|{ATTACK}</code><td>b</table>",
    f"<p><del>a <code>~~{ATTACK}</code></del></p>",
    f"<p>a`<code>{ATTACK}</code></p>",
    f"<p>a\\<code>{ATTACK}</code></p>",
    f"<p>$<code>$ {ATTACK}</code></p>",
    f"<p><img src=/x alt='`'> <code>{ATTACK}</code></p>",
    f"<p>http://a/[<a href='http://a/()'>b</a><code>{ATTACK}</code></p>",
    f"<dl><dt>$~~$<dd><code>~~{ATTACK}</code></dl>",
    "<p><b>a <code>&lt;!-- a</code> b</b> and a river --&gt;",
)


def load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


RENDERERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "markdown-it-py": lambda: load("markdown_it", "MarkdownIt")("commonmark").render,
    "mistune": lambda: load("mistune", "create_markdown")(
        escape=False, plugins=["url", "table", "strikethrough"]
    ),
    "mistune with formulas": lambda: load("mistune", "create_markdown")(
        escape=False, plugins=["math"]
    ),
    "commonmark": lambda: load("commonmark", "commonmark"),
    "Python-Markdown": lambda: load("markdown", "markdown"),
    "Python-Markdown with extras": lambda: partial(
        load("markdown", "markdown"), extensions=["extra"]
    ),
    "markdown2": lambda: load("markdown2", "markdown"),
    "cmark-gfm": lambda: partial(
        load("cmarkgfm", "github_flavored_markdown_to_html"),
        options=load("cmarkgfm.cmark", "Options").CMARK_OPT_UNSAFE,
    ),
    "marko": lambda: load("marko", "convert"),
    "mistletoe": lambda: load("mistletoe", "markdown"),
}


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [extracted(content) for content in (*BESIDE_CODE, *map(body, range(250)))]


def test_the_judge_finds_what_is_active() -> None:
    judge = Judge("<p><img src=http://h/a.png>")
    assert judge.active_parts("<p><img src=http://h/a.png onerror=alert(1)>") == [
        "onerror=alert(1)"
    ]
    for active in (
        "<script>a</script>", "<img src=http://evil.example/>", "<!-- a -->",
        "<a href=javascript:a>b</a>", "<p style='a:b'>c", "<x onclick=a>",
    ):  # fmt: skip
        assert judge.active_parts(active)


def test_a_whole_comment_in_code_stays_code() -> None:
    page = extracted(f"{RIVER}<p>A river <code>&lt;!-- a --&gt;</code> runs.")
    assert "`<!-- a -->`" in page.markdown


@pytest.mark.parametrize(
    ("code", "is_indented"),
    [
        ("a](b", True),
        ("a](b)", False),
        ("![a", True),
        ("![a]", False),
        ("f(a[1](b)(", False),
        ("(a", False),
    ],
)
def test_code_whose_address_would_end_behind_it_is_indented(
    code: str, is_indented: bool
) -> None:
    page = extracted(f"{RIVER}<pre>{code}</pre>{RIVER}")
    written = f"```\n\n    {code}\n\n```" if is_indented else f"```\n{code}\n```"
    assert written in page.markdown


@pytest.mark.parametrize("name", RENDERERS)
def test_no_text_becomes_markup(name: str, pages: list[Page]) -> None:
    render = RENDERERS[name]()
    assert sum(page.markdown.count("alert(1)") for page in pages) > 300
    for page in pages:
        found = Judge(page.html).active_parts(render(page.markdown))
        assert not found, page.markdown


def test_a_browser_runs_and_requests_nothing(pages: list[Page], chromium: Any) -> None:
    renderers = [make() for make in RENDERERS.values()]
    htmls = [each(page.markdown) for page in pages[::25] for each in renderers]
    assert find_actions(htmls, chromium) == []


def test_a_browser_runs_and_requests_nothing_of_the_html(
    pages: list[Page], chromium: Any
) -> None:
    assert find_actions([page.html for page in pages[::2]], chromium) == []
    active = "<img src=http://evil.example/><img src=x onerror=alert(1)>"
    assert len(find_actions([active], chromium)) == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<p>A <code>Vec&lt;T&gt;</code> b</p>", "A `Vec<T>` b"),
        ("<p><a href=/x>A</a><code>&lt;T&gt;</code></p>", "[A](http://h/x)`<T>`"),
        ("<p><a href=/x>[a</a><code>&lt;T&gt;</code></p>",
         "[\\[a](http://h/x)<code>&#60;T&#62;</code>"),
        ("<p>http://a/<code>x</code></p>", "http://a/`x`"),
        ("<p>http://a/<code>&lt;T&gt;|</code></p>", "http://a/<code>&#60;T&#62;&#124;</code>"),
        ("<p>$1 <code>a$</code> b <code>&lt;T&gt;</code></p>",
         "$1 `a$` b <code>&#60;T&#62;</code>"),
        ("<p>A <code>~~&lt;T&gt;</code></p>", "A <code>&#126;&#126;&#60;T&#62;</code>"),
        ("<p>std::<code>&lt;T&gt;</code></p>", "std::`<T>`"),
        ("<p><code>\"<a href=/x>x</a>\"</code></p>", '`"`[`x`](http://h/x)`"`'),
        ("<p>a[<code>x = {}</code> <code>${x:=y}</code></p>", "a[`x = {}` `${x:=y}`"),
        (
            "<table><tr><th><code>a`b</code><tr><td><code>&lt;T&gt;</code></table>",
            "| ``a`b`` |\n| --- |\n| `<T>` |",
        ),
    ],
)  # fmt: skip
def test_only_code_that_could_be_markup_beside_an_address_is_an_element(
    content: str, expected: str
) -> None:
    assert extracted(content).markdown.split("\n\n")[1] == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<h2>A -> no | {yes, b}</h2>", "## A -> no | \\{yes, b}"),
        ("<p>A {b} <b>{: x=1 }</b> c</p>", "A {b} **&#123;: x=1 }** c"),
        ("<p>#a .b {<br>}</p>", "#a .b {\\\n}"),
        ("<p>Set {a, b} to x = 2, {x=1}</p>", "Set {a, b} to x = 2, &#123;x=1}"),
        (
            "<table><tr><th><i>a\"</i>/onerror=\"b(1)<tr><td>\"c\"</table>",
            '| _a&#34;_/onerror=&#34;b(1) |\n| --- |\n| "c" |',
        ),
        ("<p><img src=/a alt='new.png :/ www.a.b http://c'></p>",
         "![new.png :/ www&#46;a.b http&#58;//c](http://h/a)"),
        (
            "<p>A!<sup><a href='#f' class=footnote>1</a></sup><a href=/x>x</a></p>",
            "A!\\[1\\][x](http://h/x)",
        ),
    ],
)  # fmt: skip
def test_only_what_could_be_attributes_addresses_or_images_is_escaped(
    content: str, expected: str
) -> None:
    assert extracted(content).markdown.split("\n\n")[1] == expected


def find_actions(htmls: list[str], chromium: Any) -> list[str]:
    """The dialogs that scripts of the documents open, and their requests to a host."""
    found: list[str] = []
    with chromium.new_page() as page:
        page.route("**", lambda route: route.abort())
        page.on("request", lambda request: found.append(request.url))
        page.on("dialog", lambda dialog: (found.append("alert"), dialog.dismiss()))
        for html in htmls:
            page.set_content(f"<!DOCTYPE html><base href=http://h/>{html}")
        page.wait_for_timeout(100)
    return [action for action in found if "//h/" not in action]
