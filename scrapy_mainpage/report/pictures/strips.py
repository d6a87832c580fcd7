"""The blocks of a page as a strip, one for each algorithm: where they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .base import Figure
from .svg import INK, MAIN, MUTED, PALE, Svg, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

MOST_COLUMNS: Final = 900
_ROW, _LEFT, _RIGHT, _WIDTH = 30, 160, 190, 900
_SHADES: Final = (PALE, "#a5c8e0", "#6aa9d2", "#3590c4", MAIN)
"""From no main content to nothing else."""


def draw_strips(
    verdicts: Sequence[tuple[str, Mask]], words: npt.NDArray[np.int32], chosen: str
) -> Figure:
    """A strip per name and mask of main blocks, each block as wide as its words.

    The strip called *chosen* is marked.
    """
    svg = Svg(
        _LEFT + _WIDTH + _RIGHT, _ROW * len(verdicts) + 26, "Main content by algorithm"
    )
    for k, (name, main) in enumerate(verdicts):
        weight = "bold" if name == chosen else None
        top = 4 + k * _ROW
        svg.text(_LEFT - 10, top + 16, name, 13, text_anchor="end", font_weight=weight)
        shares = column_shares(main, words)
        shades = [_SHADES[round(share * 4)] for share in shares.tolist()]
        draw_strip(svg, _LEFT, top, _WIDTH, 22, shades)
        if name == chosen:
            svg.rect(_LEFT, top, _WIDTH, 22, fill="none", stroke=INK, stroke_width=1.5)
        kept, total = int(words[main].sum()), int(words.sum())
        share = f"{kept / total:.0%}" if total else "–"
        text = f"{kept:,} words, {share}"
        svg.text(_LEFT + _WIDTH + 10, top + 16, text, 12, fill=MUTED)
    below = _ROW * len(verdicts) + 18
    svg.text(_LEFT, below, "start of the page", 11, fill=MUTED)
    end = _LEFT + _WIDTH
    svg.text(end, below, "end of the page", 11, fill=MUTED, text_anchor="end")
    caption = (
        "The page from its first word to its last, as each algorithm sees it; in bold "
        "the one whose result is shown above."
    )
    return Figure(svg, caption, ((MAIN, "main content"), (PALE, "boilerplate")))


def column_shares(
    main: Mask, words: npt.NDArray[np.int32], columns: int = MOST_COLUMNS
) -> Floats:
    """The share of main words in each of the *columns* that share out all words."""
    total = np.concatenate(([0], np.cumsum(words, dtype=np.int64)))
    if not total[-1]:
        return np.zeros(0)
    chosen = np.concatenate(([0], np.cumsum(words * main, dtype=np.int64)))
    places = np.linspace(0, total[-1], columns + 1)
    # Within a block the words are alike, so the sums between blocks are straight lines.
    reached = np.interp(places, total.astype(float), chosen.astype(float))
    return np.asarray(np.diff(reached) / (total[-1] / columns)).clip(0, 1)


def draw_strip(
    svg: Svg, left: float, top: float, width: float, height: float, colours: list[str]
) -> None:
    """A row of equally wide cells; neighbours of one colour become one shape."""
    if not colours:
        svg.rect(left, top, width, height, fill=PALE)
        return
    step = width / len(colours)
    starts = [
        k for k, colour in enumerate(colours) if k == 0 or colour != colours[k - 1]
    ]
    ends = [*starts[1:], len(colours)]
    data: dict[str, list[str]] = {}
    for start, end in zip(starts, ends, strict=True):
        x, wide = number(left + start * step), number((end - start) * step)
        cell = f"M{x} {number(top)}h{wide}v{number(height)}h-{wide}z"
        data.setdefault(colours[start], []).append(cell)
    for colour, cells in data.items():
        svg.path("".join(cells), fill=colour)


__all__ = ["column_shares", "draw_strip", "draw_strips"]
