"""``python -m lab.benchmarks [NAME ...]``: run benchmarks, print tables, keep a record.

The record is a JSON file below ``--results``. With ``--docs`` every named table is also
written as a CSV file below ``docs``, where the documentation includes it.
"""

from __future__ import annotations

import argparse
import json
import platform
from datetime import datetime, timezone
from importlib import import_module
from pathlib import Path
from typing import Any

from .pages import DATA

#: Each is a module with ``run(options)``, which returns tables.
BENCHMARKS = (
    "speed", "profile", "crawlspeed",
    "comparison", "labels", "metadata", "pagination", "posts", "entries",
    "products", "sitecrawls", "search", "changing_site",
)  # fmt: skip
RESULTS = Path(__file__).parent / "results"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.benchmarks", description=__doc__
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--data", type=Path, default=DATA, help="folder of page sets")
    parser.add_argument("--pages", type=int, help="number of pages, of each set")
    parser.add_argument("--runs", type=int, default=5, help="of each figure")
    parser.add_argument(
        "--index", action="append", default=[], metavar="URL",
        help="search: an empty index of a server to measure, too",
    )  # fmt: skip
    parser.add_argument("--results", type=Path, default=RESULTS, help="of the records")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(BENCHMARKS)}")
    return options


def main() -> None:
    options = parse_arguments()
    record = begin_record(options)
    stamp = record["time"][:19].translate(str.maketrans({"-": "", ":": "", "T": "-"}))
    path = options.results / f"{stamp}.json"
    for name in options.names or BENCHMARKS:
        for table in import_module(f"{__package__}.{name}").run(options):
            print(table, end="\n\n", flush=True)
            record["tables"].append(table.as_dict())
            if options.docs and table.name and table.rows:
                table.write()
        # A failure of the next one loses nothing that is measured.
        options.results.mkdir(exist_ok=True)
        path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"record: {path}")


def begin_record(options: argparse.Namespace) -> dict[str, Any]:
    """Time and machine of the measurements; no tables yet."""
    return {
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "processor": processor(),
        "pages": options.pages,
        "tables": [],
    }


def processor() -> str:
    """The name of the processor, if known."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.processor()


main()
