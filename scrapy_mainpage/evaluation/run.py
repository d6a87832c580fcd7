"""From labelled pages to a folder of results: plan, processes, file of results.

Results are one JSON object a line, written while a run goes on; a run that was stopped
resumes from them. The key of a row covers page, label, algorithm, options, version and
code: any other row is measured again.
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from ..processes import Pool
from ..processes.worker import ProcessError, TaskFailed
from .measure import Row, Task, measure
from .specs import PERFECT_BLOCKS
from .summary import summarise
from .tables import worst_pages, write_pages_csv, write_reports, write_summary_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from .datasets import DataSet, LabelledPage
    from .specs import AlgorithmSpec
    from .summary import Summary

    Measure = Callable[[Task], list[Row]]

RESULTS: Final = "results.jsonl"
SUMMARY: Final = "summary.csv"
PAGES: Final = "pages.csv"

DIED: Final = "the process died"

MAX_TASK_SECONDS: Final = 3600.0
"""A page with all algorithms takes seconds; this ends a hang."""


@dataclass(frozen=True)
class Plan:
    """The tasks of a run, and a line for each set or algorithm that is left out."""

    tasks: tuple[Task, ...]
    skipped: tuple[str, ...]

    @property
    def keys(self) -> list[str]:
        """The keys of all rows that the run gives."""
        return [key for task in self.tasks for _, key in task.specs]


@dataclass(frozen=True)
class Evaluation:
    """Rows per page and algorithm, their summaries, and a line per skipped set."""

    rows: tuple[Row, ...]
    summaries: tuple[Summary, ...]
    skipped: tuple[str, ...]


def make_plan(sets: Sequence[DataSet], specs: Sequence[AlgorithmSpec]) -> Plan:
    """The tasks for all pages of *sets* and all *specs*.

    An algorithm that needs a layout is left out where a page, or the set, has none.
    """
    visual = {spec for spec in specs if spec.needs_layout}
    tasks: list[Task] = []
    skipped: list[str] = []
    for data_set in sets:
        for page in data_set.pages:
            takes = [s for s in specs if _fits(s, page, visual)]
            keyed = tuple((s, row_key(data_set.name, page, s)) for s in takes)
            tasks.append(Task(data_set.name, page, keyed))
        if visual and data_set.layouts < len(data_set.pages):
            skipped.append(_skipped(data_set, sorted(spec.label for spec in visual)))
    return Plan(tuple(tasks), tuple(skipped))


def _fits(spec: AlgorithmSpec, page: LabelledPage, visual: set[AlgorithmSpec]) -> bool:
    if spec.name == PERFECT_BLOCKS:
        return page.text is not None
    return spec not in visual or page.layout_file is not None


def _skipped(data_set: DataSet, labels: list[str]) -> str:
    count = f"{data_set.layouts} of its {len(data_set.pages)} pages have a layout"
    effect = "skipped" if not data_set.layouts else "measured on those only"
    return f"{data_set.name}: {count}: {', '.join(labels)} {effect}"


def run_plan(
    plan: Plan,
    output: Path,
    *,
    jobs: int = 1,
    reports: int = 0,
    measure: Measure = measure,
    row_type: type[Row] = Row,
) -> Evaluation:
    """Measure the tasks of a *plan* and write the results to the folder *output*.

    Results that are there and still hold are used again, so a run that was stopped goes
    on. *reports* is how many visual reports to write per set and algorithm, of the
    worst pages; *measure* gives the rows of a task, *row_type* their class. A page that
    fails is a row with its error. Raises ``OSError`` if *output* cannot be written.
    """
    output.mkdir(parents=True, exist_ok=True)
    results = ResultsFile(output / RESULTS, row_type)
    _measure(plan, results, jobs, measure)
    results.drop_others(plan.keys)
    rows = [results.rows[key] for key in plan.keys]
    summaries = summarise(rows)
    _write_reports(plan, rows, output, reports)
    write_summary_csv(summaries, output / SUMMARY)
    write_pages_csv(rows, output / PAGES)
    return Evaluation(tuple(rows), tuple(summaries), plan.skipped)


def _measure(plan: Plan, results: ResultsFile, jobs: int, measure: Measure) -> None:
    tasks = pending_tasks(plan, results)
    done = len(plan.tasks) - len(tasks)
    # None: a bar on a terminal, nothing elsewhere.
    with tqdm(total=len(plan.tasks), initial=done, unit="page", disable=None) as bar:
        for rows in run(tasks, jobs, measure):
            results.add(rows)
            bar.update()


def _write_reports(plan: Plan, rows: list[Row], output: Path, count: int) -> None:
    pages = {(task.set, task.page.id): task.page for task in plan.tasks}
    specs = {spec.label: spec for task in plan.tasks for spec, _ in task.specs}
    jobs = [
        (row, pages[row.set, row.page], spec)
        for name in dict.fromkeys(row.set for row in rows)
        for spec in specs.values()
        if not (spec.is_reference or spec.is_extractor)
        for row in worst_pages(
            [row for row in rows if row.set == name], spec.label, count
        )
        if not row.error
    ]
    written = write_reports(jobs, output)
    for _ in tqdm(written, "reports", len(jobs), unit="page", disable=None):
        pass


def pending_tasks(plan: Plan, results: ResultsFile) -> list[Task]:
    """The tasks that are not done, each with the algorithms that are missing."""
    tasks = (
        replace(task, specs=tuple(s for s in task.specs if s[1] not in done))
        for done in [results.rows.keys()]
        for task in plan.tasks
    )
    return [task for task in tasks if task.specs]


def run(
    tasks: Sequence[Task], jobs: int, measure: Measure = measure
) -> Iterator[list[Row]]:
    """The rows of each task as it is done, in *jobs* processes (1: in this one).

    A page that ends its process twice is a row with that error.
    """
    if jobs == 1:
        yield from map(measure, tasks)
        return
    with Pool(jobs, _prepare, measure, MAX_TASK_SECONDS) as pool:
        futures = {pool.submit(task): task for task in tasks}
        for future in as_completed(futures):
            error = future.exception()
            if isinstance(error, ProcessError) and not isinstance(error, TaskFailed):
                yield futures[future].failed(f"{DIED}: {error}")
            else:
                yield future.result().answer


def _prepare(measure: Measure) -> Measure:
    return measure


def row_key(name: str, page: LabelledPage, spec: AlgorithmSpec) -> str:
    """The key of a page of the set *name* with an algorithm."""
    files = [_state(page.html_file), _state(page.layout_file)]
    label = (name, repr(page), spec.label, spec.fingerprint, *files)
    text = "\n".join(label)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _state(file: Path | None) -> str:
    if file is None:
        return ""
    stat = file.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def _row(line: bytes, row_type: type[Row]) -> Row | None:
    """The row of a line; ``None`` if another version wrote it, or it is damaged."""
    try:
        return row_type(**json.loads(line))
    except (ValueError, TypeError):
        return None


class ResultsFile:
    """Rows kept in a file; a line cut short by a kill is left out and written over."""

    def __init__(self, path: Path, row_type: type[Row] = Row):
        self.path = path
        self.row_type = row_type
        self.rows: dict[str, Row] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self.path.write_bytes(whole)
        for line in whole.split(b"\n"):
            if (row := _row(line, self.row_type)) is not None:
                self.rows[row.key] = row

    def add(self, rows: Iterable[Row]) -> None:
        """Keep *rows*, on disk when this returns."""
        rows = list(rows)
        with self.path.open("ab") as file:
            file.write(_lines(rows))
        self.rows.update((row.key, row) for row in rows)

    def drop_others(self, keys: Iterable[str]) -> None:
        """Rewrite the file with the rows of *keys* alone; the rest is out of date."""
        self.rows = {key: self.rows[key] for key in keys if key in self.rows}
        temporary = self.path.with_name(self.path.name + ".new")
        temporary.write_bytes(_lines(self.rows.values()))
        temporary.replace(self.path)


def _lines(rows: Iterable[Row]) -> bytes:
    lines = (json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
    return "".join(lines).encode("utf-8", "replace")
