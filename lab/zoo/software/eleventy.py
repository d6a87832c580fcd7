"""Eleventy, with templates of ours: it brings none.

A newspaper with advertisements and comments, a shop, a board of tables, and a portal as
they were built around 2000. What each part of a page is, its template says.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lxml import html as lxml_html

from ..content import to_html
from ..record import Page
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..content import Content

WANTED: Final = {
    "article": 10, "recipe": 2, "product": 9, "thread": 6, "wiki": 2, "landing": 2,
    "about": 2,
}  # fmt: skip
TEMPLATES: Final = Path(__file__).parent / "templates"
ADDRESSES: Final = {
    "news": "/news/{}/",
    "products": "/shop/{}/",
    "categories": "/shop/c/{}/",
    "threads": "/forum/t{}.html",
    "boards": "/forum/{}.html",
    "portal": "/portal/{}.html",
}
TRUTH: Final = {
    "news": "article > h1, div.copy",
    "products": "h1, div.prc, #d, #s",
    "categories": "div.lst > h1, div.grid",
    "threads": "h2.topic, td.msg",
    "boards": "h2.topic, table.topics",
    "portal": "td#t3",
}
ENTRIES: Final = {"categories": "div.tile h3 a", "boards": "table.topics td a"}
DROP: Final = {
    "news": "aside.more-on, div.x-banner, form.letter",
    "categories": "div.tile button",
    "portal": "div.b1, div.b2, div.b3",
}
SHOP: Final = {
    "header": "div.usp, div.hd-l, div.hd-r",
    "navigation": "ul.mm",
    "breadcrumb": "div.bc",
    "footer": "div.ft",
    "legal": "div.lg",
    "form": "form.hd-s, form.opt, div.nl, div.flt, div.srt, div.tile button",
}
BOARD: Final = {
    "header": "table.head",
    "breadcrumb": "p.where",
    "pagination": "p.pg",
    "footer": "p.online",
    "legal": "p.copy",
    "form": "form.jump",
}
ROLES: Final[dict[str, dict[str, str]]] = {
    "news": {
        "advertisement": "div.x-banner",
        "header": "header",
        "navigation": "header > nav",
        "form": "form.find, form.letter",
        "breadcrumb": "ol.crumbs",
        "byline": "div.who, p.topics, div.bio",
        "share": "ul.sharing",
        "related": "aside.more-on, section.next-up, section.top-list, div.ticker",
        "comments": "section.talk",
        "sidebar": "section.weather",
        "footer": "footer",
        "legal": "footer > p, footer li:not(:last-child)",
        "consent": "#cmp",
    },
    "products": SHOP
    | {
        "share": "ul.sh",
        "related": "div.sl",
        "comments": "#rev, div.stars",
        "consent": "div.ck",
        "navigation": "ul.mm, ul.tabnav",
    },
    "categories": SHOP | {"pagination": "div.pgs"},
    "threads": BOARD
    | {
        "byline": "td.poster, td.when",
        "comments": "td.do, tr.tools, form.qr",
        "navigation": "tr.tools > td:first-child",
        "related": "table.similar",
        "other": "div.sig",
    },
    "boards": BOARD,
    "portal": {
        "header": "#t1",
        "navigation": "#t2",
        "breadcrumb": "div.b1",
        "byline": "div.b2",
        "share": "div.b3",
        "advertisement": "#t4 > table:first-child",
        "form": "#t4 > table:last-child",
        "legal": "#t5",
    },
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, "@11ty/eleventy@3")
    site = fresh(folder / "site")
    data = _site_data(contents)
    for template in sorted(TEMPLATES.iterdir()):
        write(site / template.name, template.read_text("utf-8"))
    for name, items in data.items():
        write(site / "_data" / f"{name}.json", json.dumps(items, ensure_ascii=False))
    run(programs / "eleventy", "--quiet", cwd=site)
    for name, items in data.items():
        for item in items:
            path = ADDRESSES[name].format(item["slug"])
            file = f"{path}index.html" if path.endswith("/") else path
            yield Page(
                path=path,
                html=(site / "_site" / file[1:]).read_bytes(),
                content=TRUTH[name],
                drop=DROP.get(name, ""),
                roles=ROLES[name],
                title=item["title"],
                type=item["type"],
                language=item["language"],
                source=item["source"],
                entries=ENTRIES.get(name, ""),
            )


def _site_data(contents: Sequence[Content]) -> dict[str, list[dict[str, Any]]]:
    """What each template makes pages of."""
    items = [_item(content) for content in contents]
    kinds = {kind: [i for i in items if i["kind"] == kind] for kind in WANTED}
    products, threads, articles = kinds["product"], kinds["thread"], kinds["article"]
    portal = articles[7:] + kinds["wiki"] + kinds["landing"] + kinds["about"]
    data = {
        "news": articles[:7] + kinds["recipe"],
        "products": products,
        "threads": threads,
        "portal": portal,
    }
    for group in data.values():
        for place, item in enumerate(group):
            others = group[place + 1 :] + group[:place]
            keys = ("slug", "title", "teaser", "price")
            item["related"] = [{key: o[key] for key in keys} for o in others[:4]]
    common = {"source": "", "language": "en"}
    data["categories"] = [
        common
        | {
            "slug": "all",
            "title": "All products",
            "products": products,
            "type": "collection",
        },
        common
        | {
            "slug": "new",
            "title": "New this week",
            "products": products[:4],
            "type": "collection",
        },
    ]
    data["boards"] = [
        common
        | {"slug": "index", "title": "General", "threads": threads, "type": "listing"}
    ]
    return data


def _words(html: str) -> list[str]:
    return "".join(lxml_html.fromstring(f"<div>{html}</div>").itertext()).split()


def _item(content: Content) -> dict[str, Any]:
    is_own = content.kind in {"product", "thread"}
    html = to_html(content.body if is_own else content.source)
    blocks = [
        lxml_html.tostring(block, encoding="unicode")
        for block in lxml_html.fragments_fromstring(html or "<p></p>")
        if not isinstance(block, str)
    ]
    third = max(len(blocks) // 3, 1)
    data = dict(content.data)
    if content.kind == "product":
        data["price"] = f"{data['price']:.2f}"
        data["specifications"] = list(data["specifications"].items())
        data.setdefault("reviews", [])
    posts = [post | {"html": to_html(post["text"])} for post in data.pop("posts", ())]
    return {
        "slug": content.slug,
        "kind": content.kind,
        "title": content.title,
        "author": content.author,
        "date": content.date,
        "language": content.language,
        "rtl": content.is_rtl,
        "tags": list(content.tags),
        "html": html,
        "first": "\n".join(blocks[:third]),
        "middle": "\n".join(blocks[third : 2 * third]),
        "last": "\n".join(blocks[2 * third :]),
        "teaser": " ".join(_words(html)[:18]),
        "price": data.get("price", ""),
        "data": data,
        "posts": posts,
        "type": content.page_type,
        "source": "" if is_own else content.plain,
    }
