"""The plots of how fast it is, from tables of a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from scrapy_mainpage.evaluation.plots import colours

from .contenders import OURS, RESILIPARSE, TRAFILATURA
from .crawlspeedchild import PLUGIN, WITHOUT
from .plotting import GREY, TEXT, plain, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = Sequence[dict[str, Any]]

COLOURS = colours([OURS, TRAFILATURA, RESILIPARSE])
PARSE = "#8f8f8f"
PER_PARSE = " / parse"


def plot_sizes(rows: Rows) -> str:
    """The mean time of each extractor over that of the parse, by size of page."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    names = [name for name in COLOURS if name + PER_PARSE in rows[0]]
    for name in names:
        heights = [row[name + PER_PARSE] for row in rows]
        wide = 2.4 if name == OURS else 1.4
        axes.plot(heights, color=COLOURS[name], linewidth=wide, marker="o", label=name)
    axes.axhline(1, color=PARSE, linewidth=1.2, linestyle=":", label="the parse alone")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    axes.yaxis.set_minor_formatter("")
    axes.set_xticks(
        range(len(rows)), [f"{row['size']}\n{row['pages']}" for row in rows]
    )
    axes.set_ylabel("bytes to text / decode and parse", color=TEXT)
    axes.set_xlabel("size and number of pages", color=TEXT)
    axes.grid(axis="y", which="both", color=GREY, linewidth=0.8)
    plain(axes)
    _legend(figure, axes)
    return svg(figure)


def plot_crawl(rows: Rows) -> str:
    """The processor's time a page of each crawl, a group for each callback."""
    colour = {WITHOUT: PARSE, PLUGIN: COLOURS[OURS]}
    colour[TRAFILATURA] = COLOURS[TRAFILATURA]
    callbacks = list(dict.fromkeys(row["callback"] for row in rows))
    figure = Figure(figsize=(8, 1.1 + 1.1 * len(callbacks)), layout="constrained")
    axes = figure.subplots()
    for k, (way, fill) in enumerate(colour.items()):
        own = [row for row in rows if row["text by"] == way]
        places = [callbacks.index(row["callback"]) + (k - 1) * 0.27 for row in own]
        widths = [row["CPU ms/page"] for row in own]
        bars = axes.barh(places, widths, 0.24, color=fill, label=_said(way))
        axes.bar_label(bars, fmt="%.3g", padding=3, color=TEXT, fontsize=9)
    axes.set_yticks(range(len(callbacks)), [f"callback\n{each}" for each in callbacks])
    axes.invert_yaxis()
    axes.set_xlabel("processor's milliseconds a page of the whole crawl", color=TEXT)
    axes.grid(axis="x", color=GREY, linewidth=0.8)
    plain(axes)
    _legend(figure, axes)
    return svg(figure)


def _said(way: str) -> str:
    ways = {WITHOUT: "without", PLUGIN: "with the plugin"}
    return ways.get(way, f"{way} in the callback")


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=9
    )
