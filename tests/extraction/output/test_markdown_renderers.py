"""Nothing of a page's text becomes markup, whatever renders its Markdown."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from html import escape
from importlib import import_module
from typing import Any

import pytest
from lxml import html as lxml_html

from scrapy_mainpage.extraction.algorithms import get_algorithm
from scrapy_mainpage.extraction.extractor import Extractor

EXTRACTOR = Extractor(get_algorithm("semantic-markup"))
ACTIVE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</p><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<javascript:alert(1)>",
    "<!--><img src=x onerror=alert(1)>",
    "<?a <img src=x onerror=alert(1)>?>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "[x](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)",
    "{: onerror=alert(1) }",
    "{onerror=alert(1)}",
    "\" onerror=\"alert(1)",
    "' onload='alert(1)",
    "http://](http://evil.example/a.png)",
]  # fmt: skip
REQUESTS = [
    "![x](http://evil.example/a.png)",
    "![x][y]\n\n[y]: http://evil.example/a.png",
    "<link rel=stylesheet href=http://evil.example/>",
    "<style>@import 'http://evil.example/'</style>",
    "<iframe src=//evil.example/></iframe>",
]  # fmt: skip
BEFORE = (
    "", "See ", "www.a.com", "http://a.com/", "a@b.com", "\\", "**", "_", "`", "``",
    "* ", "1. ", "> ", "    ", "# ", "| ", "~~", "[a", "![", "&", "<", "*a ",
)  # fmt: skip
PLACES = [
    "<p>{0}</p>",
    "<h2>{0}</h2>",
    "<ul><li>{0}</li></ul>",
    "<table><tr><th>a<th>b</tr><tr><td>{0}<td>b</tr></table>",
    "<blockquote><p>{0}</p></blockquote>",
    "<p><b>{0}</b> and <i>{0}</i>x</p>",
    "<p><a href=/x>{0}</a></p>",
    "<p>a<br>{0}<br>b</p>",
    "<p><code>{0}</code> and <em>c</em></p>",
    "<p>river <img src='/a.png?{0}' alt='{0}' title='{0}'> and</p>",
    "<p>a <a href='/x()?{0}' title='{0}'>link</a> and</p>",
    "<p>a <video src='/{0}' title='{0}'></video> b</p>",
    "<pre>{0}</pre>",
    "<pre class=language-html>a\n\n{0}\n\n\n    {0}\n</pre>",
    "<ul><li>a<pre>{0}\n\n{0}</pre><li><pre>{0}</pre></ul>",
    "<ul><li>a<ul><li>b<pre>{0}\n\n{0}</pre><li><pre>{0}</pre></ul></ul>",
    "<ol><li>a<pre>{0}\n\n{0}</pre><li><pre>{0}</pre></ol>",
    "<ol><li>a<ol><li>b<pre>{0}</pre><ul><li><pre>{0}</pre></ul></ol></ol>",
    "<ul><li>a</ul><pre>{0}</pre>",
    "<blockquote><pre>{0}\n\n{0}</pre><ul><li><pre>{0}</pre></ul></blockquote>",
    "<dl><dt>a<dd><pre>{0}</pre></dl>",
    "<p>a <script type=math/tex></script><img class=latex alt='{0}'> and</p>",
    "<p>a $ {0} $ and \\({0}\\), ${0}$<script src=mathjax.js></script></p>",
    "<table><tr><th>a</tr><tr><td><img class=latex alt='$${0}$$'><td>b</tr></table>",
    "<table><tr><th>a<th>b</tr><tr><td><pre>{0}</pre><td>b</tr></table>",
]
DANGEROUS = frozenset(
    "applet audio base embed form frame frameset iframe link math meta noframes "
    "noscript object plaintext script select source style svg template textarea title "
    "track video xmp".split()
)


#: Between the texts of a random document, each of which may end or open something.
GLUE = (
    *BEFORE, "\n", "\n\n", "\n    ", "\t", " ", "]", ")", "](", "](<", ">", "&gt;",
    "-->", "]]>", "<!--", "&#60;", "&lt", "\\\\", "```\n", "~~~\n", "***", "__", "$$",
    "\u00a0", "\u2028", "http://a.com/<", "https://a.com/`", "ftp://a.com/*", "[^1]",
    "www.a.com/(", "[^1]: ", "- [ ] ", "|", "|---|\n", "===\n", ":::", "{{", "<div>",
    "<b", "&amp;lt;",
)  # fmt: skip


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


def markdown(place: str, before: str) -> str:
    texts = ACTIVE if before else ACTIVE + REQUESTS
    parts = (place.format(escape(before + text, quote=True)) for text in texts)
    river = "<p>The river runs through old towns and under bridges, past mills.</p>"
    body = river.join(parts)
    page = EXTRACTOR.extract(
        f"<article>{river}{body}{river}</article>", url="http://h/"
    )
    return page.markdown


def random_markdown(seed: int) -> str:
    """The Markdown of a page of random texts in random places, some in one another."""
    choose = random.Random(seed)
    river, body = "<p>The river runs through old towns, past mills.</p>", ""
    texts = [*ACTIVE, *REQUESTS, *GLUE]
    for _ in range(12):
        parts = (choose.choice(GLUE) + choose.choice(texts) for _ in "abc")
        text = escape("".join(parts), quote=True)
        for place in choose.sample(PLACES, choose.choice((1, 1, 2, 3))):
            text = place.format(text)
        body += text + choose.choice(("", river))
    return EXTRACTOR.extract(f"<article>{river}{body}{river}", url="http://h/").markdown


def make_documents(seeds: range = range(28, 60)) -> list[str]:
    """Markdown of pages whose texts would be active as HTML."""
    ordered = [markdown(place, before) for place in PLACES for before in BEFORE]
    return ordered + list(map(random_markdown, seeds))


@pytest.fixture(scope="module")
def documents() -> list[str]:
    return make_documents()


def active_parts(html: str) -> list[str]:
    """The elements that do something or hide text, and such attributes."""
    tree = lxml_html.fromstring(f"<div>{html}</div>")
    elements = [
        str(each.tag)
        for each in tree.iter()
        if not isinstance(each.tag, str) or each.tag in DANGEROUS
    ]
    attributes = [
        f"{name}={value}"
        for each in tree.iter()
        for name, value in each.attrib.items()
        if name.startswith("on")
        or name in ("style", "background", "srcset")
        or value.strip().lower().startswith("javascript:")
        or (name == "src" and value.startswith("http://evil.example"))
    ]
    return elements + attributes


def test_the_check_finds_what_is_active() -> None:
    assert active_parts("<p><img src=x onerror=alert(1)>") == ["onerror=alert(1)"]
    assert active_parts("<script>a</script>") == ["script"]
    assert active_parts("<img src=http://evil.example/>") != []


@pytest.mark.parametrize("name", RENDERERS)
def test_no_text_becomes_markup(name: str, documents: list[str]) -> None:
    render = RENDERERS[name]()
    assert sum(document.count("alert(1)") for document in documents) > 3_000
    found = {document: active_parts(render(document)) for document in documents}
    assert not [(text, parts) for text, parts in found.items() if parts][:1]


@pytest.mark.parametrize("name", RENDERERS)
def test_a_browser_runs_and_requests_nothing(
    name: str, documents: list[str], chromium: Any
) -> None:
    htmls = [RENDERERS[name]()(document) for document in documents[::40]]
    assert find_actions(htmls, chromium) == []
    active = "<img src=http://evil.example/><img src=x onerror=alert(1)>"
    assert len(find_actions([active], chromium)) == 2


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
