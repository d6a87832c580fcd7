"""Pages made to break whoever reads them: by name, each generated at any size.

``make(size)`` gives about *size* bytes. :data:`FULL` has the sizes of the benchmark
where they are not a megabyte: those that are known to take minutes elsewhere.
"""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Callable
from itertools import cycle, islice
from typing import Final

MEGABYTE: Final = 1_000_000

WORDS: Final = (
    "the water of a river runs through old towns and under bridges, past mills that "
    "no longer turn; people who live there say that it was cleaner when they were "
    "young. "
).split()

SENTENCE: Final = " ".join(WORDS)
ARTICLE: Final = f"<article><h1>The river</h1><p>{SENTENCE}</p></article>"

Make = Callable[[int], bytes]


def text_of(size: int) -> str:
    """Plain words of about *size* bytes."""
    return (SENTENCE * (size // len(SENTENCE) + 1))[:size]


def normal(size: int) -> bytes:
    """A page as others are: a menu, an article with links, a list, a footer."""
    menu = "".join(f'<li><a href="/topic/{k}">Topic {k}</a></li>' for k in range(20))
    head = "<!DOCTYPE html><html><head><title>The river</title></head><body><nav><ul>"
    head += menu
    parts = [head, "</ul></nav><main><article><h1>The river</h1>"]
    done = len(head)
    for k in range(size):
        if done >= size:
            break
        part = (
            f'<p class="text">{SENTENCE} <a href="/page/{k}">More of it</a> and '
            f"<em>{SENTENCE}</em></p>"
        )
        if k % 8 == 0:
            part += (
                f"<h2 id=s{k}>Part {k}</h2><ul><li>{SENTENCE}</li><li>Mills</li></ul>"
            )
        parts.append(part)
        done += len(part)
    return "".join([*parts, "</article></main><footer>Imprint</footer>"]).encode()


def flood(unit: str, before: str = ARTICLE, after: str = "") -> Make:
    """The same again and again, after an article."""

    def make(size: int) -> bytes:
        return (before + unit * (size // len(unit.encode()) + 1) + after).encode()

    return make


def numbered(unit: str, before: str = ARTICLE, after: str = "") -> Make:
    """Something with a number in it (``{}``), each time another one."""

    def make(size: int) -> bytes:
        count = size // len(unit.format(10_000)) + 1
        return (before + "".join(map(unit.format, range(count))) + after).encode()

    return make


def nested(tag: str, text: str = "deep ") -> Make:
    """An element in itself, with a text on every level, opened and closed."""

    def make(size: int) -> bytes:
        count = size // (2 * len(tag) + 5 + len(text)) + 1
        deep = f"<{tag}>{text}" * count + f"</{tag}>" * count
        return f"<title>Deep</title>{deep}<p>{SENTENCE}".encode()

    return make


def nested_in_turn(tags: str) -> Make:
    """Elements of several kinds in one another."""
    names = tags.split()

    def make(size: int) -> bytes:
        count = size // 16 + 1
        opened = list(islice(cycle(names), count))
        start = "".join(f"<{tag}>a " for tag in opened)
        end = "".join(f"</{tag}>" for tag in reversed(opened))
        return f"{start}{end}<p>{SENTENCE}".encode()

    return make


def single(before: str, unit: str, after: str = "") -> Make:
    """One thing that is as long as the page."""

    def make(size: int) -> bytes:
        return (before + unit * (size // len(unit) + 1) + after).encode()

    return make


def table(size: int) -> bytes:
    """A table with as many rows as fit."""
    row = "<tr><td>{0}</td><td>Mill {0}</td><td>river</td></tr>"
    count = size // len(row.format(10_000)) + 1
    rows = "".join(row.format(k) for k in range(count))
    return f"<h1>Mills</h1><p>{SENTENCE}</p><table>{rows}</table>".encode()


def attributes(size: int) -> bytes:
    """One tag with as many attributes as fit."""
    count = size // 9
    names = " ".join(f"a{k}=1" for k in range(count))
    return f"<h1>The river</h1><div {names}><p>{SENTENCE}</div>".encode()


def hidden_attributes(size: int) -> bytes:
    """The same, with markup in the values."""
    names = " ".join(f'a{k}="</p><p>"' for k in range(size // 17))
    return f"<h1>The river</h1><div {names}><p>{SENTENCE}</div>".encode()


def valueless_attributes(size: int) -> bytes:
    names = " ".join(f"b{k}" for k in range(size // 7))
    return f"<h1>The river</h1><div {names}><p>{SENTENCE}</div>".encode()


def attributes_behind_odd_comment(size: int) -> bytes:
    names = " ".join(f"b{k}" for k in range(size // 7))
    odd = (
        "<!--><i a='--><p'>b</i><script><!--<script></script><p '--></script></script>"
    )
    return f"{ARTICLE}{odd}<div {names}>{SENTENCE}</div>".encode()


def many_tags_of_attributes(size: int) -> bytes:
    names = " ".join(f"a{k}=1" for k in range(900))
    tag = f"<p {names}>river "
    return (tag * (size // len(tag) + 1)).encode()


def linked_data(size: int) -> bytes:
    """JSON-LD as deep as it can be."""
    deep = '{"a":' * (size // 12) + "1" + "}" * (size // 12)
    return f"<script type=application/ld+json>{deep}</script>{ARTICLE}".encode()


def long_linked_data(size: int) -> bytes:
    data = json.dumps({"@type": "Article", "articleBody": text_of(size)})
    return f"<script type=application/ld+json>{data}</script><p>River".encode()


def many_linked_data(size: int) -> bytes:
    data = json.dumps({"@type": "Article", "headline": "x", "author": {"name": "N"}})
    one = f"<script type=application/ld+json>{data}</script>"
    return (one * (size // len(one) + 1) + ARTICLE).encode()


def next_data(size: int) -> bytes:
    """Hydration data, deep and long."""
    value = '{"children":[' * (size // 40) + '"river"' + "]}" * (size // 40)
    more = json.dumps([{"title": "River", "body": SENTENCE}] * (size // 600))
    data = f'{{"props":{value},"more":{more}}}'
    return f"<script id=__NEXT_DATA__ type=application/json>{data}</script>".encode()


def pushed_flight(size: int) -> bytes:
    data = json.dumps('0:["$","p",null,{"children":"' + SENTENCE + '"}]\n')
    one = f"<script>self.__next_f.push([1,{data}])</script>"
    return (one * (size // len(one) + 1)).encode()


def utf_16(size: int) -> bytes:
    return normal(size // 2).decode().encode("utf-16")


def utf_16_unmarked(size: int) -> bytes:
    return normal(size // 2).decode().encode("utf-16-le")


def random_bytes(size: int) -> bytes:
    return random.Random(8).randbytes(size)


def random_markup(size: int) -> bytes:
    generator = random.Random(8)
    pieces = [
        "<p>",
        "</p>",
        "<b",
        "'",
        '"',
        "=",
        ">",
        "<!--",
        "-->",
        "&",
        "x ",
        "</",
        "<table>",
    ]
    return "".join(generator.choices(pieces, k=size // 3)).encode()


def gzipped(size: int) -> bytes:
    page = gzip.compress(random.Random(8).randbytes(size), 1)
    return b"<!-- -->" + page


def compressed(size: int) -> bytes:
    return zlib.compress(random.Random(8).randbytes(size), 0)


def mixed_encodings(size: int) -> bytes:
    part = (
        "<p>Flüsse ".encode() + "Flüsse ".encode("latin-1") + "川</p>".encode("gb18030")
    )
    return b"<meta charset=utf-8>" + part * (size // len(part) + 1)


def wrong_label(size: int) -> bytes:
    part = "<p>Вода течёт под мостами старого города.</p>".encode()
    return b"<meta charset=euc-kr>" + part * (size // len(part) + 1)


def utf_7(size: int) -> bytes:
    part = b"<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>"
    return b"<meta charset=utf-7>" + part * (size // len(part) + 1)


def no_such_encoding(size: int) -> bytes:
    return b"<meta charset=hex>" + normal(size)


def zalgo(size: int) -> bytes:
    mark = "e" + "\u0301\u0316\u0333" * 20
    return f"<p>{mark * (size // 121 + 1)}".encode()


def bidirectional(size: int) -> bytes:
    mark = "\u202eriver\u202c \u2066old\u2069 "
    return f"<p>{mark * (size // len(mark.encode()) + 1)}".encode()


def headings(size: int) -> bytes:
    part = "".join(f"<h{k}>River {k}</h{k}><p>{SENTENCE}</p>" for k in range(1, 7))
    return (part * (size // len(part) + 1)).encode()


def deep_and_closing(size: int) -> bytes:
    """Below 2,000 open elements, end tags of elements that are not open."""
    return (ARTICLE + "<div>" * 2000 + "</i>" * (size // 4)).encode()


def deep_cells(size: int) -> bytes:
    return (ARTICLE + "<table>" * 1000 + "</td>" * (size // 5)).encode()


def deep_with_many_blocks(size: int) -> bytes:
    return ("<div>" * 250 + f"<p>{SENTENCE}</p>" * (size // len(SENTENCE))).encode()


HOSTILE: Final[dict[str, Make]] = {
    # Depth
    **{
        f"nested {tag}": nested(tag)
        for tag in (
            "div p span b i font a ul li ol dl table td blockquote section article "
            "form select svg math template noscript object button label h1 pre sup "
            "x-y center nobr marquee ruby details"
        ).split()
    },
    "nested lists": nested_in_turn("ul li"),
    "nested ordered lists": nested_in_turn("ol li"),
    "nested tables": nested_in_turn("table tr td"),
    "nested tables with bodies": nested_in_turn("table tbody tr td"),
    "nested quotes": nested_in_turn("blockquote p"),
    "nested quotes and lists": nested_in_turn("blockquote ul li"),
    "nested definition lists": nested_in_turn("dl dd"),
    "nested emphasis": nested_in_turn("b i em strong"),
    "nested links": nested_in_turn("a span"),
    "deep and end tags": deep_and_closing,
    "deep tables and end tags": deep_cells,
    "deep with many blocks": deep_with_many_blocks,
    # Unclosed
    **{
        f"unclosed {tag}": flood(f"<{tag}>")
        for tag in (
            "div p span b font a li td tr table option select form html body"
        ).split()
    },
    "unclosed b with text": flood("<b>river "),
    "unclosed a with addresses": numbered("<a href=/x{0}>river "),
    "unclosed font with attributes": flood("<font color=red face=Arial>river "),
    "unclosed comment": single(ARTICLE + "<!--", "<p>river "),
    "unclosed comments": flood("<!--"),
    "unclosed declarations": flood("<!DOCTYPE"),
    "unclosed cdata": flood("<![CDATA["),
    "unclosed script": single(ARTICLE + "<script>", "if (a < b) '<p>'; "),
    "unclosed scripts": flood("<script>"),
    "unclosed style": single(ARTICLE + "<style>", "p { color: red } "),
    "unclosed title": single("<title>", "river "),
    "unclosed textarea": single(ARTICLE + "<textarea>", "<p>river "),
    "unclosed plaintext": single(ARTICLE + "<plaintext>", "<p>river "),
    "unclosed xmp": single(ARTICLE + "<xmp>", "<p>river "),
    "unclosed value": single(ARTICLE + "<p title='", "<p>river "),
    "unclosed values": flood("<p x='"),
    "unclosed tag": single(ARTICLE + "<p ", "river "),
    "processing instructions": flood("<?php echo 1"),
    # Attributes
    "attributes": attributes,
    "attributes with markup": hidden_attributes,
    "attributes without values": valueless_attributes,
    "attributes behind odd comments": attributes_behind_odd_comment,
    "many tags of attributes": many_tags_of_attributes,
    "attributes of an end tag": single(ARTICLE + "</p ", "a=1 "),
    "attributes of html tags": numbered("<html a{0}>"),
    "attributes of body tags": numbered("<body a{0}=1>"),
    "one attribute name again": single("<p ", "a ", f">{SENTENCE}"),
    "a long attribute": single(ARTICLE + "<p title='", "river ", "'>"),
    "a long class": single(ARTICLE + "<p class='", "river ", f"'>{SENTENCE}"),
    "a long style": single(ARTICLE + "<p style='", "color: red; ", f"'>{SENTENCE}"),
    "a long name": single(ARTICLE + "<x", "y", f">{SENTENCE}"),
    "data URLs": flood("<img src='data:image/png;base64," + "A" * 5000 + "'>"),
    "one data URL": single(ARTICLE + "<img src='data:image/png;base64,", "A", "'>"),
    "a long address": single(ARTICLE + "<a href='/", "a/", "'>river</a>"),
    "addresses with dots": flood("<a href='" + "../" * 300 + "x'>river</a> "),
    # Many of a kind
    "table rows": table,
    "table cells": flood("<td>a", ARTICLE + "<table><tr>"),
    "table spans": flood("<td colspan=1000 rowspan=65534>a", ARTICLE + "<table><tr>"),
    "header cells": flood("<th scope=col>a</th>", ARTICLE + "<table><tr>"),
    "captions": flood("<caption>a</caption>", ARTICLE + "<table>"),
    "tables": flood("<table><tr><td>a</table>"),
    "elements": flood("<i></i>"),
    "paragraphs": flood("<p>a"),
    "paragraphs of words": flood("<p>river mill</p>"),
    "breaks": flood("<br>"),
    "breaks with text": flood("a<br>"),
    "rules": flood("<hr>"),
    "images": numbered("<img src={0}.png alt=river>"),
    "pictures": numbered(
        "<picture><source srcset='{0}.webp 2x'><img src={0}.png></picture>"
    ),
    "long srcsets": single(ARTICLE + "<img srcset='", "a.png 2x, ", "'>"),
    "links": numbered("<a href=/{0}>river</a> "),
    "links in items": numbered("<li><a href=/{0}>river</a></li>", ARTICLE + "<ul>"),
    "items": flood("<li>river mill", ARTICLE + "<ul>"),
    "definitions": flood("<dt>a<dd>b", ARTICLE + "<dl>"),
    "options": flood("<option>river", ARTICLE + "<select>"),
    "options without select": flood("<option>river</option>"),
    "inputs": flood("<input value=river>"),
    "forms": flood("<form>river</form>"),
    "headings": headings,
    "empty headings": flood("<h2></h2>"),
    "tag names": numbered("<t{0}>a</t{0}>"),
    "attribute names": numbered("<p a{0}=b>a"),
    "class names": numbered("<p class='a{0} b{0}'>a"),
    "ids": numbered("<p id=a{0}>a"),
    "one id again": flood("<p id=a>river"),
    "metas": numbered("<meta name=a{0} content=b>", "", ARTICLE),
    "metas of one kind": flood("<meta property=og:title content=river>", "", ARTICLE),
    "authors": flood("<meta name=author content='Ann Miller'>", "", ARTICLE),
    "times": flood("<time datetime=2024-05-06T07:08:09Z>May 6</time> "),
    "base addresses": flood("<base href=http://a.example/>"),
    "link elements": numbered("<link rel=canonical href=/{0}>", "", ARTICLE),
    "items of microdata": flood(
        "<div itemscope itemtype=http://schema.org/Article>"
        "<span itemprop=name>a</span></div>"
    ),
    "microdata in microdata": nested("div itemscope itemprop=x", "a "),
    "iframes": flood("<iframe src=x></iframe>"),
    "videos": flood("<video src=x>river</video>"),
    "templates": flood("<template shadowrootmode=open><p>river</template>"),
    "noscripts": flood("<noscript><p>river mill</p></noscript>"),
    "framesets": flood("<frameset><frame src=x>", ""),
    "end tags": flood("</p>"),
    "unknown end tags": flood("</x>"),
    "breaks as end tags": flood("</br>"),
    "text and end tags": flood("a</x>"),
    "text and comments": flood("a<!--b-->"),
    "comments": flood("<!-- river -->"),
    "conditional comments": flood("<!--[if IE]><p>river<![endif]-->"),
    "scripts": flood("<script>var a = '<p>river</p>';</script>"),
    "styles": flood("<style>p { color: red }</style>"),
    "script comments": flood("<script><!--<script>"),
    "buttons": flood("<button>river</button>"),
    "rubies": flood("<ruby>a<rp>(<rt>b<rp>)</ruby>"),
    "svg": flood("<svg><path d='M0 0'/><text>a</text></svg>"),
    "math": flood("<math><mi>a</mi><mo>=</mo></math>"),
    # Texts
    "one text": lambda size: text_of(size).encode(),
    "an article": lambda size: f"<h1>River</h1><p>{text_of(size)}</p>".encode(),
    "one word": single("<p>", "a"),
    "Chinese": single("<p>", "河水流过古老的城镇，", "</p>"),
    "blanks": single(ARTICLE, " "),
    "line ends": single(ARTICLE, "\n"),
    "preformatted blanks": single(ARTICLE + "<pre>", " ", "x"),
    "preformatted lines": single(ARTICLE + "<pre>", "a\n"),
    "less-than signs": single("", "<"),
    "greater-than signs": single("", ">"),
    "ampersands": single("", "&"),
    "quotation marks": single(ARTICLE, '"'),
    "entities": flood("&amp;"),
    "unknown entities": flood("&river;"),
    "numeric entities": flood("&#x10FFFF;"),
    "long numeric entity": single(ARTICLE + "&#", "9"),
    "long entity": single(ARTICLE + "&", "a"),
    "NULs": single("", "\0"),
    "NULs in text": flood("<p>ri\0ver"),
    "control characters": flood("<p>\x01\x02\x7f\x0b river"),
    "a long title": single("<title>", "River ", f"</title>{ARTICLE}"),
    "a long title of separators": single("<title>", "a | ", f"</title>{ARTICLE}"),
    "a long description": single(
        "<meta name=description content='", "river ", f"'>{ARTICLE}"
    ),
    "a long byline": single("<p class=author>By ", "Ann Miller and ", f"</p>{ARTICLE}"),
    "a long date": single("<time>", "May 6, 2024 ", f"</time>{ARTICLE}"),
    "Markdown marks": flood("<p>*_`[]()#+-.!|\\<b>*</b>_"),
    "backticks": single(ARTICLE + "<p><code>", "`", "</code>"),
    "backticks in turn": single(ARTICLE + "<pre>", "` `` ``` ", "</pre>"),
    "stars": single(ARTICLE + "<p>", "* ", ""),
    "brackets": single(ARTICLE + "<p>", "[", ""),
    "numbers": single(ARTICLE + "<p>", "1. ", ""),
    "zalgo": zalgo,
    "bidirectional": bidirectional,
    # Data
    "deep JSON-LD": linked_data,
    "long JSON-LD": long_linked_data,
    "many JSON-LD": many_linked_data,
    "broken JSON-LD": single(
        "<script type=application/ld+json>", '{"a":[', "</script><p>x"
    ),
    "JSON-LD of quotes": single(
        "<script type=application/ld+json>", '"\\', "</script><p>x"
    ),
    "hydration data": next_data,
    "flight data": pushed_flight,
    "state of brackets": single("<script>window.__STATE__ = ", "[{", "</script><p>x"),
    # Encodings and files
    "UTF-16": utf_16,
    "UTF-16 without mark": utf_16_unmarked,
    "UTF-7": utf_7,
    "no such encoding": no_such_encoding,
    "mixed encodings": mixed_encodings,
    "wrong label": wrong_label,
    "random bytes": random_bytes,
    "random markup": random_markup,
    "a gzip file": gzipped,
    "a zlib file": compressed,
    "broken UTF-8": lambda size: b"<p>\xc3\x28\xe2\x82" * (size // 7),
    "surrogates": lambda size: b"<p>\xed\xa0\x80 river" * (size // 12),
    "marks": lambda size: b"\xef\xbb\xbf" * (size // 3) + ARTICLE.encode(),
}

FULL: Final = {
    "nested div": 2_500_000,
    "attributes": 450_000,
    "table rows": 10_000_000,
    "an article": 18 * MEGABYTE,
    "one text": 30 * MEGABYTE,
    "less-than signs": 10 * MEGABYTE,
    "ampersands": 10 * MEGABYTE,
    "elements": 7 * MEGABYTE,
    "unclosed b": 3 * MEGABYTE,
    "unclosed font": 6 * MEGABYTE,
    "unclosed a": 3 * MEGABYTE,
    "links": 25 * MEGABYTE,
    "a long title": 5 * MEGABYTE,
    "deep JSON-LD": 5 * MEGABYTE,
    "hydration data": 5 * MEGABYTE,
    "metas": 3 * MEGABYTE,
    "tag names": 2 * MEGABYTE,
    "NULs": 10 * MEGABYTE,
}
"""The bytes of the inputs that are not a megabyte long in the benchmark."""

__all__ = ["ARTICLE", "FULL", "HOSTILE", "MEGABYTE", "SENTENCE", "normal"]
