"""The parts of a page for the annotated view: each text block with label and score.

Made from the flat document alone. The template writes them as ``div`` and ``span`` with
our own classes: inert, and no parser rearranges it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.algorithms.segmentation.line_breaks import count_around
from ..extraction.document.schema import HEADING_SHIFT, Context, RunKind
from ..extraction.document.tags import TAGS
from ..label import MAIN_LABELS, Label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask
    from ..extraction.result import Extraction


# Group, colour, background, labels. Okabe's and Ito's colours, which colour-blind
# people can distinguish.
_GROUPS: Final = (
    ("nav", "#e69f00", "#fdf2d9", "navigation breadcrumb pagination"),
    ("frame", "#5f6b7a", "#eceff2", "header footer legal"),
    ("side", "#009e73", "#e0f3ec", "sidebar related"),
    ("people", "#b0578d", "#f7e9f2", "comments byline share"),
    ("ad", "#d55e00", "#fbe6d8", "advertisement consent"),
    ("form", "#a89b00", "#fbf8cf", "form"),
    ("other", "#9aa5b1", "#f7f8f9", "other"),
)
MAIN_GROUP: Final = ("main", "#0072b2", "#e2f0f9")

GROUPS: Final = (MAIN_GROUP, *((name, bar, back) for name, bar, back, _ in _GROUPS))
"""Each group's name, its colour and its background."""

_GROUP_OF: Final = {
    Label(label): name for name, _, _, labels in _GROUPS for label in labels.split()
}

MAX_COST: Final = 1_500_000
"""Bytes of text that are shown, plus :data:`RUN_COST` per run and block."""

RUN_COST: Final = 60
MAX_TEXT_BYTES: Final = 20_000
"""Bytes of a text that are shown; a longer one ends with an ellipsis."""

_MAX_DEPTH: Final = 30
_STRUCTURE: Final = (
    "ul ol menu dir dl li dt dd blockquote table tr td th figure "
    "nav header footer aside main article form dialog"
).split()
_ALIASES: Final = {"menu": "ul", "dir": "ul", "th": "td"}
_IS_STRUCTURE = np.isin(np.array(TAGS), _STRUCTURE)


def group_of(label: Label) -> str:
    """The name of the group that *label* belongs to."""
    return "main" if label in MAIN_LABELS else _GROUP_OF.get(label, "other")


@dataclass(frozen=True)
class Window:
    """The half-open range of blocks that is shown, and the number of all blocks."""

    start: int
    end: int
    n_blocks: int

    @property
    def note(self) -> str:
        """A sentence on the blocks left out; empty if all are shown."""
        before, after = self.start, self.n_blocks - self.end
        if not before and not after:
            return ""
        return (
            f"The page is large: {self.end - self.start:,} of its {self.n_blocks:,} "
            f"text blocks are shown; {before:,} before and {after:,} after them are "
            "left out."
        )


def choose_window(document: Document, main: Mask) -> Window:
    """The blocks that can be shown: from the start, or from shortly before the main
    content where that comes late."""
    n = document.n_blocks
    start, end = 0, _last_block(document, 0)
    if end < n and main.any() and int(np.argmax(main)) >= end:
        start = max(int(np.argmax(main)) - 50, 0)
        end = _last_block(document, start)
    return Window(start, end, n)


def _last_block(document: Document, start: int) -> int:
    """The end of the blocks from *start* within the bounds; at least one block."""
    blocks = document.blocks
    size = np.minimum(blocks.end - blocks.start, MAX_TEXT_BYTES).astype(np.int64)
    runs = blocks.end_run - blocks.first_run
    total = np.cumsum((size + RUN_COST * (runs + 1))[start:])
    within = int(np.searchsorted(total, MAX_COST, side="right"))
    return min(start + max(within, 1), document.n_blocks)


def annotate(content: Extraction, window: Window) -> Iterator[tuple[str, Any]]:
    """The parts of *window* in document order: kinds and values.

    Kinds: ``element`` (a tag of the structure), ``block`` (its attributes), ``end`` of
    either, ``text``, ``image``, ``break``, ``rule``.
    """
    return _Annotator(content, window).parts()


class _Annotator:
    """Goes through the runs once, with a stack of the open structure elements."""

    def __init__(self, content: Extraction, window: Window) -> None:
        self.content, self.document = content, content.document
        self.first_run, self.end_run = _run_range(self.document, window)
        self.open: list[int] = []
        self.block = -1
        self.label: Label | None = None

    def parts(self) -> Iterator[tuple[str, Any]]:
        document, runs = self.document, self.document.runs
        elements = structure(document, self.first_run, self.end_run)
        ends, starts = document.elements.end_run, document.elements.first_run
        k = 0
        shown = slice(self.first_run, self.end_run)
        for run, (kind, block) in enumerate(
            zip(runs.kind[shown].tolist(), runs.block[shown].tolist(), strict=True),
            self.first_run,
        ):
            yield from self._close(run)
            while k < len(elements) and starts[elements[k]] <= run:
                if ends[elements[k]] > run:
                    yield from self._end_block()
                    name = document.tag_name(elements[k])
                    yield "element", _ALIASES.get(name, name)
                    self.open.append(elements[k])
                k += 1
            if kind != RunKind.HEAD:
                yield from self._run(run, kind, block)
        yield from self._close(None)

    def _close(self, run: int | None) -> Iterator[tuple[str, Any]]:
        """Close the structure that ends before *run*; all of it for ``None``."""
        ends = self.document.elements.end_run
        while self.open and (run is None or ends[self.open[-1]] <= run):
            yield from self._end_block()
            self.open.pop()
            yield "end", None
        if run is None:
            yield from self._end_block()

    def _run(self, run: int, kind: int, block: int) -> Iterator[tuple[str, Any]]:
        if block != self.block:
            yield from self._end_block()
            if block >= 0:
                yield self._begin_block(block)
        if kind == RunKind.TEXT:
            yield self._text(run)
        elif kind == RunKind.BREAK:
            yield "break", None
        elif kind == RunKind.RULE:
            yield "rule", None
        else:
            element = int(self.document.runs.element[run])
            values = self.document.attributes_of(element)
            tag = self.document.tag_name(element)
            name = "image" if kind == RunKind.IMAGE else tag
            about = (values.get("alt") or values.get("title") or "").strip()
            yield "image", f"{name}: {about}" if about else name

    def _text(self, run: int) -> tuple[str, Any]:
        runs, elements = self.document.runs, self.document.elements
        element = int(runs.element[run])
        flags = int(elements.flags[element])
        text = self.document.text[runs.start[run] : runs.end[run]]
        shown = text[:MAX_TEXT_BYTES].decode("utf-8", "ignore")
        return "text", {
            "text": shown + "…" * (len(text) > MAX_TEXT_BYTES),
            "code": flags & Context.CODE,
            "strong": flags & Context.STRONG,
            "link": elements.link[element] >= 0,
        }

    def _begin_block(self, block: int) -> tuple[str, Any]:
        flags = int(self.document.blocks.flags[block])
        label, score = self.content.label(block), float(self.content.scores[block])
        classes = ["b", f"g-{group_of(label)}", f"s{score_step(score)}"]
        if flags >> HEADING_SHIFT:
            classes.append(f"h{flags >> HEADING_SHIFT}")
        if flags & Context.PRE:
            classes.append("pre")
        if flags & Context.HIDDEN:
            classes.append("hid")
        changed = label is not self.label
        self.label, self.block = label, block
        return "block", {
            "id": block,
            "classes": " ".join(classes),
            "tip": self._tip(block, label),
            "label": label.value if changed else "",
        }

    def _tip(self, block: int, label: Label) -> str:
        """The tooltip: label, score, words, share of linked words, tag."""
        blocks = self.document.blocks
        words, linked = int(blocks.words[block]), int(blocks.linked_words[block])
        kind = "main content" if self.content.main[block] else "boilerplate"
        hidden = " · hidden" if blocks.flags[block] & Context.HIDDEN else ""
        tag = self.document.tag_name(int(blocks.element[block]))[:30]
        return (
            f"{label.value} · {kind} · score {self.content.scores[block]:.2f}{hidden}\n"
            f"{words:,} words · {linked / max(words, 1):.0%} in links · <{tag}>"
        )

    def _end_block(self) -> Iterator[tuple[str, Any]]:
        if self.block >= 0:
            yield "end", None
        self.block = -1


def structure(document: Document, first_run: int, end_run: int) -> list[int]:
    """The elements of the page's structure that hold runs of the range, outer first.

    Those too deep are left out.
    """
    elements = document.elements
    known = np.concatenate((_IS_STRUCTURE, np.zeros(len(document.extra_tags), bool)))
    kept = known[elements.tag] & (elements.end_run > elements.first_run)
    kept &= count_around(document, kept) <= _MAX_DEPTH
    kept &= (elements.first_run < end_run) & (elements.end_run > first_run)
    found: list[int] = np.flatnonzero(kept).tolist()
    return found


def score_step(score: float) -> int:
    """The step from 0 to 10 of a score; scores out of range count as 0 or 10."""
    return round(10 * min(max(score, 0.0), 1.0)) if score == score else 0


def _run_range(document: Document, window: Window) -> tuple[int, int]:
    """The runs of the window's blocks; with images before and after at the ends."""
    blocks, n_runs = document.blocks, len(document.runs.kind)
    if not window.n_blocks:
        return 0, n_runs
    first = int(blocks.first_run[window.start]) if window.start else 0
    is_last = window.end == window.n_blocks
    return first, n_runs if is_last else int(blocks.end_run[window.end - 1])
