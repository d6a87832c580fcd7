"""HTML out of the strings that data holds: some are HTML, some are plain text."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Final

from ._tags import is_html

_ANY_TAG: Final = re.compile(r"<[^<>]{0,2000}>")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")


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
        return _ENTITY.sub(lambda match: _meant_by(match[0]), text)
    return text


_meant_by = lru_cache(maxsize=256)(html.unescape)


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
