"""Axes, colours, shapes and series of the figures."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

import numpy as np

from .drawing import INK, MUTED, PALE, Svg, number

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.schema import Doubles, Longs

EXTRA: Final = "#cc79a7"
MAIN_PALE: Final = "#cfe6f5"
OTHER_PALE: Final = "#f9dcc6"
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

    def draw(self, x_label: str, y_label: str, *, counted: bool = False) -> None:
        """The frame with its ticks, *counted* ones at whole numbers on the x axis."""
        bottom = self.top + self.height
        for tick in ticks(*self.y_range, limit=6):
            y = self.y(tick)
            self.svg.line(self.left, y, self.left + self.width, y, stroke=PALE)
            text = self.tick_text(tick)
            self.svg.text(self.left - 6, y + 4, text, 11, text_anchor="end", fill=MUTED)
        across = ticks(*self.x_range, limit=10)
        if counted:
            across = [tick for tick in across if tick == int(tick)]
        for tick in across:
            x = self.x(tick)
            self.svg.line(x, bottom, x, bottom + 4, stroke=MUTED)
            text = self.tick_text(tick)
            self.svg.text(x, bottom + 17, text, 11, text_anchor="middle", fill=MUTED)
        self.labels(x_label, y_label)

    def tick_text(self, value: float) -> str:
        """The text of a tick."""
        return f"{int(value):,}" if value == int(value) else number(value)

    def labels(self, x_label: str, y_label: str) -> None:
        """The names of the axes."""
        across, down = self.left + self.width / 2, self.top + self.height / 2
        below = self.top + self.height + 34
        self.svg.text(across, below, x_label, 12, text_anchor="middle")
        turned = f"rotate(-90 {number(self.left - 48)} {number(down)})"
        self.svg.text(
            self.left - 48, down, y_label, 12, text_anchor="middle", transform=turned
        )

    def bars(self, edges: Longs, values: Doubles, colour: str) -> None:
        """A bar from zero for each value, between its *edges*."""
        low, high = self.y_range
        zero = number(self.y(0))
        data = []
        for k, value in enumerate(np.clip(values, low, high).tolist()):
            if value:
                x, right = self.x(float(edges[k])), self.x(float(edges[k + 1]))
                # Bars below 0.8 pixels fade out.
                right = max(right - (0.3 if right - x > 2 else 0), x + 0.8)
                y = number(self.y(value))
                data.append(f"M{number(x)} {zero}V{y}H{number(right)}V{zero}Z")
        if data:
            self.svg.path("".join(data), fill=colour)


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


def pool_edges(n: int, limit: int = MAX_BINS) -> Longs:
    """The edges of at most *limit* bins over *n* values, all about equally large."""
    return np.linspace(0, n, min(n, limit) + 1).astype(np.int64)


# Strips of cells


# Probabilities of the default algorithm

_SIZE: Final = 1280, 270


class MirroredAxes(Axes):
    """Axes whose ticks have no sign."""

    def tick_text(self, value: float) -> str:
        return super().tick_text(abs(value))


def circle(svg: Svg, x: float, y: float, radius: float, **attributes: object) -> None:
    """A circle around a centre, as two halves."""
    r = number(radius)
    half = f"a{r} {r} 0 1 0 "
    data = f"M{number(x - radius)} {number(y)}{half}{number(2 * radius)} 0"
    svg.path(f"{data}{half}{number(-2 * radius)} 0z", **attributes)


def bars(axes: Axes, edges: Longs, values: Doubles, colour: str) -> None:
    """Bars of *axes*, with a tip where one is cut at the frame."""
    axes.bars(edges, values, colour)
    tips = []
    for k, value in enumerate(np.clip(values, *axes.y_range).tolist()):
        if abs(values[k]) > abs(value) > 0:
            x, right = axes.x(float(edges[k])), axes.x(float(edges[k + 1]))
            right = max(right - (0.3 if right - x > 2 else 0), x + 0.8)
            middle = number((x + right) / 2 - 3)
            tips.append(
                f"M{middle} {number(axes.y(value))}h6l-3 {-5 if value > 0 else 5}z"
            )
    if tips:
        axes.svg.path("".join(tips), fill=INK, title="higher than the axis")


def pool(values: Doubles, edges: Longs) -> Doubles:
    """The value farthest from zero of each bin, so that short peaks stay."""
    if len(edges) < 2:
        return np.zeros(0)
    highest = np.maximum.reduceat(values, edges[:-1])
    lowest = np.minimum.reduceat(values, edges[:-1])
    return np.where(highest >= -lowest, highest, lowest).astype(np.float64)


def reach(values: Doubles) -> float:
    """The end of an axis: the highest value, or less where few values are higher."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    return float(min(sizes.max(), 2.5 * np.quantile(sizes, 0.98)))
