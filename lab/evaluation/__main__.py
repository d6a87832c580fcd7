"""Measure algorithms on labelled pages: words, text blocks and structure.

``measure DATA`` measures words, snippets and text blocks; where the main element of a
page is known (``content``), also whether tables, code, lists and headings come out
whole. It prints tables, and writes ``summary.csv``, ``pages.csv`` and ``faults.csv``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lab.evaluation.groups import write_csv, write_summary_csv
from lab.evaluation.run import (
    SUMMARY,
    add_options,
    make_plan,
    read_sets,
    report,
    run_plan,
)
from lab.evaluation.systems import REFERENCES
from lab.papers.systems import SystemSpec
from scrapy_mainpage.evaluation.datasets import DataSetError
from scrapy_mainpage.extraction.algorithms import AlgorithmError, available

from .structure import StructureRow, measure_structure
from .summary import format_structure, summarise_structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.page_measures import Row

FAULTS = "faults.csv"


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.evaluation", description=__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    measure = commands.add_parser("measure", help="words, blocks and structure")
    add_options(measure, "structure-evaluation", help="default: all")
    return parser


def measure(options: argparse.Namespace) -> int:
    """Measure algorithms, print and write their tables; 1 if one failed on a page."""
    labels = (*available(), *REFERENCES)
    if options.algorithms:
        labels = tuple(dict.fromkeys(options.algorithms.split(",")))
    result = run_plan(
        make_plan(read_sets(options), [SystemSpec.parse(label) for label in labels]),
        options.output,
        jobs=options.jobs,
        measure=measure_structure,
    )
    summaries = summarise_structure(result.rows)
    write_summary_csv(summaries, options.output / SUMMARY)
    write_faults(result.rows, options.output / FAULTS)
    return report(result, format_structure(summaries), options.output)


def write_faults(rows: Sequence[Row], path: Path) -> None:
    """One line for each of the first things torn, gone or misplaced on a page."""
    lines = (
        [row.set, row.page, row.url, row.algorithm, fault]
        for row in rows
        if isinstance(row, StructureRow)
        for fault in row.faults
    )
    write_csv(path, ["set", "page", "url", "algorithm", "fault"], lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 2 if the data or the options do not serve."""
    options = make_parser().parse_args(arguments)
    try:
        return measure(options)
    except (DataSetError, AlgorithmError, OSError) as error:
        print(f"python -m lab.evaluation: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
