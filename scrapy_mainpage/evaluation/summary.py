"""Results put together: per set, and per page type and language in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .measure import NOT_READ
from .metrics import Snippets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .measure import Row

    Pool = Callable[[Sequence[Row]], dict[str, float]]

ALL: Final = "all"
SET, TYPE, LANGUAGE = "set", "type", "language"

MIN_GROUP_PAGES: Final = 5
"""Types and languages of fewer pages are put together."""

TEXT_HEADS: Final = {
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "blocks_f1": "BLOCKS",
    "snippets_with": "WITH",
    "snippets_without": "W/OUT",
}
"""The measures in the tables that every set has, by their heads."""

AVERAGED: Final = ("precision", "recall", "f1", "f05")
"""The last parts of the names of measures that are averaged over pages."""


@dataclass(frozen=True)
class Summary:
    """An algorithm's measures on a group of pages of a set.

    ``kind`` is ``set``, ``type`` or ``language``, ``group`` the type, the language or
    ``all``. ``failed`` pages count as empty extractions; those that could not be read
    are not counted at all. ``milliseconds`` is the mean time of the pages that did not
    fail.
    """

    set: str
    kind: str
    group: str
    algorithm: str
    pages: int
    failed: int
    milliseconds: float
    measures: dict[str, float]


def summarise(rows: Iterable[Row], pool: Pool | None = None) -> list[Summary]:
    """The summaries of *rows*, in the order in which sets and algorithms appear.

    *pool* gives further measures of the rows of a group.
    """
    by_set: dict[str, list[Row]] = {}
    for row in rows:
        if not row.error.startswith(NOT_READ):
            by_set.setdefault(row.set, []).append(row)
    return [s for group in by_set.values() for s in _of_set(group, pool)]


def _of_set(rows: list[Row], pool: Pool | None) -> list[Summary]:
    summaries = _grouped(rows, SET, {row.page: ALL for row in rows}, pool)
    groups = {
        TYPE: {row.page: row.type for row in rows},
        LANGUAGE: {row.page: row.language for row in rows},
    }
    for kind, names in groups.items():
        group = _lumped({page: name or "none" for page, name in names.items()})
        if len(set(group.values())) > 1:
            summaries += _grouped(rows, kind, group, pool)
    return summaries


def _lumped(group: dict[str, str]) -> dict[str, str]:
    """The group of each page, ``other`` for groups of few."""
    pages = Counter(group.values())
    return {
        k: name if pages[name] >= MIN_GROUP_PAGES else "other"
        for k, name in group.items()
    }


def _grouped(
    rows: list[Row], kind: str, group: dict[str, str], pool: Pool | None
) -> list[Summary]:
    """Groups with many pages first; the algorithms in the order of the rows."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault(group[row.page], {}).setdefault(row.algorithm, []).append(row)
    return [
        _summary(kind, name, algorithm, members, pool)
        for name, algorithms in sorted(groups.items(), key=_size)
        for algorithm, members in algorithms.items()
    ]


def _size(item: tuple[str, dict[str, list[Row]]]) -> tuple[int, str]:
    name, algorithms = item
    return -max(map(len, algorithms.values())), name


def _summary(
    kind: str, group: str, algorithm: str, rows: Sequence[Row], pool: Pool | None
) -> Summary:
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
            **(pool(rows) if pool else {}),
        },
    )


def _means(rows: Sequence[Row]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.measures.items():
            if name.rpartition("_")[2] in AVERAGED:
                values.setdefault(name, []).append(value)
    return {name: sum(found) / len(found) for name, found in values.items()}


def _pooled_blocks(rows: Sequence[Row]) -> dict[str, float]:
    common, predicted, gold = (
        total(rows, f"blocks_{name}") for name in ("common", "predicted", "gold")
    )
    if not gold:
        return {}
    return {
        "blocks_precision": common / predicted if predicted else 0.0,
        "blocks_recall": common / gold,
        "blocks_f1": 2 * common / (predicted + gold),
    }


def _pooled_snippets(rows: Sequence[Row]) -> dict[str, float]:
    counts = Snippets(*(total(rows, f"snippets_{name}") for name in Snippets._fields))
    measures = {}
    if counts.required:
        measures["snippets_with"] = counts.found / counts.required
    if counts.forbidden:
        measures["snippets_without"] = counts.absent / counts.forbidden
    if len(measures) == 2:
        measures["snippets_f1"] = counts.score.f1
    return measures


def total(rows: Sequence[Row], name: str) -> int:
    """The sum of a count over *rows*."""
    return sum(int(row.measures.get(name, 0)) for row in rows)
