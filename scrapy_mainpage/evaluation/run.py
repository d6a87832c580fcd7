"""Measure algorithms on labelled pages: in parallel, resumable, whatever fails.

Pages go to worker processes. A page that ends its process natively takes the other
pages under way with it: they are measured again, each in a process of its own, to find
the one that did it, which gets a row with that error.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .measure import Task, measure
from .results import row_key
from .specs import PERFECT_BLOCKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from .datasets import DataSet, LabelledPage
    from .measure import Row
    from .results import ResultsFile
    from .specs import AlgorithmSpec

    Measure = Callable[[Task], list[Row]]

DIED: Final = "the process died"

_CONTEXT: Final = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Plan:
    """What a run measures: the tasks, and a line for each set that is left out."""

    tasks: tuple[Task, ...]
    skipped: tuple[str, ...]

    @property
    def keys(self) -> list[str]:
        """The keys of all rows that the run gives."""
        return [key for task in self.tasks for _, key in task.specs]


def make_plan(sets: Sequence[DataSet], specs: Sequence[AlgorithmSpec]) -> Plan:
    """What there is to measure.

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
    what = "skipped" if not data_set.layouts else "measured on those only"
    return f"{data_set.name}: {count}: {', '.join(labels)} {what}"


def pending(plan: Plan, results: ResultsFile) -> list[Task]:
    """The tasks that are not done, each with the algorithms that are missing."""
    tasks = (
        Task(task.set, task.page, tuple(s for s in task.specs if s[1] not in done))
        for done in [results.rows.keys()]
        for task in plan.tasks
    )
    return [task for task in tasks if task.specs]


def run(
    tasks: Sequence[Task], jobs: int, measure: Measure = measure
) -> Iterator[list[Row]]:
    """The rows of each task as it is done, in *jobs* processes (1: in this one)."""
    if jobs == 1:
        yield from map(measure, tasks)
        return
    left = list(reversed(tasks))
    while left:
        under_way: dict[Future[list[Row]], Task] = {}
        with _pool(jobs) as pool, suppress(BrokenProcessPool):
            yield from _feed(pool, left, under_way, 2 * jobs, measure)
        for task in under_way.values():
            yield _alone(task, measure)


def _feed(
    pool: ProcessPoolExecutor,
    left: list[Task],
    under_way: dict[Future[list[Row]], Task],
    width: int,
    measure: Measure,
) -> Iterator[list[Row]]:
    """Give the pool tasks from the end of *left*, at most *width* at a time."""
    while left or under_way:
        while left and len(under_way) < width:
            under_way[pool.submit(measure, left[-1])] = left[-1]
            left.pop()
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            rows = future.result()
            del under_way[future]
            yield rows


def _alone(task: Task, measure: Measure) -> list[Row]:
    with _pool(1) as pool:
        try:
            return pool.submit(measure, task).result()
        except BrokenProcessPool:
            return task.failed(DIED)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # An interrupt is for the process that started the others: it lets them end.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(jobs, _CONTEXT, signal.signal, ignore)


__all__ = ["DIED", "Plan", "make_plan", "pending", "run"]
