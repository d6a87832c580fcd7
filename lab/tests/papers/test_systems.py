"""Systems by name, and the measures that only their papers have."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.page_measures import Row, Task
from lab.papers.measure import measure_systems
from lab.papers.systems import BASELINES, SystemSpec
from scrapy_mainpage.evaluation.datasets import load_sets, read_document
from scrapy_mainpage.extraction.algorithms import AlgorithmError, available
from scrapy_mainpage.extraction.algorithms.centroid import Centroid
from tests.evaluation.sets import (
    FOOTER,
    MENU,
    article_label,
    label,
    sentences,
    write_set,
)


def rows(folder: Path, *labels: str) -> list[Row]:
    (data_set,) = load_sets(folder)
    keyed = tuple(SystemSpec.parse(each) for each in labels)
    return measure_systems(Task(data_set.name, data_set.pages[0], keyed))


def test_baselines_are_names_apart_from_the_algorithms_of_the_package() -> None:
    assert len(BASELINES) == 13
    assert not BASELINES.keys() & set(available())
    for name in BASELINES:
        assert SystemSpec.parse(name).build().name == name


def test_the_names_of_mainpage_evaluate_are_known_too() -> None:
    assert SystemSpec.parse("danag:gap=7").build().name == "danag"
    assert SystemSpec.parse("resiliparse").is_extractor
    assert SystemSpec.parse("all-text").is_reference
    with pytest.raises(AlgorithmError, match="unknown algorithm 'btee'"):
        SystemSpec.parse("btee")


def test_systems_that_compare_pages_have_options() -> None:
    assert SystemSpec.parse("temex:pages=3").is_site_level
    assert not SystemSpec.parse("bte").is_site_level
    with pytest.raises(AlgorithmError, match="'temex' does not take"):
        SystemSpec.parse("temex:pages=1")


def test_elements_of_the_page_are_counted(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    # html, body, nav, ul, 2 li, 2 a, article, h1, p, footer, p
    counts = {"nodes_total": 13, "nodes_gold": 3, "semantic_tags": 1}
    # ul, 2 li, article, p, footer, p
    counts["nodes_rated"] = 7
    for row in rows(folder, "semantic-markup", "resiliparse"):
        assert counts.items() <= row.measures.items()


def test_the_elements_that_centroid_returns_are_measured_as_elements(
    tmp_path: Path,
) -> None:
    parts = "<h1>On owls</h1><img src=a><p>{}</p><p>{}</p>"
    texts = [sentences("owls"), sentences("mice")]
    main = f"<div><main>{parts.format(*texts)}</main></div>"
    html = f"<body>{MENU}{main}{FOOTER}</body>"
    line = label("owls", text="\n".join(["On owls", *texts]))
    folder = write_set(tmp_path / "set", [line], owls=html)
    # The main content is div, main, h1, img and two p; one p is returned.
    (choice,) = Centroid().choose(read_document(html.encode())).main
    assert read_document(html.encode()).tag_name(choice) == "p"
    (row,) = rows(folder, "centroid")
    names = ("node_set_precision", "node_set_recall", "nodes_gold")
    assert [row.measures[name] for name in names] == [1.0, 0.166667, 6]
    assert "node_set_f1" not in rows(folder, "danag")[0].measures
