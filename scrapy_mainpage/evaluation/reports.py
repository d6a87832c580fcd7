"""Visual reports of the pages on which an algorithm is worst."""

from __future__ import annotations

import logging
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from .datasets import read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from .datasets import LabelledPage
    from .measure import Row
    from .specs import AlgorithmSpec

logger = logging.getLogger(__name__)

REPORTS: Final = "reports"

_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)


def worst_pages(rows: Iterable[Row], algorithm: str, count: int) -> list[Row]:
    """The *count* rows of *algorithm* with the lowest score, failures first."""
    scores = [(score_of(row), row) for row in rows if row.algorithm == algorithm]
    own = [(bool(not row.error), score, row) for score, row in scores if score >= 0]
    return [row for *_, row in sorted(own, key=lambda each: each[:2])[:count]]


def score_of(row: Row) -> float:
    """The F1 of words; the share of the snippets that are right; or -1 without both."""
    found = row.measures
    if "f1" in found:
        return found["f1"]
    snippets = found.get("snippets_required", 0) + found.get("snippets_forbidden", 0)
    if not snippets:
        return -1.0
    return (found["snippets_found"] + found["snippets_absent"]) / snippets


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

    document = read_document(page.html(), all_attributes=True)
    snapshot = page.layout_json()
    layout = Layout.from_json(snapshot, document) if snapshot else None
    extractor = Extractor(spec.build())
    result = extractor.extract_document(document, url=page.url, layout=layout)
    return write_report(result, layout=layout, algorithm=extractor.algorithm)
