"""Memory and rate during the crawls, as an SVG."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .report import Outcome

MEGABYTE = 2**20
TEXT = "#333333"
WHOLE, STOPPED, KILLED = "#1f5fa8", "#b5651d", "#a32929"
BARE = "#8a8a8a"
COLOURS = {"SIGTERM": STOPPED, "SIGKILL": KILLED}


def plot(outcomes: dict[str, Outcome]) -> str:
    """The undisturbed crawl by its pages; the others by time, with their stops."""
    figure = Figure(figsize=(10, 6.4), layout="constrained")
    grid = figure.subplots(2, 2)
    looks = max(outcomes["whole"].looks, key=len) if "whole" in outcomes else []
    panels: tuple[tuple[Axes, str, str, float], ...] = (
        (grid[0][0], "memory", "resident memory, MB", MEGABYTE),
        (grid[0][1], "descriptors", "file descriptors", 1),
        (grid[1][0], "lag_most", "longest lag of the loop in a second, ms", 1e-3),
    )
    for axes, name, label, unit in panels:
        _undisturbed(axes, looks, name, unit, WHOLE)
        if name == "memory" and "bare" in outcomes:
            _undisturbed(axes, max(outcomes["bare"].looks, key=len), name, unit, BARE)
            axes.plot([], [], color=BARE, label="without the plugin")
            axes.legend(frameon=False, fontsize=9, loc="lower right")
        _style(axes, "pages", label)
    _interrupted(grid[1][1], outcomes)
    _style(grid[1][1], "minutes", "pages with an outcome")
    return _svg(figure)


def _undisturbed(
    axes: Axes, looks: list[dict[str, Any]], name: str, unit: float, colour: str
) -> None:
    pages = [look["pages"] for look in looks]
    axes.plot(pages, [look[name] / unit for look in looks], color=colour, linewidth=1)
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)


def _interrupted(axes: Axes, outcomes: dict[str, Outcome]) -> None:
    """The pages of each run on top of those before, and where the runs were ended."""
    for name, signal in (("stopped", "SIGTERM"), ("killed", "SIGKILL")):
        outcome = outcomes.get(name)
        if outcome is None or not any(outcome.looks):
            continue
        began = next(looks[0]["time"] for looks in outcome.looks if looks)
        before = [0, *(stop.pages for stop in outcome.stops)]
        colour = COLOURS[signal]
        for done, looks in zip(before, outcome.looks, strict=False):
            if not looks:  # ended before its first second was over
                continue
            times = [(look["time"] - began) / 60 for look in looks]
            axes.plot(times, [done + look["pages"] for look in looks], color=colour)
            axes.plot(times[-1], done + looks[-1]["pages"], "|", color=colour, ms=9)
        axes.plot([], [], color=colour, label=f"{len(outcome.stops)} × {signal}")
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=9)


def _style(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across, color=TEXT)
    axes.set_ylabel(up, color=TEXT)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.grid(color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=TEXT, labelsize=9)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _svg(figure: Figure) -> str:
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mainpage"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    # A tenth of a point is as fine as anybody sees, and half the file.
    short = re.sub(r"(\d+\.\d)\d+", r"\1", file.getvalue())
    return "\n".join(line.rstrip() for line in short.splitlines()) + "\n"
