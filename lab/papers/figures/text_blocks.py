"""Text blocks with their features, their way down the tree, and the page's tags.

Kim et al., figure 2 and section 3.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.charts import Axes, draw_strip, pool_edges
from lab.papers.figures.drawing import (
    INK,
    MAIN,
    MARK,
    MUTED,
    OTHER,
    PALE,
    AlgorithmFigures,
    Figure,
    Svg,
    excerpt,
    number,
)
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    PARENT_TAGS,
    cut,
)
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    OWN_FEATURES,
    features,
)
from scrapy_mainpage.extraction.document.tags import CODES, TAGS
from scrapy_mainpage.text.words import number_of

from .series import pool, pool_mean, reach
from .shapes import EXTRA, MAIN_PALE, bars

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
        Segments,
    )
    from scrapy_mainpage.extraction.algorithms.text_block_context import (
        TextBlockContext,
        Tree,
    )
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import Doubles as Floats
    from scrapy_mainpage.extraction.document.schema import Longs as Ints

MAX_TAG_COLUMNS: Final = 300

_NAMES: Final = (
    "words per line",
    "link density",
    "parent tag",
    "lines before",
    "lines after",
)
_PLACES: Final = (
    " (two blocks before)",
    " (block before)",
    "",
    " (next block)",
    " (two on)",
)
_TAGS: Final = ("none", *PARENT_TAGS, "other")

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
    """Both figures: a row per feature, a column per block; a row per tag."""
    title = "Text block context: the blocks in their order, with their features"
    segments = cut(document, algorithm.segmentation)
    if not len(segments):
        return AlgorithmFigures(title, notes=("The page has no text blocks.",))
    score = algorithm.score(document)
    scores = score[segments.block]
    own = features(segments)[:, _OWN : _OWN + 5].astype(np.float64)
    edges = pool_edges(len(segments))
    notes = [_count_chosen(scores)]
    if len(edges) - 1 < len(segments):
        notes.append(
            f"Each column stands for about {len(segments) // (len(edges) - 1):,} "
            "blocks: the mean of their densities and scores, the largest distance, the "
            "tag of the first."
        )
    notes += _explain_longest(document, algorithm, segments)
    figures = (_draw_features(own, scores, edges), _draw_tags(document, score))
    return AlgorithmFigures(title, figures, tuple(notes))


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
        bars(axes, edges, values, colour)
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
    return (
        f"{number_of(len(scores), 'block')}, of which {main:,} taken for main content."
    )


def _explain_longest(
    document: Document, algorithm: TextBlockContext, segments: Segments
) -> list[str]:
    """The way down the tree of the longest block that it takes, and leaves out."""
    tree, rows = algorithm.tree(), features(segments)
    taken = tree.predict(rows) >= 0.5
    lines = []
    for mask, verdict in ((taken, "main content"), (~taken, "left out")):
        if mask.any():
            k = int(np.argmax(np.where(mask, segments.words, -1)))
            run = int(segments.first_run[k])
            start, end = (
                int(of[run]) for of in (document.runs.start, document.runs.end)
            )
            steps = ", ".join(describe_path(tree, rows[k]))
            lines.append(
                f"“{excerpt(document, start, end, 40)}”: {verdict}, as {steps}."
            )
    return lines


def describe_path(tree: Tree, row: npt.NDArray[np.float32]) -> list[str]:
    """The answers of a *row* to a tree's questions, from the root to its leaf."""
    steps, node = [], 0
    while tree.left[node] >= 0:
        feature, limit = int(tree.feature[node]), float(tree.threshold[node])
        value, is_tag = float(row[feature]), bool(tree.equals[node])
        first = value == limit if is_tag else value <= limit
        offset, own = divmod(feature, len(OWN_FEATURES))
        if is_tag:
            answer = f"{_NAMES[own]} {'' if first else 'not '}{_TAGS[int(limit)]}"
        else:
            answer = f"{_NAMES[own]} {'≤' if first else '>'} {number(limit)}"
        steps.append(answer + _PLACES[offset])
        node = int(tree.left[node]) + (not first)
    return steps or ["the tree has no question"]


def _draw_tags(document: Document, scores: npt.NDArray[np.float32]) -> Figure:
    """The tags by their place in the page, the main content shaded."""
    names = (*PARENT_TAGS, "other tags")
    kind = np.full(len(TAGS) + len(document.extra_tags), len(PARENT_TAGS))
    kind[[CODES[name] for name in PARENT_TAGS]] = np.arange(len(PARENT_TAGS))
    edges = pool_edges(document.n_elements, MAX_TAG_COLUMNS)
    svg = Svg(_ROW_LEFT + _ROW_WIDTH + 20, 14 * len(names) + 50, "Tags of the page")
    main = document.blocks.element[scores >= 0.5]
    scale = _ROW_WIDTH / max(document.n_elements, 1)
    if len(main):
        left, right = int(main.min()) * scale, int(main.max() + 1) * scale
        height = 14 * len(names)
        svg.rect(_ROW_LEFT + left, 8, right - left, height, fill=MAIN_PALE)
    rows = kind[document.elements.tag]
    columns = np.searchsorted(edges, np.arange(len(rows)), side="right") - 1
    width = number(max(_ROW_WIDTH / max(len(edges) - 1, 1), 2))
    for row, name in enumerate(names):
        y = 14 * row + 12
        svg.text(_ROW_LEFT - 8, y + 7, name, 11, text_anchor="end")
        places = edges[np.unique(columns[rows == row])] * scale
        cells = (f"M{number(_ROW_LEFT + x)} {y}h{width}v6h-{width}z" for x in places)
        if data := "".join(cells):
            svg.path(data, fill=INK if row < len(PARENT_TAGS) else MUTED)
    middle = _ROW_LEFT + _ROW_WIDTH / 2
    below = 14 * len(names) + 36
    svg.text(middle, below, "tag, in the order of the page", 12, text_anchor="middle")
    caption = (
        "The tags of the page (figure 2 of the paper), a row for each tag of its "
        "table 1, which are frequent in main content."
    )
    legend = ((MAIN_PALE, "from the first to the last block of main content"),)
    return Figure(svg, caption, legend)
