"""Pages by a grammar that knows every tag and attribute that the extraction reads.

The pages are as wrong as real ones: tags are closed in the wrong order or never,
values are not quoted, entities are not finished.
"""

from __future__ import annotations

import random

from scrapy_mainpage.extraction.document.tags import ATTRIBUTES, TAGS

#: Common parents on real pages, chosen more often than the other tags.
USUAL = (
    "div p span a ul li h1 h2 h3 table tr td article section nav header footer aside "
    "main img br pre code blockquote dl dt dd figure figcaption form button"
).split()
TEXTS = (
    "owl|the river and the stone|a|.|Read more|Copyright 2026|3 comments|By Jo Doe|"
    "Wie es weitergeht, weiß niemand. |你好。世界|カタカナ|한국어 문장|שלום עולם|مرحبا|"
    "\u00a0|\u00ad|\u200b|\ufeff|😀|\t|\n|  |é\u0301|ſ|ǅ|1,234.5|$ 12.99|2026-11-21|"
    "&amp;|&lt;|&nbsp|&#x26;|&#0;|&#xD800;|&#1114112;|&nosuch;|&|<|>|]]>|-->|\u2028"
).split("|")
VALUES = (
    "|x|1|0|-1|99999999999|main|none main|https://example.com/a?b=c#d|/|#|?|"
    "javascript:alert(1)|data:text/html,<p>a|mailto:a@example.com|en|zh-Hant|rtl|"
    "display:none|visibility : hidden|until-found|application/ld+json|utf-8|"
    "2026-11-21T10:00:00Z|https://schema.org/Article|articleBody|a b c|\t\n|&quot;|'|"
    "og:title|article:published_time|author|canonical|next|nofollow ugc"
).split("|")
ODD = (
    "<!-- a -->|<!--|-->|<!doctype html>|<![CDATA[a]]>|<?php a ?>|</|<|<a'b>|<p <p|"
    "</p/>|<br/>|<x:y>|<my-element>|<P CLASS=A>|<svg><title>a</title></svg>|"
    "<math><mi>x</mi></math>|<template><p>a</template>|<noscript><img src=a>|"
    "</noscript>|<textarea>a</p>|</textarea>|<title>a|</title>|<plaintext>|<frameset><frame>"
).split("|")
SCRIPTS = (
    '<script type="application/ld+json">{"@type":"Article","articleBody":"%s",'
    '"headline":"a","author":{"name":"b"},"datePublished":"2026-11-21"}</script>',
    '<script id="__NEXT_DATA__" type="application/json">{"props":{"body":"<p>%s"}}'
    "</script>",
    '<script>self.__next_f.push([1,"%s"])</script>',
    '<script type="application/ld+json">[{"@graph":[%s</script>',
    '<meta name="description" content="%s">',
    '<meta property="article:published_time" content="%s">',
    '<div itemscope itemtype="https://schema.org/Article"><p itemprop="articleBody">%s',
    "<title>%s - Site</title>",
)
ENCODINGS = (
    "utf-8 utf-8 utf-8 utf-8-sig latin-1 windows-1251 windows-1256 shift_jis gb18030 "
    "euc-kr big5 utf-16 utf-16-le utf-7 koi8-r"
).split()
NAMES = (
    "content main article-body post entry-content story text nav navbar menu header "
    "breadcrumb site-header footer colophon sidebar widget related teaser card share "
    "social comments comment-list reply byline author date pagination next-page ad "
    "advert sponsored cookie-banner consent modal newsletter form search legal imprint "
    "hidden sr-only caption gallery price product thread forum question answer toc "
    "tags hljs language-python wp-block col-md-8 x_1 mainContent Überschrift 内容"
).split()


def page(seed: int, size: int = 40) -> bytes:
    """The page number *seed*, of about *size* pieces of markup."""
    choose = random.Random(seed)
    pieces = [_piece(choose) for _ in range(choose.randrange(1, size))]
    if choose.random() < 0.3:
        pieces = [*pieces, *pieces[: choose.randrange(len(pieces) + 1)] * 3]
    if choose.random() < 0.5:
        pieces.insert(0, "<!DOCTYPE html><html><head><meta charset=utf-8></head><body>")
    encoding = choose.choice(ENCODINGS)
    return "".join(pieces).encode(encoding, "xmlcharrefreplace")


def _piece(choose: random.Random) -> str:
    kind = choose.random()
    if kind < 0.36:
        return start_tag(choose)
    if kind < 0.54:
        return f"</{_tag(choose)}>"
    if kind < 0.82:
        return text(choose)
    if kind < 0.9:
        return choose.choice(ODD)
    if kind < 0.95:
        return _paragraph(choose)
    return choose.choice(SCRIPTS).replace("%s", text(choose).replace('"', "'"))


def _tag(choose: random.Random) -> str:
    return choose.choice(USUAL if choose.random() < 0.7 else TAGS)


def start_tag(choose: random.Random) -> str:
    """A start tag with up to four attributes."""
    written = "".join(_attribute(choose) for _ in range(choose.choice((0, 0, 1, 2, 4))))
    return f"<{_tag(choose)}{written}{'/' if choose.random() < 0.03 else ''}>"


def _attribute(choose: random.Random) -> str:
    name = choose.choice((*ATTRIBUTES, "class", "class", "id", "style", "hidden"))
    named = name in ("class", "id", "role") and choose.random() < 0.8
    value = choose.choice(NAMES if named else VALUES)
    quote = choose.choice(('"', '"', "'", ""))
    return f" {name}={quote}{value}{quote}"


def text(choose: random.Random) -> str:
    """A few words, or look-alikes."""
    return "".join(choose.choice(TEXTS) + " " for _ in range(choose.randrange(1, 6)))


def _paragraph(choose: random.Random) -> str:
    words = " ".join(text(choose) for _ in range(choose.randrange(2, 12)))
    return f"<p>{words}</p>"
