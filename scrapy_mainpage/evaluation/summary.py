"""Results put together: per set, and per page type, language and site in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Final

from .columns import COUNTS, MEANS, MEASURES, STRUCTURE
from .datasets import site_of
from .measure import NOT_READ
from .metrics import Snippets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .measure import Row

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
    the sites, large or small. ``failed`` pages count as empty extractions; those that
    could not be read are not counted at all. ``milliseconds`` is the mean time of the
    pages that did not fail.
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
    if any(name in row.measures for row in rows for name in COUNTS):
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
                    name: sum(found) if name in COUNTS else fmean(found)
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
    counts: dict[str, float] = {name: _total(rows, name) for name in COUNTS}
    shares = {
        name: _total(rows, name) / counts[column.of]
        for name, column in STRUCTURE.items()
        if counts[column.of]
    }
    return {name: count for name, count in counts.items() if count} | shares


def _total(rows: Sequence[Row], name: str) -> int:
    return sum(int(row.measures.get(name, 0)) for row in rows)


__all__ = ["ALL", "LANGUAGE", "SET", "SITE", "TYPE", "Summary", "summarise"]
