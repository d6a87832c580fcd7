"""The results as one HTML page without scripts or other files, and visual reports."""

from __future__ import annotations

import base64
import logging
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader

from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from .datasets import read_document
from .measure import NOT_READ
from .plots import colours, plot_bars, plot_distribution
from .specs import PERFECT_BLOCKS, REFERENCES
from .summary import LANGUAGE, MEASURES, SET, SITE, STRUCTURE, TOTALS, TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from .datasets import LabelledPage
    from .measure import Row
    from .specs import AlgorithmSpec
    from .summary import Summary

logger = logging.getLogger(__name__)

MAIN_MEASURES: Final = {"f1": "F1 of words", "snippets_f1": "F1 of snippets"}
"""The measures that stand for a set, the first that it has."""

MAX_GROUPS: Final = 12
MAX_WORST_PAGES: Final = 10
MAX_FAULTS: Final = 5
MAX_FAILURES: Final = 200

HEADS: Final = {
    "words": {"P": "precision", "R": "recall", "F1": "f1"},
    "LCS": {"F1": "lcs_f1", "F0.5": "lcs_f05"},
    "text blocks": {"F1": "text_nodes_f1", "F0.5": "text_nodes_f05"},
    "DOM nodes": {"F1": "nodes_f1"},
    "block words": {"F1": "zones_f1"},
    "main class": {"P": "blocks_precision", "R": "blocks_recall", "F1": "blocks_f1"},
    "snippets": {"with": "snippets_with", "without": "snippets_without"},
}
"""Columns of measures, in groups."""

STRUCTURE_HEADS: Final = {
    "words": {"F1": "f1"},
    "tables": {"whole": "tables_whole", "torn": "tables_torn", "gone": "tables_gone"},
    "code": {"whole": "code_whole", "torn": "code_torn", "gone": "code_gone"},
    "lists": {"whole": "lists_whole", "torn": "lists_torn", "gone": "lists_gone"},
    "headings": {"kept": "headings_kept"},
    "text": {"orphaned": "paragraphs_orphaned"},
    "titles": {"kept": "titles_kept"},
    "cells": {"misplaced": "cells_misplaced"},
}
ERRORS: Final = frozenset(
    name
    for name in STRUCTURE
    if name.endswith(("torn", "gone", "orphaned", "misplaced"))
)
"""Measures of which the least is the best."""

STRUCTURE_BARS: Final = {
    "tables_whole": "tables\nwhole",
    "code_whole": "code\nwhole",
    "lists_whole": "lists\nwhole",
    "headings_kept": "headings\nkept",
    "titles_kept": "titles\nkept",
    "paragraphs_orphaned": "text under\nits heading",
    "cells_misplaced": "cells in\ntheir column",
}


@dataclass(frozen=True)
class Facts:
    """How the results were made, and the sets and algorithms left out."""

    command: str
    version: str
    date: str
    skipped: tuple[str, ...] = ()


def write_webpage(
    rows: Sequence[Row], summaries: Sequence[Summary], facts: Facts, folder: Path
) -> str:
    """The page; visual reports that *folder* holds are linked to."""
    colour = colours(list(dict.fromkeys(s.algorithm for s in summaries)))
    names = dict.fromkeys(s.set for s in summaries)
    failed = [row for row in rows if row.error]
    environment = Environment(
        loader=PackageLoader("scrapy_mainpage.evaluation"), autoescape=True
    )
    return environment.get_template("evaluation.html").render(
        facts=facts,
        colours=colour,
        references=REFERENCES,
        measures=MEASURES,
        sections=[
            _section(
                [s for s in summaries if s.set == name],
                [row for row in rows if row.set == name],
                colour,
                folder,
            )
            for name in names
        ],
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
        "table": _table(whole, HEADS),
        "groups": [
            {
                "kind": kind,
                "measure": MAIN_MEASURES[measured[0]],
                "plot": _encode(plot_bars(_by_group(groups, measured[0]), colour)),
                "table": _table(groups, HEADS),
            }
            for kind in (TYPE, LANGUAGE)
            if (groups := [s for s in summaries if s.kind == kind]) and measured
        ],
        "structure": _structure(summaries, rows, colour),
        "distribution": _encode(plot_distribution(scores, colour)) if scores else "",
        "worst": {
            algorithm: worst
            for algorithm in colour
            if algorithm not in REFERENCES
            and (worst := _worst(algorithm, rows, folder))
        },
    }


def _main_value(summary: Summary) -> float | None:
    found = (summary.measures.get(m) for m in MAIN_MEASURES)
    return next((value for value in found if value is not None), None)


def _by_group(
    summaries: Sequence[Summary], measure: str
) -> dict[str, dict[str, float]]:
    """The values of the first groups by their title and algorithm."""
    values: dict[str, dict[str, float]] = {}
    for s in summaries:
        group = values.setdefault(f"{s.group}\n{s.pages}", {})
        group[s.algorithm] = s.measures.get(measure, 0.0)
    return dict(islice(values.items(), MAX_GROUPS))


def _structure(
    summaries: Sequence[Summary], rows: Sequence[Row], colour: Mapping[str, str]
) -> dict[str, Any] | None:
    """What becomes of tables, code, lists and headings; ``None`` if it is not known."""
    whole = [s for s in summaries if s.kind == SET]
    totals = {m: int(whole[0].measures[m]) for m in TOTALS if m in whole[0].measures}
    if not totals:
        return None
    bars = {
        title: {
            s.algorithm: 1 - s.measures[m] if m in ERRORS else s.measures[m]
            for s in whole
            if m in s.measures
        }
        for m, title in STRUCTURE_BARS.items()
    }
    return {
        "totals": totals,
        "plot": _encode(plot_bars({k: v for k, v in bars.items() if v}, colour)),
        "table": _table(whole, STRUCTURE_HEADS),
        "sites": _table([s for s in summaries if s.kind == SITE], STRUCTURE_HEADS),
        "torn": {name: _torn(name, rows) for name in colour if name not in REFERENCES},
    }


def _torn(algorithm: str, rows: Sequence[Row]) -> list[dict[str, object]]:
    """The pages with the most that is torn, gone or misplaced."""
    own = [row for row in rows if row.algorithm == algorithm and row.faults]
    own.sort(key=lambda row: -row.measures["faults"])
    return [
        {
            "page": row.page,
            "count": int(row.measures["faults"]),
            "faults": row.faults[:MAX_FAULTS],
        }
        for row in own[:MAX_WORST_PAGES]
    ]


def _table(
    summaries: Sequence[Summary], titles: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Columns that have a value, and the summaries by group with the best of each."""
    known = {name for s in summaries for name in s.measures}
    heads = {
        title: {name: m for name, m in columns.items() if m in known}
        for title, columns in titles.items()
    }
    heads = {title: columns for title, columns in heads.items() if columns}
    measures = [m for columns in heads.values() for m in columns.values()]
    parts = []
    for group in dict.fromkeys(s.group for s in summaries):
        members = [s for s in summaries if s.group == group]
        own = [s.measures for s in members if s.algorithm not in REFERENCES]
        parts.append(
            {
                "title": "" if members[0].kind == SET else group,
                "summaries": members,
                "best": {
                    m: (min if m in ERRORS else max)(
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
    ceiling = {
        row.page: row.measures.get("f1")
        for row in rows
        if row.algorithm == PERFECT_BLOCKS
    }
    found = []
    for row in worst_pages(rows, algorithm, MAX_WORST_PAGES):
        report = report_path(row)
        numbers = [row.measures.get(name) for name in ("f1", "precision", "recall")]
        found.append(
            {
                "page": row.page[:40],
                "report": quote(report.as_posix())
                if (folder / report).is_file()
                else "",
                "url": row.url,
                # Other schemes might run a script when clicked.
                "is_link": row.url.lower().startswith(("http://", "https://")),
                "type": row.type,
                "numbers": [*numbers, ceiling.get(row.page)],
            }
        )
    return found


def _encode(svg: str) -> str:
    return base64.b64encode(svg.encode()).decode("ascii")


REPORTS: Final = "reports"

_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)


def worst_pages(rows: Iterable[Row], algorithm: str, count: int) -> list[Row]:
    """The *count* rows of *algorithm* with the lowest F1, failures first."""
    own = [row for row in rows if row.algorithm == algorithm and "f1" in row.measures]
    return sorted(own, key=lambda row: (not row.error, row.measures["f1"]))[:count]


def report_path(row: Row) -> PurePosixPath:
    """Where the visual report of a row is, from the folder of the results."""
    parts = (_safe(part) for part in (row.set, row.algorithm))
    return PurePosixPath(REPORTS, *parts, f"{_safe(row.page)}.html")


def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name).lstrip(".")[:120] or "_"


def write_reports(
    jobs: Iterable[tuple[Row, LabelledPage, AlgorithmSpec]], folder: Path
) -> Iterator[Path]:
    """Write the visual report of each row; yields the paths. Failures are logged."""
    for row, page, spec in jobs:
        path = folder / report_path(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_text(_report(page, spec), "utf-8", errors="replace")
        except Exception:  # the results are worth more than a report
            logger.exception("no report of page %s in %s", row.page, row.set)
        yield path


def _report(page: LabelledPage, spec: AlgorithmSpec) -> str:
    from ..report import write_report

    document = read_document(page.html())
    snapshot = page.layout_json()
    layout = Layout.from_json(snapshot, document) if snapshot else None
    extractor = Extractor(spec.build())
    result = extractor.extract_document(document, url=page.url, layout=layout)
    return write_report(result, layout=layout, algorithm=extractor.algorithm)


__all__ = ["Facts", "report_path", "worst_pages", "write_reports", "write_webpage"]
