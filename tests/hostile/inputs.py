"""Hostile pages by name: each ``make(size)`` gives about so many bytes."""

from __future__ import annotations

import gzip
import random
from typing import Final

from .making import (
    ARTICLE,
    SENTENCE,
    Make,
    chosen,
    flood,
    nested,
    nested_in_turn,
    normal,
    numbered,
    single,
    text_of,
)


def zalgo(size: int) -> bytes:
    mark = "e" + "\u0301\u0316\u0333" * 20
    return f"<p>{mark * (size // 121 + 1)}".encode()


def bidirectional(size: int) -> bytes:
    mark = "\u202eriver\u202c \u2066old\u2069 "
    return f"<p>{mark * (size // len(mark.encode()) + 1)}".encode()


def repeated(size: int) -> bytes:
    """Paragraphs that differ by nothing but their digits."""
    text = "The river is {0} km long and {0} m wide, and people who live there know it."
    return numbered(f"<p>{text}</p>")(size)


WORDING: Final[dict[str, Make]] = {
    "one text": lambda size: text_of(size).encode(),
    "long numeric entity": single(ARTICLE + "&#", "9"),
    "long entity": single(ARTICLE + "&", "a"),
    "NULs in text": flood("<p>ri\0ver"),
    "control characters": flood("<p>\x01\x02\x7f\x0b river"),
    "zalgo": zalgo,
    "bidirectional": bidirectional,
    "copies apart from digits": repeated,
    "copies": flood(f"<p>{text_of(200)}</p>"),
    "capitals that grow": single("<p>", "ßİŉǰΐﬃ"),
    "entities of two characters": flood("&NotEqualTilde;&nvlt;"),
    "lines that look like lists": flood("<p>1. river<br>- mill<br>+ old<br>"),
}


LD = "<script type=application/ld+json>"


DATA: Final[dict[str, Make]] = {
    "broken JSON-LD": single(
        "<script type=application/ld+json>", '{"a":[', "</script><p>x"
    ),
    "JSON-LD of digits": single(
        f'{LD}{{"@type": "Article", "a": ', "9", "}</script><p>x"
    ),
    "JSON-LD of arrays in arrays": lambda size: (
        f"{LD}{'[' * (size // 2)}{']' * (size // 2)}</script>{ARTICLE}".encode()
    ),
    "a script of braces": single("<script>var a = ", "{", "</script><p>x"),
    "a script of small objects": single("<script>", 'a={"b":1};', "</script><p>x"),
    "a script of open arrays": single("<script>", "=[[", "</script><p>x"),
}


def gzipped(size: int) -> bytes:
    page = gzip.compress(random.Random(8).randbytes(size), 1, mtime=0)
    return b"<!-- -->" + page


def labelled(label: str, unit: bytes, before: str = ARTICLE) -> Make:
    """The same bytes again and again, in an encoding that the page names."""

    def make(size: int) -> bytes:
        start = f"<meta charset={label}>{before}".encode()
        return start + unit * (size // len(unit) + 1)

    return make


MIXED: Final = ["<p>Flüsse ".encode(c) for c in ("utf-8", "latin-1")] + [
    "川</p>".encode("gb18030")
]

ENCODINGS: Final[dict[str, Make]] = {
    "UTF-16": lambda size: normal(size // 2).decode().encode("utf-16"),
    "UTF-16 without mark": lambda size: normal(size // 2).decode().encode("utf-16-le"),
    "UTF-7": labelled("utf-7", b"<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>", ""),
    "no such encoding": lambda size: b"<meta charset=hex>" + normal(size),
    "mixed encodings": labelled("utf-8", b"".join(MIXED), ""),
    "wrong label": labelled(
        "euc-kr", "<p>Вода течёт под мостами старого города.</p>".encode(), ""
    ),
    "random bytes": lambda size: random.Random(8).randbytes(size),
    "a gzip file": gzipped,
    "broken UTF-8": lambda size: b"<p>\xc3\x28\xe2\x82" * (size // 7),
    "surrogates": lambda size: b"<p>\xed\xa0\x80 river" * (size // 12),
    "marks": lambda size: b"\xef\xbb\xbf" * (size // 3) + ARTICLE.encode(),
    "halves in UTF-16": lambda size: b"\xff\xfe" + b"<\0p\0>\0\x00\xd8" * (size // 8),
    "escapes of ISO-2022-JP": labelled("iso-2022-jp", b"<p>\x1b$B!!\x1b(B"),
    "escapes of HZ": labelled("hz-gb-2312", b"<p>~{!!~}"),
    "high bytes": lambda size: b"\xff" * size,
    "all bytes in turn": lambda size: bytes(range(256)) * (size // 256 + 1),
    "a document of another kind": lambda size: (
        b"%PDF-1.7\n" + b"1 0 obj <</Type /Page>> endobj\n" * (size // 31)
    ),
    "a feed": flood(
        "<item><title>River</title><link>http://a.example/</link><description>"
        "&lt;p&gt;Mill</description></item>",
        "<?xml version='1.0'?><rss><channel>",
    ),
    "XHTML": flood(
        "<p xmlns:a='b' a:c='d'><a:e>river</a:e><br/></p>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body>",
    ),
}


_LATEX: Final = r"{\displaystyle " + 900 * "{$%"

FORMULAS: Final = {
    "math in math": flood("<math><mrow>"),
    "math with long tokens": flood(f"<mi>{900 * 'a'}</mi>", "<p><math>"),
    "annotations": flood(
        "<math><semantics><mi>a</mi>"
        f"<annotation encoding=TeX>{_LATEX}</annotation></semantics></math>"
    ),
    "raw formulas": flood(
        r"$a \( \[ $$ \begin{b} \$ ", "<script src=mathjax.js></script><p>"
    ),
}


_LONG: Final = "a" * 8_000
_BASE: Final = f"<base href='http://a.example/{_LONG}/'>{ARTICLE}"
_QUOTES: Final = ARTICLE + "<blockquote>" * 40 + ARTICLE
_MARKS: Final = (
    "<b><i><u><s><del><ins><sup><sub><small><code><kbd><samp><var><mark><q><cite>"
    "<abbr><time><strong><em>"
)
_BLOCK: Final = "<p>the old river runs"


def signs(sign: str) -> Make:
    """A heading of as many signs as fit."""
    return single(f"{ARTICLE}<h2>A ", sign, f"x</h2>{ARTICLE}")


_POSTS: Final = "".join(
    f"<div class=post id=p{k}><div class=author><a href=/user/ann{k}>Ann{k}</a></div>"
    f"<div class=date>May {k}, 2024</div><div class=body>{SENTENCE} {k}</div></div>"
    for k in range(1, 5)
).removesuffix("</div>")
_MARKED: Final = (
    "<div itemscope itemtype=http://schema.org/Comment><meta itemprop=dateCreated "
    "content=2024-05-06><b itemprop=author>Ann</b><div itemprop=text>the river"
)
AMPLIFYING: Final[dict[str, Make]] = {
    "marked posts in each other": single(_MARKED * 100 + "<p>", SENTENCE),
    "days that no language has": numbered(
        "<div itemscope itemtype=http://schema.org/Comment><meta itemprop=dateCreated "
        "content='qwo {0} plim 2020 dax vro wem hup'><p itemprop=text>river {0}</div>"
    ),
    "a long address in a post": single(_POSTS + "<a href='", "#a", "'>b</a></div>"),
    "a long name above a message": single(
        "<p>Date: Mon, 6 May 2024</p><a href=thread.html>t</a><a href=date.html>t</a>"
        "<p>From: ",
        "a",
        "</p><pre>The river</pre>",
    ),
    "next pages and rows of numbers": numbered(
        f"<a href='/x?p={{0}}'>2</a><a rel=next href='/x?p={'1' * 99}{{0}}y'>next</a>"
    ),
    "a long base and links": numbered("<p><a href={0}>river</a> runs to a mill", _BASE),
    "a long base and images": numbered("<p>river <img src={0}.png> runs", _BASE),
    "a long base and quotations": numbered(
        "<blockquote cite={0}>a river</blockquote>", _BASE
    ),
    "short words below a long heading": flood(
        "a ", ARTICLE + f"<h2 id='{'x' * 240}'>{'&quot;' * 240}</h2><p>"
    ),
    "long names around paragraphs": flood(
        "<p>a mill of the river</p>", ARTICLE + f"<{'x' * 100}>" * 200
    ),
    "quotations around code": flood("a\n", _QUOTES + "<pre>"),
    "quotations around lines": flood("a river runs<br>", _QUOTES + "<p>"),
    "quotations around items": flood("<li>a river runs", _QUOTES + "<ul>"),
    "quotations around rows": flood(
        "<tr><td>an old mill<td>a river", _QUOTES + "<table>"
    ),
    "lists around lines": flood(
        "a river runs<br>", ARTICLE + "<ol start=999999999><li>" * 40 + "<p>a<p>"
    ),
    "a link around paragraphs": flood(
        _BLOCK, f"{ARTICLE}<a href='/{_LONG}' title='{_LONG}'>"
    ),
    "an abbreviation around paragraphs": flood(
        _BLOCK, f"{ARTICLE}<abbr title='{_LONG}'>"
    ),
    "marks around paragraphs": flood("<p>river", ARTICLE + _MARKS),
    "rows of a wide table": flood(
        "<tr><td>river", f"{ARTICLE}<table><tr>{'<td>a' * 24}"
    ),
    "quotation marks": flood("'\"&amp;` ", ARTICLE + "<p>"),
    "backticks in lines of code": flood("`", ARTICLE + "<pre>", "</pre>"),
    "signs of emphasis": flood("*_", ARTICLE + "<p>"),
    "private characters in headings": signs("\ue000"),
}


def within(before: str, unit: str, levels: int = 200) -> Make:
    """The same again and again, in as many elements as are allowed."""
    return flood(unit, ARTICLE + before * levels)


NESTING: Final[dict[str, Make]] = {
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
    "nested tables": nested_in_turn("table tr td"),
    "nested links": nested_in_turn("a span"),
    "deep and end tags": flood("</i>", ARTICLE + "<div>" * 2000),
    "deep with many blocks": flood(f"<p>{SENTENCE}</p>", "<div>" * 250),
    "nested names": numbered("<x{0}>river "),
    "nested lists in quotes": nested_in_turn("blockquote ol li p"),
    "nested foreign objects": nested_in_turn("svg foreignObject div"),
    "nested forms in tables": nested_in_turn("form table td"),
    "nested headings": nested_in_turn("h1 h2 h3 h4 h5 h6"),
    "paragraphs of a deep quote": within("<blockquote>", "<p>river"),
    "lines of a deep text": single(
        ARTICLE + "<ul><li><blockquote>" * 70 + "<pre>", "a\n"
    ),
    "headings of a deep section": within("<section>", "<h2>river</h2>"),
    # Unclosed
    **{
        f"unclosed {tag}": flood(f"<{tag}>")
        for tag in (
            "div p span b font a li td tr table option select form html body"
        ).split()
    },
    "unclosed a with addresses": numbered("<a href=/x{0}>river "),
    "unclosed comment": single(ARTICLE + "<!--", "<p>river "),
    "unclosed declarations": flood("<!DOCTYPE"),
    "unclosed script": single(ARTICLE + "<script>", "if (a < b) '<p>'; "),
    "unclosed title": single("<title>", "river "),
    "unclosed plaintext": single(ARTICLE + "<plaintext>", "<p>river "),
    "unclosed value": single(ARTICLE + "<p title='", "<p>river "),
    "unclosed tag": single(ARTICLE + "<p ", "river "),
    "processing instructions": flood("<?php echo 1"),
    # The adoption of formatting elements, and text that tables do not hold
    "wrong order of two": flood("<b><i>river</b></i>"),
    "formatting ends late": lambda size: (
        ARTICLE + "<b><p>" * (size // 10) + "</b>" * (size // 10)
    ).encode(),
    "links in links": numbered("<a href=/{0}><b><a href=/b{0}>river"),
    "text in a table": flood("river <b>", ARTICLE + "<table>"),
    "tables in rows": flood("<table><tr><p>river"),
    "select in select": flood("<select><option>river<select>"),
    "bodies in cells": flood("<td><body class=a><html lang=en>river"),
    "end of the page": flood("</body></html>river "),
    "foreign objects": flood("<svg><foreignObject><p>river</p></foreignObject></svg>"),
    "tags in any order": chosen(
        *"<p> </p> <b> </b> <table> </table> <tr> <td> </td> </a> <div> </div>".split(),
        *"<li> <ul> </ul> <select> </select> <svg> </svg> <form> </form> <h2>".split(),
        "<a href=x>",
        "river ",
    ),
}


def one_tag(attribute: str, before: str = "<h1>The river</h1>") -> Make:
    """One tag with as many attributes as fit."""

    def make(size: int) -> bytes:
        count = size // (len(attribute) + 4)
        names = " ".join(map(attribute.format, range(count)))
        return f"{before}<div {names}><p>{SENTENCE}</div>".encode()

    return make


def many_classes(size: int) -> bytes:
    """Elements of a hundred classes each, all different."""
    count = size // 800 + 1
    tags = (
        f"<p class='{' '.join(f'a{k}x{j}' for j in range(100))}'>{SENTENCE[:30]}"
        for k in range(count)
    )
    return (ARTICLE + "".join(tags)).encode()


ODD = "<!--><i a='--><p'>b</i><script><!--<script></script><p '--></script></script>"
MANY = " ".join(f"a{k}=1" for k in range(900))

ATTRIBUTES: Final[dict[str, Make]] = {
    "attributes": one_tag("a{}=1"),
    "attributes with markup": one_tag('a{}="</p><p>"'),
    "attributes behind odd comments": one_tag("b{}", ARTICLE + ODD),
    "many tags of attributes": flood(f"<p {MANY}>river ", ""),
    "attributes of body tags": numbered("<body a{0}=1>"),
    "one attribute name again": single("<p ", "a ", f">{SENTENCE}"),
    "a long name": single(ARTICLE + "<x", "y", f">{SENTENCE}"),
    "data URLs": flood("<img src='data:image/png;base64," + "A" * 5000 + "'>"),
    "a long address": single(ARTICLE + "<a href='/", "a/", "'>river</a>"),
    "addresses with dots": flood("<a href='" + "../" * 300 + "x'>river</a> "),
    "many classes": many_classes,
    "classes beyond ASCII": numbered("<p class='Flüsse{0} 川{0}'>river"),
    "values of 60 kB": flood(f"<p class='{'river ' * 10_000}'>river"),
    "addresses of many parts": flood(f"<a href='/?{'a=b&' * 100}'>river</a> "),
    "quotation marks in tags": flood("<p '\"'\"'\">river"),
    "entities in values": flood(f"<p title='{'&amp;&eacute;' * 60}'>river"),
    "numbers of list items": flood("<ol start=999999999999><li value=-1>river</ol>"),
    "spans of cells": flood(
        "<td colspan=999999 rowspan=999999 headers='a b c'>river", ARTICLE + "<table>"
    ),
}


FLOODS: Final[dict[str, Make]] = {
    "table rows": numbered(
        "<tr><td>{0}</td><td>Mill {0}</td><td>river</td></tr>", ARTICLE + "<table>"
    ),
    "table cells": flood("<td>a", ARTICLE + "<table><tr>"),
    "table spans": flood("<td colspan=1000 rowspan=65534>a", ARTICLE + "<table><tr>"),
    "long srcsets": single(ARTICLE + "<img srcset='", "a.png 2x, ", "'>"),
    "tag names": numbered("<t{0}>a</t{0}>"),
    "attribute names": numbered("<p a{0}=b>a"),
    "metas": numbered("<meta name=a{0} content=b>", "", ARTICLE),
    "link elements": numbered("<link rel=canonical href=/{0}>", "", ARTICLE),
    "templates": flood("<template shadowrootmode=open><p>river</template>"),
    "framesets": flood("<frameset><frame src=x>", ""),
    "end tags": flood("</p>"),
    "text and end tags": flood("a</x>"),
    "scripts": flood("<script>var a = '<p>river</p>';</script>"),
    "script comments": flood("<script><!--<script>"),
    "rows without cells": flood("<tr>", ARTICLE + "<table>"),
    "columns": flood("<col span=1000>", ARTICLE + "<table><colgroup>"),
    "paragraphs in cells": flood("<td><p>a", ARTICLE + "<table><tr>"),
    "blocks of code": flood("<pre><code class=language-c>a = b;\n</code></pre>"),
    "figures of two images": numbered(
        "<figure><img src=a{0}.jpg><img src=b/a{0}.jpg></figure>"
    ),
    "embedded objects": flood("<object data=x><param name=a value=b>river</object>"),
    "frames with documents": flood('<iframe srcdoc="<p>river</p><script>"></iframe>'),
    "metas of refreshes": flood(
        "<meta http-equiv=refresh content='0;url=/x'>", "", ARTICLE
    ),
    "alternate languages": numbered(
        "<link rel=alternate hreflang=x{0} href=/{0}>", "", ARTICLE
    ),
    "closing tags of nothing": flood("</>"),
    "stray ends": flood("</a></b></i></table></select></form>a"),
    "comments of dashes": single(ARTICLE + "<!", "-"),
    "bogus comments": flood("<!river><?mill></ old>"),
    "sections of cdata": flood("<![CDATA[river]]>"),
    "declarations of types": flood("<!DOCTYPE html PUBLIC 'a' 'b'>"),
    "entities of a type": single(
        "<!DOCTYPE html [", "<!ENTITY a '&b;'>", f"]>{ARTICLE}"
    ),
}

MARKUP: Final[dict[str, Make]] = {**NESTING, **ATTRIBUTES, **FLOODS}

HOSTILE: Final[dict[str, Make]] = {
    **MARKUP,
    **WORDING,
    **DATA,
    **ENCODINGS,
    **FORMULAS,
}
