"""Axes and series: long series are pooled, so that a plot's size has a bound."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

import numpy as np

from .svg import INK, MUTED, PALE, number

if TYPE_CHECKING:
    import numpy.typing as npt

    from .svg import Svg

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

MOST_BINS: Final = 1000
"""The most values of a series that are drawn one by one."""


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
        for tick in ticks(*self.y_range, most=6):
            y = self.y(tick)
            self.svg.line(self.left, y, self.left + self.width, y, stroke=PALE)
            text = _tick(abs(tick) if absolute else tick)
            self.svg.text(self.left - 6, y + 4, text, 11, text_anchor="end", fill=MUTED)
        across = ticks(*self.x_range, most=10)
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
        """A bar from zero for each value, between its *edges*; cut at the frame."""
        low, high = self.y_range
        zero = number(self.y(0))
        data = []
        for k, value in enumerate(np.clip(values, low, high).tolist()):
            if value:
                x, right = self.x(float(edges[k])), self.x(float(edges[k + 1]))
                # Narrow bars would fade: none is thinner than most of a pixel.
                right = max(right - (0.3 if right - x > 2 else 0), x + 0.8)
                y = number(self.y(value))
                data.append(f"M{number(x)} {zero}V{y}H{number(right)}V{zero}Z")
        if data:
            self.svg.path("".join(data), fill=colour)

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


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from *low* to *high*, at most *most* and one.

    >>> ticks(0, 95, 5)
    [0, 20, 40, 60, 80]
    """
    if not high > low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    places = max(0, -floor(log10(step)))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    if places == 0:
        return [int(k * step) for k in range(first, last + 1)]
    return [round(k * step, places) for k in range(first, last + 1)]


def pool_edges(n: int, most: int = MOST_BINS) -> Ints:
    """Where bins begin and end that share out *n* values, at most *most* bins."""
    return np.linspace(0, n, min(n, most) + 1).astype(np.int64)


def pool(values: Floats, edges: Ints) -> Floats:
    """The value farthest from zero of each bin: short peaks are not lost."""
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
    """How far an axis reaches: to the highest value, or cut where few are higher."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    return float(min(sizes.max(), 2.5 * np.quantile(sizes, 0.98)))


def _tick(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else number(value)


__all__ = ["MOST_BINS", "Axes", "pool", "pool_edges", "pool_mean", "reach", "ticks"]
