"""The results as one HTML page without scripts or other files."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader

from scrapy_mainpage.evaluation.measure import NOT_READ
from scrapy_mainpage.evaluation.specs import PERFECT_BLOCKS, REFERENCES
from scrapy_mainpage.evaluation.summary import LANGUAGE, SET, TYPE
from scrapy_mainpage.evaluation.tables import report_path, score_of, worst_pages

from .columns import (
    COLUMNS,
    EXPLANATIONS,
    STRUCTURE,
    STRUCTURE_COLUMNS,
    TEXT_COLUMNS,
)
from .measure import StructureRow
from .plots import colours, plot_bars, plot_distribution
from .summary import COUNTS, SITE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from scrapy_mainpage.evaluation.measure import Row
    from scrapy_mainpage.evaluation.summary import Summary

    from .columns import Column

MAIN_MEASURES: Final = {"f1": "F1 of words", "snippets_f1": "F1 of snippets"}
"""The measures that stand for a set, the first that it has."""

PARTS: Final = {"P": "precision", "R": "recall"}
MAX_GROUPS: Final = 12
MIN_PAGES: Final = 3
"""Of a group that has a bar: one page says little."""
MAX_WORST_PAGES: Final = 10
MAX_FAULTS: Final = 5
MAX_FAILURES: Final = 200


@dataclass(frozen=True)
class Facts:
    """The folder of the results, the version that shows them, and their day."""

    folder: str
    version: str
    date: str


def write_webpage(
    rows: Sequence[Row],
    summaries: Sequence[Summary],
    facts: Facts,
    folder: Path,
) -> str:
    """The page; visual reports that *folder* holds are linked to."""
    colour = colours(list(dict.fromkeys(s.algorithm for s in summaries)))
    names = dict.fromkeys(s.set for s in summaries)
    failed = [row for row in rows if row.error]
    sections = [
        _section(
            [s for s in summaries if s.set == name],
            [row for row in rows if row.set == name],
            colour,
            folder,
        )
        for name in names
    ]
    shown = {title for section in sections for title in section["table"]["heads"]}
    environment = Environment(loader=PackageLoader("lab.evaluation"), autoescape=True)
    return environment.get_template("evaluation.html").render(
        facts=facts,
        colours=colour,
        references=REFERENCES,
        measures=COLUMNS,
        explanations={k: text for k, text in EXPLANATIONS.items() if k in shown},
        sections=sections,
        means={name: _mean([s["f1"].get(name) for s in sections]) for name in colour},
        failed=failed,
        unread=sum(row.error.startswith(NOT_READ) for row in failed),
        max_failures=MAX_FAILURES,
    )


def _section(
    summaries: Sequence[Summary],
    rows: Sequence[Row],
    colour: Mapping[str, str],
    folder: Path,
) -> dict[str, Any]:
    """The part of a set."""
    name = summaries[0].set
    whole = [s for s in summaries if s.kind == SET]
    measured = [m for m in MAIN_MEASURES if any(m in s.measures for s in summaries)]
    values = {s.algorithm: _main_value(s) for s in whole}
    scores: dict[str, list[float]] = {}
    for row in rows:
        if "f1" in row.measures:
            scores.setdefault(row.algorithm, []).append(row.measures["f1"])
    return {
        "name": name,
        "anchor": "set-" + quote(name, safe=""),
        "f1": values,
        "best": max((values[a] or 0 for a in values if a not in REFERENCES), default=0),
        "table": _table(whole, TEXT_COLUMNS),
        "groups": [
            _groups(kind, groups, measured[0], colour)
            for kind in (TYPE, LANGUAGE)
            if (groups := [s for s in summaries if s.kind == kind]) and measured
        ],
        "structure": _structure(summaries, rows, colour, folder),
        "distribution": _encode(plot_distribution(scores, colour)) if scores else "",
        "worst": {
            algorithm: worst
            for algorithm in colour
            if algorithm not in REFERENCES
            and (worst := _worst(algorithm, rows, folder))
        },
    }


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of the sets, each alike; ``None`` if one is missing."""
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) > 1 else None


def _main_value(summary: Summary) -> float | None:
    found = (summary.measures.get(m) for m in MAIN_MEASURES)
    return next((value for value in found if value is not None), None)


def _groups(
    kind: str, summaries: Sequence[Summary], measure: str, colour: Mapping[str, str]
) -> dict[str, Any]:
    """The groups of one kind, such as languages."""
    bars = _by_group(summaries, measure)
    return {
        "kind": kind,
        "measure": MAIN_MEASURES[measure],
        "plot": _encode(plot_bars(bars, colour)) if bars else "",
        "table": _table(summaries, TEXT_COLUMNS),
    }


def _by_group(
    summaries: Sequence[Summary], measure: str
) -> dict[str, dict[str, float]]:
    """The values of the first groups by their title and algorithm."""
    values: dict[str, dict[str, float]] = {}
    for s in (s for s in summaries if s.pages >= MIN_PAGES):
        group = values.setdefault(f"{s.group}\n{s.pages}", {})
        group[s.algorithm] = s.measures.get(measure, 0.0)
    return dict(islice(values.items(), MAX_GROUPS))


def _structure(
    summaries: Sequence[Summary],
    rows: Sequence[Row],
    colour: Mapping[str, str],
    folder: Path,
) -> dict[str, Any] | None:
    """What becomes of tables, code, lists and headings; ``None`` if it is not known."""
    whole = [s for s in summaries if s.kind == SET]
    counts = {m: int(whole[0].measures.get(m, 0)) for m in COUNTS if m != "cells"}
    if not any(counts.values()):
        return None
    bars: dict[str, dict[str, float]] = {}
    for m, column in STRUCTURE.items():
        values = {s.algorithm: s.measures[m] for s in whole if m in s.measures}
        if values and column.head not in ("torn", "gone"):
            title = f"{column.group}\n{'not ' * column.is_error}{column.head}"
            bars[title] = {k: abs(column.is_error - v) for k, v in values.items()}
    return {
        "counts": {m: count for m, count in counts.items() if count},
        "plot": _encode(plot_bars(bars, colour)),
        "table": _table(whole, STRUCTURE_COLUMNS),
        "sites": _table([s for s in summaries if s.kind == SITE], STRUCTURE_COLUMNS),
        "torn": {
            name: _torn(name, rows, folder) for name in colour if name not in REFERENCES
        },
    }


def _torn(algorithm: str, rows: Sequence[Row], folder: Path) -> list[dict[str, object]]:
    """The pages with the most that is torn, gone or misplaced."""
    torn = (row for row in rows if isinstance(row, StructureRow) and row.faults)
    own = [row for row in torn if row.algorithm == algorithm]
    own.sort(key=lambda row: -row.measures["faults"])
    return [
        {
            **_page_of(row, folder),
            "count": int(row.measures["faults"]),
            "faults": row.faults[:MAX_FAULTS],
        }
        for row in own[:MAX_WORST_PAGES]
    ]


def _table(
    summaries: Sequence[Summary], columns: Mapping[str, Column]
) -> dict[str, Any]:
    """Columns that have a value, and the summaries by group with the best of each."""
    known = {name for s in summaries for name in s.measures}
    measures = [m for m, column in columns.items() if m in known]
    heads: dict[str, dict[str, str]] = {}
    for m in measures:
        heads.setdefault(columns[m].group, {})[columns[m].head] = m
    parts = []
    for group in dict.fromkeys(s.group for s in summaries):
        members = [s for s in summaries if s.group == group]
        own = [s.measures for s in members if s.algorithm not in REFERENCES]
        parts.append(
            {
                "title": "" if members[0].kind == SET else group,
                "summaries": members,
                "best": {
                    m: (min if columns[m].is_error else max)(
                        (found[m] for found in own if m in found), default=None
                    )
                    for m in measures
                },
            }
        )
    return {"heads": heads, "measures": measures, "parts": parts}


def _worst(
    algorithm: str, rows: Sequence[Row], folder: Path
) -> list[dict[str, object]]:
    ceiling = {row.page: row for row in rows if row.algorithm == PERFECT_BLOCKS}
    return [
        {
            **_page_of(row, folder),
            "type": row.type,
            "numbers": {
                "F1" if "f1" in row.measures else "snippets right": score_of(row),
                **{k: row.measures[m] for k, m in PARTS.items() if m in row.measures},
                **(
                    {"perfect blocks": score_of(ceiling[row.page])}
                    if row.page in ceiling
                    else {}
                ),
            },
        }
        for row in worst_pages(rows, algorithm, MAX_WORST_PAGES)
    ]


def _page_of(row: Row, folder: Path) -> dict[str, object]:
    report = report_path(row)
    return {
        "page": row.page[:40],
        "report": quote(report.as_posix()) if (folder / report).is_file() else "",
        "url": row.url,
        # Other schemes might run a script when clicked.
        "is_link": row.url.lower().startswith(("http://", "https://")),
    }


def _encode(svg: str) -> str:
    return base64.b64encode(svg.encode()).decode("ascii")
