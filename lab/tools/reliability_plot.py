"""Draw the reliability plot of ``docs/models.rst`` from a model card.

``python -m lab.tools.reliability_plot [CARD]`` reads a card's table of confidence and
F1, of the shipped model of ``learned`` without an argument, and writes an SVG file
below ``docs/_static``.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from lab import ROOT
from lab.papers.figures.shapes import MAIN_PALE, circle, polyline
from scrapy_mainpage.report.charts import Axes
from scrapy_mainpage.report.drawing import (
    INK,
    MAIN,
    MUTED,
    Svg,
    number,
)

CARD = ROOT / "scrapy_mainpage/extraction/weights/learned.rst"
TARGET = ROOT / "docs/_static/reliability.svg"

ROW = re.compile(
    r"^(\d\.\d) to (\d\.\d)\s+(\d+)\s+(\d\.\d+)\s+(\d\.\d+)$", re.MULTILINE
)
WIDTH, HEIGHT = 560, 440


@dataclass(frozen=True)
class Bin:
    """Pages whose confidence is from ``low`` to ``high``."""

    low: float
    high: float
    pages: int
    confidence: float
    f1: float


def read_bins(card: str) -> list[Bin]:
    """The rows of the card's table; ``ValueError`` if it has none."""
    found = [
        Bin(float(low), float(high), int(pages), float(mean), float(f1))
        for low, high, pages, mean, f1 in ROW.findall(card)
    ]
    if not found:
        raise ValueError("no table of confidence and F1")
    return found


def draw(bins: list[Bin]) -> str:
    """The F1 reached by confidence, and below it how many pages there are."""
    svg = Svg(WIDTH, HEIGHT, "F1 reached by confidence")
    svg.rect(0, 0, WIDTH, HEIGHT, fill="#fff")
    above = Axes(svg, 66, 14, WIDTH - 86, 280, (0, 1), (0, 1))
    above.draw("", "mean F1 of the pages")
    _diagonal(above)
    points = [(above.x(each.confidence), above.y(each.f1)) for each in bins]
    polyline(svg, points, stroke=MAIN, stroke_width=2)
    for (x, y), each in zip(points, bins, strict=True):
        said = f"confidence {each.confidence:.3f}, F1 {each.f1:.3f}"
        circle(svg, x, y, 5, fill=MAIN, title=f"{each.pages} pages, {said}")
    _counts(svg, bins)
    return str(svg)


def _diagonal(axes: Axes) -> None:
    ends = (axes.x(0), axes.y(0), axes.x(1), axes.y(1))
    axes.svg.line(*ends, stroke=MUTED, stroke_dasharray="5 4")
    at = axes.x(0.08), axes.y(0.08)
    angle = number(-57.3 * axes.height / axes.width)
    axes.svg.text(
        at[0],
        at[1] + 15,
        "as good as expected",
        11,
        fill=MUTED,
        transform=f"rotate({angle} {number(at[0])} {number(at[1])})",
    )


def _counts(svg: Svg, bins: list[Bin]) -> None:
    most = max(each.pages for each in bins)
    below = Axes(svg, 66, 334, WIDTH - 86, 60, (0, 1), (0, most))
    below.labels("confidence", "pages")
    bottom = below.top + below.height
    for each in bins:
        x, y = below.x(each.low), below.y(each.pages)
        width = below.x(each.high) - x
        svg.rect(x + 1, y, width - 2, bottom - y, fill=MAIN_PALE)
        middle = x + width / 2
        svg.text(middle, y - 4, str(each.pages), 11, text_anchor="middle")
    svg.line(below.left, bottom, below.left + below.width, bottom, stroke=INK)


def main(card: Path = CARD, target: Path = TARGET) -> None:
    """Write the plot of *card*."""
    try:
        svg = draw(read_bins(card.read_text(encoding="utf-8")))
    except ValueError as error:
        sys.exit(f"{card}: {error}")
    target.write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
