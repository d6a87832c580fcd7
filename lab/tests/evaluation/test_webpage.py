"""The page of results: whole, and safe whatever names and addresses hold."""

from __future__ import annotations

import base64
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from lxml import etree
from parsel import Selector

from lab.evaluation.__main__ import main
from lab.evaluation.measure import StructureRow
from lab.evaluation.summary import summarise_structure
from lab.evaluation.webpage import Facts, write_webpage
from scrapy_mainpage.evaluation.measure import NOT_READ, Row
from scrapy_mainpage.evaluation.run import ResultsFile

FACTS = Facts("results", "1.2", "2026-01-02")


def rows(
    name: str = "birds", url: str = "https://e.example/", count: int = 6
) -> list[Row]:
    return [
        Row(
            f"{algorithm}{i}",
            name,
            f"p{i}",
            url,
            ("article", "forum")[i % 2],
            "en",
            algorithm,
            measures={"precision": 1.0, "recall": i / 10, "f1": i / 10},
        )
        for algorithm in ("danag", "centroid", "all-text", "perfect-blocks")
        for i in range(count)
    ]


def page(results: list[Row], folder: Path, facts: Facts = FACTS) -> Selector:
    return Selector(write_webpage(results, summarise_structure(results), facts, folder))


def cells(page: Selector, row: str) -> list[str]:
    return page.xpath(f"({row})[1]/td").xpath("string()").getall()


def test_it_says_how_it_was_made(tmp_path: Path) -> None:
    text = page(rows(), tmp_path).xpath("string(//body)").get("")
    for fact in ("results", "1.2", "2026-01-02"):
        assert fact in text


def test_each_set_has_a_table_with_the_best_of_the_algorithms_marked(
    tmp_path: Path,
) -> None:
    results = [row for row in rows() if row.algorithm != "centroid"]
    shown = page(results, tmp_path)
    assert shown.xpath("//h2/text()").getall() == ["birds"]
    line = cells(shown, "//h2/following::tr[td[1]='danag']")
    assert line == ["danag", "6", "", "0.0", "1.000", "0.250", "0.250"]
    best = shown.xpath("//td[@class='best']/../td[1]").xpath("string()").getall()
    assert set(best) == {"danag"}


def test_the_mean_of_sets_counts_each_alike(tmp_path: Path) -> None:
    results = [*rows(count=2), *rows("fish", count=10)]
    only = [row for row in rows("moss") if row.algorithm == "danag"]
    line = cells(page(results, tmp_path), "//tr[td[1]='danag']")
    assert line == ["danag", "0.050", "0.450", "0.250"]
    line = cells(page([*results, *only], tmp_path), "//tr[td[1]='centroid']")
    assert line == ["centroid", "0.050", "0.450", "", ""]


def test_plots_are_whole_svg_images_inside_the_page(tmp_path: Path) -> None:
    sources = page(rows(count=12), tmp_path).xpath("//img/@src").getall()
    assert len(sources) == 2  # by type; the distribution
    for source in sources:
        kind, _, data = source.partition(",")
        assert kind == "data:image/svg+xml;base64"
        svg = etree.fromstring(base64.b64decode(data))
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"
        assert "danag" in "".join(svg.itertext())


def test_it_explains_the_measures_that_it_shows(tmp_path: Path) -> None:
    terms = page(rows(), tmp_path).xpath("//dt/text()").getall()
    assert terms == ["words", "ms", "all-text", "perfect-blocks"]


def test_groups_of_very_few_pages_have_no_bar(tmp_path: Path) -> None:
    results = [
        replace(row, type="moss") if row.page == "p0" else row for row in rows(count=12)
    ]
    plot = page(results, tmp_path).xpath("//h3[contains(., 'by type')]/following::img")
    data = plot.xpath("@src").get("").partition(",")[2]
    text = "".join(etree.fromstring(base64.b64decode(data)).itertext())
    assert "forum" in text
    assert "other" not in text


def test_the_worst_pages_come_first_with_what_perfect_blocks_would_give(
    tmp_path: Path,
) -> None:
    shown = page(rows(count=30), tmp_path)
    table, first_open = shown.xpath("//h2/following::table")[:2]
    assert first_open.xpath("ancestor::details/@open")
    assert "danag" in table.xpath("string()").get("")
    worst = shown.xpath("//details[summary='worst pages of danag']//tr[td]")
    assert len(worst) == 10
    first = worst[1].xpath("td").xpath("string()").getall()
    assert first == [
        *("p1", "https://e.example/", "forum"),
        *("0.100", "1.000", "0.100", "0.100"),
    ]


def test_without_a_known_text_the_worst_pages_are_those_with_wrong_snippets(
    tmp_path: Path,
) -> None:
    counts = {"snippets_required": 6, "snippets_found": 6, "snippets_forbidden": 4}
    results = [
        replace(row, measures={**counts, "snippets_absent": int(row.page[1:]) % 5})
        for row in rows()
        if row.algorithm == "danag"
    ]
    worst = page(results, tmp_path).xpath(
        "//details[starts-with(summary, 'worst')]//tr"
    )
    assert worst[0].xpath("th[last()]/text()").get() == "snippets right"
    found = [row.xpath("td/text()").getall() for row in worst[1:3]]
    assert [(cells[0], cells[-1]) for cells in found] == [
        ("p0", "0.600"),
        ("p5", "0.600"),
    ]


def torn_rows() -> list[Row]:
    """Pages of two sites on which danag tears more and more, and centroid nothing."""
    results: list[Row] = []
    for row in rows(count=12):
        i = int(row.page[1:])
        torn = i if row.algorithm == "danag" else 0
        counts = {"tables": 12, "tables_whole": 12 - torn, "tables_torn": torn}
        counts |= {"paragraphs": 4, "paragraphs_orphaned": bool(torn), "faults": torn}
        url = f"https://{('a', 'b')[i % 2]}.example/"
        faults = [f"tables torn: {k} <b>" for k in range(torn)]
        measures = row.measures | counts
        known = asdict(row) | {"url": url, "measures": measures}
        results.append(StructureRow(**known, faults=faults))
    return results


def test_structures_have_a_plot_and_tables_of_all_pages_and_by_site(
    tmp_path: Path,
) -> None:
    shown = page(torn_rows(), tmp_path)
    title = "//h3[.='Tables, code, lists and headings']"
    assert shown.xpath(f"{title}/following::p[1]/text()").get() == (
        "144 tables, 48 paragraphs"
    )
    source = shown.xpath(f"{title}/following::img[1]/@src").get("")
    svg = etree.fromstring(base64.b64decode(source.partition(",")[2]))
    assert "not orphaned" in "".join(svg.itertext())
    line = cells(shown, f"{title}/following::tr[td[1]='danag']")
    assert line[4:] == ["0.550", "0.542", "0.458", "0.000", "0.229"]
    best = shown.xpath(f"{title}/following::table[1]//td[@class='best']")
    assert len(best) == 3  # F1 of both; tables of centroid
    groups = shown.xpath("//details[summary='by site']//tr[@class='group']")
    names = groups.xpath("string()").getall()
    assert names == ["a.example", "b.example", "mean"]


def test_the_pages_that_are_torn_most_come_first_with_what_is_torn(
    tmp_path: Path,
) -> None:
    shown = page(torn_rows(), tmp_path)
    torn = shown.xpath("//details[summary='what danag tears']//tr[td]")
    assert len(torn) == 10
    assert torn[0].xpath("td").xpath("string()").getall()[:3] == [
        *("p11", "https://b.example/", "11")
    ]
    faults = torn[0].xpath("td[4]/text()").getall()
    assert faults == [f"tables torn: {k} <b>" for k in range(5)]
    assert not shown.xpath("//details[summary='what centroid tears']")


def test_without_structures_there_is_no_such_part(tmp_path: Path) -> None:
    assert not page(rows(), tmp_path).xpath("//h3[starts-with(., 'Tables')]")


def test_a_visual_report_that_is_there_is_linked_to(tmp_path: Path) -> None:
    report = tmp_path / "reports" / "birds" / "danag" / "p2.html"
    report.parent.mkdir(parents=True)
    report.touch()
    links = page(rows(), tmp_path).xpath("//td/a/@href").getall()
    assert [link for link in links if "e.example" not in link] == [
        "reports/birds/danag/p2.html"
    ]


def test_nothing_runs_and_nothing_is_loaded(tmp_path: Path) -> None:
    shown = page(rows(), tmp_path)
    policy = shown.xpath("//meta[@http-equiv]/@content").get("")
    assert "default-src 'none'" in policy
    assert not shown.xpath("//script | //link | //iframe | //@onclick")


def test_names_and_addresses_are_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>&\"'"
    shown = page(
        rows(name=evil, url="javascript:alert(1)"),
        tmp_path,
        Facts(evil, evil, evil),
    )
    assert not shown.xpath("//script | //td//a")
    assert shown.xpath("//h2/text()").get() == evil
    assert shown.xpath("//code/text()").get() == evil


def test_failures_are_listed(tmp_path: Path) -> None:
    failed = Row("k", "birds", "p", "", "", "", "danag", error="RuntimeError: odd <b>")
    unread = Row("l", "birds", "q", "", "", "", "danag", error=NOT_READ + "gone")
    shown = page([*rows(), failed, unread], tmp_path)
    text = shown.xpath("string(//h2[.='Failures']/following-sibling::p)").get("")
    assert text.startswith("2 results failed, 1 of them since the page could not be")
    assert shown.xpath("//td[.='RuntimeError: odd <b>']")


def test_no_results_are_a_page_too(tmp_path: Path) -> None:
    assert page([], tmp_path).xpath("//h1")


def test_the_folder_of_the_command_becomes_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["page", str(tmp_path)]) == 2
    assert "no results.jsonl in" in capsys.readouterr().err
    ResultsFile(tmp_path / "results.jsonl").add(rows())
    assert main(["page", str(tmp_path)]) == 0
    shown = Selector((tmp_path / "index.html").read_text("utf-8"))
    assert shown.xpath("//h2/text()").getall() == ["birds"]
    assert capsys.readouterr().out == f"{tmp_path / 'index.html'}\n"
