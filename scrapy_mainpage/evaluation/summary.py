"""Results put together: per set, and per page type, language and site in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Final

from .datasets import site_of
from .measure import NOT_READ
from .metrics import Snippets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .measure import Row

MEANS: Final = {
    "precision": "words: precision",
    "recall": "words: recall",
    "f1": "words: F1",
    "lcs_precision": "longest common subsequence: precision",
    "lcs_recall": "longest common subsequence: recall",
    "lcs_f1": "longest common subsequence: F1",
    "lcs_f05": "longest common subsequence: F0.5",
    "text_nodes_precision": "matched text blocks: precision",
    "text_nodes_recall": "matched text blocks: recall",
    "text_nodes_f1": "matched text blocks: F1",
    "text_nodes_f05": "matched text blocks: F0.5",
    "nodes_precision": "DOM nodes: precision",
    "nodes_recall": "DOM nodes: recall",
    "nodes_f1": "DOM nodes: F1",
    "zones_precision": "words by the label of their block: precision",
    "zones_recall": "words by the label of their block: recall",
    "zones_f1": "words by the label of their block: F1",
}
"""Measures that are averaged over pages."""

POOLED: Final = {
    "blocks_precision": "main content class of all text blocks: precision",
    "blocks_recall": "main content class of all text blocks: recall",
    "blocks_f1": "main content class of all text blocks: F1",
    "snippets_with": "share of the required snippets that are found",
    "snippets_without": "share of the forbidden snippets that are absent",
    "snippets_f1": "snippets: F1",
}
"""Measures of counts that are added up over pages."""

PARTS: Final = {"tables": "tables", "code": "code blocks", "lists": "lists"}
STRUCTURE: Final = {
    **{
        f"{part}_{verdict}": (part, f"{title}: share that is {verdict}")
        for part, title in PARTS.items()
        for verdict in ("whole", "torn", "gone")
    },
    "headings_kept": ("headings", "headings: share kept"),
    "paragraphs_orphaned": ("paragraphs", "text blocks kept without their heading"),
    "titles_kept": ("titles", "titles: share kept"),
    "cells_misplaced": ("cells", "cells of Markdown tables in the wrong column"),
}
"""Shares of structures, each with the count that it is a share of."""

TOTALS: Final = {of: f"number of {of}" for of, _ in STRUCTURE.values()}

MEASURES: Final = {
    **MEANS,
    **POOLED,
    **TOTALS,
    **{name: title for name, (_, title) in STRUCTURE.items()},
}
"""All measures of a summary, with their titles."""

ALL: Final = "all"
MEAN: Final = "mean"
SET, TYPE, LANGUAGE, SITE = "set", "type", "language", "site"

MIN_GROUP_PAGES: Final = 5
"""Types, languages and sites of fewer pages are put together."""


@dataclass(frozen=True)
class Summary:
    """An algorithm's measures on a group of pages of a set.

    ``kind`` is ``set``, ``type``, ``language`` or ``site``, ``group`` the type, the
    language or the site, or ``all``. The group ``mean`` of kind ``site`` is the mean of
    the sites, large or small. ``failed`` pages count as empty extractions; those that could not be
    read are not counted at all. ``milliseconds`` is the mean time of the pages that did
    not fail.
    """

    set: str
    kind: str
    group: str
    algorithm: str
    pages: int
    failed: int
    milliseconds: float
    measures: dict[str, float]


def summarise(rows: Iterable[Row]) -> list[Summary]:
    """The summaries of *rows*, in the order in which sets and algorithms appear."""
    by_set: dict[str, list[Row]] = {}
    for row in rows:
        if not row.error.startswith(NOT_READ):
            by_set.setdefault(row.set, []).append(row)
    return [summary for group in by_set.values() for summary in _of_set(group)]


def _of_set(rows: list[Row]) -> list[Summary]:
    summaries = _grouped(rows, SET, {row.page: ALL for row in rows})
    groups = {
        TYPE: {row.page: row.type for row in rows},
        LANGUAGE: {row.page: row.language for row in rows},
    }
    if any(name in row.measures for row in rows for name in TOTALS):
        groups[SITE] = {row.page: site_of(row.url) for row in rows}
    for kind, names in groups.items():
        group = _lumped({page: name or "none" for page, name in names.items()})
        if len(set(group.values())) > 1:
            summaries += _grouped(rows, kind, group)
    return summaries + _means_of_sites([s for s in summaries if s.kind == SITE])


def _lumped(group: dict[str, str]) -> dict[str, str]:
    """The group of each page, ``other`` for groups of few."""
    pages = Counter(group.values())
    return {
        k: name if pages[name] >= MIN_GROUP_PAGES else "other"
        for k, name in group.items()
    }


def _grouped(rows: list[Row], kind: str, group: dict[str, str]) -> list[Summary]:
    """Groups with many pages first; the algorithms in the order of the rows."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault(group[row.page], {}).setdefault(row.algorithm, []).append(row)
    return [
        _summary(kind, name, algorithm, members)
        for name, algorithms in sorted(groups.items(), key=_size)
        for algorithm, members in algorithms.items()
    ]


def _size(item: tuple[str, dict[str, list[Row]]]) -> tuple[int, str]:
    name, algorithms = item
    return -max(map(len, algorithms.values())), name


def _summary(kind: str, group: str, algorithm: str, rows: Sequence[Row]) -> Summary:
    times = [row.seconds for row in rows if not row.error]
    return Summary(
        set=rows[0].set,
        kind=kind,
        group=group,
        algorithm=algorithm,
        pages=len(rows),
        failed=sum(bool(row.error) for row in rows),
        milliseconds=1000 * sum(times) / len(times) if times else 0.0,
        measures={
            **_means(rows),
            **_pooled_blocks(rows),
            **_pooled_snippets(rows),
            **_pooled_structure(rows),
        },
    )


def _means_of_sites(sites: Sequence[Summary]) -> list[Summary]:
    """Per algorithm the mean of the sites' measures, and the sum of their counts."""
    means = []
    for algorithm in dict.fromkeys(s.algorithm for s in sites):
        own = [s for s in sites if s.algorithm == algorithm]
        values = {m: [s.measures[m] for s in own if m in s.measures] for m in MEASURES}
        means.append(
            replace(
                own[0],
                group=MEAN,
                pages=sum(s.pages for s in own),
                failed=sum(s.failed for s in own),
                milliseconds=fmean(s.milliseconds for s in own),
                measures={
                    name: sum(found) if name in TOTALS else fmean(found)
                    for name, found in values.items()
                    if found
                },
            )
        )
    return means


def _means(rows: Sequence[Row]) -> dict[str, float]:
    means = {}
    for name in MEANS:
        values = [row.measures[name] for row in rows if name in row.measures]
        if values:
            means[name] = sum(values) / len(values)
    return means


def _pooled_blocks(rows: Sequence[Row]) -> dict[str, float]:
    common, predicted, gold = (
        _total(rows, f"blocks_{name}") for name in ("common", "predicted", "gold")
    )
    if not gold:
        return {}
    return {
        "blocks_precision": common / predicted if predicted else 0.0,
        "blocks_recall": common / gold,
        "blocks_f1": 2 * common / (predicted + gold),
    }


def _pooled_snippets(rows: Sequence[Row]) -> dict[str, float]:
    counts = Snippets(*(_total(rows, f"snippets_{name}") for name in Snippets._fields))
    measures = {}
    if counts.required:
        measures["snippets_with"] = counts.found / counts.required
    if counts.forbidden:
        measures["snippets_without"] = counts.absent / counts.forbidden
    if len(measures) == 2:
        measures["snippets_f1"] = counts.score.f1
    return measures


def _pooled_structure(rows: Sequence[Row]) -> dict[str, float]:
    totals = {name: _total(rows, name) for name in TOTALS}
    shares = {
        name: _total(rows, name) / totals[of]
        for name, (of, _) in STRUCTURE.items()
        if totals[of]
    }
    return {**{name: n for name, n in totals.items() if n}, **shares}


def _total(rows: Sequence[Row], name: str) -> int:
    return sum(int(row.measures.get(name, 0)) for row in rows)


__all__ = [
    "ALL",
    "LANGUAGE",
    "MEASURES",
    "SET",
    "SITE",
    "STRUCTURE",
    "TOTALS",
    "TYPE",
    "Summary",
    "summarise",
]
