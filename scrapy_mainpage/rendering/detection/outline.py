"""Outline of a page as it is without scripts: visible words and empty elements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.document.schema import HEADING_SHIFT, Context, RunKind
from ...extraction.document.tags import CODES, TAGS
from ...extraction.vocabulary import read_phrases

if TYPE_CHECKING:
    from ...extraction.document.document import Document
    from ...extraction.document.schema import Doubles, Ints, Mask


MAX_PICTURES: Final = 2
"""Pictures in an empty element, such as a spinner."""

MAX_FEW_BLOCKS: Final = 60
MAX_WAITING_WORDS: Final = 6
MAX_WAITING_WORDS_OF_LONG: Final = 3
"""Words of a text that may announce content: the second where there are more than
:data:`MAX_FEW_BLOCKS` blocks."""

_MAX_TEMPLATES: Final = 60
_MAX_CLOSERS: Final = 20

ASIDE: Final = int(
    Context.NAVIGATION
    | Context.HEADER
    | Context.FOOTER
    | Context.ASIDE
    | Context.DIALOG
    | Context.FORM
)
UNSEEN: Final = int(Context.HIDDEN | Context.NOSCRIPT | Context.WORDLESS)

_CONTROLS: Final = "input select textarea button iframe canvas embed object video audio"
_IS_CONTROL: Final = np.isin(
    np.arange(len(TAGS) + 1), [CODES[name] for name in _CONTROLS.split()]
)
_PHRASES: Final = "|".join(read_phrases("page_kinds")["loading"])
_LOADING: Final = re.compile(
    rf"\W*(?:(?:\w+ )*wird geladen|{_PHRASES})\b", re.IGNORECASE
)
#: An ellipsis at the end, before closing quotation marks and brackets.
_ELLIPSIS: Final = re.compile(
    rb"(?:\.\.|\xe2\x80\xa6)(?:\xe2\x80[\x99\x9d])?[\"')\]]*\Z"
)
_MUSTACHE: Final = re.compile(rb"\{\{[^{}]*\}\}|\{%[^%]*%\}")


@dataclass(frozen=True)
class Outline:
    """Visibility without scripts, as arrays over blocks and masks over elements."""

    words: Doubles
    """Per block; 0 if hidden, waiting, or in ``noscript``."""
    waiting: Mask
    """Blocks that only announce content."""
    empty: Mask
    """Elements without a word or a control, and with few pictures."""
    pictures: Ints
    """Per element."""


def make_outline(document: Document) -> Outline:
    """Find the visible words and the empty elements of *document*."""
    elements, blocks, runs = document.elements, document.blocks, document.runs
    waiting = _find_waiting(document)
    unseen = waiting | ((blocks.flags & UNSEEN) != 0)
    words = np.where(unseen, 0.0, blocks.words - blocks.cjk * 0.5)
    # Hidden words count as content: such an element is not to be filled.
    lacking = waiting | ((blocks.flags & int(Context.NOSCRIPT)) != 0)
    held = _cumulate(~lacking & (blocks.words > 0))
    tag = np.minimum(elements.tag, len(TAGS))
    begin = np.arange(len(tag))
    controls = _cumulate(_IS_CONTROL[tag])
    shown = _cumulate((runs.kind == RunKind.IMAGE) | (runs.kind == RunKind.MEDIA))
    svg = _cumulate(tag == CODES["svg"])
    pictures = shown[elements.end_run] - shown[elements.first_run]
    pictures += svg[elements.end] - svg[begin]
    empty = (
        (held[elements.end_block] == held[elements.first_block])
        & (controls[elements.end] == controls[begin])
        & (pictures <= MAX_PICTURES)
    )
    return Outline(words, waiting, empty, pictures)


def _cumulate(mask: Mask) -> Ints:
    sums = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=sums[1:])
    return sums


def _find_waiting(document: Document) -> Mask:
    """Mark short texts with an ellipsis at the end, "Loading", and script templates."""
    blocks, text = document.blocks, document.text
    has_few = document.n_blocks <= MAX_FEW_BLOCKS
    limit = MAX_WAITING_WORDS if has_few else MAX_WAITING_WORDS_OF_LONG
    short = (blocks.words <= limit) & (blocks.linked_words == 0)
    short &= (blocks.flags & ASIDE) == 0
    short &= blocks.flags >> HEADING_SHIFT == 0
    # Text that a script shows while it loads something else.
    short &= (blocks.flags & int(Context.HIDDEN)) == 0
    waiting: Mask = np.zeros(len(short), bool)
    for block in np.flatnonzero(short).tolist():
        start, end = int(blocks.start[block]), int(blocks.end[block])
        waiting[block] = bool(
            _ELLIPSIS.search(text[max(start, end - _MAX_CLOSERS) : end])
            or (has_few and _LOADING.match(document.block_text(block)))
        )
    if b"{{" in text:
        _mark_templates(document, waiting)
    return waiting


def _mark_templates(document: Document, waiting: Mask) -> None:
    """Mark the blocks of little else than ``{{ names }}``, code aside."""
    blocks, text = document.blocks, document.text
    code = int(Context.CODE | Context.PRE)
    at = [match.start() for match in islice(_MUSTACHE.finditer(text), _MAX_TEMPLATES)]
    found = np.searchsorted(blocks.start, at, "right") - 1
    for block in set(found.tolist()):
        whole = text[blocks.start[block] : blocks.end[block]]
        rest = len(_MUSTACHE.sub(b"", whole).split())
        if not blocks.flags[block] & code and rest <= MAX_WAITING_WORDS:
            waiting[block] = True
