"""Attributes: many, long, of many names, and with everything in them."""

from __future__ import annotations

from typing import Final

from .making import ARTICLE, SENTENCE, Make, flood, numbered, single


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
SPEAKING = "comment author date share nav menu sidebar footer related article content"

ATTRIBUTES: Final[dict[str, Make]] = {
    "attributes": one_tag("a{}=1"),
    "attributes with markup": one_tag('a{}="</p><p>"'),
    "attributes without values": one_tag("b{}"),
    "attributes behind odd comments": one_tag("b{}", ARTICLE + ODD),
    "many tags of attributes": flood(f"<p {MANY}>river ", ""),
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
    "many classes": many_classes,
    "long classes": numbered(f"<p class='a{{0}}{'-river' * 50}'>{SENTENCE[:40]}"),
    "speaking classes": flood(f"<div class='{SPEAKING}'>river mill</div>"),
    "speaking ids": numbered("<div id=comment-author-{0}>river mill</div>"),
    "classes in capitals": numbered("<p class=RiverMillTownWater{0}OldBridge>a"),
    "classes of signs": flood("<p class='---___---___-_-_:::///'>river"),
    "classes beyond ASCII": numbered("<p class='Flüsse{0} 川{0}'>river"),
    "hidden styles": flood(
        "<p style='display:none;color:red;font-size:12px'>river mill"
    ),
    "styles of many rules": flood(f"<p style='{'color:red;' * 200}'>river mill"),
    "hidden elements": flood("<p hidden aria-hidden=true>river mill"),
    "roles": flood("<div role=navigation>river mill</div>"),
    "languages": numbered("<p lang=x{0}>river mill"),
    "event handlers": flood("<p onclick='river(\"<p>\")' onload=x>river mill"),
    "data attributes": numbered("<p data-a{0}='{{\"b\": {0}}}'>river mill"),
    "values of 60 kB": flood(f"<p class='{'river ' * 10_000}'>river"),
    "titles of elements": flood(f"<abbr title='{SENTENCE}'>river</abbr> "),
    "alternative texts": flood(f"<img src=x.png alt='{SENTENCE}'>"),
    "labels": flood(f"<a href=/x aria-label='{SENTENCE}'><svg></svg></a> "),
    "addresses of many parts": flood(f"<a href='/?{'a=b&' * 100}'>river</a> "),
    "addresses of strokes": flood(f"<a href='{'/' * 500}'>river</a> "),
    "addresses of brackets": flood("<a href='http://[[[[[::::]]]'>river</a> "),
    "addresses of scripts": flood("<a href='javascript:river()'>river</a> "),
    "addresses of many hosts": numbered("<a href=http://h{0}.example/>river</a> "),
    "addresses of blanks": flood(f"<a href='{chr(10) * 300}x'>river</a> "),
    "addresses of percent signs": flood(f"<a href='/{'%E5%B7%9D' * 40}'>river</a> "),
    "addresses of here": numbered("<a href='#a{0}'>river</a> "),
    "names of places": numbered("<a name=a{0}></a>river "),
    "one data URL per style": flood(
        f"<p style='background:url(data:image/png;base64,{'A' * 5000})'>river mill"
    ),
    "values without quotation marks": single(ARTICLE + "<p title=", "river/>", ">"),
    "equals signs": single(ARTICLE + "<p ", "= ", f">{SENTENCE}"),
    "quotation marks in tags": flood("<p '\"'\"'\">river"),
    "strokes in tags": single(ARTICLE + "<p ", "/ ", f">{SENTENCE}"),
    "entities in values": flood(f"<p title='{'&amp;&eacute;' * 60}'>river"),
    "numbers of list items": flood("<ol start=999999999999><li value=-1>river</ol>"),
    "spans of cells": flood(
        "<td colspan=999999 rowspan=999999 headers='a b c'>river", ARTICLE + "<table>"
    ),
}
