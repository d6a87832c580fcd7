"""The sequence of text blocks with their features (Kim et al., section 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.algorithms.segmentation.text_segments import PARENT_TAGS, cut
from ...extraction.algorithms.text_block_context import features
from .base import Figure, Picture, count
from .plots import Axes, pool, pool_edges, pool_mean, reach
from .strips import draw_strip
from .svg import EXTRA, INK, MAIN, MARK, MUTED, OTHER, PALE, Svg

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.algorithms.text_block_context import TextBlockContext
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout
    from .plots import Floats, Ints

# Where the features of the block itself stand among the 25 of its context.
_OWN: Final = 10
_GROUPS: Final = (
    (MUTED, "other tag", ""),
    ("#56b4e9", "p, br", "p br"),
    (MARK, "heading", "h1 h2 h3 h4 h5 h6"),
    (OTHER, "list", "li ul ol dl dt dd"),
    (EXTRA, "a", "a"),
    (INK, "other of Table 1", "b blockquote font img pre q table"),
)
_LEFT, _WIDTH = 110, 1150
_HEIGHT = 118


def draw(
    document: Document, algorithm: TextBlockContext, layout: Layout | None = None
) -> Picture:
    """The figure: a row per feature, a column per block."""
    title = "Text block context: the blocks in their order, with their features"
    segments = cut(document, algorithm.segmentation)
    if not len(segments):
        return Picture(title, notes=("The page has no text blocks.",))
    scores = algorithm.score(document)[segments.block]
    own = features(segments)[:, _OWN : _OWN + 5].astype(np.float64)
    edges = pool_edges(len(segments))
    notes = [_chosen(scores)]
    if len(edges) - 1 < len(segments):
        notes.append(
            f"Each column stands for about {len(segments) // (len(edges) - 1):,} "
            "blocks: the mean of their densities and scores, the largest distance, the "
            "tag of the first."
        )
    return Picture(title, (_figure(own, scores, edges),), tuple(notes))


def _figure(own: Floats, scores: npt.NDArray[np.float32], edges: Ints) -> Figure:
    svg = Svg(_LEFT + _WIDTH + 20, 3 * _HEIGHT + 132, "Features of the text blocks")
    rows = (
        ("word density", 0, MAIN),
        ("link density", 1, OTHER),
        ("distance", 4, MARK),
    )
    for k, (name, column, colour) in enumerate(rows):
        pooled = pool if name == "distance" else pool_mean
        values = pooled(own[:, column], edges)
        top = 1.0 if name == "link density" else reach(values)
        axes = Axes(
            svg,
            _LEFT,
            12 + k * _HEIGHT,
            _WIDTH,
            _HEIGHT - 34,
            (0, int(edges[-1])),
            (0, top),
        )
        axes.draw("", name, counted=True)
        axes.bars(edges, values, colour)
    below = 3 * _HEIGHT + 16
    groups = _group_of_code()[own[edges[:-1], 2].astype(int)]
    svg.text(_LEFT - 8, below + 16, "parent tag", 12, text_anchor="end")
    colours = [colour for colour, _, _ in _GROUPS]
    draw_strip(svg, _LEFT, below, _WIDTH, 22, [colours[g] for g in groups.tolist()])
    _draw_scores(svg, below + 34, scores, edges)
    middle = _LEFT + _WIDTH / 2
    svg.text(
        middle,
        below + 84,
        "text block, in the order of the page",
        12,
        text_anchor="middle",
    )
    caption = (
        "Each block's word density, link density, lines to the next block and parent "
        "tag. The tree sees these of the block and of two neighbours on each side: 25 "
        "features."
    )
    tags = tuple((colour, name) for colour, name, _ in _GROUPS)
    return Figure(svg, caption, (*tags, (MAIN, "taken for main content (lowest row)")))


def _draw_scores(
    svg: Svg, top: float, scores: npt.NDArray[np.float32], edges: Ints
) -> None:
    mean = pool_mean(scores.astype(np.float64), edges)
    svg.text(_LEFT - 8, top + 16, "main content", 12, text_anchor="end")
    colours = [MAIN if share >= 0.5 else PALE for share in mean.tolist()]
    draw_strip(svg, _LEFT, top, _WIDTH, 22, colours)


def _group_of_code() -> Ints:
    """The place in the groups of each parent tag's code."""
    group = np.zeros(len(PARENT_TAGS) + 2, np.int64)
    for k, (_, _, names) in enumerate(_GROUPS):
        for name in names.split():
            group[PARENT_TAGS.index(name) + 1] = k
    return group


def _chosen(scores: npt.NDArray[np.float32]) -> str:
    main = int((scores >= 0.5).sum())
    return f"{count(len(scores), 'block')}, of which {main:,} taken for main content."
