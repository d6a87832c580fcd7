"""Measurement of one page with the structure of what is extracted from it."""

from __future__ import annotations

import zlib
from dataclasses import asdict, dataclass, field
from typing import Final

from lxml.etree import LxmlError

from lab.evaluation.page_measures import Output, Row, Subject, Task, measure

from .element_truth import read_content
from .structure import score_structure

MAX_FAULTS: Final = 20


@dataclass(frozen=True)
class StructureRow(Row):
    """A row whose ``faults`` are the first things torn, gone or misplaced."""

    faults: list[str] = field(default_factory=list)


def measure_structure(task: Task) -> list[Row]:
    """The rows of a task, with the counts of structure if its main element is known."""
    page = task.page
    if not page.content:
        return measure(task)
    try:
        content = read_content(page.html(), page.content, page.drop)
    except (OSError, EOFError, ValueError, LxmlError, zlib.error) as error:
        return task.not_read(error)

    def with_structure(row: Row, subject: Subject, output: Output) -> Row:
        markdown = output.page.markdown if output.page else None
        found = score_structure(content, output.text, markdown)
        measures = row.measures | found.counts | {"faults": len(found.faults)}
        known = asdict(row) | {"measures": measures}
        return StructureRow(**known, faults=[*found.faults[:MAX_FAULTS]])

    return measure(task, with_structure)
