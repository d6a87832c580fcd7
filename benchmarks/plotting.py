"""How all plots look, and their SVG: the same bytes for the same figures."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TEXT = "#333333"
GREY = "#e6e6e6"


def plain(axes: Axes) -> None:
    """Nothing but what says something."""
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=TEXT, labelsize=9)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def svg(figure: Figure) -> str:
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mainpage"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    # A tenth of a point is as fine as anybody sees, and half the file.
    short = re.sub(r"(\d+\.\d)\d+", r"\1", file.getvalue())
    lines = (line.rstrip() for line in short.splitlines())
    return "\n".join(lines) + "\n"
