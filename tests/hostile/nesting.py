"""Elements in one another, elements without an end, and ends in the wrong order."""

from __future__ import annotations

from typing import Final

from .making import (
    ARTICLE,
    SENTENCE,
    Make,
    chosen,
    flood,
    nested,
    nested_in_turn,
    numbered,
    single,
)


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
    "nested ordered lists": nested_in_turn("ol li"),
    "nested tables": nested_in_turn("table tr td"),
    "nested tables with bodies": nested_in_turn("table tbody tr td"),
    "nested quotes": nested_in_turn("blockquote p"),
    "nested quotes and lists": nested_in_turn("blockquote ul li"),
    "nested definition lists": nested_in_turn("dl dd"),
    "nested emphasis": nested_in_turn("b i em strong"),
    "nested links": nested_in_turn("a span"),
    "deep and end tags": flood("</i>", ARTICLE + "<div>" * 2000),
    "deep tables and end tags": flood("</td>", ARTICLE + "<table>" * 1000),
    "deep with many blocks": flood(f"<p>{SENTENCE}</p>", "<div>" * 250),
    "nested names": numbered("<x{0}>river "),
    "nested classes": numbered("<div class='a{0} b{0}'>river "),
    "nested comments of readers": nested("div class=comment", "said "),
    "nested lists in quotes": nested_in_turn("blockquote ol li p"),
    "nested foreign objects": nested_in_turn("svg foreignObject div"),
    "nested annotations": nested_in_turn("math annotation-xml p"),
    "nested templates": nested_in_turn("template table tr td"),
    "nested forms in tables": nested_in_turn("form table td"),
    "nested headings": nested_in_turn("h1 h2 h3 h4 h5 h6"),
    "nested figures": nested_in_turn("figure figcaption a"),
    "items of a deep list": within("<ul><li>", "<li>river"),
    "paragraphs of a deep quote": within("<blockquote>", "<p>river"),
    "lines of a deep quote": within("<blockquote>", "river<br>"),
    "lines of a deep text": single(
        ARTICLE + "<ul><li><blockquote>" * 70 + "<pre>", "a\n"
    ),
    "cells of a deep list": within("<ol><li>", "<table><tr><td>a<td>b</table>"),
    "headings of a deep section": within("<section>", "<h2>river</h2>"),
    "comments below comments": within("<div class=comments><ul><li>", "<li>said"),
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
    # The adoption of formatting elements, and text that tables do not hold
    "wrong order of two": flood("<b><i>river</b></i>"),
    "wrong order of blocks": flood("<b><p>river</b></p>"),
    "wrong order of links": flood("<a href=x><p>river</a>"),
    "wrong order of many": flood(
        "<b><i><u><s><em><font><a><p>river</b></i></u></s></em></font></a>"
    ),
    "formatting ends late": lambda size: (
        ARTICLE + "<b><p>" * (size // 10) + "</b>" * (size // 10)
    ).encode(),
    "formatting with attributes": numbered("<b class=a{0}><p>river"),
    "links in links": numbered("<a href=/{0}><b><a href=/b{0}>river"),
    "buttons in buttons": flood("<button><p><button>river"),
    "text in a table": flood("river <b>", ARTICLE + "<table>"),
    "blocks in a table": flood("<p>river", ARTICLE + "<table>"),
    "links in a table": flood("<a href=x>river<tr>", ARTICLE + "<table>"),
    "tables in rows": flood("<table><tr><p>river"),
    "inputs in tables": flood("<table><input type=hidden>river"),
    "select in select": flood("<select><option>river<select>"),
    "blocks in select": flood("<select><div>river</div>"),
    "tables in select": flood("<select><tr><td>river"),
    "bodies in cells": flood("<td><body class=a><html lang=en>river"),
    "heads again": flood("<head><title>River</title></head><body>"),
    "end of the page": flood("</body></html>river "),
    "foreign objects": flood("<svg><foreignObject><p>river</p></foreignObject></svg>"),
    "blocks in svg": flood("<svg><p>river"),
    "tags in any order": chosen(
        *"<p> </p> <b> </b> <table> </table> <tr> <td> </td> </a> <div> </div>".split(),
        *"<li> <ul> </ul> <select> </select> <svg> </svg> <form> </form> <h2>".split(),
        "<a href=x>",
        "river ",
    ),
    "formatting in any order": chosen(
        *"<b> </b> <i> </i> <font> </font> <a> </a> <p> </p> <em> </em>".split(),
        *"<nobr> </nobr>".split(),
        "river ",
    ),
}
