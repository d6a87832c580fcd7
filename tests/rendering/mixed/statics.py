"""Templates of pages that need no browser, though most have many scripts."""

from __future__ import annotations

import json
from html import escape

from .furniture import (
    advertise,
    cookies,
    discussion,
    document,
    footer,
    header,
    jquery,
    menu,
    metrics,
    noise,
    popular,
    related,
    slot,
    weight,
)
from .pages import Kind, Page, Template, byline
from .stories import Part, Story, Writer


def article(page: Page) -> str:
    """Semantic sections, with the usual boilerplate of a newspaper."""
    linked = {"@context": "https://schema.org", "@type": "NewsArticle"}
    data = json.dumps({**linked, "headline": page.story.title}, ensure_ascii=False)
    head = f'<script type="application/ld+json">{data}</script>{metrics(page)}'
    body = (
        f"{header(page)}<main><article><h1>{page.title}</h1>"
        f'<p class="byline">{byline(page)}</p>{page.story.html(0, 2)}'
        f"{slot(page, 'middle')}{page.story.html(2)}</article>"
        f'<section class="discussion">{discussion(page)}</section></main>'
        f"{related(page)}{footer(page)}{cookies(page)}{advertise()}"
    )
    return document(page, body, head)


def soup(page: Page) -> str:
    """Nothing but ``div``, as in old themes, with a library and code that uses it."""
    inner = "".join(
        f'<div class="txt">{part.html}</div>' if part.tag == "p" else part.html
        for part in page.story.parts
    )
    body = (
        f'<div id="wrap"><div id="top"><div class="l1">{menu(page, "m")}</div></div>'
        f'<div id="ad-top">{slot(page, "top")}</div>'
        f'<div id="left">{popular(page)}</div><div id="mid"><div class="hd">'
        f'<h1>{page.title}</h1></div><div class="bd">{inner}</div>{related(page)}</div>'
        f'<div id="bottom"><div class="c">{footer(page)}</div></div></div>'
        f"{jquery(page)}{weight(page, 14)}{advertise()}{metrics(page)}"
    )
    return document(page, body, '<link rel="stylesheet" href="/assets/theme.css">')


def docs(page: Page) -> str:
    """Documentation: a tree of pages at the left, a search that needs scripts."""
    writer = page.writer
    tree = "".join(
        f'<li class="toctree-l1"><a href="#t{k}">{escape(writer.short())}</a></li>'
        for k in range(14)
    )
    body = (
        f'<div class="topbar">{menu(page, "bar")}</div><div class="page"><nav '
        f'class="sidebar-tree"><div id="searchbox"></div><ul>{tree}</ul></nav>'
        f'<div class="body" role="main"><h1>{page.title}</h1>{page.story.html()}</div>'
        f"</div>{related(page, 'see-also')}{footer(page, 'foot')}"
        '<script>window.DOC_OPTIONS={VERSION:"4.2",LANGUAGE:"x",COLLAPSE:false};'
        'document.getElementById("searchbox").innerHTML="<input name=q>";</script>'
        '<script src="/assets/library.min.js" defer></script>'
    )
    return document(page, body)


def thread(page: Page) -> str:
    """A question and answers, each in a box with its author."""
    names = ("tern_77", "Kjell", "oldmap", "brass&copper", "Ludo")
    posts = "".join(
        f'<div class="post" id="p{k}"><div class="author"><a href="#u{k}">'
        f"{escape(names[(k + page.seed) % 5])}</a><br>#{k + 1}</div>"
        f'<div class="message">{part.html}</div>'
        f'<div class="tools"><a href="#r{k}">{page.words["reply"]}</a></div></div>'
        for k, part in enumerate(page.story.parts)
    )
    body = (
        f"{header(page, 'board-header')}"
        f'<div class="crumbs"><a href="#f">{page.words["forum"]}</a></div>'
        f'<div class="topic"><h1>{page.title}</h1>{posts}</div>'
        f"{related(page, 'similar')}{footer(page)}{jquery(page)}{metrics(page)}"
    )
    return document(page, body)


def product(page: Page) -> str:
    """A shop: text and figures are static, customer reviews load late."""
    price = 5 + page.seed % 300
    body = (
        f'{header(page)}<div class="product" itemscope><div class="gallery">'
        f'<img src="/img/{page.seed}.svg" alt=""></div><h1>{page.title}</h1>'
        f'<div class="offer"><span class="price">{price},00 €</span>'
        f"<button>{page.words['buy']}</button></div>"
        f'<div class="description">'
        f"{page.story.html()}</div></div>"
        f'<section id="reviews" data-src="/reviews{page.path}"></section>'
        f"{related(page, 'recommendations')}{footer(page)}{cookies(page)}"
        f'<script src="/assets/reviews.js" defer></script>{weight(page, 30)}'
    )
    return document(page, body)


def listing(page: Page) -> str:
    """A list of teasers, and a button that would load more of them."""
    parts, links = page.story.parts, [link["href"] for link in page.links]
    cards = "".join(
        f'<div class="card"><h3><a href="{links[k % len(links)]}">'
        f"{escape(parts[2 * k].text)}</a></h3>{parts[2 * k + 1].html}</div>"
        for k in range(len(parts) // 2)
    )
    body = (
        f"{header(page)}<main><h1>{page.title}</h1>"
        f'<div class="cards">{cards}</div><div id="infinite" data-page="2"></div>'
        f'<button class="load-more">{page.words["more"]}</button></main>'
        f"{footer(page)}{metrics(page)}"
        '<script src="/assets/library.min.js" async></script>'
    )
    return document(page, body)


def server_rendered(page: Page) -> str:
    """An application root, rendered by the server and hydrated by a script."""
    body = (
        '<div id="root" data-reactroot=""><div class="Layout_wrap__2kQ1a">'
        f'<header class="Nav_bar__9dZ"><nav>{menu(page, "Nav")}</nav></header>'
        f'<main class="Story_main__hB3"><h1 class="Story_title__u1">{page.title}</h1>'
        f'<div class="Story_body__c0">{page.story.html()}</div></main>'
        f'{related(page, "Related_box__xx1")}<footer class="Foot__q">'
        f"{page.words['slogan']}</footer></div></div>"
        f"<noscript>{page.words['script']}</noscript>"
        f"<script>window.__STATE__={json.dumps({'route': page.path})}</script>"
        '<script src="/assets/takeover.js" defer></script>'
        f"{weight(page, 45)}"
    )
    return document(
        page, body, '<link rel="preload" as="script" href="/assets/takeover.js">'
    )


def notice(page: Page) -> str:
    """A few lines, and far more script than text."""
    body = (
        f"{header(page)}<main><h1>{page.title}</h1>{page.story.html()}"
        f'<form class="newsletter"><input type="email"><button>{page.words["more"]}'
        f"</button></form>{related(page)}</main>{footer(page)}{cookies(page)}"
        f"{jquery(page)}{metrics(page)}{weight(page, 60)}{advertise()}"
    )
    return document(page, body)


def hydrated(page: Page) -> str:
    """An empty root; its content is in the page as the data of a framework."""
    content = {
        "title": page.story.title,
        "slug": page.path.rsplit("/", 1)[-1],
        "body": page.story.html(),
    }
    properties = {"article": content, "links": page.links}
    data = {"props": {"pageProps": properties}, "page": "/story/[slug]"}
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    body = (
        '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">'
        f'{text}</script><script src="/assets/hydrate.js" defer></script>'
    )
    return document(page, body)


def stateful(page: Page) -> str:
    """The same with the data in a variable, in typed blocks, among other data."""
    paragraphs = [{"type": "paragraph", "text": part.text} for part in page.story.parts]
    state = {
        "session": {"user": None, "token": f"{page.seed:032x}"},
        "labels": dict(page.words),
        "story": {"title": page.story.title, "content": paragraphs},
        "links": page.links,
    }
    text = json.dumps(state, ensure_ascii=False).replace("</", "<\\/")
    body = (
        f'<div id="app"></div><script>window.__INITIAL_STATE__={text};</script>'
        f'<script src="/assets/hydrate.js" defer></script>{noise_tag(page)}'
    )
    return document(page, body)


def noise_tag(page: Page) -> str:
    return f"<script>{noise(page.seed + 1, 8)}</script>"


def plain(writer: Writer, words: int) -> Story:
    """A story of paragraphs only, as a block editor stores it."""
    story = writer.story(words)
    parts = tuple(Part("p", (line,)) for part in story.parts for line in part.lines)
    return Story(story.language, story.title, parts)


def manual(writer: Writer, words: int) -> Story:
    return writer.story(words, code=True)


STATIC = Kind.STATIC
TEMPLATES = (
    Template("article", STATIC, "stories", 12, (150, 900), article),
    Template("soup", STATIC, "archive", 9, (80, 500), soup),
    Template("docs", STATIC, "guide", 8, (120, 700), docs, manual),
    Template("thread", STATIC, "forum", 7, (120, 600), thread, Writer.posts),
    Template("product", STATIC, "shop", 7, (70, 250), product, Writer.product),
    Template("listing", STATIC, "topics", 4, (200, 400), listing, Writer.cards),
    Template("server-rendered", STATIC, "read", 5, (150, 600), server_rendered),
    Template("notice", STATIC, "info", 4, (25, 60), notice),
    Template("hydrated", STATIC, "journal", 2, (150, 500), hydrated),
    Template("stateful", STATIC, "columns", 2, (150, 500), stateful, plain),
)
