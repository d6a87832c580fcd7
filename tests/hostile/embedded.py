"""Hostile markup in every place where a page can hold another one, and hostile data."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from html import escape
from itertools import cycle, islice
from typing import Any, Final

from .making import ARTICLE, SENTENCE, Make, flood, numbered

PROSE: Final = f"<p>{SENTENCE * 12}</p>"
TITLE: Final = "<title>The river</title><p>x"


def as_json(data: Any) -> str:
    return json.dumps(data).replace("</", "<\\/")


def script(text: str, kind: str = "application/json") -> str:
    return f"<script type={kind}>{text}</script>"


def in_linked_data(kind: str, key: str, markup: str) -> str:
    node = {"@type": kind, "headline": "The river", key: markup, "author": "Ann"}
    return script(as_json(node), "application/ld+json") + "<p>x"


def in_flight(markup: str) -> str:
    size = len(markup.encode())
    row = f'1:T{size:x},{markup}2:{{"title":"The river","content":"$1"}}\n'
    return f"{TITLE}<script>self.__next_f.push([1,{as_json(row)}])</script>"


def in_devalue(markup: str) -> str:
    state = [{"title": 1, "content": 2}, "The river", markup]
    return TITLE + script(as_json(state))


def in_state(markup: str) -> str:
    return as_json({"title": "The river", "content": markup})


WAYS: Final[dict[str, Callable[[str], str]]] = {
    "JSON-LD article": partial(in_linked_data, "Article", "articleBody"),
    "JSON-LD post": partial(in_linked_data, "DiscussionForumPosting", "text"),
    "JSON script": lambda markup: TITLE + script(in_state(markup)),
    "assigned state": lambda markup: f"{TITLE}<script>a={in_state(markup)}</script>",
    "parsed string": lambda markup: (
        f"{TITLE}<script>a=JSON.parse({as_json(in_state(markup))})</script>"
    ),
    "data-page": lambda markup: (
        f'{TITLE}<div data-page="{escape(in_state(markup))}"></div>'
    ),
    "flight row": in_flight,
    "devalue": in_devalue,
    "frame": lambda markup: f'{TITLE}<iframe srcdoc="{escape(markup)}"></iframe>',
    "noscript": lambda markup: f"{TITLE}<noscript>{markup}</noscript>",
    "microdata": lambda markup: (
        f"{TITLE}<div itemscope itemtype=http://schema.org/Article>"
        f"<b itemprop=author>Ann</b><div itemprop=articleBody>{markup}</div></div>"
    ),
}
"""Ways to hold markup in a page."""


def many(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    def make(size: int) -> str:
        times = max(size - len(PROSE), 0) // len(unit)
        units = (unit.replace("{}", str(number)) for number in range(times))
        return f"{PROSE}{before}{''.join(units)}{after}"

    return make


def nest(tags: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        opened = [*islice(cycle(tags.split()), max(size - len(PROSE), 0) // 12)]
        return f"{PROSE}{''.join(f'<{tag}>a ' for tag in opened)}"

    return make


STRUCTURES: Final[dict[str, Callable[[int], str]]] = {
    "attributes": many("a{}=1 ", "<p ", ">x</p>"),
    "paragraphs": many("<p>a"),
    "nested divs": nest("div"),
    "rows": many("<tr><td>a<td>b", "<table>"),
    "links": many("<a href=/{}>a</a> "),
    "headings": many("<h2>a</h2>b"),
    "less-than signs": many("<"),
    "marks": many("\u0316\u0301", "<p>a", "</p>"),
    "one text": many("a", "<p>"),
}
"""Markup that costs a parser or an output much, behind a paragraph of content."""


def embedded(way: str, structure: str, size: int) -> bytes:
    """A page of about *size* bytes with markup in it."""
    wrap, markup = WAYS[way], STRUCTURES[structure]
    page = wrap(markup(size)).encode("utf-8", "replace")
    return wrap(markup(size * size // max(len(page), 1))).encode("utf-8", "replace")


def shared_text(size: int) -> bytes:
    state = [
        {"content": 1},
        [2] * (size // 6),
        f"{SENTENCE} " * (size // 2 // len(SENTENCE)),
    ]
    return (TITLE + script(as_json(state))).encode()


def shared_tree(size: int) -> bytes:
    text = f"{SENTENCE} " * 3
    flat: list[Any] = [{"content": 1}, [], None, "paragraph", "doc", text]
    places = range(6, 6 + min(5_000, size // 60))
    flat += [{"type": 3, "text": 5} for _ in places]
    flat[2] = {"type": 4, "content": len(flat)}
    flat.append([*places])
    for _ in range(size // 2 // 75):
        flat += [[2], {"type": 4, "content": len(flat)}, {"body": len(flat) + 1}]
        flat[1].append(len(flat) - 1)
    return (TITLE + script(as_json(flat))).encode()


def references(size: int) -> bytes:
    text = f"{SENTENCE} " * max(size // 2 // len(SENTENCE), 1)
    rows = f'1:T{len(text):x},{text}2:{{"title":"The river","content":["'
    rows += '$1","' * (size // 20) + '"]}\n'
    return f"{TITLE}<script>self.__next_f.push([1,{as_json(rows)}])</script>".encode()


def data(unit: str, before: str = "", after: str = "") -> Make:
    def make(size: int) -> bytes:
        return (TITLE + script(before + unit * (size // len(unit)) + after)).encode()

    return make


SHARED: Final[dict[str, Make]] = {
    "one text, referred to": shared_text,
    "one tree, referred to": shared_tree,
    "one row, referred to": references,
    "empty objects": data("{},", "[", "1]"),
    "deep arrays": data("["),
    "assignments": data("a={};"),
}
"""Data that names one thing many times, or that takes much more memory than bytes."""

EMBEDDED: Final[dict[str, Make]] = SHARED | {
    f"{structure} in {way}": partial(embedded, way, structure)
    for structure, way in zip(STRUCTURES, cycle(WAYS), strict=False)
}


LONG: Final = "#a" * 2_000
_POST: Final = (
    "<div class=author><a href=/user/ann{0}>Ann{0}</a></div><div class=date>May 2, "
    "2024 10:00</div><div class=body>" + SENTENCE[:80] + "{0}</div>"
)
_CARD: Final = "<h3><a href=/r/{0}>River number {0}</a></h3><p>" + SENTENCE[:60]
_MARKED: Final = (
    "<div itemscope itemtype=http://schema.org/Comment><meta itemprop=dateCreated "
    "content=2024-05-06><b itemprop=author>Ann{0}</b><div itemprop=text>the river {0}"
)
_UNREAD: Final = "qwo zur {0} plim 2020 dax vro wem hup lorem ipsum dolor"
_PAGER: Final = "<a href='/list/x?page={0}'>{0}</a>"

SHOWN: Final[dict[str, Make]] = {
    **{
        f"posts in {tag}": numbered(f"<{tag} class=post id=p{{0}}>{_POST}</{tag}>")
        for tag in ("div", "span", "x-post", "li", "article")
    },
    "posts in posts": numbered(f"<div class=post id=p{{0}}>{_POST}"),
    "posts with long addresses": numbered(
        f"<div class=post>{_POST}<a href='{LONG}'>b</a></div>"
    ),
    "posts of unread dates": numbered(
        f"<div class=post>{_POST.replace('May 2, 2024 10:00', _UNREAD)}</div>"
    ),
    "rows of posts": numbered(f"<tr class=post><td>{_POST}", "<table>"),
    "marked posts": numbered(f"{_MARKED}</div></div>"),
    "marked posts in posts": numbered(_MARKED),
    "marked posts around a text": lambda size: (
        _MARKED * min(size // 400, 120) + f"<p>{SENTENCE}" * (size // 300)
    ).encode(),
    "marked posts of unread dates": numbered(
        _MARKED.replace("2024-05-06", f"'{_UNREAD}'") + "</div></div>"
    ),
    "marked authors": numbered("<b itemprop=author>admin{0}</b>",
                               "<div itemscope itemtype=http://schema.org/Article>"),
    "cards": numbered(f"<div class=card>{_CARD}</div>"),
    "cards in cards": numbered(f"<div class=card>{_CARD}"),
    "cards of brackets": flood(
        f"<div class=card><h3><a href=/r>River {'(' * 300}</a></h3><p>mill</div>"
    ),
    "links of results": numbered("<li><a href=/r/{0}>River number {0}</a> $ {0}.50"),
    "a mail": flood("a", "<p>From: ", "</p><p>Date: Mon, 6 May 2024</p><a href="
                    "thread.html>t</a><a href=date.html>t</a><pre>The river</pre>"),
    "pagers": numbered(_PAGER, ARTICLE),
    "pagers of long addresses": numbered(
        f"<a href='/list/x?page={{0}}'>2</a><a rel=next href='/list/x?page={'1' * 99}"
        "{0}y'>next</a>", ARTICLE),
    "pagers of labels": numbered(
        f"<a href='?page={{0}}' aria-label='x{' ' * 999}x'>›</a>", ARTICLE),
    "headings below a long one": lambda size: (
        f"<h1>River</h1><h2>{'a' * (size // 2)}</h2>"
        + "<h3>A</h3><p>river" * (size // 36)
    ).encode(),
    "facts": numbered("<tr><th>Width {0}<td>{0} mm", "<h1>Mill</h1><table>"),
    "terms": numbered("<dt>Time {0}<dd>{0} h {0} min", "<h1>Mill</h1><dl>"),
    "prices": numbered("<p class=price>$ {0}.00</p>", "<h1>Mill<button>Buy</h1>"),
    "forms of search": numbered("<form role=search action=/{0}><input name=q{0}>"),
    "crumbs": numbered("<a href=/{0}>Mill {0}</a> &gt; ", ARTICLE + "<p>"),
    "braces in cells": flood("{", f"{ARTICLE}<table><tr><td>b<td>", "<td>b</table>"),
    "braces in bold": flood("{:", f"{ARTICLE}<p>a <b>", f"</b>{ARTICLE}"),
}  # fmt: skip

PROPERTIES: Final = {
    "Product": "offers hasVariant additionalProperty review brand image",
    "Recipe": "recipeInstructions recipeIngredient author",
    "Place": "openingHoursSpecification address",
    "Event": "location performer offers",
    "JobPosting": "jobLocation hiringOrganization",
    "DiscussionForumPosting": "comment author",
    "Question": "suggestedAnswer acceptedAnswer",
    "Article": "author mainEntity isPartOf",
    "ItemList": "itemListElement",
    "BreadcrumbList": "itemListElement",
}
"""Types of schema.org, and the properties of each that outputs read."""


def many(kind: str, name: str, size: int) -> Any:
    inner = {"@type": "Thing", "name": SENTENCE[:40], "text": SENTENCE[:40]}
    return {"@type": kind, "name": "Mill", name: [inner] * (size // 120)}


def referring(kind: str, name: str, size: int) -> Any:
    text = SENTENCE * (size // 500)
    inner = {"@id": "s", "name": text, "text": text[:100], "value": text}
    inner |= {"dayOfWeek": [f"d{k}" for k in range(size // 200)], "opens": "1"}
    return [{"@type": kind, "name": "Mill", name: [{"@id": "s"}] * (size // 40)}, inner]


def circular(kind: str, name: str, size: int) -> Any:
    me = [{"@id": "s"}] * (size // 24)
    return [{"@type": kind, "name": "Mill", name: me}, {"@id": "s", name: me}]


def linked(kind: str, name: str, size: int) -> Any:
    """Things, each of which refers to the next two."""
    count = size // 90
    things = [
        {"@id": f"s{k}", "@type": kind, "name": f"M{k}",
         name: [{"@id": f"s{k + 1}"}, {"@id": f"s{k + 2}"}]}
        for k in range(count)
    ]  # fmt: skip
    return [{"@type": kind, "name": "Mill", name: {"@id": "s0"}}, *things]


def deep(kind: str, name: str, size: int) -> Any:
    inner: Any = "river"
    for k in range(min(size // 60, 200)):
        inner = {
            "@type": kind,
            "name": f"M{k}",
            "text": "river " * (size // 3000),
            name: inner,
        }
    return inner


FORMS: Final[dict[str, Callable[[str, str, int], Any]]] = {
    each.__name__: each for each in (many, referring, circular, linked, deep)
}


def declared(form: str, kind: str, name: str, size: int) -> bytes:
    """A page whose JSON-LD has *kind* with a property of that *form*."""
    data = json.dumps(FORMS[form](kind, name, size), separators=(",", ":"))
    script = f"<script type=application/ld+json>{data}</script>"
    return f"<title>Mill</title><h1>Mill</h1><p>{SENTENCE}{script}".encode()


RECORDS: Final[dict[str, Make]] = SHOWN | {
    f"{form} {name} of {kind}": partial(declared, form, kind, name)
    for kind, names in PROPERTIES.items()
    for name in names.split()
    for form in FORMS
}
