"""The whole page as inert HTML, each text block coloured by its label.

Built from the flat document alone, of ``div`` and ``span`` with our own classes: there
is nothing that could run, load or lead anywhere, and no parser rearranges it.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.document import HEADING_SHIFT, Context, RunKind
from ..extraction.document.tags import TAGS
from .palette import group_of
from .pictures.svg import plain

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.document.document import Document
    from ..extraction.result import Extraction

    Mask = npt.NDArray[np.bool_]

MOST_BLOCKS: Final = 3000
MOST_COST: Final = 1_500_000
"""In bytes of text, where each run in a block costs :data:`RUN_COST` more."""

RUN_COST: Final = 60
LONGEST_BLOCK: Final = 20_000
"""Bytes of a block that are shown."""

MOST_RUNS: Final = 1000
"""Runs of a block that are shown."""

_DEEPEST: Final = 30
_STRUCTURE: Final = (
    "ul ol menu dir dl li dt dd blockquote table tr td th figure "
    "nav header footer aside main article form dialog"
).split()
_SAME: Final = {"menu": "ul", "dir": "ul", "th": "td"}
_IS_STRUCTURE = np.isin(np.array(TAGS), _STRUCTURE)


@dataclass(frozen=True)
class Window:
    """The half-open range of blocks that is shown, and how many there are."""

    start: int
    end: int
    n_blocks: int

    @property
    def note(self) -> str:
        """What is left out, empty for nothing."""
        before, after = self.start, self.n_blocks - self.end
        if not before and not after:
            return ""
        return (
            f"The page is large: {self.end - self.start:,} of its {self.n_blocks:,} "
            f"text blocks are shown; {before:,} before and {after:,} after them are "
            "left out."
        )


def window_of(document: Document, main: Mask) -> Window:
    """The blocks that can be shown: from the start, or from shortly before the main
    content where that comes late."""
    n = document.n_blocks
    start, end = 0, _reach(document, 0)
    if end < n and main.any() and int(np.argmax(main)) >= end:
        start = max(int(np.argmax(main)) - 50, 0)
        end = _reach(document, start)
    return Window(start, end, n)


def _reach(document: Document, start: int) -> int:
    """How far the bounds allow to go from *start*; one block at least."""
    total = np.cumsum(block_costs(document)[start:])
    within = int(np.searchsorted(total, MOST_COST, side="right"))
    shown = min(max(within, 1), MOST_BLOCKS)
    return min(start + shown, document.n_blocks)


def block_costs(document: Document) -> npt.NDArray[np.int64]:
    """What each block costs to show, in bytes, shortened as it will be."""
    blocks = document.blocks
    size = np.minimum(blocks.end - blocks.start, LONGEST_BLOCK).astype(np.int64)
    runs = np.minimum(blocks.end_run - blocks.first_run, MOST_RUNS)
    costs: npt.NDArray[np.int64] = size + RUN_COST * runs
    return costs


def write_annotated(content: Extraction, window: Window) -> str:
    """The blocks of *window* in the structure of the page, as an HTML fragment."""
    return _Writer(content, window).write()


class _Writer:
    """Goes through the runs once, with a stack of the open structure elements."""

    def __init__(self, content: Extraction, window: Window) -> None:
        self.content, self.document = content, content.document
        self.first_run, self.end_run = _run_range(self.document, window)
        self.out: list[str] = []
        self.open: list[int] = []
        self.block = -1
        self.left = 0, 0
        self.group = ""

    def write(self) -> str:
        runs = self.document.runs
        elements = structure(self.document, self.first_run, self.end_run)
        ends, starts = self.document.elements.end_run, self.document.elements.first_run
        k = 0
        shown = slice(self.first_run, self.end_run)
        for run, (kind, block) in enumerate(
            zip(runs.kind[shown].tolist(), runs.block[shown].tolist(), strict=True),
            self.first_run,
        ):
            self._close(run)
            while k < len(elements) and starts[elements[k]] <= run:
                if ends[elements[k]] > run:
                    self._enter(elements[k])
                k += 1
            if kind != RunKind.HEAD:
                self._run(run, kind, block)
        self._close(None)
        return "".join(self.out)

    def _close(self, run: int | None) -> None:
        """Close the structure that ends before *run*; all of it for ``None``."""
        ends = self.document.elements.end_run
        while self.open and (run is None or ends[self.open[-1]] <= run):
            self._end_block()
            self.open.pop()
            self.out.append("</div>")
        if run is None:
            self._end_block()

    def _enter(self, element: int) -> None:
        self._end_block()
        name = self.document.tag_name(element)
        self.out.append(f'<div class="n-{_SAME.get(name, name)}">')
        self.open.append(element)

    # Runs

    def _run(self, run: int, kind: int, block: int) -> None:
        if block != self.block:
            self._end_block()
            if block >= 0:
                self._begin_block(block)
        self.left = self.left[0], self.left[1] - 1
        if block >= 0 and self.left[1] < 0:
            return
        if kind == RunKind.TEXT:
            self._text(run)
        elif kind == RunKind.BREAK:
            self.out.append("<br>")
        elif kind == RunKind.RULE:
            self.out.append("<hr>")
        else:
            self._picture(run, kind)

    def _text(self, run: int) -> None:
        runs, elements = self.document.runs, self.document.elements
        start, end = int(runs.start[run]), int(runs.end[run])
        shown = min(end, start + max(self.left[0], 0))
        self.left = self.left[0] - (end - start), self.left[1]
        if shown <= start:
            return
        text = plain(self.document.text[start:shown].decode("utf-8", "ignore"))
        element = int(runs.element[run])
        flags = int(elements.flags[element])
        for bit, tag in ((Context.CODE, "code"), (Context.STRONG, "b")):
            if flags & bit:
                text = f"<{tag}>{text}</{tag}>"
        if elements.link[element] >= 0:
            text = f'<span class="a">{text}</span>'
        self.out.append(text)

    def _picture(self, run: int, kind: int) -> None:
        element = int(self.document.runs.element[run])
        values = self.document.attributes_of(element)
        name = "image" if kind == RunKind.IMAGE else self.document.tag_name(element)
        about = (values.get("alt") or values.get("title") or "").strip()
        text = f"{name}: {about}" if about else name
        self.out.append(f'<span class="img">{plain(text, 120)}</span>')

    # Blocks

    def _begin_block(self, block: int) -> None:
        blocks = self.document.blocks
        flags, label = int(blocks.flags[block]), self.content.label(block)
        score = float(self.content.scores[block])
        classes = ["b", f"g-{group_of(label)}", f"s{score_step(score)}"]
        if flags >> HEADING_SHIFT:
            classes.append(f"h{flags >> HEADING_SHIFT}")
        if flags & Context.PRE:
            classes.append("pre")
        if flags & Context.HIDDEN:
            classes.append("hid")
        title = escape(self._tip(block))
        self.out.append(f'<div class="{" ".join(classes)}" title="{title}">')
        if label.value != self.group:
            self.group = label.value
            self.out.append(f'<span class="tag">{label.value}</span>')
        self.block, self.left = block, (LONGEST_BLOCK, MOST_RUNS)

    def _tip(self, block: int) -> str:
        blocks, label = self.document.blocks, self.content.label(block)
        words, linked = int(blocks.words[block]), int(blocks.linked_words[block])
        kind = "main content" if self.content.main[block] else "boilerplate"
        hidden = " · hidden" if blocks.flags[block] & Context.HIDDEN else ""
        tag = self.document.tag_name(int(blocks.element[block]))[:30]
        return (
            f"{label.value} · {kind} · score {self.content.scores[block]:.2f}{hidden}\n"
            f"{words:,} words · {linked / max(words, 1):.0%} in links · <{tag}>"
        )

    def _end_block(self) -> None:
        if self.block >= 0:
            if self.left[0] < 0 or self.left[1] < 0:
                self.out.append('<span class="cut">… the block goes on</span>')
            self.out.append("</div>")
        self.block, self.left = -1, (0, 0)


def structure(document: Document, first_run: int, end_run: int) -> list[int]:
    """The elements of the page's structure that hold runs of the range, outer first.

    Those too deep are left out.
    """
    elements = document.elements
    known = np.concatenate((_IS_STRUCTURE, np.zeros(len(document.extra_tags), bool)))
    kept = known[elements.tag] & (elements.end_run > elements.first_run)
    n = document.n_elements + 1
    depth = np.bincount(np.flatnonzero(kept), minlength=n)
    depth = depth - np.bincount(elements.end[kept], minlength=n)
    kept &= np.cumsum(depth)[:-1] <= _DEEPEST
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
        return 0, min(n_runs, MOST_RUNS)
    first = int(blocks.first_run[window.start]) if window.start else 0
    last = window.end == window.n_blocks
    end = int(blocks.end_run[window.end - 1])
    return max(first, 0), min(n_runs, end + MOST_RUNS) if last else end


__all__ = ["Window", "block_costs", "window_of", "write_annotated"]
