"""From sets of labelled pages to rows, their summaries and CSV files."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from scrapy_mainpage.evaluation.datasets import DataSetError, load_sets
from scrapy_mainpage.processes import Pool
from scrapy_mainpage.processes.worker import ProcessError

from .groups import summarise, write_pages_csv, write_summary_csv
from .page_measures import Row, Task, measure
from .systems import PERFECT_BLOCKS, FailedSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scrapy_mainpage.evaluation.datasets import DataSet

    from .groups import Summary
    from .systems import AlgorithmSpec

    Measure = Callable[[Task], list[Row]]

SUMMARY: Final = "summary.csv"
PAGES: Final = "pages.csv"
PAGE_SECONDS: Final = 60.0
TASK_SECONDS: Final = 10 * PAGE_SECONDS
"""For one algorithm on a page, and for all of them."""


@dataclass(frozen=True)
class Plan:
    """The tasks of a run, and a line for each set or algorithm that is left out."""

    tasks: tuple[Task, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """Rows per page and algorithm, their summaries, and a line per skipped set."""

    rows: tuple[Row, ...]
    summaries: tuple[Summary, ...]
    skipped: tuple[str, ...]

    @property
    def failures(self) -> list[str]:
        """A line for each page on which an algorithm failed."""
        return [f"{r.set}/{r.page}: {r.error}" for r in self.rows if r.error]


def sample(data_set: DataSet, count: int) -> DataSet:
    """At most *count* pages of a set, evenly from its beginning to its end."""
    pages = data_set.pages
    if len(pages) <= count:
        return data_set
    places = (i * len(pages) // count for i in range(count))
    return replace(data_set, pages=tuple(pages[place] for place in places))


def make_plan(sets: Sequence[DataSet], specs: Sequence[AlgorithmSpec]) -> Plan:
    """The tasks for all pages of *sets* and all *specs*.

    An algorithm that needs a layout is left out where a page has none, perfect blocks
    where the gold text is not known.
    """
    visual = {spec for spec in specs if spec.build().needs_layout}
    tasks: list[Task] = []
    skipped: list[str] = []
    for data_set in sets:
        layouts = [page.layout_json() is not None for page in data_set.pages]
        for page, has_layout in zip(data_set.pages, layouts, strict=True):
            left_out = set() if has_layout else visual
            if page.text is None:
                left_out = left_out | {s for s in specs if s.name == PERFECT_BLOCKS}
            takes = tuple(spec for spec in specs if spec not in left_out)
            tasks.append(Task(data_set.name, page, takes))
        if visual and not all(layouts):
            names = ", ".join(sorted(spec.label for spec in visual))
            count = f"{sum(layouts)} of its {len(layouts)} pages have a layout"
            skipped.append(f"{data_set.name}: {count}: {names} measured on those only")
    return Plan(tuple(tasks), tuple(skipped))


def run_plan(
    plan: Plan, output: Path, *, jobs: int = 1, measure: Measure = measure
) -> Evaluation:
    """Measure the tasks of a *plan* and write the results to the folder *output*.

    *measure* gives the rows of a task. A page that fails is a row with its error.
    Raises ``OSError`` if *output* cannot be written.
    """
    output.mkdir(parents=True, exist_ok=True)
    # None: a bar on a terminal, nothing elsewhere.
    done = tqdm(
        run(plan.tasks, jobs, measure), total=len(plan.tasks), unit="page", disable=None
    )
    rows = [row for each in done for row in each]
    summaries = summarise(rows)
    write_summary_csv(summaries, output / SUMMARY)
    write_pages_csv(rows, output / PAGES)
    return Evaluation(tuple(rows), tuple(summaries), plan.skipped)


def run(
    tasks: Iterable[Task], jobs: int, measure: Measure = measure
) -> Iterator[list[Row]]:
    """The rows of each task in their order, in *jobs* processes (1: in this one).

    Where one dies of a page or takes too long for it, each of the algorithms gets a
    process of its own; those that fail again have no content there.
    """
    if jobs == 1:
        yield from map(measure, tasks)
        return
    with (
        Pool(jobs, _prepare, measure, TASK_SECONDS) as pool,
        Pool(1, _prepare, measure, PAGE_SECONDS) as single,
    ):
        for task, future in [(task, pool.submit(task)) for task in tasks]:
            if isinstance(future.exception(), ProcessError):
                yield [row for spec in task.specs for row in _alone(single, task, spec)]
            else:
                yield future.result()


def _prepare(measure: Measure) -> Measure:
    return measure


def _alone(pool: Pool, task: Task, spec: AlgorithmSpec) -> list[Row]:
    """The row of one algorithm, measured by itself."""
    own = replace(task, specs=(spec,))
    try:
        rows: list[Row] = pool.submit(own).result()
    except ProcessError as error:
        failed = FailedSpec(spec.label, reason=error.reason)
        rows = pool.submit(replace(task, specs=(failed,))).result()
    return rows


def add_options(
    parser: argparse.ArgumentParser, output: str, **algorithms: object
) -> None:
    """The options of a command that measures; *algorithms* are more of ``-a``."""
    parser.add_argument("data", type=Path, help="a set of labelled pages, or sets")
    parser.add_argument("-a", "--algorithms", metavar="A,B", **algorithms)  # type: ignore[arg-type]
    parser.add_argument("-o", "--output", type=Path, default=Path(output))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sets", metavar="A,B", help="only these sets")
    parser.add_argument("--limit", type=int, metavar="N", help="N pages per set")


def read_sets(options: argparse.Namespace) -> list[DataSet]:
    """The labelled pages that the options choose.

    Of a folder of sets those without texts are left out, with a line that says so.
    """
    found = [] if options.sets else readable_sets(options.data)
    sets = found or load_sets(options.data, options.sets)
    return [sample(each, options.limit) for each in sets] if options.limit else sets


def readable_sets(folder: Path) -> list[DataSet]:
    """The sets in the folders in *folder* but those without texts."""
    files = sorted(folder.glob("*/pages.jsonl"))
    return [each for file in files for each in _readable(file.parent)]


def _readable(folder: Path) -> list[DataSet]:
    try:
        return load_sets(folder)
    except DataSetError as error:
        print(f"{folder.name}: left out: {error}")
        return []


def report(result: Evaluation, tables: str, output: Path) -> int:
    """Print *tables* and the failures of a run; 1 if an algorithm failed on a page."""
    print(*result.skipped, tables, sep="\n")
    failed = result.failures
    print(f"\n{len(result.rows)} results, {len(failed)} failed: {output}")
    print(*failed[:10], sep="\n", file=sys.stderr, end="\n" * bool(failed))
    return int(bool(failed))
