"""Layout analysis: the column with the paragraphs (Rae et al. 2018).

A. R. Rae, J. Kim, D. Le, G. R. Thoma: "Main Content Detection in HTML Journal
Articles", DocEng 2018. Section numbers are the paper's.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...text.language import SAMPLE_CHARACTERS, identify_language
from ..document.schema import RunKind
from .algorithm import (
    Algorithm,
    LayoutRequired,
    Selection,
    check_number,
    check_whole,
    words_within,
)
from .segmentation._sentences import count_sentences
from .segmentation._zones import add_up
from .segmentation.line_breaks import last_of_chain
from .segmentation.sentences import ParagraphJudge, check_tagger
from .segmentation.zones import (
    Columns,
    ColumnSearch,
    Zones,
    ZoneTexts,
    columns_of,
    segment,
)

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Doubles
    from .algorithm import Mask, Scores


@dataclass(frozen=True, eq=False)
class ColumnAnalysis:
    """Intermediate and final results for a page.

    ``paragraph`` marks zones; ``zone_score`` and ``column_score`` are the main content
    scores, shares of the words in paragraphs; ``path`` is the search path down the
    column tree; ``column`` is the main content column or ``None``.
    """

    zones: Zones
    columns: Columns
    paragraph: Mask
    zone_score: Doubles
    column_score: Doubles
    path: tuple[int, ...]
    column: int | None
    knows_verbs: bool


@dataclass(frozen=True)
class LayoutAnalysis(Algorithm):
    """The column of the page with most of the text in paragraphs.

    ``tolerance``: edges are equal within this share of a column's width (section 3.2).
    ``delta``: the loss of score from the main content column to its best child (section
    3.3). ``fallback_score``: the minimum score of the deepest column if no column loses
    that much. ``sentences``: the minimum of a paragraph. ``least_words``: the minimum
    of a sentence, in languages whose verbs are not known. ``tagger``: whether to use
    the sentence splitter and the tagger of the extra ``[tagger]``, where installed, or
    the import path of another tagger: a function of a sentence and its language that
    says whether it has a verb.
    """

    name: ClassVar[str] = "layout-analysis"
    needs_layout: ClassVar[bool] = True

    tolerance: float = 0.1
    delta: float = 0.3
    fallback_score: float = 0.5
    sentences: int = 2
    least_words: int = 5
    tagger: bool | str = True

    def __post_init__(self) -> None:
        for name in ("tolerance", "delta", "fallback_score"):
            check_number(name, getattr(self, name), 0, 1)
        for name in ("sentences", "least_words"):
            check_whole(name, getattr(self, name), 1)
        check_tagger(self.tagger)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content column."""
        return self.judge(document, layout).scores

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """Score the blocks; warn of missing paragraphs or an unknown language."""
        analysis = self.analyse(document, layout)
        runs = self._main_runs(document, analysis)
        scores = words_within(document, runs)
        warnings = [] if analysis.knows_verbs else ["no_verbs"]
        if analysis.column is None:
            warnings.append("no_paragraph")
        return Selection(
            scores, self.select(document, scores), warnings=tuple(warnings)
        )

    def analyse(self, document: Document, layout: Layout | None) -> ColumnAnalysis:
        """Zone tree (3.1), column tree (3.2), paragraphs, scores and search (3.3)."""
        if layout is None:
            raise LayoutRequired(self.name)
        zones = segment(document, layout)
        columns = columns_of(zones, self.tolerance)
        inside = zones.run >= 0
        own = document.runs.words[inside]
        words = np.bincount(zones.run[inside], own, len(zones.parent)).astype(float)
        language = _language(document)
        verbs = verbs_of(language)
        judge = ParagraphJudge.load(
            language, self.sentences, self.least_words, self.tagger
        )
        runs = document.runs
        spans = runs.start, runs.end, runs.block, zones.run, len(zones.parent)
        least_words = self.least_words if judge is None else 1
        found = count_sentences(document.text, *spans, verbs, least_words)
        paragraph: Mask = zones.leaf & (found >= self.sentences)
        if judge is not None:
            texts = ZoneTexts(document, zones)
            candidates = np.flatnonzero(paragraph)
            # The longest first: those that the judge has no time for weigh least.
            for zone in candidates[np.argsort(-words[candidates], kind="stable")]:
                paragraph[zone] = judge.is_paragraph(texts.read(zone))
        words[~paragraph] = 0
        add_up(zones.parent, words)
        total = max(float(words[0]), 1.0)
        count = len(columns.parent)
        in_columns = np.bincount(columns.zone, words, count).astype(float)
        search = ColumnSearch(columns, self.delta, self.fallback_score)
        path = search.path(in_columns)
        return ColumnAnalysis(
            zones,
            columns,
            paragraph,
            words / total,
            in_columns / total,
            path,
            search.choose(in_columns, path),
            verbs is not None or bool(judge and judge.has_verb),
        )

    def _main_runs(self, document: Document, analysis: ColumnAnalysis) -> Mask:
        if analysis.column is None:
            return np.zeros(len(document.runs.kind), bool)
        own = np.arange(len(analysis.columns.parent))
        parent = np.maximum(analysis.columns.parent, 0)
        chain = np.where(own == analysis.column, own, parent)
        main = last_of_chain(chain) == analysis.column
        zone = analysis.zones.run
        text = document.runs.kind == RunKind.TEXT
        runs: Mask = text & (zone >= 0) & main[analysis.columns.zone[zone]]
        return runs


def _language(document: Document) -> str | None:
    """The language that the root element declares, in lower case, or the text's."""
    lang = document.attribute(0, "lang") or document.attribute(0, "xml:lang")
    if lang:
        return lang.strip().lower().replace("_", "-")
    sample = document.text[: 4 * SAMPLE_CHARACTERS]
    return identify_language(sample.decode("utf-8", "replace"))


@cache
def english_verbs() -> frozenset[bytes]:
    """The inflected forms of English verbs, in lower case."""
    data = files("scrapy_mainpage.extraction") / "weights/english_verbs.txt.xz"
    return frozenset(lzma.decompress(data.read_bytes()).split())


def verbs_of(language: str | None) -> frozenset[bytes] | None:
    """The verb forms of *language* (a BCP 47 tag); ``None`` without a list."""
    is_english = language is not None and language.split("-")[0] == "en"
    return english_verbs() if is_english else None
