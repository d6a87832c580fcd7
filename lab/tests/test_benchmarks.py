"""The benchmarks run and keep a record."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

from lab import ROOT
from lab.benchmarks import comparison, products


def test_speed_leaves_a_record_without_labelled_pages(
    tmp_path: Path,
) -> None:
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
    assert "3 RECORDED pages" in done.stdout


def test_tables_of_the_comparison_have_the_figures_of_the_model() -> None:
    said = "python -m lab.benchmarks comparison --docs writes the figures anew"
    tables = comparison.run(Namespace(docs=False))
    readme = (ROOT / "README.rst").read_text("utf-8")
    assert comparison.readme_table(tables[0]) in readme, said
    for table in tables:
        path = comparison.TABLES / f"{table.name.removeprefix('evaluation-')}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            assert list(csv.reader(file)) == [table.header, *table.rows], said


def test_products_are_judged_without_what_they_declare() -> None:
    node = {"@type": "Product", "name": "Lamp", "sku": "L-77", "mpn": "hidden-1",
            "offers": {"price": "49.50", "priceCurrency": "EUR"}}  # fmt: skip
    html = (
        f"""<title>Lamp</title><meta property="og:title" content=Other>
    <script type="application/ld+json">{json.dumps(node)}</script>
    <main itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Lamp</h1>
    <p>€49.50</p><button>Add to cart</button><p>SKU: L-78</p>"""
        + "<p>Text. " * 50
    )
    url = "https://shop.example/lamp"
    truth = products.read_truth(html, url)
    assert truth is not None
    left = products.taken_out(html.encode())
    assert not any(mark in left for mark in ("ld+json", "itemprop", "itemtype", "og:"))
    verdicts = dict(products.verdicts(html.encode(), url, truth))
    assert verdicts["price"] == "right"
    assert verdicts["mpn"] == "hidden"
