"""Axes with bars, strips of cells, and pooling that bounds the size of a plot."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

import numpy as np

from .drawing import INK, MAIN, MUTED, PALE, Figure, Svg, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

MAX_BINS: Final = 1000
"""Longer series are pooled."""


@dataclass(frozen=True)
class Axes:
    """A rectangle of a drawing with a linear scale on each side."""

    svg: Svg
    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """The place of *value* on the drawing, from the left."""
        low, high = self.x_range
        return self.left + (value - low) / ((high - low) or 1) * self.width

    def y(self, value: float) -> float:
        """The place of *value* on the drawing, from the top."""
        low, high = self.y_range
        return (
            self.top + self.height - (value - low) / ((high - low) or 1) * self.height
        )

    def draw(
        self,
        x_label: str,
        y_label: str,
        *,
        absolute: bool = False,
        counted: bool = False,
    ) -> None:
        """The frame with its ticks: *absolute* ones have no sign on the y axis,
        *counted* ones stand at whole numbers on the x axis."""
        bottom = self.top + self.height
        for tick in ticks(*self.y_range, limit=6):
            y = self.y(tick)
            self.svg.line(self.left, y, self.left + self.width, y, stroke=PALE)
            text = _tick(abs(tick) if absolute else tick)
            self.svg.text(self.left - 6, y + 4, text, 11, text_anchor="end", fill=MUTED)
        across = ticks(*self.x_range, limit=10)
        if counted:
            across = [tick for tick in across if tick == int(tick)]
        for tick in across:
            x = self.x(tick)
            self.svg.line(x, bottom, x, bottom + 4, stroke=MUTED)
            self.svg.text(
                x, bottom + 17, _tick(tick), 11, text_anchor="middle", fill=MUTED
            )
        self.labels(x_label, y_label)

    def labels(self, x_label: str, y_label: str) -> None:
        """The names of the axes."""
        across, down = self.left + self.width / 2, self.top + self.height / 2
        below = self.top + self.height + 34
        self.svg.text(across, below, x_label, 12, text_anchor="middle")
        turned = f"rotate(-90 {number(self.left - 48)} {number(down)})"
        self.svg.text(
            self.left - 48, down, y_label, 12, text_anchor="middle", transform=turned
        )

    def bars(self, edges: Ints, values: Floats, colour: str) -> None:
        """A bar from zero for each value, between its *edges*.

        One that is cut at the frame has a tip there.
        """
        low, high = self.y_range
        zero = number(self.y(0))
        data, tips = [], []
        for k, value in enumerate(np.clip(values, low, high).tolist()):
            if value:
                x, right = self.x(float(edges[k])), self.x(float(edges[k + 1]))
                # Bars below 0.8 pixels fade out.
                right = max(right - (0.3 if right - x > 2 else 0), x + 0.8)
                y = number(self.y(value))
                data.append(f"M{number(x)} {zero}V{y}H{number(right)}V{zero}Z")
                if abs(values[k]) > abs(value):
                    away = -5 if value > 0 else 5
                    middle = number((x + right) / 2 - 3)
                    tips.append(f"M{middle} {y}h6l-3 {away}z")
        if data:
            self.svg.path("".join(data), fill=colour)
        if tips:
            title = "higher than the axis"
            self.svg.path("".join(tips), fill=INK, title=title)

    def band(self, start: float, end: float, colour: str, **attributes: object) -> None:
        """A coloured stretch of the x axis, over the whole height."""
        x, right = self.x(start), self.x(end)
        self.svg.rect(
            x, self.top, max(right - x, 1), self.height, fill=colour, **attributes
        )

    def zero_line(self) -> None:
        """The line at zero."""
        y = self.y(0)
        self.svg.line(self.left, y, self.left + self.width, y, stroke=INK)


def ticks(low: float, high: float, limit: int) -> list[float]:
    """Round numbers from *low* to *high*, at most *limit* + 1.

    >>> ticks(0, 95, 5)
    [0, 20, 40, 60, 80]
    """
    if not high > low:
        return [low]
    rough = (high - low) / limit
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    places = max(0, -floor(log10(step)))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    if places == 0:
        return [int(k * step) for k in range(first, last + 1)]
    return [round(k * step, places) for k in range(first, last + 1)]


def pool_edges(n: int, limit: int = MAX_BINS) -> Ints:
    """The edges of at most *limit* bins over *n* values, all about equally large."""
    return np.linspace(0, n, min(n, limit) + 1).astype(np.int64)


def pool(values: Floats, edges: Ints) -> Floats:
    """The value farthest from zero of each bin, so that short peaks stay."""
    if len(edges) < 2:
        return np.zeros(0)
    highest = np.maximum.reduceat(values, edges[:-1])
    lowest = np.minimum.reduceat(values, edges[:-1])
    return np.where(highest >= -lowest, highest, lowest).astype(np.float64)


def pool_mean(values: Floats, edges: Ints) -> Floats:
    """The mean of the values of each bin."""
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    means: Floats = (total[edges[1:]] - total[edges[:-1]]) / np.diff(edges)
    return means


def reach(values: Floats) -> float:
    """The end of an axis: the highest value, or less where few values are higher."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    return float(min(sizes.max(), 2.5 * np.quantile(sizes, 0.98)))


def _tick(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else number(value)


# Strips of cells

MAX_COLUMNS: Final = 900
_ROW, _LEFT, _RIGHT, _WIDTH = 30, 160, 190, 900
_SHADES: Final = (PALE, "#a5c8e0", "#6aa9d2", "#3590c4", MAIN)
"""By the share of main content, from 0 to 1."""


def draw_strips(
    masks: Sequence[tuple[str, Mask]], words: npt.NDArray[np.int32], chosen: str
) -> Figure:
    """A strip per name and mask of main blocks, each block as wide as its words.

    The strip called *chosen* is marked.
    """
    svg = Svg(
        _LEFT + _WIDTH + _RIGHT, _ROW * len(masks) + 26, "Main content by algorithm"
    )
    for k, (name, main) in enumerate(masks):
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
    below = _ROW * len(masks) + 18
    svg.text(_LEFT, below, "start of the page", 11, fill=MUTED)
    end = _LEFT + _WIDTH
    svg.text(end, below, "end of the page", 11, fill=MUTED, text_anchor="end")
    caption = (
        "The page from its first word to its last, as each algorithm sees it; in bold "
        "the one whose result is shown above."
    )
    return Figure(svg, caption, ((MAIN, "main content"), (PALE, "boilerplate")))


def column_shares(
    main: Mask, words: npt.NDArray[np.int32], columns: int = MAX_COLUMNS
) -> Floats:
    """The share of main words in each of the *columns*, equal parts of all words."""
    total = np.concatenate(([0], np.cumsum(words, dtype=np.int64)))
    if not total[-1]:
        return np.zeros(0)
    chosen = np.concatenate(([0], np.cumsum(words * main, dtype=np.int64)))
    places = np.linspace(0, total[-1], columns + 1)
    # All words of a block count alike: sums between blocks are straight lines.
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
