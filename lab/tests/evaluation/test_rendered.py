"""Pages that a browser rendered, and the algorithms that need their boxes."""

from __future__ import annotations

from pathlib import Path

from lab.evaluation.groups import summarise
from lab.evaluation.run import make_plan, run
from lab.evaluation.systems import AlgorithmSpec
from scrapy_mainpage.evaluation.datasets import load_sets

from .rendered import write_sets


def test_algorithms_that_need_a_layout_are_measured_on_rendered_pages(
    tmp_path: Path,
) -> None:
    write_sets(tmp_path, ["alabaster"])
    sets = load_sets(tmp_path)
    names = ("layout-analysis", "first-impression", "perfect-blocks")
    plan = make_plan(sets[1:], [AlgorithmSpec.parse(name) for name in names])
    assert plan.skipped == ()
    rows = [row for rows in run(plan.tasks, 1) for row in rows]
    assert not [row.error for row in rows if row.error]
    scores = {s.algorithm: s.measures["f1"] for s in summarise(rows) if s.kind == "set"}
    assert scores["perfect-blocks"] > 0.95
    assert 0.5 < scores["layout-analysis"] <= 1
    assert 0.5 < scores["first-impression"] <= 1
