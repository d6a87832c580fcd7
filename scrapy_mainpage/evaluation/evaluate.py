"""From a folder of labelled pages to a folder of results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from .papers import PAPERS, paper_tables
from .reports import worst_pages, write_reports
from .run import ResultsFile, make_plan, pending_tasks, run
from .summary import summarise
from .tables import write_pages_csv, write_paper_csv, write_summary_csv
from .webpage import Facts, write_webpage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .datasets import DataSet
    from .measure import Row
    from .paper_tables import PaperTable
    from .run import Plan
    from .specs import AlgorithmSpec
    from .summary import Summary

RESULTS: Final = "results.jsonl"
SUMMARY: Final = "summary.csv"
PAGES: Final = "pages.csv"
WEBPAGE: Final = "index.html"


@dataclass(frozen=True)
class Evaluation:
    """Rows per page and algorithm, their summaries, and a line per skipped set.

    ``tables`` are those of the paper that was asked for.
    """

    rows: tuple[Row, ...]
    summaries: tuple[Summary, ...]
    skipped: tuple[str, ...]
    tables: tuple[PaperTable, ...] = ()


def evaluate(
    sets: Sequence[DataSet],
    specs: Sequence[AlgorithmSpec],
    output: Path,
    *,
    jobs: int = 1,
    reports: int = 0,
    command: str = "",
    paper: str | None = None,
) -> Evaluation:
    """Measure *specs* on *sets* and write the results to the folder *output*.

    Results that are there and still hold are used again, so a run that was stopped goes
    on. *reports* is how many visual reports to write per set and algorithm, of the
    worst pages; *command* is named in the page of results; *paper* is one of
    :data:`~.papers.PAPERS`, whose tables are made, too. A page that fails is a row with
    its error. Raises ``OSError`` if *output* cannot be written.
    """
    output.mkdir(parents=True, exist_ok=True)
    plan = make_plan(sets, specs)
    results = ResultsFile(output / RESULTS)
    _measure(plan, results, jobs)
    results.drop_others(plan.keys)
    rows = [results.rows[key] for key in plan.keys]
    summaries = summarise(rows)
    _write_reports(plan, rows, output, reports)
    write_summary_csv(summaries, output / SUMMARY)
    write_pages_csv(rows, output / PAGES)
    tables = paper_tables(paper, rows) if paper else []
    for table in tables:
        write_paper_csv(table, output / f"{paper}-{table.number}.csv")
    skipped = plan.skipped
    if paper and PAPERS[paper].missing:
        skipped += (PAPERS[paper].missing,)
    facts = Facts(
        command, version("scrapy-mainpage"), date.today().isoformat(), skipped
    )
    page = write_webpage(
        rows, summaries, facts, output, PAPERS[paper].title if paper else "", tables
    )
    (output / WEBPAGE).write_text(page, "utf-8", errors="replace")
    return Evaluation(tuple(rows), tuple(summaries), skipped, tuple(tables))


def sample(data_set: DataSet, count: int) -> DataSet:
    """At most *count* pages of a set, evenly from its beginning to its end."""
    pages = data_set.pages
    if len(pages) <= count:
        return data_set
    places = (i * len(pages) // count for i in range(count))
    return replace(data_set, pages=tuple(pages[place] for place in places))


def _measure(plan: Plan, results: ResultsFile, jobs: int) -> None:
    tasks = pending_tasks(plan, results)
    done = len(plan.tasks) - len(tasks)
    # None: a bar on a terminal, nothing elsewhere.
    with tqdm(total=len(plan.tasks), initial=done, unit="page", disable=None) as bar:
        for rows in run(tasks, jobs):
            results.add(rows)
            bar.update()


def _write_reports(plan: Plan, rows: list[Row], output: Path, count: int) -> None:
    pages = {(task.set, task.page.id): task.page for task in plan.tasks}
    specs = {spec.label: spec for task in plan.tasks for spec, _ in task.specs}
    jobs = [
        (row, pages[row.set, row.page], spec)
        for name in dict.fromkeys(row.set for row in rows)
        for spec in specs.values()
        if not (spec.is_reference or spec.is_extractor or spec.is_site_level)
        for row in worst_pages(
            [row for row in rows if row.set == name], spec.label, count
        )
        if not row.error
    ]
    written = write_reports(jobs, output)
    for _ in tqdm(written, "reports", len(jobs), unit="page", disable=None):
        pass
