"""``python -m benchmarks [NAME ...]``: run benchmarks, print tables, keep a record."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from . import (
    batch,
    crawl,
    crawlspeed,
    document,
    documentation,
    duplicates,
    filtering,
    growth,
    hostile,
    indexes,
    indexing,
    languages,
    looplag,
    memorygrowth,
    peers,
    quality,
    rendering,
    rendermemory,
    roles,
    sharedcrawl,
    speed,
    stages,
    startup,
)
from .pages import DATA
from .tables import Table

BENCHMARKS: dict[str, Callable[[argparse.Namespace], list[Table]]] = {
    "document": document.run,
    "algorithms": stages.run,
    "growth": growth.run,
    "hostile": hostile.run,
    "quality": quality.run,
    "roles": roles.run,
    "peers": peers.run,
    "crawl": crawl.run,
    "documentation": documentation.run,
    "duplicates": duplicates.run,
    "filter": filtering.run,
    "languages": languages.run,
    "looplag": looplag.run,
    "memorygrowth": memorygrowth.run,
    "indexes": indexes.run,
    "indexing": indexing.run,
    "rendering": rendering.run,
    "rendermemory": rendermemory.run,
    "speed": speed.run,
    "crawlspeed": crawlspeed.run,
    "startup": startup.run,
    "batch": batch.run,
    "sharedcrawl": sharedcrawl.run,
}
MOST_PAGES = 300
#: Scores in documents are of all pages, and results are kept; sites that are made have
#: a size of their own.
MEASURE_ALL = {
    "peers", "filter", "languages", "indexes", "indexing", "rendering", "rendermemory",
    "speed", "crawlspeed", "memorygrowth", "batch",
    "sharedcrawl",
}  # fmt: skip
RESULTS = Path(__file__).parent / "results"
#: From a time to the name of a file.
NO_MARKS = str.maketrans({"-": "", ":": "", "T": "-"})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--data", type=Path, default=DATA, help="folder of page sets")
    parser.add_argument("--pages", type=int, help=help_of_pages())
    parser.add_argument("--rounds", type=int, default=3, help="best of so many counts")
    parser.add_argument("--runs", type=int, default=5, help="speed: of each page")
    parser.add_argument("--repeats", type=int, default=3, help="crawlspeed: crawls")
    parser.add_argument(
        "--counted",
        type=int,
        default=20,
        help="speed: pages whose instructions Valgrind counts, 0 for none",
    )
    parser.add_argument("--kills", type=int, default=3, help="SIGKILLs of a crawl")
    parser.add_argument(
        "--hosts", action="store_true", help="rendering: a host for each template"
    )
    parser.add_argument(
        "--details", type=Path, help="rendering: CSV file for a line per page"
    )
    parser.add_argument(
        "--picture", type=Path, help="filter: SVG file of what limits drop"
    )
    parser.add_argument(
        "--index",
        action="append",
        default=[],
        metavar="URL",
        help="indexes, indexing: an empty index of a server to measure, too",
    )
    parser.add_argument(
        "--docs",
        action="store_true",
        help="write docs/speed and docs/capacity of what is measured",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="of the records")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - BENCHMARKS.keys())
    if unknown:
        parser.error(
            f"unknown: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}"
        )
    return options


def help_of_pages() -> str:
    made = f"rendering: {rendering.PAGES}, rendermemory: {rendermemory.PAGES}"
    made += f", memorygrowth: {memorygrowth.PAGES}"
    made += f", sharedcrawl: {sharedcrawl.PAGES}"
    made += f", indexes: {indexes.DOCUMENTS} documents, indexing: {indexing.PAGES}"
    return f"pages of a set at most ({MOST_PAGES}; peers: all; {made})"


def main() -> None:
    options = arguments()
    record = begin_record(options)
    path = options.results / f"{record['time']:.19}.json".translate(NO_MARKS)
    for name in options.names or BENCHMARKS:
        most = None if name in MEASURE_ALL else MOST_PAGES
        given = vars(options) | {"pages": options.pages or most}
        for table in BENCHMARKS[name](argparse.Namespace(**given)):
            print(table, end="\n\n", flush=True)
            record["tables"].append(table.as_dict())
        # What is measured is kept, should the next one fail.
        options.results.mkdir(exist_ok=True)
        path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"record: {path}")
    if options.docs:
        from . import batchdocs, speeddocs

        written = speeddocs.write_docs(record) + batchdocs.write_docs(record)
        print(f"documentation: {', '.join(written)}")


def begin_record(options: argparse.Namespace) -> dict[str, Any]:
    """When and on what it is measured; there are no tables yet."""
    return {
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "processor": processor(),
        "pages": options.pages,
        "tables": [],
    }


def processor() -> str:
    """The name of the processor, where it can be told."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.processor()


main()
