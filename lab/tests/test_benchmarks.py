"""The benchmarks run and keep a record."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from argparse import Namespace
from mmap import mmap
from pathlib import Path

import pytest

from lab import ROOT
from lab.benchmarks import comparison, products
from lab.benchmarks.counters import Counters
from lab.benchmarks.profile import STAGES, Profile

#: ``PERF_TYPE_SOFTWARE``, whose events virtual machines have as well.
SOFTWARE = 1
PAGE = b"<main><h1>Bread</h1>" + b"<p>Flour, water, salt, and a night of rest.</p>" * 50


def test_speed_leaves_a_record_of_generated_pages(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lab.benchmarks", "speed", "--runs=1", "--pages=3"]
    folders = [f"--data={tmp_path / 'data'}", f"--results={tmp_path / 'results'}"]
    done = subprocess.run(
        [*command, *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (record,) = (tmp_path / "results").glob("*.json")
    tables = json.loads(record.read_text())["tables"]
    extractors = {row["ms from bytes to text"]: row for row in tables[0]["rows"]}
    assert extractors["learned"]["pages"] == 3
    assert extractors["learned"]["failed"] == 0
    assert extractors["learned"]["/ parse"] > 0
    assert "3 GENERATED pages" in done.stdout


def test_the_stages_of_the_profile_are_parts_of_the_whole() -> None:
    profile = Profile()
    ms = dict(zip(STAGES, profile.measure([PAGE], 5, is_cold=False)[:, 0], strict=True))
    parts = [ms[name] for name in ("parse", "walk", "features", "selection", "text")]
    assert min(parts) > 0
    assert sum(parts) < 1.5 * ms["bytes to text"]


@pytest.mark.skipif(sys.platform != "linux", reason="the counters are those of Linux")
def test_a_counter_counts_what_the_kernel_offers() -> None:
    counters = Counters({"page faults": 2, "unknown": 1 << 40}, SOFTWARE)
    if not counters.names:
        pytest.skip("the kernel has no counters for this user")
    assert counters.names == ("page faults",)
    (before,) = counters.read()
    with mmap(-1, 1 << 20) as fresh:  # the heap may have room that was used before
        fresh.write(bytes(1 << 20))
    assert counters.read()[0] > before


def test_a_missing_folder_of_labelled_pages_is_reported(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lab.benchmarks", "peers", f"--data={tmp_path}"]
    done = subprocess.run(
        [*command, f"--results={tmp_path / 'results'}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "NOTHING MEASURED" in done.stdout


def test_tables_of_the_comparison_have_the_figures_of_the_model() -> None:
    said = "python -m lab.benchmarks comparison --docs writes the figures anew"
    tables = comparison.run(Namespace(docs=False))
    readme = (ROOT / "README.rst").read_text("utf-8")
    assert comparison.readme_table(tables[0]) in readme, said
    for table in tables:
        path = comparison.TABLES / f"{table.name.removeprefix('evaluation-')}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            assert list(csv.reader(file)) == [table.header, *table.rows], said


def test_products_are_judged_without_what_they_declare(tmp_path: Path) -> None:
    pytest.importorskip("extruct")
    node = {"@type": "Product", "name": "Lamp", "sku": "L-77", "mpn": "hidden-1",
            "offers": {"price": "49.50", "priceCurrency": "EUR"}}  # fmt: skip
    html = (
        f"""<title>Lamp</title><meta property="og:title" content=Other>
    <script type="application/ld+json">{json.dumps(node)}</script>
    <main itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Lamp</h1>
    <p>€49.50</p><button>Add to cart</button><p>SKU: L-78</p>"""
        + "<p>Text. " * 50
    )
    page = products.LabelledPage("1", "https://shop.example/lamp", tmp_path)
    truth = products.read_truth(html, page.url)
    assert truth is not None
    left = products.taken_out(html.encode())
    assert not any(mark in left for mark in ("ld+json", "itemprop", "itemtype", "og:"))
    verdicts = {field: own for field, *own in
                products.Case(page, html.encode(), truth).verdicts()}  # fmt: skip
    assert verdicts["price"] == ["right", "right"]
    assert verdicts["mpn"] == ["hidden", "right"]
    assert verdicts["sku"][1] == "right"
