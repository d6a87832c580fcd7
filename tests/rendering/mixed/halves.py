"""Templates of pages that load all or most of their main content late."""

from __future__ import annotations

from html import escape
from textwrap import dedent

from .furniture import (
    cookies,
    document,
    footer,
    header,
    jquery,
    metrics,
    popular,
    related,
    weight,
)
from .pages import Kind, Page, Template, byline
from .stories import Writer, length

#: Script that fetches the text; ``serving.py`` has the paths.
FETCH = 'fetch("/fragment"+location.pathname+"?from={start}").then(r=>r.text())'


def empty(page: Page) -> str:
    """Everything around an empty ``main``."""
    body = dedent(f"""\
        {header(page)}
        <main id="content"></main>
        {related(page)}{footer(page)}{cookies(page)}{metrics(page)}{jquery(page)}
        <script>
        {FETCH.format(start="title")}.then(function (text) {{
          document.getElementById("content").innerHTML = text;
        }});
        </script>""")
    return document(page, body)


def skeleton(page: Page) -> str:
    """The title, and grey lines in place of the text."""
    lines = '<div class="skeleton skeleton-line"></div>' * 9
    body = dedent(f"""\
        {header(page)}
        <article class="post"><h1>{page.title}</h1>
        <div class="meta">{byline(page)}</div>
        <div class="post-body" data-path="{page.path}">{lines}</div></article>
        {related(page)}{footer(page)}
        <script src="/assets/skeleton.js" defer></script>""")
    return document(page, body, '<link rel="stylesheet" href="/assets/theme.css">')


def loading(page: Page) -> str:
    """A "loading" box, beside a sidebar that has more text than the page."""
    writer = page.writer
    teasers = "".join(f"<p>{escape(writer.sentence())}</p>" for _ in range(4))
    body = dedent(f"""\
        <div id="head">{header(page, "masthead")}</div>
        <div class="columns"><div class="col-8" id="story">
        <p class="loading">{page.words["loading"]}</p></div>
        <div class="col-4">{popular(page, 8)}<div class="teasers">{teasers}</div></div>
        </div>{related(page)}{footer(page, "bottom")}
        <script>
        document.addEventListener("DOMContentLoaded", async function () {{
          const text = await {FETCH.format(start="title")};
          document.querySelector("#story").innerHTML = text;
        }});
        </script>""")
    return document(page, body)


def attribute(page: Page) -> str:
    """An element whose attributes name the content to load into it."""
    body = dedent(f"""\
        {header(page)}
        <main class="container"><h1>{page.title}</h1>
        <div hx-get="/fragment{page.path}?from=0" hx-trigger="load" hx-swap="innerHTML">
        <span class="indicator">{page.words["loading"]}</span></div></main>
        {related(page)}{footer(page)}
        <script src="/assets/swap.js"></script>{weight(page, 18)}""")
    return document(page, body)


def appended(page: Page) -> str:
    """The article begins in the page; the rest is appended, in two pieces."""
    count = shown(page)
    body = dedent(f"""\
        {header(page)}
        <main><article id="text"><h1>{page.title}</h1>
        <p class="byline">{byline(page)}</p>
        {page.story.html(0, count)}</article></main>
        {related(page)}{footer(page)}{cookies(page)}
        <script>
        (async function () {{
          const place = document.getElementById("text");
          for (const part of ["{count}-{count + 1}", "{count + 1}"]) {{
            const got = await fetch("/fragment" + location.pathname + "?from=" + part);
            place.insertAdjacentHTML("beforeend", await got.text());
          }}
        }})();
        </script>{metrics(page)}""")
    return document(page, body)


def shown(page: Page) -> int:
    """Number of parts present from the start: 30 to 120 words, less than the rest."""
    total = sum(length(part.text) for part in page.story.parts)
    count = words = 0
    for part in page.story.parts:
        words += length(part.text)
        if words > min(120, total * 0.4):
            break
        count += 1
    return count


def comments(page: Page) -> str:
    """Reader comments are the only text until the article loads."""
    writer, words = page.writer, page.words
    said = [words["thanks"], words["agree"]]
    said += [writer.sentences(30) for _ in range(4)]
    items = "".join(
        f'<li class="comment"><b>guest{k}</b><p>{escape(text)}</p>'
        f'<a href="#r{k}">{words["reply"]}</a></li>'
        for k, text in enumerate(said)
    )
    body = dedent(f"""\
        {header(page)}
        <div class="entry"><h1>{page.title}</h1><div class="entry-content"></div></div>
        <section id="comments" class="comments"><h2>{words["comments"]}</h2>
        <ol class="comment-list">{items}</ol></section>
        {related(page)}{footer(page)}
        <script>
        {FETCH.format(start="0")}.then(t => {{
          document.querySelector(".entry-content").innerHTML = t;
        }});
        </script>""")
    return document(page, body)


def details(page: Page) -> str:
    """A product: name and price are static, the description loads late."""
    body = dedent(f"""\
        {header(page)}
        <div class="item"><img src="/img/{page.seed}.svg" alt=""><h1>{page.title}</h1>
        <span class="price">{9 + page.seed % 90},50 €</span>
        <button>{page.words["buy"]}</button>
        <div class="tab-content" data-path="{page.path}" aria-busy="true"></div></div>
        {related(page, "carousel")}{footer(page)}{cookies(page)}{metrics(page)}
        <script src="/assets/skeleton.js" defer></script>""")
    return document(page, body)


HALF = Kind.HALF
TEMPLATES = (
    Template("empty", HALF, "stories", 3, (120, 600), empty),
    Template("skeleton", HALF, "blog", 3, (150, 600), skeleton),
    Template("loading", HALF, "archive", 3, (150, 500), loading),
    Template("attribute", HALF, "wiki", 3, (120, 500), attribute),
    Template("appended", HALF, "features", 4, (250, 700), appended),
    Template("comments", HALF, "blog", 2, (150, 500), comments),
    Template("details", HALF, "goods", 2, (80, 250), details, Writer.product),
)
