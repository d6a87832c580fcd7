"""Runs: in parallel, despite failures, and resumed after a stop."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.evaluation.measure import Row, Task
from scrapy_mainpage.evaluation.run import (
    DIED,
    Plan,
    ResultsFile,
    make_plan,
    pending_tasks,
    run,
)
from scrapy_mainpage.evaluation.specs import AlgorithmSpec

from .sets import article_label, label, write_set

NAMES = ["a", "b", "c", "d", "e", "f", "g"]


def specs(*labels: str) -> list[AlgorithmSpec]:
    return [AlgorithmSpec.parse(each) for each in labels]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    folder = write_set(tmp_path / "set", [article_label(name) for name in NAMES])
    return make_plan(load_sets(folder), specs("danag", "all-text"))


def echo(task: Task) -> list[Row]:
    return task.rows()


def die_on_c_and_f(task: Task) -> list[Row]:
    if task.page.id in "cf":
        os._exit(1)
    return task.rows()


def say_whether_interrupts_are_ignored(task: Task) -> list[Row]:
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return task.failed(str(ignored))


def pages(rows: Sequence[Sequence[Row]]) -> list[str]:
    return sorted(row.page for each in rows for row in each)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_page_is_measured_with_every_algorithm(plan: Plan, jobs: int) -> None:
    rows = [row for each in run(plan.tasks, jobs) for row in each]
    assert sorted(row.key for row in rows) == sorted(plan.keys)
    assert not any(row.error for row in rows)


def test_a_page_that_ends_its_process_is_found_and_the_others_are_measured(
    plan: Plan,
) -> None:
    rows = list(run(plan.tasks, 2, die_on_c_and_f))
    assert pages(rows) == sorted(NAMES * 2)
    died = {row.page for each in rows for row in each if row.error.startswith(DIED)}
    assert died == {"c", "f"}


def test_an_interrupt_is_left_to_the_process_that_started_the_others(
    plan: Plan,
) -> None:
    rows = list(run(plan.tasks, 2, say_whether_interrupts_are_ignored))
    assert {row.error for each in rows for row in each} == {"True"}


class TestPlan:
    def test_an_algorithm_that_needs_a_layout_is_left_out_without_one(
        self, tmp_path: Path
    ) -> None:
        folder = write_set(tmp_path / "set", [article_label("a")])
        plan = make_plan(load_sets(folder), specs("danag", "layout-analysis"))
        assert len(plan.keys) == 1
        assert plan.skipped == (
            "set: 0 of its 1 pages have a layout: layout-analysis skipped",
        )

    def test_it_is_measured_on_the_pages_that_have_one(self, tmp_path: Path) -> None:
        labels = [article_label("a"), article_label("b")]
        folder = write_set(tmp_path / "set", labels)
        (folder / "html" / "b.layout.json").write_text("{}")
        plan = make_plan(load_sets(folder), specs("layout-analysis"))
        assert [len(task.specs) for task in plan.tasks] == [0, 1]
        assert "measured on those only" in plan.skipped[0]

    def test_perfect_blocks_needs_the_gold_text(self, tmp_path: Path) -> None:
        folder = write_set(tmp_path / "set", [label("a", without=["x"])])
        plan = make_plan(load_sets(folder), specs("perfect-blocks", "danag"))
        assert [spec.label for spec, _ in plan.tasks[0].specs] == ["danag"]
        assert plan.skipped == ()


class TestGoingOn:
    def test_what_is_done_is_not_measured_again(
        self, plan: Plan, tmp_path: Path
    ) -> None:
        file = tmp_path / "results.jsonl"
        for task in plan.tasks[:3]:
            ResultsFile(file).add(task.rows())
        ResultsFile(file).add(plan.tasks[3].rows()[:1])
        left = pending_tasks(plan, ResultsFile(file))
        assert [task.page.id for task in left] == ["d", "e", "f", "g"]
        assert [len(task.specs) for task in left] == [1, 2, 2, 2]

    def test_a_line_that_a_kill_cut_short_is_measured_again(
        self, plan: Plan, tmp_path: Path
    ) -> None:
        file = tmp_path / "results.jsonl"
        ResultsFile(file).add([row for task in plan.tasks for row in task.rows()])
        file.write_bytes(file.read_bytes()[:-20])
        results = ResultsFile(file)
        (task,) = pending_tasks(plan, results)
        results.add(echo(task))
        assert pending_tasks(plan, ResultsFile(file)) == []

    def test_lines_of_another_version_are_measured_again(
        self, plan: Plan, tmp_path: Path
    ) -> None:
        file = tmp_path / "results.jsonl"
        file.write_text('{"key": "x", "colour": 1}\n[]\n{"broken\n')
        assert len(pending_tasks(plan, ResultsFile(file))) == len(NAMES)

    def test_a_page_with_another_label_or_file_is_measured_again(
        self, tmp_path: Path
    ) -> None:
        labels = [article_label(name) for name in NAMES]
        folder = write_set(tmp_path / "set", labels)
        algorithms = specs("danag")
        results = ResultsFile(tmp_path / "results.jsonl")
        for task in make_plan(load_sets(folder), algorithms).tasks:
            results.add(echo(task))
        lines = (folder / "pages.jsonl").read_text()
        (folder / "pages.jsonl").write_text(lines.replace("what b is", "what x is"))
        (folder / "html" / "e.html.gz").write_bytes(b"")
        left = pending_tasks(make_plan(load_sets(folder), algorithms), results)
        assert [task.page.id for task in left] == ["b", "e"]

    def test_rows_that_are_out_of_date_are_dropped(
        self, plan: Plan, tmp_path: Path
    ) -> None:
        file = tmp_path / "results.jsonl"
        results = ResultsFile(file)
        results.add([row for task in plan.tasks for row in task.rows()])
        results.drop_others(plan.keys[2:4])
        assert list(ResultsFile(file).rows) == plan.keys[2:4]
        assert [path.name for path in tmp_path.glob("results*")] == ["results.jsonl"]
