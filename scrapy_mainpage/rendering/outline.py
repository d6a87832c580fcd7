"""What a page shows without scripts, and which of its elements are empty."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document._walk import last_characters
from ..extraction.document.schema import HEADING_SHIFT, Context, RunKind
from ..extraction.document.tags import CODES, TAGS

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.document.document import Document

    Ints = npt.NDArray[np.int32]
    Mask = npt.NDArray[np.bool_]

MOST_PICTURES: Final = 2
"""Pictures of a gap, such as a turning wheel."""

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


def _controls() -> Mask:
    mask = np.zeros(len(TAGS) + 1, bool)
    mask[[CODES[name] for name in _CONTROLS.split()]] = True
    return mask


_IS_CONTROL: Final = _controls()
_SHORT: Final = 6
_SHORTER: Final = 3
"""Words of a text that may say no more than that something comes."""

_FEW_BLOCKS: Final = 60
_LOADING: Final = re.compile(
    r"^\W*(?:loading|please wait|(?:\w+ )*wird geladen|lädt|chargement|cargando"
    r"|carregando|caricamento|загрузка|загружается|завантаження|ładowanie|wczytywanie"
    r"|yükleniyor|読み込み中|加载中|正在加载|載入中|로딩|불러오는|đang tải|memuat"
    r"|bezig met laden|načítání|φόρτωση|جار|laddar|indlæser|lataa|betöltés)\b",
    re.IGNORECASE,
)
_MUSTACHE: Final = re.compile(rb"\{\{[^{}]*\}\}|\{%[^%]*%\}")
_MOST_TEMPLATES: Final = 60


@dataclass(frozen=True)
class Outline:
    """What is seen of a page without scripts, as masks over blocks and elements."""

    words: npt.NDArray[np.float64]
    """Per block; 0 for what is hidden, waits, or stands in ``noscript``."""
    waiting: Mask
    """Blocks that only say that something is to come."""
    empty: Mask
    """Elements without a seen word or a control, and with few pictures."""
    pictures: Ints


def outline(document: Document) -> Outline:
    """What of *document* is seen, and which of its elements are empty."""
    elements, blocks, runs = document.elements, document.blocks, document.runs
    waiting = _waiting(document)
    unseen = waiting | ((blocks.flags & UNSEEN) != 0)
    words = np.where(unseen, 0.0, blocks.words - blocks.cjk * 0.5)
    # Hidden words count here: what a page holds already is not to be filled.
    lacking = waiting | ((blocks.flags & int(Context.NOSCRIPT)) != 0)
    held = _sums(~lacking & (blocks.words > 0))
    tag = np.minimum(elements.tag, len(TAGS))
    begin = np.arange(len(tag))
    controls = _sums(_IS_CONTROL[tag])
    shown = _sums((runs.kind == RunKind.IMAGE) | (runs.kind == RunKind.MEDIA))
    svg = _sums(tag == CODES["svg"])
    pictures = shown[elements.end_run] - shown[elements.first_run]
    pictures += svg[elements.end] - svg[begin]
    empty = (
        (held[elements.end_block] == held[elements.first_block])
        & (controls[elements.end] == controls[begin])
        & (pictures <= MOST_PICTURES)
    )
    return Outline(words, waiting, empty, pictures)


def _sums(mask: Mask) -> Ints:
    sums = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=sums[1:])
    return sums


def _waiting(document: Document) -> Mask:
    """Short texts that end with an ellipsis, "Loading", and templates of a script."""
    blocks = document.blocks
    end = last_characters(document.text, blocks.start, blocks.end)
    in_link = blocks.linked_words > 0
    words = _SHORT if document.n_blocks <= _FEW_BLOCKS else _SHORTER
    short = (blocks.words <= words) & ~in_link & ((blocks.flags & ASIDE) == 0)
    short &= blocks.flags >> HEADING_SHIFT == 0
    waiting: Mask = short & (end == 3)
    if document.n_blocks <= _FEW_BLOCKS:
        for block in np.flatnonzero(short & ~waiting).tolist():
            if _LOADING.search(document.block_text(block)):
                waiting[block] = True
    if b"{{" in document.text:
        _mark_templates(document, waiting)
    return waiting


def _mark_templates(document: Document, waiting: Mask) -> None:
    """Mark the blocks that are little else than ``{{ names }}``, but for code."""
    blocks, text = document.blocks, document.text
    code = int(Context.CODE | Context.PRE)
    at = [match.start() for match in islice(_MUSTACHE.finditer(text), _MOST_TEMPLATES)]
    found = np.searchsorted(blocks.start, at, "right") - 1
    for block in set(found.tolist()):
        whole = text[blocks.start[block] : blocks.end[block]]
        rest = len(_MUSTACHE.sub(b"", whole).split())
        if not blocks.flags[block] & code and rest <= _SHORT:
            waiting[block] = True


__all__ = ["ASIDE", "UNSEEN", "Outline", "outline"]
