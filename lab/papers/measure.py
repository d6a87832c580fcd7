"""Measures that only the papers' tables need, beside those of the package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz.distance import LCSseq

from lab.evaluation.gold import gold_blocks
from lab.evaluation.page_measures import measure
from lab.evaluation.structure import measure_structure
from scrapy_mainpage.evaluation.scores import Score, score_counts, tokenize
from scrapy_mainpage.extraction.algorithms.centroid import Centroid, rated_elements
from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import last_of_chain
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import body_of
from scrapy_mainpage.extraction.algorithms.semantic_markup import TAGS
from scrapy_mainpage.extraction.document.document import nonblank_texts
from scrapy_mainpage.extraction.document.schema import RunKind

from .systems import SiteSpec
from .tables import BLOCK_SYSTEMS, CENTROID

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from lab.evaluation.page_measures import Measures, Output, Row, Subject, Task
    from scrapy_mainpage.extraction.algorithms import Algorithm
    from scrapy_mainpage.extraction.document.document import Document

    Mask = npt.NDArray[np.bool_]

HEADS: Final = {
    "lcs_f1": "LCS F1",
    "lcs_f05": "F0.5",
    "text_nodes_f1": "TEXTS",
    "nodes_f1": "NODES",
}
"""Measures that ``compare`` prints beside those of the command, by their heads."""


def measure_systems(task: Task) -> list[Row]:
    """The rows of a task, with the time that site-level systems take for a page."""
    return _with_seconds(task, measure(task, _with_measures))


def measure_all(task: Task) -> list[Row]:
    """The same, with the counts of structure."""
    return _with_seconds(task, measure_structure(task, _with_measures))


def _with_seconds(task: Task, rows: Sequence[Row]) -> list[Row]:
    return [
        replace(row, seconds=round(row.seconds + spec.seconds, 6))
        if isinstance(spec, SiteSpec) and not row.error
        else row
        for row, spec in zip(rows, task.specs, strict=True)
    ]


def _with_measures(row: Row, subject: Subject, output: Output) -> Row:
    measures = paper_measures(subject, output.algorithm, output.text, output.main)
    if row.algorithm in (*BLOCK_SYSTEMS, CENTROID):
        measures |= count_two_thirds(subject, output.text)
    return replace(row, measures=row.measures | measures)


def count_two_thirds(subject: Subject, text: str) -> Measures:
    """Blocks of the text and of the true one, as Web2Text aligns both with the page."""
    if subject.page.text is None:
        return {}
    document = subject.document
    main, gold = (
        gold_blocks(document, each, 2 / 3) for each in (text, subject.page.text)
    )
    masks = {"common": main & gold, "predicted": main, "gold": gold}
    counts = {f"two_thirds_{name}": int(mask.sum()) for name, mask in masks.items()}
    return {**counts, "two_thirds_total": document.n_blocks}


def paper_measures(
    subject: Subject, algorithm: Algorithm | None, text: str, main: Mask | None
) -> Measures:
    """The measures of an extracted *text*, and of the blocks *main* if they are known.

    ``lcs_`` are of the longest common subsequence, ``zones_`` of words by the label of
    their block, ``text_nodes_`` and ``nodes_`` of text nodes and elements,
    ``node_set_`` of the elements that ``centroid`` returns. ``nodes_total`` elements of
    the body and texts, ``nodes_gold`` of them main content, ``nodes_rated`` elements
    rated by ``centroid``; ``hit_`` of the area that is seen first;
    ``semantic_tags`` is 1 where a tag of ``semantic-markup`` occurs.
    """
    measures: Measures = {}
    if subject.page.text is not None:
        score = score_subsequence(tokenize(text), tokenize(subject.page.text))
        measures |= named_measures("lcs_", score, half=True)
    if main is None or (gold := subject.gold) is None:
        return measures
    document = subject.document
    right = main_elements(document, gold)
    text_nodes = score_text_nodes(document, main, gold)
    measures |= {
        **named_measures("zones_", score_blocks(main, gold, document.blocks.words)),
        **named_measures("text_nodes_", text_nodes, half=True),
        **named_measures("nodes_", score_nodes(document, main, gold)),
        **impression_hits(subject, gold),
        "nodes_total": _count_nodes(document, np.ones(document.n_elements, bool)),
        "nodes_gold": _count_nodes(document, right),
        "nodes_rated": len(rated_elements(document)),
        "semantic_tags": int(any(len(document.elements_with_tag(tag)) for tag in TAGS)),
    }
    if isinstance(algorithm, Centroid):
        score = score_blocks(_returned(subject, algorithm), right)
        measures |= named_measures("node_set_", score)
    return measures


def _count_nodes(document: Document, chosen: Mask) -> int:
    """The *chosen* elements below the body, and the texts in them."""
    body = body_of(document)
    inside = np.arange(len(chosen))
    chosen = chosen & (inside > body) & (inside < document.elements.end[body])
    texts = chosen[document.runs.element] & nonblank_texts(document)
    return int(chosen.sum() + texts.sum())


def impression_hits(subject: Subject, gold: Mask) -> Measures:
    """Jung et al., section III-A: whether midpoint and band are on the main content."""
    if subject.layout is None or not gold.any():
        return {}
    layout, document = subject.layout, subject.document
    boxes = layout.box[document.blocks.element[gold]]
    low, high = boxes[:, :2].min(0), (boxes[:, :2] + boxes[:, 2:]).max(0)
    window, page = np.array(layout.window) / 2, np.array(layout.page) / 2
    middle = (window + page) / 2
    band = np.minimum(window, page), np.maximum(window, page)
    return {
        "hit_midpoint": int(((low <= middle) & (middle <= high)).all()),
        "hit_band": int(((low <= band[1]) & (band[0] <= high)).all()),
    }


def _returned(subject: Subject, algorithm: Centroid) -> Mask:
    """The elements that it returns, rather than those of their text."""
    document = subject.document
    nodes = np.zeros(document.n_elements, bool)
    choice = algorithm.choose(document)
    for elements, taken in ((choice.main, True), (choice.groups, False)):
        for element in elements:
            nodes[element : document.elements.end[element]] = taken
    return nodes


def named_measures(prefix: str, score: Score, *, half: bool = False) -> Measures:
    """Precision, recall and F1 of a *score*, with *half* F0.5, by prefixed names."""
    values = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    if half:
        values["f05"] = f_measure(score, 0.5)
    return {f"{prefix}{name}": round(value, 6) for name, value in values.items()}


def f_measure(score: Score, beta: float) -> float:
    """The F-measure that gives recall *beta* times the weight of precision."""
    weight = beta * beta
    divisor = weight * score.precision + score.recall
    return (1 + weight) * score.precision * score.recall / divisor if divisor else 0.0


def score_subsequence(predicted: Sequence[str], gold: Sequence[str]) -> Score:
    """The longest common subsequence of words: order counts.

    As the evaluation of DANAg and GCE has it, on words where they have characters.

    >>> score_subsequence(["b", "a", "c", "x"], ["a", "b", "c", "d"])
    Score(precision=0.5, recall=0.5)
    """
    common = int(LCSseq.similarity(predicted, gold))
    return score_counts(common, len(predicted), len(gold))


def score_blocks(
    predicted: Mask, gold: Mask, weights: npt.NDArray[np.integer] | None = None
) -> Score:
    """The class "main content" over text blocks.

    With the words of each block as *weights* a block counts for as many as it has, as
    Rae et al. count their zones.

    >>> main = np.array([True, True, False, False])
    >>> score_blocks(main, np.array([True, False, True, False]))
    Score(precision=0.5, recall=0.5)
    """
    weight = np.ones(len(gold), np.int64) if weights is None else weights
    return score_counts(
        int(weight[predicted & gold].sum()),
        int(weight[predicted].sum()),
        int(weight[gold].sum()),
    )


def score_text_nodes(document: Document, predicted: Mask, gold: Mask) -> Score:
    """Matched text blocks as in the evaluation of GCE: text nodes of the DOM.

    *predicted* and *gold* have a value per text block; each text node takes that of
    its block, and counts as one, long or short.
    """
    runs = document.runs
    block = runs.block[(runs.kind == RunKind.TEXT) & (runs.block >= 0)]
    return score_blocks(predicted[block], gold[block])


def score_nodes(document: Document, predicted: Mask, gold: Mask) -> Score:
    """Retrieved DOM nodes, as Alarte and Silva measure: elements of the main content.

    An element belongs to it if all of its text blocks do; one without any (an image,
    a word in bold) if the nearest element around it does that has some.
    """
    found, right = (main_elements(document, mask) for mask in (predicted, gold))
    return score_blocks(found, right)


def main_elements(document: Document, main: Mask) -> Mask:
    """Which elements belong to the main content, given which text blocks do."""
    elements = document.elements
    count = np.concatenate([[0], np.cumsum(main)])
    blocks = elements.end_block - elements.first_block
    whole = count[elements.end_block] - count[elements.first_block] == blocks
    inside: Mask = (whole & (blocks > 0))[_with_blocks(document)]
    return inside


def _with_blocks(document: Document) -> npt.NDArray[np.intp]:
    """Each element's nearest element with text blocks, itself included, or the root."""
    elements = document.elements
    own = elements.end_block > elements.first_block
    nearest = np.where(own, np.arange(len(own)), np.maximum(elements.parent, 0))
    return last_of_chain(nearest)
