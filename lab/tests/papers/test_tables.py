"""The papers' tables of results that are written down here, and their measures."""

from __future__ import annotations

import numpy as np
import pytest

from lab.evaluation.page_measures import Row
from lab.papers.measure import score_nodes
from lab.papers.papers import paper_tables
from lab.papers.tables import NO_POST_PROCESS, PaperTable
from tests.extraction.helpers import document_of


def row(
    algorithm: str,
    page: str = "1",
    name: str = "set",
    seconds: float = 0.5,
    **more: float,
) -> Row:
    url = f"http://www.{page}.example/"
    language = "fr" if page == "2" else "en"
    return Row(name, page, url, "", language, algorithm, 9, seconds, measures=more)


def lines_of(tables: list[PaperTable], number: str) -> dict[object, tuple[object, ...]]:
    (table,) = [each for each in tables if each.number == number]
    assert all(len(line) == len(table.head) for line in table.rows)
    return {line[0]: line[1:] for line in table.rows}


def zones(value: float) -> dict[str, float]:
    return {f"zones_{name}": value for name in ("precision", "recall", "f1")}


def test_rae_has_the_better_tag_of_each_page_and_the_pages_with_tags() -> None:
    rows = [
        row("layout-analysis", "1", semantic_tags=1, **zones(0.9)),
        row("layout-analysis", "2", semantic_tags=0, **zones(0.7)),
        row("semantic-markup", "1", semantic_tags=1, **zones(0.2)),
        row("semantic-markup", "2", semantic_tags=0, **zones(0.0)),
        row("semantic-markup:tag=main", "1", semantic_tags=1, **zones(0.6)),
        row("semantic-markup:tag=main", "2", semantic_tags=0, **zones(0.0)),
    ]
    (table,) = paper_tables("rae", rows)
    better = "semantic-markup (better tag)"
    assert [line[:3] for line in table.rows] == [
        ("layout-analysis", "Full", 2),
        (better, "Full", 2),
        ("layout-analysis", "ST only", 1),
        (better, "ST only", 1),
    ]
    assert [line[5] for line in table.rows] == pytest.approx([0.8, 0.3, 0.9, 0.6])


def counts(total: int, common: int, predicted: int, gold: int) -> dict[str, float]:
    values = zip(
        ("total", "common", "predicted", "gold"),
        (total, common, predicted, gold),
        strict=True,
    )
    return {f"two_thirds_{name}": value for name, value in values}


def gce(value: float) -> dict[str, float]:
    names = ("precision", "recall", "f1", "f05")
    lcs = {f"lcs_{name}": value for name in names}
    return lcs | {f"text_nodes_{name}": value / 2 for name in names}


def test_gce_averages_over_languages_each_alike() -> None:
    rows = [
        row("first-impression", page, **gce(v))
        for page, v in zip("132", (0.8, 0.4, 0.2), strict=True)
    ]
    tables = paper_tables("gce", rows)
    assert lines_of(tables, "table-2") == {"en": (2, 0), "fr": (1, 0)}
    lines = lines_of(tables, "table-3")
    assert lines["en"] == pytest.approx((0.6,) * 4 + (0.3,) * 4)
    assert lines["Avg."] == pytest.approx((0.4,) * 4 + (0.2,) * 4)
    figures = {table.number: table.bars for table in tables if table.bars}
    assert figures["figure-6"]["F0.5"]["first-impression"] == pytest.approx(0.4)
    (six,) = [table for table in tables if table.number == "figure-6"]
    assert six.variation["F1"]["first-impression"] == pytest.approx(0.2)
    assert figures["figure-7"]["F1"]["first-impression"] == pytest.approx(0.2)
    assert figures["figure-8a"]["fr"]["first-impression"] == pytest.approx(0.2)
    assert figures["figure-8b"]["fr"]["first-impression"] == pytest.approx(0.1)


def alarte(nodes: float, words: float) -> dict[str, float]:
    names = ("precision", "recall", "f1")
    return {f"node_set_{name}": nodes for name in names} | dict.fromkeys(names, words)


def test_alarte_has_sizes_thresholds_pages_and_the_points_of_figure_2() -> None:
    facts = {"nodes_total": 50, "nodes_gold": 20, "nodes_rated": 30}
    rows = [
        row(f"centroid:c=3:{NO_POST_PROCESS}", **alarte(0.5, 0.6)),
        row("centroid:tr=1.5:hr=6:inner_groups=true", **alarte(0.7, 0.7)),
        row("centroid:tr=1.5:hr=7:inner_groups=true", **alarte(0.7, 0.8)),
        row("centroid:tr=1.5:hr=8:inner_groups=true", **alarte(0.7, 0.8)),
        row("centroid", "1", seconds=0.2, **alarte(0.4, 0.6), **facts),
        row("centroid", "2", seconds=0.4, **alarte(0.6, 0.8), **facts),
    ]
    tables = paper_tables("alarte", rows)
    assert lines_of(tables, "table-1") == {"3": (0.5,) * 3 + (0.6,) * 3 + (0.5,)}
    thresholds = lines_of(tables, "table-2")
    assert list(thresholds) == ["1.5", "No post-process"]
    assert thresholds["1.5"] == ("7, 8", *(0.7,) * 3, *(0.8,) * 3, 0.5)
    pages = lines_of(tables, "table-3")
    assert pages["1"] == (50, 20, 0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 0.2)
    assert pages["Average"] == pytest.approx((50, 20, *[0.5] * 3, *[0.7] * 3, 0.3))
    assert tables[-1].points == {"centroid": [(30, 0.2), (30, 0.4)]}


def test_alarte_compares_by_set_and_by_accuracy() -> None:
    lcs = {"lcs_precision": 0.5, "lcs_recall": 0.7, "lcs_f1": 0.6}
    rows = [
        row("bte", name="a", **lcs, **counts(100, 15, 20, 25)),
        row("bte", name="b", **dict.fromkeys(lcs, 1.0), **counts(100, 5, 10, 15)),
    ]
    tables = paper_tables("alarte", rows)
    found = lines_of(tables, "table-5")["bte"]
    assert found == pytest.approx((0.5, 0.7, 0.6, 1, 1, 1, 0.75, 0.85, 0.8))
    # Of 100 blocks 15 and 5 are found rightly, 5 wrongly and 10 not at all.
    found = lines_of(tables, "table-6")["bte"]
    first, second = (0.85, 15 / 20, 15 / 25, 30 / 45), (0.85, 5 / 10, 5 / 15, 10 / 25)
    assert found == pytest.approx((*first, *second, 0.5))


def mask(*values: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array(values, bool)


def test_elements_are_compared() -> None:
    # 0 html 1 body 2 div 3 h1 4 p 5 b 6 img 7 div 8 p 9 img
    document = document_of(
        "<body><div><h1>T</h1><p>x <b>y</b></p><img></div>"
        "<div><p>z</p><img></div></body>"
    )
    # Found: p and b. Right: the first div with h1, p, b and img.
    assert score_nodes(document, mask(0, 1, 0), mask(1, 1, 0)) == (1.0, 2 / 5)
