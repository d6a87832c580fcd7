"""The papers' tables of results that are written down here."""

from __future__ import annotations

import pytest

from lab.evaluation.page_measures import Row
from lab.papers.papers import PAPERS, paper_tables
from lab.papers.systems import SystemSpec
from lab.papers.tables import NO_POST_PROCESS, PaperTable


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


@pytest.mark.parametrize("name", PAPERS)
def test_the_systems_of_a_paper_are_known(name: str) -> None:
    labels = [SystemSpec.parse(label).label for label in PAPERS[name].algorithms]
    assert len(labels) == len(set(labels)) > 1


@pytest.mark.parametrize("name", PAPERS)
def test_without_a_result_the_tables_are_empty(name: str) -> None:
    assert not any(
        cell for table in paper_tables(name, []) for line in table.rows for cell in line
    )


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
    return {f"blocks_{name}": value for name, value in values}


def test_kim_counts_records_and_scores_the_main_class_over_all() -> None:
    rows = [
        row("boilerpipe-numwords", "1", **counts(60, 5, 10, 10)),
        row("boilerpipe-numwords", "2", **counts(40, 5, 10, 10)),
        row("text-block-context", "1", **counts(60, 9, 9, 10)),
        row("text-block-context", "2", **counts(40, 9, 9, 10)),
    ]
    tables = paper_tables("kim", rows)
    records = lines_of(tables, "table-2")["set"]
    assert records == (2, 100, 50.0, 20, 0.2, 10.0, 80, 0.8, 40.0)
    scores = lines_of(tables, "table-3")
    assert scores["boilerpipe-numwords"] == (0.5, 0.5, 0.5)
    assert scores["text-block-context"] == pytest.approx((1.0, 0.9, 36 / 38))
    assert tables[1].bars["set"]["boilerpipe-numwords"] == 0.5


def test_danag_is_by_web_site_and_by_subsequences() -> None:
    rows = [
        row("danag", page, lcs_f1=value) for page, value in (("1", 0.2), ("2", 0.4))
    ]
    tables = paper_tables("danag", rows)
    corpus = lines_of(tables, "table-1")
    assert corpus == {"1.example": (1, "en"), "2.example": (1, "fr")}
    assert lines_of(tables, "table-2") == {"danag": (0.2, 0.4)}


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
    lines = {line[1]: line[2:] for line in tables[0].rows}
    assert lines["en"] == pytest.approx((0.6,) * 4 + (0.3,) * 4)
    assert lines["Avg."] == pytest.approx((0.4,) * 4 + (0.2,) * 4)
    figures = {table.number: table.bars for table in tables if table.bars}
    assert figures["figure-6"]["F0.5"]["first-impression"] == pytest.approx(0.4)
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
        row("centroid:tr=1.5:hr=7", **alarte(0.7, 0.8)),
        row("centroid", "1", seconds=0.2, **alarte(0.4, 0.6), **facts),
        row("centroid", "2", seconds=0.4, **alarte(0.6, 0.8), **facts),
    ]
    tables = paper_tables("alarte", rows)
    assert lines_of(tables, "table-1") == {"3": (0.5,) * 3 + (0.6,) * 3 + (0.5,)}
    thresholds = lines_of(tables, "table-2")
    assert list(thresholds) == ["1.5", "No post-process"]
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
    # 200 blocks, of which 20 are found rightly, 10 wrongly and 20 not at all.
    found = lines_of(tables, "table-6")["bte"]
    assert found == pytest.approx((170 / 200, 20 / 30, 20 / 40, 40 / 70, 0.5))


def test_a_page_that_was_not_read_counts_for_nobody() -> None:
    unread = Row(
        "k", "set", "9", "http://9.example", "", "", "danag", error="not read: x"
    )
    tables = paper_tables("danag", [row("danag", lcs_f1=1.0), unread])
    assert list(lines_of(tables, "table-1")) == ["1.example"]
