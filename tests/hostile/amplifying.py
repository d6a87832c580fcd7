"""Pages that repeat little so often that an output may become far larger than they."""

from __future__ import annotations

from typing import Final

from .making import ARTICLE, Make, flood, numbered, single

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


AMPLIFYING: Final[dict[str, Make]] = {
    "a long base and links": numbered("<p><a href={0}>river</a> runs to a mill", _BASE),
    "a long base and links alone": numbered("<a href={0}>a</a> ", _BASE),
    "a long base and images": numbered("<p>river <img src={0}.png> runs", _BASE),
    "a long base and quotations": numbered(
        "<blockquote cite={0}>a river</blockquote>", _BASE
    ),
    "a long base and videos": numbered("<p>mill<video src={0}.mp4></video>", _BASE),
    "a long base and fragments": numbered("<p><a href=#{0}>river</a> runs", _BASE),
    "short words below a long heading": flood(
        "a ", ARTICLE + f"<h2 id='{'x' * 240}'>{'&quot;' * 240}</h2><p>"
    ),
    "long names around paragraphs": flood(
        "<p>a mill of the river</p>", ARTICLE + f"<{'x' * 100}>" * 200
    ),
    "quotations around code": flood("a\n", _QUOTES + "<pre>"),
    "quotations around empty lines": flood("\n", _QUOTES + "<pre>a", "a</pre>"),
    "quotations around lines": flood("a river runs<br>", _QUOTES + "<p>"),
    "quotations around items": flood("<li>a river runs", _QUOTES + "<ul>"),
    "quotations around empty items": flood("<li></li>", _QUOTES + "<ul>", "<li>a"),
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
    "a language around paragraphs": flood(_BLOCK, f"{ARTICLE}<b lang='{_LONG}'>"),
    "a change around paragraphs": flood(
        _BLOCK, f"{ARTICLE}<ins cite='/{_LONG}' datetime='{_LONG}'>"
    ),
    "marks around paragraphs": flood("<p>river", ARTICLE + _MARKS),
    "rows of a wide table": flood(
        "<tr><td>river", f"{ARTICLE}<table><tr>{'<td>a' * 24}"
    ),
    "rows of cells that reach down": flood(
        f"<tr>{'<td rowspan=9>river' * 3}</tr>", ARTICLE + "<table>"
    ),
    "quotation marks": flood("'\"&amp;` ", ARTICLE + "<p>"),
    "backticks in code": flood("`", ARTICLE + "<p>a <code>", "</code>"),
    "backticks in lines of code": flood("`", ARTICLE + "<pre>", "</pre>"),
    "signs of emphasis": flood("*_", ARTICLE + "<p>"),
    "a long heading": lambda size: (
        f"<h2>{'a' * (size // 2)}</h2>" + flood("<p>a river", "")(size // 2).decode()
    ).encode(),
    "a long anchor": lambda size: (
        f"<h2 id={'a' * (size // 2)}>Mill</h2>{ARTICLE * (size // 600)}"
    ).encode(),
    "short sections": numbered("<h2>A</h2><p>the river {0}"),
    "private characters in headings": signs("\ue000"),
    "pilcrows in headings": signs("\u00b6"),
    "authors by links": flood("<a rel=author href=/a>Ann Mill</a>"),
}
