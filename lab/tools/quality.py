"""``python -m lab.tools.quality``: fail where quality falls below what is on record.

The pages are recordings of the zoo: documentations, articles, a shop and forums that
real software made of known contents. Words, structure, titles, products and posts are
measured, without the network. The floors are in ``lab/zoo/floors.json``: ``--write``
sets them to what is measured, ``--record DIR`` packs the pages of ``lab.zoo DIR`` anew.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sys
import tarfile
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lab.benchmarks.metadata import judge
from lab.benchmarks.posts import count
from lab.evaluation.groups import SET, STRUCTURE, summarise
from lab.evaluation.run import make_plan, run
from lab.evaluation.structure import measure_structure
from lab.evaluation.systems import AlgorithmSpec
from lab.zoo.content import Content, as_product, as_thread, load_contents
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import load_sets

ZOO = Path(__file__).parent.parent / "zoo"
PAGES, FLOORS = ZOO / "recorded.tar.xz", ZOO / "floors.json"
SLACK = 0.0005
"""Rounding; a single word of a page is more."""
LOSSES = ("gone", "torn", "misplaced", "orphaned")


def measure(folder: Path) -> dict[str, float]:
    """Each measure of the sets in *folder*; of all of them more is better."""
    sets = load_sets(folder)
    plan = make_plan(sets, [AlgorithmSpec.parse("learned")])
    rows = [row for rows in run(plan.tasks, 1, measure_structure) for row in rows]
    found = {
        f"{each.set} {name}": each.measures[name]
        for each in summarise(rows)
        for name in ("f1", "precision", "recall", *STRUCTURE)
        if each.kind == SET and name in each.measures and not name.endswith(LOSSES)
    }
    contents = {content.title: content for content in load_contents()}
    counts: Counter[str] = Counter()
    for each in sets:
        lines = (folder / each.name / "pages.jsonl").read_bytes().splitlines()
        for row, page in zip(map(json.loads, lines), each.pages, strict=True):
            counts += compare(row, page.html(), contents.get(row["title"]))
    names = [name for name in counts if f"of {name}" in counts]
    return found | {name: counts[name] / counts[f"of {name}"] for name in names}


def compare(row: dict[str, Any], html: bytes, content: Content | None) -> Counter[str]:
    """What is right of a page's title and records, and of how many."""
    page = extract(html, url=row["url"])
    counts = Counter({"of titles": 1})
    counts["titles"] = judge("title", row["title"], page.title) == "right"
    if content and (row["type"], content.kind) == ("product", "product"):
        counts["of prices"] = 1
        known = float(as_product(content)["price"])
        counts["prices"] = (
            bool(page.product) and float(page.product.price or 0) == known
        )
    if content and (row["type"], content.kind) == ("forum", "thread"):
        posts = count(as_thread(content)["posts"], page.posts, row["url"])
        counts |= {"posts": posts["found"], "of posts": posts["posts"] + posts["more"]}
        counts |= {"authors": posts["author"], "of authors": posts["authors"]}
    return counts


def pack(folder: Path) -> None:
    """Pack the sets of *folder* as the recordings, each page as it was served."""
    with tarfile.open(PAGES, "w:xz", preset=9) as archive:
        for path in sorted(
            [*folder.glob("zoo-*/*.jsonl"), *folder.glob("zoo-*/html/*")]
        ):
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            name = str(path.relative_to(folder)).removesuffix(".gz")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def main(arguments: list[str] | None = None) -> int:
    """Measure, and compare with the floors; 1 if one is not reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="the floors anew")
    parser.add_argument("--record", type=Path, metavar="DIR", help="the pages anew")
    options = parser.parse_args(arguments)
    if options.record:
        pack(options.record)
    with TemporaryDirectory() as folder, tarfile.open(PAGES) as archive:
        archive.extractall(folder, filter="data")
        found = {name: round(value, 4) for name, value in measure(Path(folder)).items()}
    if options.write:
        FLOORS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    floors = json.loads(FLOORS.read_text("utf-8"))
    low = {name for name in floors if found.get(name, 0) < floors[name] - SLACK}
    for name in found | floors:
        mark = "  LOWER" if name in low else ""
        print(f"{name:32} {found.get(name, 0):.4f} {floors.get(name, 0):.4f}{mark}")
    return int(bool(low))


if __name__ == "__main__":
    sys.exit(main())
