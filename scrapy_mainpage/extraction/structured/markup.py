"""HTML out of the strings that data holds: some are HTML, some are plain text."""

from __future__ import annotations

import html
import re
from typing import Final

_TAG: Final = re.compile(
    r"</?(?:p|div|br|h[1-6]|ul|ol|li|dl|dt|dd|a|b|i|u|strong|em|span|table|tr|td|section|"
    r"article|blockquote|pre|code|img|figure|hr|sup|sub|small|font|center)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_ANY_TAG: Final = re.compile(r"<[^<>]{0,2000}>")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")


def is_html(text: str) -> bool:
    """Whether *text* has tags of HTML."""
    return _TAG.search(text) is not None


def as_html(text: str) -> str:
    """*text* as HTML: as it is, or its lines as paragraphs.

    >>> as_html("One & two.\\n\\nThree.")
    '<p>One &amp; two.</p><p>Three.</p>'
    >>> as_html("&lt;b&gt;One&lt;/b&gt;")
    '<b>One</b>'
    """
    text = resolved(text)
    if is_html(text):
        return text
    lines = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)


def resolved(text: str) -> str:
    """*text* with its entities resolved, unless its tags need them."""
    if "&" in text and not is_html(text):
        return _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    return text


def plain_text(text: str) -> str:
    """*text* without tags and entities."""
    text = resolved(text)
    if "<" in text:
        text = html.unescape(_ANY_TAG.sub(" ", text))
    return text


def element(tag: str, text: str) -> str:
    """An element *tag* around *text*, which may be HTML."""
    text = resolved(text)
    inner = text if is_html(text) else html.escape(text, quote=False)
    return f"<{tag}>{inner}</{tag}>"


__all__ = ["as_html", "element", "is_html", "plain_text", "resolved"]
