"""Tables of the papers.

``tables PAPER DATA`` measures the systems of a paper on labelled pages, prints its
tables and writes them and the values of its figures as CSV. ``compare DATA -a A,B``
measures words, snippets and text blocks with any systems; where the main element of a
page is known (``content``), also whether tables, code, lists and headings come out
whole. It writes ``summary.csv``, ``pages.csv`` and ``faults.csv``.
``all DATA`` makes all of these; with ``--quick`` of few pages, in ten minutes.
``install`` installs the systems that are packages of npm; without them they are left
out.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from lab.evaluation import npm
from lab.evaluation.groups import TEXT_HEADS, format_structure
from lab.evaluation.run import add_options, read_sets, report, run_plan
from lab.evaluation.structure import StructureRow
from lab.evaluation.systems import EXTRACTORS, REFERENCES
from lab.tables import write_csv
from lab.zoo.tools import ToolError
from scrapy_mainpage.evaluation.datasets import DataSetError
from scrapy_mainpage.extraction.algorithms import AlgorithmError, available
from scrapy_mainpage.extraction.document.layout import LayoutError

from . import segments
from .measure import HEADS, measure_all, measure_systems
from .papers import PAPERS, paper_tables
from .segments import kim_tables
from .site_level import SITE_SYSTEMS
from .systems import SystemSpec, only_sites, plan_systems
from .tables import CENTROID, format_paper, write_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lab.evaluation.page_measures import Row

    from .tables import PaperTable

KIM: Final = "kim"
FAULTS: Final = "faults.csv"
NAMES: Final = (*PAPERS, KIM)
QUICK_PAGES: Final = 8
"""Pages of each set in a quick run."""

SITE_PAGES: Final = 16
"""The same for the systems that compare the pages of sites."""

NOT_MADE: Final = (
    "illustrations (lab/README.rst), and the systems that are not to be had "
    "(docs/baselines.rst)"
)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.papers", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    tables = commands.add_parser("tables", help="the tables of a paper")
    tables.add_argument("paper", choices=NAMES)
    every = commands.add_parser("all", help="all tables of all papers")
    every.add_argument("--quick", action="store_true", help="of few pages")
    commands.add_parser("install", help="Readability.js and Unfluff, from npm")
    compare = commands.add_parser("compare", help="systems of any paper, side by side")
    for command in (tables, compare, every):
        add_options(
            command,
            "paper-tables",
            help="systems, with options if need be: cetd:variant=CETD-DS,bte; of "
            "compare by default all of the package",
        )
        command.add_argument(
            "--by-site",
            action="store_true",
            help="only sites with four pages or more, as rtdm-td, sst and temex need",
        )
        command.set_defaults(site_pages=None)
        command.add_argument("--folds", type=int, default=10, help="of kim")
        command.add_argument(
            "--runs", type=int, default=1, help="at most, until times are steady"
        )
    return parser


def read_specs(
    paper: str | None, names: str | None, *, by_site: bool
) -> list[SystemSpec]:
    """The systems of a *paper* and those *names*, with commas between them.

    Extractors of the paper that are not installed are left out. Raises
    :exc:`AlgorithmError` for an unknown system or option, and for one that compares
    pages unless *by_site*.
    """
    labels = [*PAPERS[paper].algorithms] if paper else []
    if paper == "alarte" and by_site:
        labels = [*SITE_SYSTEMS, CENTROID]
    for name in [name for name in labels if not is_installed(name)]:
        print(f"{name}: left out, it is not installed (python -m lab.papers install)")
        labels.remove(name)
    if not (paper or names):
        labels = [*available(), *REFERENCES]
    labels += names.split(",") if names else []
    specs = [SystemSpec.parse(label) for label in dict.fromkeys(labels)]
    for spec in specs:
        if spec.is_site_level and not by_site:
            raise AlgorithmError(f"{spec.name!r} compares pages: it needs --by-site")
    return specs


def is_installed(name: str) -> bool:
    """Whether a system can run: an extractor of another package may be missing."""
    return name not in EXTRACTORS or EXTRACTORS[name].version is not None


def install(options: argparse.Namespace) -> int:
    """Install what is in npm."""
    npm.install()
    print(*(f"{name} {version}" for name, version in npm.PACKAGES.items()), sep="\n")
    return 0


def measure(options: argparse.Namespace) -> int:
    """Measure systems and print their tables; 1 if one failed on a page."""
    paper = getattr(options, "paper", None)
    if paper == KIM:
        sets = [s for s in read_sets(options) if any(p.text for p in s.pages)]
        options.output.mkdir(parents=True, exist_ok=True)
        tables = kim_tables(sets, options.folds)
        print(write_paper(KIM, segments.TITLE, tables, options.output))
        return 0
    specs = read_specs(paper, options.algorithms, by_site=options.by_site)
    sets = read_sets(options)
    if options.by_site:
        sets = only_sites(sets, options.site_pages)
    result = run_plan(
        plan_systems(sets, specs, options.runs),
        options.output,
        jobs=options.jobs,
        measure=measure_systems if paper else measure_all,
    )
    if paper:
        found = paper_tables(paper, result.rows)
        text = write_paper(paper, PAPERS[paper].title, found, options.output)
        text = f"{PAPERS[paper].missing}\n\n{text}".strip()
    else:
        text = format_structure(result.summaries, TEXT_HEADS | HEADS)
        write_faults(result.rows, options.output / FAULTS)
    return report(result, text, options.output)


def write_faults(rows: Sequence[Row], path: Path) -> None:
    """One line for each of the first things torn, gone or misplaced on a page."""
    lines = (
        [row.set, row.page, row.url, row.algorithm, fault]
        for row in rows
        if isinstance(row, StructureRow)
        for fault in row.faults
    )
    write_csv(path, [["set", "page", "url", "algorithm", "fault"], *lines])


def write_paper(
    paper: str, title: str, tables: Sequence[PaperTable], folder: Path
) -> str:
    """Write the tables of a paper and the values of its figures; returns the text."""
    for table in tables:
        if table.rows or table.bars or table.points:
            write_table(table, folder / f"{paper}-{table.number}.csv")
    return format_paper(title, tables)


def make_all(options: argparse.Namespace) -> int:
    """The tables of all papers; names what is left out."""
    if options.quick:
        options.limit, options.folds = options.limit or QUICK_PAGES, 2
    sets = read_sets(options)
    has_layout = any(p.layout_json() is not None for s in sets for p in s.pages)
    codes = []
    for paper in NAMES:
        if paper in ("rae", "gce") and not has_layout:
            print(f"{paper}: left out, no page has a layout")
            continue
        print(f"\n== {paper}", flush=True)
        own = argparse.Namespace(**vars(options) | {"paper": paper})
        own.output = options.output / paper
        try:
            codes.append(measure(own))
            if paper == "alarte" and not options.by_site:
                # Whole sites, as a sample has one page of most.
                own.by_site, own.output = True, options.output / "alarte-sites"
                own.limit, own.site_pages = None, SITE_PAGES if options.quick else None
                codes.append(measure(own))
        except (DataSetError, ValueError) as error:
            print(f"{paper}: left out: {error}")
    print("Left out everywhere:", NOT_MADE)
    return max(codes, default=2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 2 if the data or the options do not serve."""
    options = make_parser().parse_args(arguments)
    try:
        commands = {"all": make_all, "install": install}
        return commands.get(options.command, measure)(options)
    except (DataSetError, AlgorithmError, LayoutError, OSError, ToolError) as error:
        print(f"python -m lab.papers: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
