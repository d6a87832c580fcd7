"""Text of attribute values, JSON, elements, and short lines below the title."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from ..document.schema import HEADING_SHIFT
from ..document.site_frame import is_banner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

MAX_TEXT_CHARACTERS = 8192

MAX_LINE_CHARACTERS: Final = 90
MAX_HEADINGS: Final = 50
"""Headings of the page, one of which may be the title."""

MAX_OCCURRENCES: Final = 20
MIN_TITLE_BYTES: Final = 12
_SEPARATOR: Final = re.compile(r"\s?[_|<>｜»«]\s?|\s[-–—·]\s|--+")

_ENTITY = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});"
)
# Controls, soft hyphens, zero-width and direction marks, lone surrogates. The joiners
# U+200C and U+200D are letters' glue in Persian and in Indian scripts: they stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u2060\ufeff\ud800-\udfff]"
)
_FORMATTING = tuple(
    "a abbr b br em font i mark p small span strong sub sup u wbr".split()
)
_VOID = ("br", "img", "wbr")
_MARKS = re.compile("[&<>{}%$\\[]")
"""Of entities, tags and templates: a text without them is as it should be."""

_NOTHING = frozenset({"null", "undefined", "none", "n/a"})
_TEMPLATE = re.compile(r"\{\{|\}\}|\{%|<%|\$\{|\[object |%%\w")


def clean(value: object) -> str | None:
    """*value* as one line of text; ``None`` if it is not a string or says nothing.

    Entities that were escaped twice are resolved, formatting tags taken out. A text
    with placeholders of a template engine counts as nothing.
    """
    if not isinstance(value, str):
        return None
    text = value[:MAX_TEXT_CHARACTERS]
    if text.isprintable() and not _MARKS.search(text):
        text = " ".join(text.split())
        return text if text and text.lower() not in _NOTHING else None
    for _ in range(2):
        if "&" in text:
            text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if "<" in text:
        from w3lib.html import remove_tags

        # A tag alone may be what the text is about: "The <a> element".
        paired = _FORMATTING if "</" in text else _VOID
        text = remove_tags(text, which_ones=paired)
    text = " ".join(_INVISIBLE.sub("", text).split())
    if not text or _TEMPLATE.search(text):
        return None
    return None if text.lower() in _NOTHING else text


def element_text(
    document: Document,
    element: int,
    most: int = 100,
    skip: str | None = None,
    after: int = -1,
) -> str:
    """The text inside *element* (its first *most* runs), blanks collapsed.

    Without that of elements with the tag *skip*; only what follows on the element
    *after*, if there is one.
    """
    runs, elements, parts, block = document.runs, document.elements, [], -1
    left_out = _runs_of(document, element, skip) if skip else ()
    first = int(elements.first_run[element] if after < 0 else elements.end_run[after])
    end = int(elements.end_run[element])
    for k in range(first, min(end, first + most)):
        if k in left_out:
            continue
        if runs.block[k] != block or runs.kind[k] != 0:
            parts.append(b" ")
            block = runs.block[k]
        if runs.kind[k] == 0:
            end_of_run = min(runs.end[k], runs.start[k] + 4 * MAX_TEXT_CHARACTERS)
            parts.append(document.text[runs.start[k] : end_of_run])
    return clean(b"".join(parts).decode("utf-8", "replace")) or ""


def _runs_of(document: Document, element: int, tag: str) -> set[int]:
    """The runs of the elements inside of *element* that have the *tag*."""
    elements, tagged = document.elements, document.elements_with_tag(tag)
    inside = tagged[(tagged > element) & (tagged < elements.end[element])]
    pairs = zip(elements.first_run[inside], elements.end_run[inside], strict=True)
    return {run for first, end in pairs for run in range(first, end)}


def title_block(document: Document) -> int:
    """The first heading outside of the banner, of level 1 if any is; or -1.

    Without headings the block that says the title of the head.
    """
    flags = document.blocks.flags
    first = document.headings[:MAX_HEADINGS]
    own = [each for each in first if not is_banner(int(flags[each[0]]))]
    if not own:
        return _block_of_head_title(document)
    return min(own, key=lambda each: (each[1] != 1, each[0]))[0]


def _block_of_head_title(document: Document) -> int:
    """The first block that says the longest part of the head's ``title``; or -1."""
    head = next(filter(None, map(clean, document.head_texts("title"))), "")
    part = max(_SEPARATOR.split(head), key=len)
    if len(part.encode("utf-8", "replace")) < MIN_TITLE_BYTES:
        return -1
    return next(blocks_saying(document, part), -1)


def blocks_saying(document: Document, text: str) -> Iterator[int]:
    """The text blocks that say just *text*, of the first places where it stands."""
    wanted, start = text.encode("utf-8", "replace"), -1
    for _ in range(MAX_OCCURRENCES):
        if (start := document.text.find(wanted, start + 1)) < 0:
            return
        block = bisect_right(document.blocks.start, start) - 1
        if document.block_text(block).strip() == text:
            yield block


def short_line(document: Document, block: int) -> str:
    """The text of a block; empty if it is long or a heading."""
    is_heading = document.blocks.flags[block] >> HEADING_SHIFT
    if is_heading or document.blocks.chars[block] > MAX_LINE_CHARACTERS:
        return ""
    return document.block_text(block)
