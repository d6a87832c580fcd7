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
from ..document.document import RunKind
from .algorithm import (
    Algorithm,
    LayoutRequired,
    Selection,
    check_number,
    check_switch,
    check_whole,
    words_within,
)
from .segmentation._zones import add_up, count_sentences, within
from .segmentation.sentences import ParagraphJudge, SentenceFinder
from .segmentation.zones import Columns, Zones, columns_of, segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.layout import Layout
    from .algorithm import Mask, Scores

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int32]


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
    zone_score: Floats
    column_score: Floats
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
        """Segment the page, label its paragraphs, and search the column tree."""
        if layout is None:
            raise LayoutRequired(self.name)
        zones = segment(document, layout)
        columns = columns_of(zones, self.tolerance)
        language = _language(document)
        finder = (
            SentenceFinder.load(language, self.least_words) if self.tagger else None
        )
        verbs = verbs_of(language)
        paragraph, words = self._label_paragraphs(document, zones, verbs, finder)
        knows_verbs = verbs is not None or bool(finder and finder.tagger)
        in_column = _sums(columns.zone, words, len(columns.parent))
        path = search_path(columns, in_column)
        total = max(float(in_column[0]), 1.0)
        return ColumnAnalysis(
            zones,
            columns,
            paragraph,
            words / total,
            in_column / total,
            path,
            self._choose(in_column, path),
            knows_verbs,
        )

    def _label_paragraphs(
        self,
        document: Document,
        zones: Zones,
        verbs: frozenset[bytes] | None,
        finder: SentenceFinder | None,
    ) -> tuple[Mask, Floats]:
        """Section 3.3: the paragraphs, and the number of their words in each zone.

        The lexicon decides alone, or says which zones the *finder* has to read.
        """
        runs, n_zones = document.runs, len(zones.parent)
        sentences = count_sentences(
            document.text,
            runs.start,
            runs.end,
            runs.block,
            zones.run,
            n_zones,
            verbs,
            self.least_words if finder is None else 1,
        )
        paragraph = zones.leaf & (sentences >= self.sentences)
        if finder is not None:
            judge = ParagraphJudge(finder, self.sentences)
            for zone, text in _texts_of(document, zones, paragraph):
                paragraph[zone] = judge.is_paragraph(text)
        inside = zones.run >= 0
        words = _sums(zones.run[inside], runs.words[inside], n_zones)
        words = np.where(paragraph, words, 0.0)
        add_up(zones.parent, words)
        return paragraph, words

    def _choose(self, words: Floats, path: tuple[int, ...]) -> int | None:
        """The first column that loses more than delta, else the deepest good one.

        Words are subtracted before the division: integers have no rounding error, and a
        loss of exactly delta is not more than delta.
        """
        total = words[path[0]]
        if total == 0:
            return None
        following = [*(words[column] for column in path[1:]), 0.0]
        for column, kept in zip(path, following, strict=True):
            if (words[column] - kept) / total > self.delta:
                return column
        good = [
            column for column in path if words[column] / total >= self.fallback_score
        ]
        return good[-1] if good else None

    def _main_runs(self, document: Document, analysis: ColumnAnalysis) -> Mask:
        if analysis.column is None:
            return np.zeros(len(document.runs.kind), bool)
        main = within(analysis.columns.parent, analysis.column)
        zone = analysis.zones.run
        text = document.runs.kind == RunKind.TEXT
        runs: Mask = text & (zone >= 0) & main[analysis.columns.zone[zone]]
        return runs


def search_path(columns: Columns, score: Floats) -> tuple[int, ...]:
    """The path down the collapsed column tree, always to the best child.

    Of equally good children it takes the first.
    """
    stays = np.flatnonzero(columns.stays)
    order = stays[np.lexsort((stays, -score[stays], columns.outer[stays]))]
    outer = columns.outer[order]
    first = np.concatenate(([True], outer[1:] != outer[:-1]))
    best = dict(zip(outer[first].tolist(), order[first].tolist(), strict=True))
    path = [0]
    while path[-1] in best:
        path.append(best[path[-1]])
    return tuple(path)


def _sums(group: Ints, values: npt.NDArray[Any], groups: int) -> Floats:
    """The sum of the *values* of each of the *groups*."""
    return np.asarray(np.bincount(group, values, groups), np.float64)


def _texts_of(
    document: Document, zones: Zones, chosen: Mask
) -> Iterator[tuple[int, str]]:
    """The *chosen* leaf zones with their texts."""
    runs = np.flatnonzero(zones.run >= 0)
    runs = runs[chosen[zones.run[runs]]]
    if not len(runs):
        return
    runs = runs[np.argsort(zones.run[runs], kind="stable")]
    zone, block = zones.run[runs], document.runs.block[runs]
    # One piece a text block: between two there is a line break, or a table's edge.
    first = np.ones(len(runs), bool)
    first[1:] = (zone[1:] != zone[:-1]) | (block[1:] != block[:-1])
    pieces: dict[int, list[str]] = {}
    starts = document.runs.start[runs[first]].tolist()
    ends = document.runs.end[runs[np.append(np.flatnonzero(first)[1:], len(runs)) - 1]]
    for at, start, end in zip(zone[first].tolist(), starts, ends.tolist(), strict=True):
        text = document.text[start:end].decode("utf-8", "replace")
        pieces.setdefault(at, []).append(text)
    for at, texts in pieces.items():
        yield at, " ".join(texts)


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
