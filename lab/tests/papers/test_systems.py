"""Systems by name, and the measures that only their papers have."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.page_measures import Row, Task
from lab.papers.measure import measure_systems
from lab.papers.systems import BASELINES, SystemSpec
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms import AlgorithmError, available


def rows(folder: Path, *labels: str) -> list[Row]:
    (data_set,) = load_sets(folder)
    keyed = tuple(SystemSpec.parse(each) for each in labels)
    return measure_systems(Task(data_set.name, data_set.pages[0], keyed))


def test_baselines_are_names_apart_from_the_algorithms_of_the_package() -> None:
    assert len(BASELINES) == 13
    assert not BASELINES.keys() & set(available())
    for name in BASELINES:
        assert SystemSpec.parse(name).build().name == name


def test_systems_that_compare_pages_have_options() -> None:
    assert SystemSpec.parse("temex:pages=3").is_site_level
    assert not SystemSpec.parse("bte").is_site_level
    with pytest.raises(AlgorithmError, match="'temex' does not take"):
        SystemSpec.parse("temex:pages=1")
