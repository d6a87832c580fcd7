"""Pages that a browser rendered, and the algorithms that need their boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from lab.evaluation.groups import summarise
from lab.evaluation.run import make_plan, run
from lab.evaluation.systems import AlgorithmSpec
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms import Algorithm
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.document.layout import Layout

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


class TakesRendered(Algorithm):
    """Takes all blocks of a rendered page, none of another."""

    name = "takes-rendered"

    def score(
        self, document: Document, layout: Layout | None = None
    ) -> npt.NDArray[np.float32]:
        return np.full(document.n_blocks, layout is not None, np.float32)


def test_every_algorithm_gets_the_layout_as_in_a_crawl(tmp_path: Path) -> None:
    write_sets(tmp_path, ["alabaster"])
    spec = AlgorithmSpec.parse(f"{__name__}.TakesRendered")
    plan = make_plan(load_sets(tmp_path)[:1], [spec])
    rows = [row for rows in run(plan.tasks[:1], 1) for row in rows]
    assert [row.measures["recall"] for row in rows] == [1.0]
