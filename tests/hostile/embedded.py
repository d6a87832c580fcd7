"""Hostile markup in every place where a page can hold another one, and hostile data."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from html import escape
from itertools import cycle, islice
from typing import Any, Final

from .making import SENTENCE, Make

PROSE: Final = f"<p>{SENTENCE * 12}</p>"
TITLE: Final = "<title>The river</title><p>x"
DENSE_BYTES: Final = 16
"""Of an element: the pages are over no limit because of their size alone."""


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
    "srcdoc": lambda markup: f'<p>x<iframe srcdoc="{escape(markup)}"></iframe>',
    "shadow root": lambda markup: (
        f"<p>x<div><template shadowrootmode=open>{markup}</template></div>"
    ),
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
    "roomy paragraphs": many("<p>a river and a mill"),
    "nested divs": nest("div"),
    "open tags": nest("b i u span font"),
    "end tags": many("<b><i></u></font>"),
    "tables": many("<table><tr><td>a"),
    "rows": many("<tr><td>a<td>b", "<table>"),
    "links": many("<a href=/{}>a</a> "),
    "lists": many("<ul><li>a"),
    "headings": many("<h2>a</h2>b"),
    "comments": many("<!-- a -->"),
    "less-than signs": many("<"),
    "ampersands": many("&"),
    "entities": many("&amp;lt;"),
    "marks": many("\u0316\u0301", "<p>a", "</p>"),
    "one text": many("a", "<p>"),
    "words": many("river ", "<p>"),
    "tag names": many("<x{}>a"),
    "frames": many("<iframe srcdoc='&lt;p>a'></iframe>"),
    "templates": many("<template shadowrootmode=open>a</template>"),
    "scripts": many("<script>a={'b':[1]}</script>"),
    "breaks": many("<br>"),
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


def shared_title(size: int) -> bytes:
    flat = [[*range(2, size // 20)], "The river " * 40]
    flat += [{"title": 1} for _ in range(size // 20)]
    return (TITLE + script(as_json([{"a": 1, "b": 2}, *flat]))).encode()


def wrapped_places(size: int) -> bytes:
    flat: list[Any] = [{"content": 1, "a": 52}, [2] * (size // 4)]
    flat += [["Ref", place + 1] for place in range(2, 52)]
    return (TITLE + script(as_json([*flat, f"{SENTENCE} " * 3]))).encode()


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
    "one title, referred to": shared_title,
    "wrappers around places": wrapped_places,
    "one row, referred to": references,
    "empty objects": data("{},", "[", "1]"),
    "empty arrays": data("[],", "[", "1]"),
    "places of objects": data("{},", '[{"a":1},"x",', "1]"),
    "objects of one place": data('{"a":1},', '[{"a":1},"x",', "1]"),
    "deep arrays": data("["),
    "wide and deep": data('"a":{"b":[1]},', '{"x":' * 90 + "{", '"c":1}' + "}" * 90),
    "one key": data('{"content":"a river and a mill and more"},', "[", "1]"),
    "assignments": data("a={};"),
}
"""Data that names one thing many times, or that takes much more memory than bytes."""

EMBEDDED: Final[dict[str, Make]] = SHARED | {
    f"{structure} in {way}": partial(embedded, way, structure)
    for structure in STRUCTURES
    for way in WAYS
}
