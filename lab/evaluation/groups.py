"""Results put together per set, page type and language, and their tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from lab.tables import write_csv
from scrapy_mainpage.evaluation.scores import align_columns, score_counts

from .page_measures import NOT_READ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from .page_measures import Row


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


def summarise(rows: Iterable[Row]) -> list[Summary]:
    """The summaries of *rows*, in the order in which sets and algorithms appear."""
    by_set: dict[str, list[Row]] = {}
    for row in rows:
        if not row.error.startswith(NOT_READ):
            by_set.setdefault(row.set, []).append(row)
    return [s for group in by_set.values() for s in _of_set(group)]


def _of_set(rows: list[Row]) -> list[Summary]:
    summaries = _grouped(rows, SET, {row.page: ALL for row in rows})
    groups = {
        TYPE: {row.page: row.type for row in rows},
        LANGUAGE: {row.page: row.language for row in rows},
    }
    for kind, names in groups.items():
        group = _lumped({page: name or "none" for page, name in names.items()})
        if len(set(group.values())) > 1:
            summaries += _grouped(rows, kind, group)
    return summaries


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
            **pool_structure(rows),
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
    """Shares of snippets; for F a forbidden one that is found is a false positive."""
    found, required, absent, forbidden = (
        total(rows, f"snippets_{name}")
        for name in ("found", "required", "absent", "forbidden")
    )
    measures = {}
    if required:
        measures["snippets_with"] = found / required
    if forbidden:
        measures["snippets_without"] = absent / forbidden
    if len(measures) == 2:
        taken = found + forbidden - absent
        measures["snippets_f1"] = score_counts(found, taken, required).f1
    return measures


def total(rows: Sequence[Row], name: str) -> int:
    """The sum of a count over *rows*."""
    return sum(int(row.measures.get(name, 0)) for row in rows)


# Tables


def format_table(
    name: str, summaries: Sequence[Summary], heads: Mapping[str, str]
) -> str:
    """The table *name* with those of the measures *heads* that *summaries* have."""
    known = {measure for summary in summaries for measure in summary.measures}
    columns = {m: head for m, head in heads.items() if m in known}
    head = ["", "", "PAGES", "FAILED", "MS", *columns.values()]
    rows: list[list[str]] = []
    last = ("", "")
    for summary in summaries:
        group = (summary.kind, summary.group)
        rows.append(_cells(summary, columns, group != last))
        last = group
    if not any(summary.failed for summary in summaries):
        rows = [row[:3] + row[4:] for row in rows]
        head.remove("FAILED")
    return f"{name}\n{align_columns([head, *rows], left=2)}"


def _cells(summary: Summary, columns: Iterable[str], first: bool) -> list[str]:
    title = "" if summary.kind == SET else f"{summary.kind} {summary.group}"
    values = (summary.measures.get(measure) for measure in columns)
    return [
        title if first else "",
        summary.algorithm,
        str(summary.pages),
        str(summary.failed),
        f"{summary.milliseconds:.1f}",
        *("" if value is None else f"{value:.3f}" for value in values),
    ]


def write_summary_csv(summaries: Sequence[Summary], path: Path) -> None:
    """One line per set, group and algorithm, with every measure."""
    head = ["set", "kind", "group", "algorithm", "pages", "failed", "milliseconds"]
    _write_measures(path, head, summaries)


def write_pages_csv(rows: Iterable[Row], path: Path) -> None:
    """One line per page and algorithm, with every measure of the page."""
    head = ["set", "page", "url", "type", "language", "algorithm", "words"]
    _write_measures(path, [*head, "seconds", "error"], list(rows))


def _write_measures(
    path: Path, head: list[str], rows: Sequence[Row] | Sequence[Summary]
) -> None:
    measures = list(dict.fromkeys(name for row in rows for name in row.measures))
    lines = (
        [*(getattr(row, name) for name in head), *map(row.measures.get, measures)]
        for row in rows
    )
    write_csv(path, [[*head, *measures], *lines])


LEGEND: Final = (
    "P, R, F1: words, mean over pages. BLOCKS: main content class, F1 over all "
    "blocks.\nWITH, W/OUT: snippets found, absent.\n\n"
    "TABLES, CODE, LISTS: share whole, torn, gone. HEADINGS, TITLES: share kept. "
    "ORPHANS: text blocks kept\nwithout their heading. MISPLACED: cells in the wrong "
    "column of the Markdown."
)


class Share(NamedTuple):
    """A share of the count *of* that is added up over pages, and its head."""

    head: str
    of: str


STRUCTURE: Final = {
    "tables_whole": Share("TABLES", "tables"),
    "tables_torn": Share("TORN", "tables"),
    "tables_gone": Share("GONE", "tables"),
    "code_whole": Share("CODE", "code"),
    "code_torn": Share("TORN", "code"),
    "code_gone": Share("GONE", "code"),
    "lists_whole": Share("LISTS", "lists"),
    "lists_torn": Share("TORN", "lists"),
    "lists_gone": Share("GONE", "lists"),
    "headings_kept": Share("HEADINGS", "headings"),
    "paragraphs_orphaned": Share("ORPHANS", "paragraphs"),
    "titles_kept": Share("TITLES", "titles"),
    "cells_misplaced": Share("MISPLACED", "cells"),
}
"""The measures of structure, where the main element is known."""

STRUCTURE_HEADS: Final = {"f1": "F1", **{k: s.head for k, s in STRUCTURE.items()}}
COUNTS: Final = tuple(dict.fromkeys(share.of for share in STRUCTURE.values()))


def pool_structure(rows: Sequence[Row]) -> dict[str, float]:
    """The counts of *rows* added up, and the shares of them."""
    counts: dict[str, float] = {name: total(rows, name) for name in COUNTS}
    shares = {
        name: total(rows, name) / counts[share.of]
        for name, share in STRUCTURE.items()
        if counts[share.of]
    }
    return {name: count for name, count in counts.items() if count} | shares


def format_structure(summaries: Sequence[Summary], heads: Mapping[str, str]) -> str:
    """Tables per set, a row per algorithm, and below it per type and language.

    The first is of its words and blocks, with the measures *heads* by what stands above
    their columns, the second of its structure, where that is measured.
    """
    parts = []
    for name in dict.fromkeys(s.set for s in summaries):
        own = [s for s in summaries if s.set == name]
        parts.append(format_table(name, own, heads))
        if counts := ", ".join(_counts(own[0])):
            others = [s for s in own if s.kind != LANGUAGE]
            parts.append(format_table(f"{name}: {counts}", others, STRUCTURE_HEADS))
    return "\n\n".join([*parts, LEGEND])


def _counts(summary: Summary) -> Iterator[str]:
    for name in COUNTS:
        if name != "cells" and name in summary.measures:
            yield f"{summary.measures[name]:.0f} {name}"
