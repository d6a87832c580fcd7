"""Series over a page: DANAg's source lines, and text blocks with their features.

Mohammadzadeh et al., figures 1 and 2, and Kim et al., section 3.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.algorithms.danag import Danag, main_lines, smooth
from ...extraction.algorithms.segmentation.text_segments import PARENT_TAGS, cut
from ...extraction.algorithms.text_block_context import features
from .charts import MAX_BINS, Axes, draw_strip, pool, pool_edges, pool_mean, reach
from .drawing import (
    EXTRA,
    INK,
    MAIN,
    MAIN_PALE,
    MARK,
    MUTED,
    OTHER,
    PALE,
    AlgorithmFigures,
    Figure,
    Svg,
    count,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.algorithms.text_block_context import TextBlockContext
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout
    from .charts import Floats, Ints

    Mask = npt.NDArray[np.bool_]

_WIDTH, _HEIGHT = 1280, 290


# DANAg


def draw_danag(
    document: Document, algorithm: Danag, layout: Layout | None = None
) -> AlgorithmFigures:
    """Both figures, with the lines that *algorithm* chooses."""
    t1, t2 = algorithm.lengths(document)
    diff = smooth(t1) - smooth(t2)
    chosen = main_lines(t1, diff, algorithm.gap, whole_area=algorithm.whole_area)
    first = main_lines(t1, diff, 0)
    edges = pool_edges(len(t1))
    return AlgorithmFigures(
        "DANAg: content against code, line by line",
        (_draw_raw(t1, t2, edges), _draw_smoothed(diff, chosen, first, edges)),
        _danag_notes(chosen, first, edges),
    )


def _draw_raw(t1: Ints, t2: Ints, edges: Ints) -> Figure:
    content, code = pool(t1.astype(float), edges), pool(t2.astype(float), edges)
    svg, axes = _plot(edges, reach(np.concatenate((content, code))), "before smoothing")
    axes.draw(
        "line of the source",
        "code ← characters → content",
        absolute=True,
        counted=True,
    )
    axes.bars(edges, content, MAIN)
    axes.bars(edges, -code, OTHER)
    axes.zero_line()
    caption = (
        "Before smoothing (figure 1 of the paper): the characters of content of each "
        "line above the axis, those of its code below."
    )
    return Figure(svg, caption, ((MAIN, "content"), (OTHER, "code")))


def _draw_smoothed(diff: Ints, chosen: Mask, first: Mask, edges: Ints) -> Figure:
    values = pool(diff.astype(float), edges)
    svg, axes = _plot(edges, reach(values), "after smoothing")
    for start, end in _stretches(chosen):
        axes.band(start, end, MAIN_PALE, title=f"chosen: lines {start + 1} to {end}")
    axes.draw("line of the source", "content minus code", counted=True)
    axes.bars(edges, np.where(values > 0, values, 0), MAIN)
    axes.bars(edges, np.where(values < 0, values, 0), OTHER)
    axes.zero_line()
    for start, end in _stretches(first):
        _mark_first(axes, start, end)
    caption = (
        "After smoothing (figure 2): content minus code of each line and its two "
        "neighbours. The region above the axis with the most content is the first "
        "paragraph; regions near it join it. Shaded lines are the main content area."
    )
    legend = (
        (MAIN, "more content"),
        (OTHER, "more code"),
        (MAIN_PALE, "chosen region"),
        (INK, "first paragraph"),
    )
    return Figure(svg, caption, legend)


def _plot(edges: Ints, limit: float, stage: str) -> tuple[Svg, Axes]:
    svg = Svg(_WIDTH, _HEIGHT, f"Characters of content and code per line, {stage}")
    return svg, Axes(
        svg, 74, 20, _WIDTH - 90, _HEIGHT - 66, (0, int(edges[-1])), (-limit, limit)
    )


def _mark_first(axes: Axes, start: int, end: int) -> None:
    x, right = axes.x(start), axes.x(end)
    axes.svg.rect(x, axes.top, max(right - x, 3), 5, fill=INK)
    anchor = "end" if x > axes.left + axes.width * 0.8 else "start"
    place = right if anchor == "end" else x
    axes.svg.text(place, axes.top - 5, "first paragraph", 11, text_anchor=anchor)


def _stretches(mask: Mask) -> list[tuple[int, int]]:
    """The half-open ranges of true values; the first :data:`MAX_BINS` of them."""
    at = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False]))))
    return list(zip(at[::2].tolist(), at[1::2].tolist(), strict=True))[:MAX_BINS]


def _danag_notes(chosen: Mask, first: Mask, edges: Ints) -> tuple[str, ...]:
    lines = np.flatnonzero(chosen)
    if not len(lines):
        return ("No line has more content than code: no main content.",)
    begin = int(np.argmax(first)) + 1
    notes = [
        f"Chosen: {count(len(lines), 'line')} of {len(chosen):,}, from line "
        f"{lines[0] + 1:,} to {lines[-1] + 1:,}; the first paragraph begins at line "
        f"{begin:,}. A line break stands before each block-level tag."
    ]
    if len(chosen) > MAX_BINS:
        notes.append(
            f"The page has {len(chosen):,} lines: each bar is the strongest of up to "
            f"{count(int(np.diff(edges).max()), 'line')}."
        )
    return tuple(notes)


# Text block context

# Index of the block's own features among the 25 of its context.
_OWN: Final = 10
_TAG_GROUPS: Final = (
    (MUTED, "other tag", ""),
    ("#56b4e9", "p, br", "p br"),
    (MARK, "heading", "h1 h2 h3 h4 h5 h6"),
    (OTHER, "list", "li ul ol dl dt dd"),
    (EXTRA, "a", "a"),
    (INK, "other of Table 1", "b blockquote font img pre q table"),
)
_ROW_LEFT, _ROW_WIDTH = 110, 1150
_ROW_HEIGHT = 118


def draw_text_block_context(
    document: Document, algorithm: TextBlockContext, layout: Layout | None = None
) -> AlgorithmFigures:
    """The figure: a row per feature, a column per block."""
    title = "Text block context: the blocks in their order, with their features"
    segments = cut(document, algorithm.segmentation, algorithm.word_density)
    if not len(segments):
        return AlgorithmFigures(title, notes=("The page has no text blocks.",))
    scores = algorithm.score(document)[segments.block]
    own = features(segments)[:, _OWN : _OWN + 5].astype(np.float64)
    edges = pool_edges(len(segments))
    notes = [_count_chosen(scores)]
    if len(edges) - 1 < len(segments):
        notes.append(
            f"Each column stands for about {len(segments) // (len(edges) - 1):,} "
            "blocks: the mean of their densities and scores, the largest distance, the "
            "tag of the first."
        )
    return AlgorithmFigures(title, (_draw_features(own, scores, edges),), tuple(notes))


def _draw_features(own: Floats, scores: npt.NDArray[np.float32], edges: Ints) -> Figure:
    svg = Svg(
        _ROW_LEFT + _ROW_WIDTH + 20,
        3 * _ROW_HEIGHT + 132,
        "Features of the text blocks",
    )
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
            _ROW_LEFT,
            12 + k * _ROW_HEIGHT,
            _ROW_WIDTH,
            _ROW_HEIGHT - 34,
            (0, int(edges[-1])),
            (0, top),
        )
        axes.draw("", name, counted=True)
        axes.bars(edges, values, colour)
    below = 3 * _ROW_HEIGHT + 16
    groups = _group_of_code()[own[edges[:-1], 2].astype(int)]
    svg.text(_ROW_LEFT - 8, below + 16, "parent tag", 12, text_anchor="end")
    colours = [colour for colour, _, _ in _TAG_GROUPS]
    draw_strip(
        svg, _ROW_LEFT, below, _ROW_WIDTH, 22, [colours[g] for g in groups.tolist()]
    )
    _draw_scores(svg, below + 34, scores, edges)
    middle = _ROW_LEFT + _ROW_WIDTH / 2
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
    tags = tuple((colour, name) for colour, name, _ in _TAG_GROUPS)
    return Figure(svg, caption, (*tags, (MAIN, "taken for main content (lowest row)")))


def _draw_scores(
    svg: Svg, top: float, scores: npt.NDArray[np.float32], edges: Ints
) -> None:
    mean = pool_mean(scores.astype(np.float64), edges)
    svg.text(_ROW_LEFT - 8, top + 16, "main content", 12, text_anchor="end")
    colours = [MAIN if share >= 0.5 else PALE for share in mean.tolist()]
    draw_strip(svg, _ROW_LEFT, top, _ROW_WIDTH, 22, colours)


def _group_of_code() -> Ints:
    """The group of each parent tag's code, as an index."""
    group = np.zeros(len(PARENT_TAGS) + 2, np.int64)
    for k, (_, _, names) in enumerate(_TAG_GROUPS):
        for name in names.split():
            group[PARENT_TAGS.index(name) + 1] = k
    return group


def _count_chosen(scores: npt.NDArray[np.float32]) -> str:
    main = int((scores >= 0.5).sum())
    return f"{count(len(scores), 'block')}, of which {main:,} taken for main content."
