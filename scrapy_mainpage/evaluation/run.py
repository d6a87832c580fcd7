"""Runs over labelled pages: the plan, the file of results, and the processes.

Results are one JSON object a line, written while a run goes on; a run that was stopped
resumes from them. The key of a row covers page, label, algorithm, options, version and
code: any other row is measured again.
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..processes.pool import Pool
from ..processes.worker import ProcessError, TaskFailed
from .measure import Row, Task, measure
from .specs import PERFECT_BLOCKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from .datasets import DataSet, LabelledPage
    from .specs import AlgorithmSpec

    Measure = Callable[[Task], list[Row]]

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


def make_plan(sets: Sequence[DataSet], specs: Sequence[AlgorithmSpec]) -> Plan:
    """The tasks for all pages of *sets* and all *specs*.

    An algorithm that needs a layout is left out where a page, or the set, has none.
    """
    visual = {spec for spec in specs if spec.needs_layout}
    tasks: list[Task] = []
    skipped: list[str] = []
    for data_set in sets:
        sites = data_set.sites if any(spec.is_site_level for spec in specs) else {}
        states = {name: _state_of_site(site) for name, site in sites.items()}
        for page in data_set.pages:
            takes = [s for s in specs if _fits(s, page, visual)]
            state = states.get(page.site, "")
            keyed = tuple((s, row_key(data_set.name, page, s, state)) for s in takes)
            tasks.append(Task(data_set.name, page, keyed, sites.get(page.site, ())))
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


def row_key(name: str, page: LabelledPage, spec: AlgorithmSpec, site: str = "") -> str:
    """The key of a page of the set *name* with an algorithm.

    One that compares pages depends on the state of the *site*, too.
    """
    files = [_state(page.html_file), _state(page.layout_file)]
    files += [site] if spec.is_site_level else []
    label = (name, repr(page), spec.label, spec.fingerprint, *files)
    text = "\n".join(label)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _state_of_site(site: Sequence[LabelledPage]) -> str:
    return "\n".join(f"{page.id} {_state(page.html_file)}" for page in site)


def _state(file: Path | None) -> str:
    if file is None:
        return ""
    stat = file.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def _row(line: bytes) -> Row | None:
    """The row of a line; ``None`` if another version wrote it, or it is damaged."""
    try:
        return Row(**json.loads(line))
    except (ValueError, TypeError):
        return None


class ResultsFile:
    """Rows kept in a file; a line cut short by a kill is left out and written over."""

    def __init__(self, path: Path):
        self.path = path
        self.rows: dict[str, Row] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self.path.write_bytes(whole)
        for line in whole.split(b"\n"):
            if (row := _row(line)) is not None:
                self.rows[row.key] = row

    def add(self, rows: Iterable[Row]) -> None:
        """Keep *rows*, on disk when this returns."""
        rows = list(rows)
        lines = [json.dumps(row.as_dict(), ensure_ascii=False) + "\n" for row in rows]
        with self.path.open("ab") as file:
            file.write("".join(lines).encode("utf-8", "replace"))
        self.rows.update((row.key, row) for row in rows)

    def drop_others(self, keys: Iterable[str]) -> None:
        """Rewrite the file with the rows of *keys* alone; the rest is out of date."""
        kept = [self.rows[key] for key in keys if key in self.rows]
        temporary = self.path.with_name(self.path.name + ".new")
        temporary.unlink(missing_ok=True)
        fresh = ResultsFile(temporary)
        fresh.add(kept)
        temporary.replace(self.path)
        self.rows = fresh.rows
