"""A site of static pages, shells and half-static pages whose main content is known.

Of a hundred pages 60 are static, 20 are empty without a browser, and 20 have a title or
an introduction only. Data arrives after 50 to 600 ms.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import cycle, islice
from json import dumps

from tests.rendering.sites import server, texts

HUB_LINKS = 25
BUNDLE = '<script type="module" src="/app.js"></script>'
JQUERY = '<script src="/jquery-3.7.min.js"></script>'
METRICS = (
    "<script>window.dataLayer=[];function gtag(){dataLayer.push(arguments)}</script>"
    '<noscript><img src="/pixel.gif" alt=""></noscript>'
)
SLOTS = (
    '<div id="cookie-consent" class="cookie-banner"></div>'
    '<div class="ad-slot" id="ad-1"></div><div id="disqus_thread"></div>'
)
LOAD = (
    "fetch('DATA').then(answer => answer.text())"
    ".then(text => { document.querySelector('#TARGET').innerHTML = text; });"
)


class Kind(str, Enum):
    """Where the main content of a page is."""

    HUB = "hub"
    STATIC = "static"
    SHELL = "shell"
    HALF = "half"


@dataclass(frozen=True)
class Page:
    """A page of the site; ``text`` is its main content."""

    path: str
    kind: Kind
    template: str
    topic: str
    text: str


@dataclass
class MixedSite:
    """The pages by URL, and the server that counts their requests."""

    pages: dict[str, Page]
    server: server.Site

    @property
    def url(self) -> str:
        """The URL that a crawl starts with."""
        return f"{self.server.url}/hub/0"


# --- Templates ----------------------------------------------------------------


def whole(main: str, topic: str, script: str = "", around: str = "") -> str:
    """A page with header, menu, sidebar and footer."""
    return texts.page(main, topic=topic, script=script).replace(
        "</footer>", f"</footer>{around}"
    )


def bare(body: str, topic: str) -> str:
    """A page with nothing around its body."""
    return f"<!doctype html><title>{texts.title(topic)}</title><body>{body}"


def intro(topic: str) -> str:
    lines = texts.paragraphs(topic)[:1]
    return f"<h1>{texts.title(topic)}</h1><p>{lines[0]}</p>"


def load(path: str, target: str) -> str:
    """A script that fills an element with the data of the page."""
    return LOAD.replace("DATA", f"/data{path}").replace("TARGET", target)


def in_data(topic: str) -> str:
    """An application's root, and the content in the page's data."""
    data = {"@type": "Article", "headline": texts.title(topic)}
    data["articleBody"] = "\n\n".join(texts.paragraphs(topic))
    ld = f'<script type="application/ld+json">{dumps(data)}</script>'
    return bare(f'<div id="root"></div>{ld}{BUNDLE}', topic)


Template = Callable[[str, str], str]

STATIC: dict[str, Template] = {
    "plain": lambda topic, path: whole(texts.article(topic), topic),
    "libraries": lambda topic, path: whole(
        texts.article(topic), topic, "", JQUERY + METRICS + SLOTS
    ),
    "application": lambda topic, path: bare(
        f'<div id="root">{texts.article(topic)}</div>{BUNDLE}', topic
    ),
    "empty-widgets": lambda topic, path: whole(
        texts.article(topic) + '<div id="related-posts"></div><div id="map"></div>',
        topic,
        "",
        BUNDLE,
    ),
    "short": lambda topic, path: whole(
        texts.article(topic, 1), topic, "", JQUERY + METRICS + BUNDLE
    ),
    "data": lambda topic, path: in_data(topic),
}
SHELLS: dict[str, Template] = {
    "root": lambda topic, path: bare(
        f'<div id="root"></div><script>{load(path, "root")}</script>', topic
    ),
    "bundle": lambda topic, path: bare(
        f'<noscript>Please enable JavaScript.</noscript><div id="app"></div>{BUNDLE}',
        topic,
    ),
    "main": lambda topic, path: whole("", topic, load(path, "main")),
    "loading": lambda topic, path: whole(
        '<div id="story"><p>Loading…</p></div>', topic, load(path, "story")
    ),
    "element": lambda topic, path: bare(f"<app-root id=app></app-root>{BUNDLE}", topic),
}
HALVES: dict[str, Template] = {
    "title": lambda topic, path: whole(
        f'<h1>{texts.title(topic)}</h1><div class="body" id="story"></div>',
        topic,
        load(path, "story"),
    ),
    "skeleton": lambda topic, path: whole(
        f'{intro(topic)}<div id="app"><div class="skeleton"></div></div>',
        topic,
        "",
        BUNDLE,
    ),
    "rest": lambda topic, path: whole(
        f'<div id="piece">{intro(topic)}<section id="rest"></section></div>',
        topic,
        load(path, "piece"),
    ),
    "deferred": lambda topic, path: whole(
        f'{intro(topic)}<div id="app" aria-busy="true"></div>', topic, "", BUNDLE
    ),
}
TEMPLATES = {Kind.STATIC: STATIC, Kind.SHELL: SHELLS, Kind.HALF: HALVES}
SHARES = {Kind.STATIC: 60, Kind.SHELL: 20, Kind.HALF: 20}

APP = """
const place = location.pathname;
fetch("/data" + place).then((answer) => answer.text()).then((text) => {
  const target = document.querySelector("#app");
  if (target) target.innerHTML = text;
});
"""


# --- The site -----------------------------------------------------------------


@contextmanager
def serve_mixed(count: int = 100) -> Iterator[MixedSite]:
    """Serve *count* pages and the hubs that link to them, until the block ends."""
    pages = make_pages(count)
    answers: dict[str, server.Answer] = {
        "/app.js": server.text(APP, "text/javascript"),
        "/jquery-3.7.min.js": server.text("window.$ = 1;", "text/javascript"),
    }
    chosen = random.Random(count)
    for page in pages:
        template = TEMPLATES[page.kind][page.template]
        delay = chosen.uniform(0.05, 0.6)
        data = texts.article(page.topic)
        answers[page.path] = server.html(template(page.topic, page.path))
        answers[f"/data{page.path}"] = server.html(data, delay=delay)
    hubs = [pages[k : k + HUB_LINKS] for k in range(0, len(pages), HUB_LINKS)]
    for number, linked in enumerate(hubs):
        others = [f"/hub/{other}" for other in range(len(hubs)) if other != number]
        links = [*others, *(page.path for page in linked)]
        items = "".join(f'<li><a href="{path}">The {path}</a></li>' for path in links)
        topic = f"overview {number}"
        answers[f"/hub/{number}"] = server.html(whole(f"<ul>{items}</ul>", topic))
        pages.append(Page(f"/hub/{number}", Kind.HUB, "hub", topic, ""))
    with server.serve(answers) as site:
        yield MixedSite({site.url + page.path: page for page in pages}, site)


def make_pages(count: int) -> list[Page]:
    """Return the pages, in a shuffled order that is always the same."""
    pages = []
    for kind, share in SHARES.items():
        names = islice(cycle(TEMPLATES[kind]), round(count * share / 100))
        for number, template in enumerate(names):
            topic = f"the {kind.value} {template} bridge {number}"
            size = 1 if template == "short" else 4
            path = f"/{kind.value}/{template}-{number}"
            pages.append(Page(path, kind, template, topic, texts.truth(topic, size)))
    random.Random(count).shuffle(pages)
    return pages
