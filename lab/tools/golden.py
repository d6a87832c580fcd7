"""Record all that the extraction gives for many pages, and compare two records.

    python -m lab.tools.golden record DATA OUTPUT [--every N]
    python -m lab.tools.golden compare BEFORE AFTER [--show N]

*DATA* is a folder of labelled pages (``SET/pages.jsonl``, ``SET/html/ID.html.gz``) or
of HTML files. A record is a gzipped file of JSON lines, one a page: text, Markdown,
HTML, labels, metadata, sections, links, media. ``compare`` counts the pages that differ
in each field, shows the first differences, and exits with 1 where it finds any.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_mainpage import extract

if TYPE_CHECKING:
    from collections.abc import Iterator


def find_pages(folder: Path, every: int = 1) -> Iterator[tuple[str, Path, str | None]]:
    """Identifier, file and URL of every *every*-th page of each set below *folder*."""
    for listing in sorted(folder.glob("*/pages.jsonl")):
        lines = listing.read_text("utf-8").rstrip("\n").split("\n")
        for page in map(json.loads, lines[::every]):
            file = listing.parent / "html" / f"{page['id']}.html.gz"
            # Rows of one set may name pages of another.
            if file.exists():
                yield f"{listing.parent.name}/{page['id']}", file, page.get("url")
    for file in sorted(folder.rglob("*.html"))[::every]:
        yield file.relative_to(folder).as_posix(), file, None


def record_page(page: tuple[str, Path, str | None]) -> dict[str, Any]:
    """Every output of the extraction of one page, as plain data."""
    identifier, file, url = page
    html = (
        gzip.decompress(file.read_bytes())
        if file.suffix == ".gz"
        else file.read_bytes()
    )
    extracted = extract(html, url=url or f"https://golden.example/{identifier}")
    data = extracted.as_dict(blocks=True)
    data["sections"] = [asdict(section) for section in extracted.sections]
    data["all_links"] = [asdict(link) for link in extracted.all_links]
    data["comments"] = extracted.comments
    data["labels"] = [str(block.label) for block in extracted.blocks]
    for block in data["blocks"]:
        del block["label"]
        block["score"] = round(block["score"], 4)
    if data["confidence"] is not None:
        data["confidence"] = round(data["confidence"], 4)
    return {"id": identifier, **json.loads(json.dumps(data, default=str))}


def record(folder: Path, output: Path, every: int) -> None:
    """Write the record of the pages below *folder*."""
    with (
        ProcessPoolExecutor() as pool,
        gzip.open(output, "wt", encoding="utf-8") as file,
    ):
        for page in pool.map(record_page, find_pages(folder, every), chunksize=16):
            file.write(json.dumps(page, ensure_ascii=False) + "\n")


def read_record(path: Path) -> dict[str, dict[str, Any]]:
    """The pages of a record, by identifier."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {page["id"]: page for page in map(json.loads, file)}


def compare(before: Path, after: Path, show: int) -> int:
    """Print the differences of two records; the number of fields that differ."""
    old, new = read_record(before), read_record(after)
    counts: Counter[str] = Counter()
    for identifier in sorted(old.keys() | new.keys()):
        left, right = old.get(identifier, {}), new.get(identifier, {})
        for name in sorted(left.keys() | right.keys()):
            if left.get(name) == right.get(name):
                continue
            counts[name] += 1
            if counts[name] <= show:
                print(f"--- {identifier}: {name}")
                print(*difference(left.get(name), right.get(name)), sep="\n")
    print(f"{len(old)} and {len(new)} pages;", dict(counts) or "no differences")
    return sum(counts.values())


def difference(left: Any, right: Any) -> list[str]:
    """The first lines in which two values differ."""
    texts = [
        (
            value
            if isinstance(value, str)
            else json.dumps(value, indent=0, ensure_ascii=False)
        )
        for value in (left, right)
    ]
    lines = difflib.unified_diff(
        *(text.splitlines() for text in texts), lineterm="", n=0
    )
    return [line[:200] for line in list(lines)[2:14]]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("data", type=Path)
    recording.add_argument("output", type=Path)
    recording.add_argument("--every", type=int, default=1)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    if options.command == "record":
        record(options.data, options.output, options.every)
        return 0
    return 1 if compare(options.before, options.after, options.show) else 0


if __name__ == "__main__":
    sys.exit(main())
