"""Measures of one page with some algorithms: words, snippets and text blocks."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

import numpy as np

from scrapy_mainpage.evaluation.datasets import decode_page, parse_page
from scrapy_mainpage.evaluation.scores import text_measures, tokenize
from scrapy_mainpage.extraction.declared import Declared
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.document.layout import Layout
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.metadata.reader import MetadataReader
from scrapy_mainpage.text.words import count_words

from .gold import gold_blocks, listed_blocks
from .systems import EXTRACTORS, PERFECT_BLOCKS, AlgorithmSpec, Reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_mainpage.evaluation.datasets import LabelledPage
    from scrapy_mainpage.extraction.algorithms import Algorithm
    from scrapy_mainpage.extraction.document.schema import Mask
    from scrapy_mainpage.extraction.result import Extraction
    from scrapy_mainpage.page import Page

    Measures = dict[str, float]
    Refine = Callable[["Row", "Subject", "Output"], "Row"]

T = TypeVar("T")

NOT_READ: Final = "not read: "
"""Prefix of the error of a page that could not be read: not an algorithm's failure."""


@dataclass(frozen=True)
class Row:
    """An algorithm's result on a page.

    ``measures`` has the names of :mod:`.summary`, and counts in place of their shares;
    ``seconds`` is the time from document to text. ``error`` is the failure; the
    measures are then those of an empty extraction.
    """

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


@dataclass(frozen=True)
class Task:
    """A page and the algorithms to measure on it."""

    set: str
    page: LabelledPage
    specs: tuple[AlgorithmSpec, ...]
    runs: int = 0
    """At most so many runs are timed, parsing included; 0: one, from the document."""

    def rows(self) -> list[Row]:
        """A row for each algorithm, with nothing measured yet."""
        page = self.page
        return [
            Row(self.set, page.id, page.url, page.type, page.language, spec.label)
            for spec in self.specs
        ]

    def not_read(self, error: Exception) -> list[Row]:
        """The rows of a page that could not be read."""
        return [replace(row, error=NOT_READ + _one_line(error)) for row in self.rows()]


def measure(task: Task, refine: Refine | None = None) -> list[Row]:
    """The rows of a task; an error is a row's, never raised.

    *refine* adds measures of an output to its row; it must not raise for the empty one.
    """
    rows = task.rows()
    try:
        subject = Subject(task.page)
        language = task.page.language or subject.language
    except Exception as error:  # noqa: BLE001 - one page must not end the run
        return task.not_read(error)
    return [
        _measured(replace(row, language=language), subject, spec, refine, task.runs)
        for row, spec in zip(rows, task.specs, strict=True)
    ]


class Subject:
    """A page's document and gold, made once for all algorithms."""

    def __init__(self, page: LabelledPage):
        html = page.html()
        self.page = page
        self.html = html
        # Algorithms that read all attributes need a layout as well.
        self.snapshot = page.layout_json()
        self.root = parse_page(html)
        rendered = self.snapshot is not None
        self.document = read_tree(self.root, all_attributes=rendered)

    @cached_property
    def layout(self) -> Layout | None:
        """Where a browser put the elements; ``None`` for a page as it was served."""
        snapshot = self.snapshot
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
        declared = MetadataReader(Declared(self.document, self.page.url)).language
        if declared:
            return declared.partition("-")[0]
        blocks = self.document.blocks
        return "zh/ja/ko" if 2 * blocks.cjk.sum() > blocks.words.sum() else ""


class Output(NamedTuple):
    """What an algorithm gives for a page; by default nothing, as from a failure.

    ``main`` are the blocks that are taken, if they are known. ``page`` and
    ``algorithm`` are ``None`` for an extractor of another package.
    """

    text: str = ""
    words: int = 0
    seconds: float = 0.0
    main: Mask | None = None
    algorithm: Algorithm | None = None
    page: Page | None = None


def _measured(
    row: Row, subject: Subject, spec: AlgorithmSpec, refine: Refine | None, runs: int
) -> Row:
    try:
        run = _run_extractor if spec.is_extractor else _run_algorithm
        return _scored(row, subject, run(subject, spec, row.language, runs), refine)
    except Exception as error:  # noqa: BLE001 - a failure is a result here
        row = replace(row, error=_one_line(error))
        return _scored(row, subject, Output(), refine)


def _timed(call: Callable[[], T], runs: int) -> tuple[T, float]:
    """The result of a call and its mean time.

    Of several *runs* the first is left out; the others end when their standard
    deviation is below a tenth of the mean.
    """
    times: list[float] = []
    while True:
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
        counted = times[1:] or times
        steady = len(counted) > 1 and pstdev(counted) < fmean(counted) / 10
        if steady or len(times) >= runs:
            return result, fmean(counted)


def _run_algorithm(
    subject: Subject, spec: AlgorithmSpec, language: str, runs: int
) -> Output:
    extractor = _extractor(spec, subject)

    def extract() -> Page:
        read = Subject(subject.page) if runs else subject
        return extractor.extract_document(
            read.document, url=read.page.url, layout=read.layout, root=read.root
        )

    subject.layout  # noqa: B018 - read before the time starts
    result, seconds = _timed(extract, runs)
    content = cast("Extraction | None", result._extraction)
    main = None if content is None else content.main
    text, words = result.text, result.words
    return Output(text, words, seconds, main, extractor.algorithm, result)


def _run_extractor(
    subject: Subject, spec: AlgorithmSpec, language: str, runs: int
) -> Output:
    """Run an extractor whose blocks are those that its text holds."""
    html = decode_page(subject.html)
    extract = EXTRACTORS[spec.name].extract
    text, seconds = _timed(lambda: extract(html, language), runs)
    main = None if subject.gold is None else gold_blocks(subject.document, text)
    return Output(text, count_words(text), seconds, main)


def _scored(row: Row, subject: Subject, output: Output, refine: Refine | None) -> Row:
    measures = text_measures(subject.page, output.text)
    main = output.main
    if main is not None and (gold := subject.gold) is not None:
        measures["blocks_common"] = int((main & gold).sum())
        measures["blocks_predicted"] = int(main.sum())
        measures["blocks_gold"] = int(gold.sum())
    seconds = round(output.seconds, 6)
    row = replace(row, words=output.words, seconds=seconds, measures=measures)
    return refine(row, subject, output) if refine else row


def _extractor(spec: AlgorithmSpec, subject: Subject) -> Extractor:
    if spec.name != PERFECT_BLOCKS:
        return _cached_extractor(spec)
    gold = subject.gold
    nothing = np.zeros(subject.document.n_blocks, bool)
    return Extractor(Reference(spec.name, nothing if gold is None else gold))


@lru_cache(maxsize=64)
def _cached_extractor(spec: AlgorithmSpec) -> Extractor:
    return Extractor(spec.build())


def _one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
