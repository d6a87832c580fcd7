"""Data of pages: JSON-LD, microdata's rivals, states of scripts, and scripts."""

from __future__ import annotations

import json
from typing import Any, Final

from .making import ARTICLE, SENTENCE, Make, flood, numbered, single, text_of


def linked_data(size: int) -> bytes:
    """JSON-LD as deep as it can be."""
    deep = '{"a":' * (size // 12) + "1" + "}" * (size // 12)
    return f"<script type=application/ld+json>{deep}</script>{ARTICLE}".encode()


def long_linked_data(size: int) -> bytes:
    data = json.dumps({"@type": "Article", "articleBody": text_of(size)})
    return f"<script type=application/ld+json>{data}</script><p>River".encode()


def next_data(size: int) -> bytes:
    """Hydration data, deep and long."""
    value = '{"children":[' * (size // 40) + '"river"' + "]}" * (size // 40)
    more = json.dumps([{"title": "River", "body": SENTENCE}] * (size // 600))
    data = f'{{"props":{value},"more":{more}}}'
    return f"<script id=__NEXT_DATA__ type=application/json>{data}</script>".encode()


FLIGHT = json.dumps('0:["$","p",null,{"children":"' + SENTENCE + '"}]\n')
STATE = json.dumps({"title": "River", "content": f"<p>{SENTENCE}</p>"})
LD = "<script type=application/ld+json>"


def linked(before: str, unit: str, after: str) -> Make:
    """JSON-LD of one thing with a part again and again."""

    def make(size: int) -> bytes:
        units = ", ".join([unit] * (size // (len(unit) + 2) + 1))
        return f"{LD}{before}{units}{after}</script>{ARTICLE}".encode()

    return make


def article_of(**parts: Any) -> str:
    """JSON-LD of an article with these parts."""
    return json.dumps({"@context": "https://schema.org", "@type": "Article", **parts})


def bodies(text: str) -> Make:
    """Many articles in JSON-LD that the page itself does not show."""
    return flood(f"{LD}{article_of(articleBody=text)}</script>", "", "<p>x")


def escaped(size: int) -> bytes:
    """An article's text in escapes."""
    text = "\\u0072\\u0069\\u0076\\u0065\\u0072 " * (size // 31)
    return f'{LD}{{"@type": "Article", "articleBody": "{text}"}}</script><p>x'.encode()


def markup_in_state(size: int) -> bytes:
    """A state with markup as text, and a state in that markup."""
    inner = "<p>river <b>mill</b></p>" * (size // 50)
    inner += "<script type=application/json>{}<\\/script>"
    data = json.dumps({"props": {"content": inner, "body": inner}})
    data = data.replace("</", "<\\/")
    return f"<script id=__NEXT_DATA__ type=application/json>{data}</script>".encode()


def many_texts_in_state(size: int) -> bytes:
    """A state of as many texts as fit."""
    texts = [{"id": k, "text": f"<p>River {k}: {SENTENCE}"} for k in range(size // 250)]
    data = json.dumps({"props": {"items": texts}})
    return f"<script id=__NEXT_DATA__ type=application/json>{data}</script>".encode()


DATA: Final[dict[str, Make]] = {
    "deep JSON-LD": linked_data,
    "long JSON-LD": long_linked_data,
    "many JSON-LD": flood(
        f"{LD}{article_of(headline='x', author={'name': 'N'})}</script>", "", ARTICLE
    ),
    "broken JSON-LD": single(
        "<script type=application/ld+json>", '{"a":[', "</script><p>x"
    ),
    "JSON-LD of quotes": single(
        "<script type=application/ld+json>", '"\\', "</script><p>x"
    ),
    "hydration data": next_data,
    "flight data": flood(f"<script>self.__next_f.push([1,{FLIGHT}])</script>", ""),
    "state of brackets": single("<script>window.__STATE__ = ", "[{", "</script><p>x"),
    "JSON-LD of digits": single(
        f'{LD}{{"@type": "Article", "a": ', "9", "}</script><p>x"
    ),
    "JSON-LD of a long fraction": single(
        f'{LD}{{"@type": "Article", "a": 1.', "9", "}</script><p>x"
    ),
    "JSON-LD of numbers": linked('{"@type": "Article", "a": [', "1e308", "]}"),
    "JSON-LD of arrays": linked("[", "[]", "]"),
    "JSON-LD of arrays in arrays": lambda size: (
        f"{LD}{'[' * (size // 2)}{']' * (size // 2)}</script>{ARTICLE}".encode()
    ),
    "JSON-LD of one key": linked("{", '"@type": "Article"', "}"),
    "JSON-LD of many keys": lambda size: (
        f"{LD}{json.dumps({f'a{k}': k for k in range(size // 15)})}</script>{ARTICLE}"
    ).encode(),
    "JSON-LD of a graph": linked('{"@graph": [', article_of(headline="River"), "]}"),
    "JSON-LD of authors": linked(
        '{"@type": "Article", "author": [', '{"name": "Ann Miller"}', "]}"
    ),
    "JSON-LD of types": linked('{"@type": [', '"Article"', "]}"),
    "JSON-LD of images": linked(
        '{"@type": "Article", "image": [', '{"url": "/a.png"}', "]}"
    ),
    "JSON-LD of keywords": linked(
        '{"@type": "Article", "keywords": [', '"river"', "]}"
    ),
    "JSON-LD of breadcrumbs": linked(
        '{"@type": "BreadcrumbList", "itemListElement": [',
        '{"@type": "ListItem", "position": 1, "name": "River"}',
        "]}",
    ),
    "JSON-LD of references": linked(
        '{"@graph": [',
        '{"@id": "#a", "author": {"@id": "#a"}, "mainEntity": {"@id": "#a"}}',
        "]}",
    ),
    "JSON-LD of comments": linked(
        '{"@type": "DiscussionForumPosting", "text": "River", "comment": [',
        '{"@type": "Comment", "text": "Mill", "author": {"name": "Ann"}}',
        "]}",
    ),
    "JSON-LD of a long date": single(
        f'{LD}{{"@type": "Article", "datePublished": "',
        "2024-05-06T",
        '"}</script><p>x',
    ),
    "JSON-LD of escapes": escaped,
    "JSON-LD in comments": flood(
        f"{LD}<!-- {article_of(headline='River')} --></script>"
    ),
    "JSON-LD with controls": flood(f'{LD}{{"@type": "Article", "a": "\t\n"}}</script>'),
    "JSON-LD of short bodies": bodies("The river."),
    "JSON-LD of bodies": bodies(f"<p>{SENTENCE}</p>" * 5),
    "JSON-LD of bodies of tags": bodies("<p>a" * 300),
    "JSON-LD of broken bodies": flood(
        f'{LD}{{"@type": "Article", "articleBody": "<p>a'
    ),
    "states": flood(
        f"<script>window.__INITIAL_STATE__ = {STATE};</script>", "", "<p>x"
    ),
    "markup in a state": markup_in_state,
    "many texts in a state": many_texts_in_state,
    "scripts of JSON": flood(
        '<script type=application/json>{"title": "River", "body": "<p>Mill"}</script>'
    ),
    "scripts of templates": flood(
        "<script type=text/template><p>river {{ mill }}</p></script>"
    ),
    "a script of braces": single("<script>var a = ", "{", "</script><p>x"),
    "a script of strings": single("<script>a('", "\\'", "')</script><p>x"),
    "a script of assignments": single("<script>", "window.a={};", "</script><p>x"),
    "a script of parses": single(
        "<script>", "JSON.parse('{\"a\":1}');", "</script><p>x"
    ),
    "a script of small objects": single("<script>", 'a={"b":1};', "</script><p>x"),
    "a script of small arrays": single("<script>", "f([[1]]);", "</script><p>x"),
    "a script of open arrays": single("<script>", "=[[", "</script><p>x"),
    "a script of open objects": single("<script>", '={"', "</script><p>x"),
    "a script of odd objects": single("<script>", '={"a":b};', "</script><p>x"),
    "a script of undefined": single("<script>", '={"a":undefined};', "</script><p>x"),
    "a script of open strings": single("<script>", "=('{", "</script><p>x"),
    "a script of percent signs": single("<script>", "='%7B%22';", "</script><p>x"),
    "a script of pushes": single("<script>", "a.push([1,'b']);", "</script><p>x"),
    "microdata of many properties": numbered(
        "<span itemprop=a{0}>river</span>",
        "<div itemscope itemtype=http://schema.org/Article>",
    ),
    "microdata of bodies": flood(
        "<div itemscope itemtype=http://schema.org/Article><div itemprop=articleBody>"
        "river mill</div></div>"
    ),
    "RDFa": flood("<div vocab=http://schema.org/ typeof=Article property=name>a</div>"),
    "a long script of data": lambda size: (
        f"<script>window.data = {json.dumps(text_of(size))}</script>{ARTICLE}".encode()
    ),
}
