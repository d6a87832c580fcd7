"""The bodies of the pages, by kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape

Maker = Callable[[int, str, list[str], list[str]], bytes]

_MENU = "".join(
    f'<li><a href="/list/{k}">{name}</a></li>'
    for k, name in enumerate(("Home", "News", "Forum", "Shop", "Manual", "About"))
)
_TOP = f'<header class="site-header"><nav><ul class="menu">{_MENU}</ul></nav></header>'
_BOTTOM = (
    '<footer class="site-footer"><p>Copyright 2026 Example. All rights reserved.</p>'
    '<ul><li><a href="/list/0">Imprint</a></li><li><a href="/list/0">Privacy</a></li>'
    "</ul></footer></body></html>"
)


def _page(language: str, title: str, main: str, head: str = "") -> bytes:
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>{head}</head><body>{_TOP}{main}{_BOTTOM}"
    ).encode()


def _paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _related(links: Sequence[str]) -> str:
    items = "".join(f'<li><a href="{url}">{url[-12:]}</a></li>' for url in links)
    return f'<aside class="related"><h2>Related</h2><ul>{items}</ul></aside>'


def listing(title: str, urls: Sequence[str]) -> bytes:
    """A page that links to others."""
    items = "".join(f'<li><a href="{url}">{url}</a></li>' for url in urls)
    return _page("en", title, f"<main><h1>{title}</h1><ul>{items}</ul></main>")


def article(language: str, title: str, texts: list[str], links: list[str]) -> bytes:
    """An article between navigation, related links and footer."""
    main = f"<h1>{title}</h1><p class=byline>By Jo Doe, 2026-11-21</p>"
    main += (
        _paragraphs(texts[:3]) + f"<h2>{texts[3][:30]}</h2>" + _paragraphs(texts[3:])
    )
    return _page(
        language, title, f"<main><article>{main}</article></main>{_related(links)}"
    )


def forum(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A thread of posts."""
    posts = "".join(
        f'<div class="post" id="p{number}-{k}"><div class="author">user{k}</div>'
        f'<div class="date">2026-11-{k + 1:02}</div>'
        f'<div class="body"><p>{text}</p></div></div>'
        for k, text in enumerate(texts)
    )
    title = f"Thread {number}: {texts[0][:30]}"
    thread = f'<div class="thread"><h1>{title}</h1>{posts}</div>'
    return _page(language, title, thread + _related(links))


def product(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A thing to buy, with a table and JSON-LD."""
    rows = "".join(f"<tr><th>{t[:12]}</th><td>{number + k}</td></tr>"
                   for k, t in enumerate(texts))  # fmt: skip
    data = {"@type": "Product", "name": f"Product {number}", "description": texts[0]}
    main = (
        f'<main class="product"><h1>Product {number}</h1><p class="price">$ {number}.99'
        f"</p><button>Buy</button>{_paragraphs(texts)}<table>{rows}</table></main>"
    )
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return _page(language, f"Product {number}", main + _related(links), head)


def manual(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A page of documentation, with code and a table of contents."""
    contents = "".join(f'<li><a href="#s{k}">{t[:16]}</a></li>'
                       for k, t in enumerate(texts))  # fmt: skip
    sections = "".join(
        f'<section id="s{k}"><h2>{t[:24]}</h2><p>{t}</p><pre><code>run({number}, {k})\n'
        f"print({k})</code></pre></section>"
        for k, t in enumerate(texts)
    )
    main = f'<nav class="toc"><ul>{contents}</ul></nav><main><h1>Manual {number}</h1>'
    return _page(
        language, f"Manual {number}", f"{main}{sections}</main>{_related(links)}"
    )


def teasers(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A page of teasers."""
    cards = "".join(
        f'<div class="card"><h3><a href="{url}">{t[:30]}</a></h3><p>{t[:90]}</p></div>'
        for t, url in zip(texts * 2, links * 6, strict=False)
    )
    return _page(
        language, f"Page {number}", f"<main><h1>Page {number}</h1>{cards}</main>"
    )


def thin(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """Next to nothing."""
    form = '<form><input name="user"><input type="password"><button>Go</button></form>'
    return _page(language, f"Login {number}", f"{form}{_related(links)}")


def data(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A shell whose text is in the data for a script."""
    state = {"props": {"pageProps": {"article": {"title": texts[0][:40],
             "body": "".join(f"<p>{t} {number}</p>" for t in texts)}}}}  # fmt: skip
    script = json.dumps(state).replace("</", "<\\/")
    tag = f'<script id="__NEXT_DATA__" type="application/json">{script}</script>'
    return _page(language, f"App {number}", f'<div id="__next"></div>{tag}')


# --- Hostile


def huge(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A page of more than a megabyte."""
    many = _paragraphs([f"{number}-{k} {t}" for k in range(700) for t in texts])
    return _page(language, f"All {number}", f"<main>{many}</main>")


def deep(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """3,000 levels, around the text and beside it."""
    main = f"<main>{'<div>' * 3000}{_paragraphs(texts)}{'</div>' * 3000}</main>"
    return _page(language, f"Deep {number}", main)


def attributes(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """3,000 attributes on one tag."""
    many = " ".join(f'data-a{k}="{number}"' for k in range(3000))
    return _page(
        language, f"Wide {number}", f"<main {many}>{_paragraphs(texts)}</main>"
    )


def mislabelled(
    number: int, language: str, texts: list[str], links: list[str]
) -> bytes:
    """Another encoding than the header and the page say."""
    encodings = {"ru": "windows-1251", "ar": "windows-1256", "zh": "gb18030",
                 "ja": "shift_jis"}  # fmt: skip
    body = article(language, f"Odd {number}", texts, links).decode()
    return body.encode(encodings.get(language, "latin-1"), "replace")


def utf16(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """Undeclared UTF-16 without a byte order mark."""
    return (
        article(language, f"Wide {number}", texts, links).decode().encode("utf-16-le")
    )


def nulls(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """NUL bytes, control characters, halves of characters."""
    body = article(language, f"Null {number}", texts, links)
    return body.replace(b" ", b"\x00 ", 40).replace(b"a", b"\xc3", 5) + b"\xed\xa0\x80"


def unclosed(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """Unclosed elements, and tables in links."""
    body = "".join(f"<table><tr><td><a href=#><b><li><p>{t}" for t in texts)
    return f"<title>Open {number}<body><p>{number}{body}<!-- and so".encode()


def binary(number: int, language: str, texts: list[str], links: list[str]) -> bytes:
    """A picture served as HTML."""
    return b"\x89PNG\r\n\x1a\n" + number.to_bytes(4, "big") * 500


MAKERS: dict[str, Maker] = {
    "forum": forum,
    "product": product,
    "documentation": manual,
    "listing": teasers,
    "thin": thin,
    "data": data,
    "huge": huge,
    "deep": deep,
    "attributes": attributes,
    "mislabelled": mislabelled,
    "utf16": utf16,
    "nulls": nulls,
    "unclosed": unclosed,
    "cut_short": manual,
    "bad_gzip": manual,
    "binary": binary,
    "pdf": lambda *_: b"%PDF-1.7\nnothing",
    "empty": lambda *_: b"",
}
