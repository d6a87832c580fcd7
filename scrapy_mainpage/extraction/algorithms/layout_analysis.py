"""Layout analysis: the column with the paragraphs (Rae et al. 2018).

A. R. Rae, J. Kim, D. Le, G. R. Thoma: "Main Content Detection in HTML Journal
Articles", DocEng 2018. Section numbers are the paper's.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...text.language import SAMPLE_CHARACTERS, identify_language
from ..document.schema import RunKind
from .algorithm import (
    Algorithm,
    LayoutRequired,
    Selection,
    check_number,
    check_switch,
    check_whole,
    words_within,
)
from .segmentation._sentences import count_sentences
from .segmentation._zones import add_up, within
from .segmentation.sentences import ParagraphJudge, SentenceFinder
from .segmentation.zones import (
    Columns,
    ColumnSearch,
    Zones,
    ZoneTexts,
    columns_of,
    segment,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Doubles, Ints
    from .algorithm import Mask, Scores


@dataclass(frozen=True, eq=False)
class ColumnAnalysis:
    """Intermediate and final results for a page.

    ``paragraph`` marks zones; ``zone_score`` and ``column_score`` are shares of the
    words in paragraphs; ``path`` is the search path down the column tree; ``column`` is
    the main content column or ``None``.
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
    the sentence splitter and the tagger of the extra ``[tagger]``, where installed.
    """

    name: ClassVar[str] = "layout-analysis"
    needs_layout: ClassVar[bool] = True

    tolerance: float = 0.1
    delta: float = 0.3
    fallback_score: float = 0.5
    sentences: int = 2
    least_words: int = 5
    tagger: bool = True

    def __post_init__(self) -> None:
        for name in ("tolerance", "delta", "fallback_score"):
            check_number(name, getattr(self, name), 0, 1)
        for name in ("sentences", "least_words"):
            check_whole(name, getattr(self, name), 1)
        check_switch("tagger", self.tagger)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content column."""
        return self.judge(document, layout).scores

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """Score the blocks; warn of missing paragraphs or an unknown language."""
        analysis = self.analyse(document, layout, all_zones=False)
        runs = self._main_runs(document, analysis)
        scores = words_within(document, runs)
        warnings = [] if analysis.knows_verbs else ["no_verbs"]
        if analysis.column is None:
            warnings.append("no_paragraph")
        return Selection(
            scores, self.select(document, scores), warnings=tuple(warnings)
        )

    def analyse(
        self, document: Document, layout: Layout | None, *, all_zones: bool = True
    ) -> ColumnAnalysis:
        """Segment the page, label its paragraphs, and search the column tree.

        Without *all_zones* the sentence finder reads only until the column is certain:
        the other zones are paragraphs if the lexicon says so.
        """
        if layout is None:
            raise LayoutRequired(self.name)
        zones = segment(document, layout)
        columns = columns_of(zones, self.tolerance)
        search = ColumnSearch(columns, self.delta, self.fallback_score)
        language = _language(document)
        finder = (
            SentenceFinder.load(language, self.least_words) if self.tagger else None
        )
        verbs = verbs_of(language)
        paragraph = self._find_candidates(document, zones, verbs, finder)
        count = WordCounts(document, zones, columns)
        if finder is not None:
            judge = ParagraphJudge(finder, self.sentences)
            texts = ZoneTexts(document, zones)
            least = np.zeros_like(paragraph)
            for batch in _batches(paragraph, count.own):
                for zone in batch:
                    paragraph[zone] = judge.is_paragraph(texts.read(zone))
                    least[zone] = paragraph[zone]
                if not all_zones and search.is_settled(
                    count.in_columns(least), count.in_columns(paragraph)
                ):
                    break
        words = count.in_columns(paragraph)
        path = search.path(words)
        total = max(float(words[0]), 1.0)
        return ColumnAnalysis(
            zones,
            columns,
            paragraph,
            count.in_zones(paragraph) / total,
            words / total,
            path,
            search.choose(words, path),
            verbs is not None or bool(finder and finder.tagger),
        )

    def _find_candidates(
        self,
        document: Document,
        zones: Zones,
        verbs: frozenset[bytes] | None,
        finder: SentenceFinder | None,
    ) -> Mask:
        """The leaf zones with enough sentences (3.3), by lexicon or *finder*."""
        runs = document.runs
        sentences = count_sentences(
            document.text,
            runs.start,
            runs.end,
            runs.block,
            zones.run,
            len(zones.parent),
            verbs,
            self.least_words if finder is None else 1,
        )
        candidates: Mask = zones.leaf & (sentences >= self.sentences)
        return candidates

    def _main_runs(self, document: Document, analysis: ColumnAnalysis) -> Mask:
        if analysis.column is None:
            return np.zeros(len(document.runs.kind), bool)
        main = within(analysis.columns.parent, analysis.column)
        zone = analysis.zones.run
        text = document.runs.kind == RunKind.TEXT
        runs: Mask = text & (zone >= 0) & main[analysis.columns.zone[zone]]
        return runs


class WordCounts:
    """The words of each zone of its own, and sums of those in paragraphs."""

    def __init__(self, document: Document, zones: Zones, columns: Columns) -> None:
        self.zones, self.columns = zones, columns
        inside = zones.run >= 0
        words = document.runs.words[inside]
        self.own = _sums(zones.run[inside], words, len(zones.parent))

    def in_zones(self, paragraph: Mask) -> Doubles:
        """The words of each zone that are in a paragraph."""
        words = np.where(paragraph, self.own, 0.0)
        add_up(self.zones.parent, words)
        return words

    def in_columns(self, paragraph: Mask) -> Doubles:
        """The words of each column that are in a paragraph."""
        words = self.in_zones(paragraph)
        return _sums(self.columns.zone, words, len(self.columns.parent))


def _batches(candidates: Mask, words: Doubles) -> Iterator[list[int]]:
    """The *candidates*, those with the most words first, each batch twice the last."""
    order = np.flatnonzero(candidates)
    order = order[np.argsort(-words[order], kind="stable")]
    start, size = 0, 1
    while start < len(order):
        yield order[start : start + size].tolist()
        start, size = start + size, 2 * size


def _sums(group: Ints, values: npt.NDArray[Any], groups: int) -> Doubles:
    """The sum of the *values* of each of the *groups*."""
    return np.asarray(np.bincount(group, values, groups), np.float64)


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
    models = files("scrapy_mainpage.extraction") / "weights"
    data = models.joinpath("english_verbs.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).split())


def verbs_of(language: str | None) -> frozenset[bytes] | None:
    """The verb forms of *language* (a BCP 47 tag); ``None`` without a list."""
    is_english = language is not None and language.split("-")[0] == "en"
    return english_verbs() if is_english else None
