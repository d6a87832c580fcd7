"""Texts: long ones, odd characters, entities, and likenesses of dates or markup."""

from __future__ import annotations

from typing import Final

from .making import ARTICLE, Make, flood, numbered, single, text_of


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
    "copies apart from digits": repeated,
    "copies": flood(f"<p>{text_of(200)}</p>"),
    "words of one letter": single("<p>", "a "),
    "words of all lengths": numbered("<p>{0} river{0}mill{0} "),
    "one long word per paragraph": flood(f"<p>{'a' * 5_000}"),
    "hyphens": single("<p>", "-"),
    "full stops": single("<p>", "."),
    "commas": single("<p>", "a,"),
    "sentences of one word": single("<p>", "A. "),
    "lines of one word": flood("a<br>\n"),
    "soft hyphens": single("<p>", "ri\u00advers"),
    "blanks of no width": single("<p>", "ri\u200bver\u200d\u2060"),
    "hard blanks": single("<p>", "\u00a0"),
    "hard blanks as entities": single(ARTICLE + "<p>", "&nbsp;"),
    "ideographic blanks": single("<p>", "\u3000"),
    "blanks of all kinds": single("<p>", "a\u2028b\u2029c\u0085d\u1680\u202f"),
    "emoji of many parts": single("<p>", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    "flags": single("<p>", "\U0001f1e9\U0001f1ea"),
    "tags of language": single("<p>", "\U000e0041\U000e0042"),
    "private characters": single("<p>", "\ue000\U0010fffd"),
    "no characters": single("<p>", "\ufffe\uffff\ufdd0"),
    "Arabic": single("<p>", "النهر يجري تحت الجسور القديمة، ", "</p>"),
    "Thai": single("<p>", "แม่น้ำไหลผ่านเมืองเก่า", "</p>"),
    "Korean": single("<p>", "강물은 오래된 마을을 지나 흐른다. ", "</p>"),
    "Hindi": single("<p>", "नदी पुराने शहरों से होकर बहती है। ", "</p>"),
    "Chinese paragraphs": flood("<p>河水流过古老的城镇。"),
    "scripts in turn": single("<p>", "río Fluß река 川 نهر नदी "),
    "capitals that grow": single("<p>", "ßİŉǰΐﬃ"),
    "marks alone": single("<p>", "\u0301"),
    "short entities": single(ARTICLE + "<p>", "&lt&gt&amp"),
    "entities of two characters": flood("&NotEqualTilde;&nvlt;"),
    "long entities": flood("&CounterClockwiseContourIntegral;"),
    "entities of controls": flood("&#0;&#x80;&#xD800;&#13;"),
    "entities of blanks": flood("&#32;&#9;&#10;&#xA0;"),
    "escaped markup": flood("&lt;p&gt;river&lt;/p&gt;"),
    "entities of entities": single(ARTICLE + "<p>", "&amp;amp;"),
    "entities that are none": single(ARTICLE + "<p>", "&notit;&x;&#;&#x;"),
    "dates": single("<p>", "2024-05-06 "),
    "dates of strokes": single("<p>", "1/2/3/4/"),
    "dates of words": single("<p>", "6 May 2024, May 6, "),
    "times of the day": single("<p>", "12:34:56:"),
    "digits": single("<p>", "1"),
    "digits and commas": single("<p>", "1,"),
    "digits and blanks": single("<p>", "1 "),
    "prices": single("<p>", "$ 1.99 € 2,50 "),
    "bylines in a row": single("<p>", "By Ann Miller and "),
    "bys": single("<p class=byline>", "By "),
    "at signs": single("<p>", "a@b."),
    "addresses in the text": single("<p>", "http://a.example/b?c=d#e "),
    "addresses without end": single("<p>", "http://"),
    "protocols": single("<p>", "https://www."),
    "copyright signs": flood("<p>© 2024 River. All rights reserved."),
    "calls to share": flood("<p>Share on Facebook. Read more. Sign up. Cookies."),
    "questions and answers": flood("<p>Why? Because. "),
    "tables of pipes": single(ARTICLE + "<pre>", "| a | b |\n|---|---|\n"),
    "fences": single(ARTICLE + "<pre>", "```\n~~~\n"),
    "tabs": single(ARTICLE + "<pre>", "\t"),
    "returns": single(ARTICLE + "<pre>", "\r"),
    "underlines": single(ARTICLE + "<p>", "_a_"),
    "emphasis marks": single(ARTICLE + "<p>", "**a*b**c_ "),
    "links in marks": single(ARTICLE + "<p>", "[a](b"),
    "lines that look like lists": flood("<p>1. river<br>- mill<br>+ old<br>"),
    "lines that look like headings": flood("<p># river<br>===<br>---<br>"),
}
