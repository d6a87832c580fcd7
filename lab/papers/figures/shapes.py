"""Colours, shapes and series of the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.charts import Axes
from lab.papers.figures.drawing import INK, Svg, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy_mainpage.extraction.document.schema import Doubles as Floats
    from scrapy_mainpage.extraction.document.schema import Longs as Ints

EXTRA: Final = "#cc79a7"
MAIN_PALE: Final = "#cfe6f5"
OTHER_PALE: Final = "#f9dcc6"


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


def polyline(
    svg: Svg, points: Iterable[tuple[float, float]], **attributes: object
) -> None:
    """A line through *points*."""
    data = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    svg.path("M" + data, fill="none", **attributes)


def bars(axes: Axes, edges: Ints, values: Floats, colour: str) -> None:
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


def pool(values: Floats, edges: Ints) -> Floats:
    """The value farthest from zero of each bin, so that short peaks stay."""
    if len(edges) < 2:
        return np.zeros(0)
    highest = np.maximum.reduceat(values, edges[:-1])
    lowest = np.minimum.reduceat(values, edges[:-1])
    return np.where(highest >= -lowest, highest, lowest).astype(np.float64)


def reach(values: Floats) -> float:
    """The end of an axis: the highest value, or less where few values are higher."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    return float(min(sizes.max(), 2.5 * np.quantile(sizes, 0.98)))
