"""Measurement of one page with some algorithms: the task of a worker process."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ..extraction.algorithms.centroid import Centroid, rated_elements
from ..extraction.algorithms.semantic_markup import TAGS
from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from ..extraction.metadata.reader import read_metadata
from ..extraction.site_level.site import SiteContent
from ..text.words import count_words
from . import metrics
from .datasets import decode_page, find_site_contents, read_document
from .element_truth import read_content
from .gold import gold_blocks, listed_blocks
from .metrics import tokenize
from .specs import EXTRACTORS, PERFECT_BLOCKS, AlgorithmSpec, Reference
from .structure import score_structure

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.result import Extraction
    from .datasets import LabelledPage
    from .element_truth import Content

    Mask = npt.NDArray[np.bool_]
    Measures = dict[str, float]

NOT_READ: Final = "not read: "
"""Prefix of the error of a page that could not be read: not an algorithm's failure."""

MAX_FAULTS: Final = 20


@dataclass(frozen=True)
class Row:
    """An algorithm's result on a page.

    ``measures`` has the names of :mod:`.columns`, and counts in place of their shares;
    ``seconds`` is the time from document to text. ``error`` is the failure; the
    measures are then those of an empty extraction. ``faults`` names the first things
    that are torn, gone or misplaced.
    """

    key: str
    set: str
    page: str
    url: str
    type: str
    language: str
    algorithm: str
    words: int = 0
    seconds: float = 0.0
    error: str = ""
    measures: dict[str, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The row as plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Task:
    """A page and the algorithms to measure on it, each with its row's key.

    *site* are the pages of its site, for algorithms that compare them.
    """

    set: str
    page: LabelledPage
    specs: tuple[tuple[AlgorithmSpec, str], ...]
    site: tuple[LabelledPage, ...] = ()

    def rows(self) -> list[Row]:
        """A row for each algorithm, with nothing measured yet."""
        page = self.page
        return [
            Row(key, self.set, page.id, page.url, page.type, page.language, spec.label)
            for spec, key in self.specs
        ]

    def failed(self, error: str) -> list[Row]:
        """The rows of a page that ended the process that read it."""
        measures = text_measures(self.page, "")
        return [replace(row, error=error, measures=measures) for row in self.rows()]


def measure(task: Task) -> list[Row]:
    """The rows of a task; an error is a row's, never raised."""
    rows = task.rows()
    try:
        subject = _Subject(task.page, task.site)
        language = task.page.language or subject.language
    except Exception as error:  # noqa: BLE001 - one page must not end the run
        return [replace(row, error=NOT_READ + _one_line(error)) for row in rows]
    specs = (spec for spec, _ in task.specs)
    return [
        _measured(replace(row, language=language), subject, spec)
        for row, spec in zip(rows, specs, strict=True)
    ]


class _Subject:
    """A page's document and gold, made once for all algorithms."""

    def __init__(self, page: LabelledPage, site: tuple[LabelledPage, ...] = ()):
        html = page.html()
        self.page = page
        self.site = site
        self.html = html
        # Algorithms that read all attributes need a layout as well.
        rendered = page.layout_file is not None
        self.document = read_document(html, all_attributes=rendered)
        self.content: Content | None = None
        if page.content:
            self.content = read_content(html, page.content, page.drop)

    @cached_property
    def layout(self) -> Layout | None:
        snapshot = self.page.layout_json()
        return Layout.from_json(snapshot, self.document) if snapshot else None

    @cached_property
    def gold(self) -> Mask | None:
        """The blocks of the main content; ``None`` where it cannot be located."""
        if self.page.text is None:
            return None
        labels, n_blocks = self.page.labels, self.document.n_blocks
        if labels and (listed := listed_blocks(labels, n_blocks)) is not None:
            return listed
        mask = gold_blocks(self.document, self.page.text)
        # A page that shows its content by script only has no blocks to find.
        return mask if mask.any() or not tokenize(self.page.text) else None

    @property
    def language(self) -> str:
        """As the page declares it, or else whether it is in a script of East Asia."""
        declared = read_metadata(self.document, self.page.url).language
        if declared:
            return declared.partition("-")[0]
        blocks = self.document.blocks
        return "zh/ja/ko" if 2 * blocks.cjk.sum() > blocks.words.sum() else ""


def _measured(row: Row, subject: _Subject, spec: AlgorithmSpec) -> Row:
    page = subject.page
    try:
        extractor = _extractor(spec, subject)
        layout = subject.layout if extractor.algorithm.needs_layout else None
        if spec.is_extractor:
            return _measured_text(row, subject, spec)
        start = time.perf_counter()
        result = extractor.extract_document(
            subject.document, url=page.url, layout=layout
        )
        seconds = time.perf_counter() - start
        if spec.is_site_level:
            seconds += find_site_contents(spec, subject.site)[1]
        markdown = result.markdown if subject.content else ""
        content = cast("Extraction | None", result._extraction)
        measures = text_measures(page, result.text)
        if content is not None:
            measures |= _block_measures(subject, content.main)
        if isinstance(extractor.algorithm, Centroid):
            measures |= _node_measures(subject, extractor.algorithm)
        row = replace(row, words=result.words, seconds=round(seconds, 6))
        return _with_structure(row, subject, measures, result.text, markdown)
    except Exception as error:  # noqa: BLE001 - a failure is a result here
        row = replace(row, error=_one_line(error))
        return _with_structure(row, subject, text_measures(page, ""), "", "")


def _measured_text(row: Row, subject: _Subject, spec: AlgorithmSpec) -> Row:
    """The measures of another extractor, whose blocks are those that its text holds."""
    html = decode_page(subject.html)
    start = time.perf_counter()
    text = EXTRACTORS[spec.name].extract(html, row.language)
    seconds = time.perf_counter() - start
    measures = text_measures(subject.page, text)
    if subject.gold is not None:
        measures |= _block_measures(subject, gold_blocks(subject.document, text))
    row = replace(row, words=count_words(text), seconds=round(seconds, 6))
    return _with_structure(row, subject, measures, text, None)


def _with_structure(
    row: Row, subject: _Subject, measures: Measures, text: str, markdown: str | None
) -> Row:
    if subject.content is None:
        return replace(row, measures=measures)
    structure = score_structure(subject.content, text, markdown)
    measures |= structure.counts | {"faults": len(structure.faults)}
    return replace(row, measures=measures, faults=[*structure.faults[:MAX_FAULTS]])


def _extractor(spec: AlgorithmSpec, subject: _Subject) -> Extractor:
    if spec.is_site_level:
        contents = find_site_contents(spec, subject.site)[0]
        return Extractor(SiteContent(contents[subject.site.index(subject.page)]))
    if spec.name != PERFECT_BLOCKS:
        return _cached_extractor(spec)
    gold = subject.gold
    nothing = np.zeros(subject.document.n_blocks, bool)
    return Extractor(Reference(spec.name, nothing if gold is None else gold))


@lru_cache(maxsize=64)
def _cached_extractor(spec: AlgorithmSpec) -> Extractor:
    return Extractor(spec.build())


def text_measures(page: LabelledPage, text: str) -> Measures:
    """The measures of the extracted *text* that need nothing but the page's label."""
    measures: Measures = {}
    if page.text is not None:
        predicted, gold = tokenize(text), tokenize(page.text)
        words = metrics.score_words(predicted, gold)
        subsequence = metrics.score_subsequence(predicted, gold)
        measures |= _named("", words) | _named("lcs_", subsequence, half=True)
    if page.required or page.forbidden:
        counts = metrics.count_snippets(text, page.required, page.forbidden)
        measures |= {f"snippets_{k}": v for k, v in counts._asdict().items()}
    return measures


def _block_measures(subject: _Subject, main: Mask) -> Measures:
    document, gold = subject.document, subject.gold
    if gold is None:
        return {}
    words = metrics.score_blocks(main, gold, document.blocks.words)
    text_nodes = metrics.score_text_nodes(document, main, gold)
    return {
        "blocks_total": document.n_blocks,
        "blocks_common": int((main & gold).sum()),
        "blocks_predicted": int(main.sum()),
        "blocks_gold": int(gold.sum()),
        "nodes_total": document.n_elements,
        "nodes_gold": int(metrics.main_elements(document, gold).sum()),
        "nodes_rated": len(rated_elements(document)),
        "semantic_tags": int(any(len(document.elements_with_tag(tag)) for tag in TAGS)),
        **_named("zones_", words),
        **_named("text_nodes_", text_nodes, half=True),
        **_named("nodes_", metrics.score_nodes(document, main, gold)),
    }


def _node_measures(subject: _Subject, algorithm: Centroid) -> Measures:
    """The measures of the elements that it returns, rather than of their text."""
    document, gold = subject.document, subject.gold
    if gold is None:
        return {}
    nodes = np.zeros(document.n_elements, bool)
    choice = algorithm.choose(document)
    for elements, taken in ((choice.main, True), (choice.groups, False)):
        for element in elements:
            nodes[element : document.elements.end[element]] = taken
    right = metrics.main_elements(document, gold)
    return _named("node_set_", metrics.score_blocks(nodes, right))


def _named(prefix: str, score: metrics.Score, *, half: bool = False) -> Measures:
    values = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    if half:
        values["f05"] = score.f(0.5)
    return {f"{prefix}{name}": round(value, 6) for name, value in values.items()}


def _one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
