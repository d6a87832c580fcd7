"""Plots of results as SVG; needs Matplotlib."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from lab.evaluation.systems import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

#: Told apart by readers who see few colours, too.
_COLOURS: Final = (
    "#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #8a7a00 #5b3a9e #7a4a2b #3d3d3d"
).split()
_GREYS: Final = {name: ("#c9c9c9", "#8f8f8f")[i] for i, name in enumerate(REFERENCES)}
TEXT: Final = "#333333"

LEGEND_LINE_INCHES: Final = 0.2


def colours(algorithms: Sequence[str]) -> dict[str, str]:
    """A colour for each algorithm, grey for the references."""
    own = [name for name in algorithms if name not in _GREYS]
    taken = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(own)}
    return {name: _GREYS.get(name) or taken[name] for name in algorithms}


def plot_bars(
    values: Mapping[str, Mapping[str, float]], colour: Mapping[str, str]
) -> str:
    """Bars of *values* by group and algorithm: in each group one per algorithm."""
    width = 0.84 / len(colour)
    figure, axes = new_plot(10, 3.2)
    for i, (algorithm, fill) in enumerate(colour.items()):
        heights = [value.get(algorithm, 0.0) for value in values.values()]
        places = np.arange(len(values)) + (i - (len(colour) - 1) / 2) * width
        axes.bar(places, heights, width * 0.92, color=fill, label=algorithm)
    axes.set_xticks(range(len(values)), list(values))
    axes.set_xlim(-0.6, len(values) - 0.4)
    axes.set_ylim(0, 1)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    return write_svg(figure, axes)


def new_plot(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty plot, *width* by *height* inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=TEXT, labelsize=9)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    return figure, axes


def write_svg(figure: Figure, axes: Axes) -> str:
    """The plot with its legend, as SVG."""
    # Room for the legend of many algorithms.
    lines = len(axes.get_legend_handles_labels()[1])
    figure.set_figheight(max(figure.get_figheight(), LEGEND_LINE_INCHES * lines))
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        fontsize=9,
        labelcolor=TEXT,
    )
    file = io.StringIO()
    # Text stays text, in whatever script: the browser has the letters.
    text = mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mainpage"})
    with text, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
