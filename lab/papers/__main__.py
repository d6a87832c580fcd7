"""Tables and figures of the papers.

``tables PAPER DATA`` measures the systems of a paper on labelled pages, prints its
tables and writes them as CSV, its figures as SVG. ``compare DATA -a A,B`` measures
systems. ``figures PAGE`` draws the algorithms at
work on one page, as their papers do.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lab.evaluation.groups import TEXT_HEADS, format_tables
from lab.evaluation.run import add_options, read_sets, report, run_plan
from scrapy_mainpage.evaluation.datasets import DataSetError, read_document
from scrapy_mainpage.extraction.algorithms import AlgorithmError, get_algorithm
from scrapy_mainpage.extraction.document.layout import Layout, LayoutError

from .figures import FIGURES, draw_figures
from .measure import HEADS, measure_systems
from .output import format_paper, write_table
from .papers import PAPERS, paper_tables
from .site_level import SITE_SYSTEMS
from .sites import only_sites, plan_systems
from .systems import SystemSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.run import Evaluation


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.papers", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    tables = commands.add_parser("tables", help="the tables and figures of a paper")
    tables.add_argument("paper", choices=PAPERS)
    compare = commands.add_parser("compare", help="systems of any paper, side by side")
    for command in (tables, compare):
        add_options(
            command,
            "paper-tables",
            required=command is compare,
            help="systems, with options if need be: cetd:variant=CETD-DS,bte",
        )
        command.add_argument(
            "--by-site",
            action="store_true",
            help="only sites with four pages or more, as rtdm-td, sst and temex need",
        )
    figures = commands.add_parser("figures", help="the algorithms at work on a page")
    figures.add_argument("page", type=Path, help="HTML file")
    figures.add_argument("--layout", type=Path, help="layout snapshot of the page")
    figures.add_argument("-a", "--algorithms", metavar="A,B", help="default: all")
    figures.add_argument("-o", "--output", type=Path, default=Path("paper-figures"))
    return parser


def read_specs(
    paper: str | None, names: str | None, *, by_site: bool
) -> list[SystemSpec]:
    """The systems of a *paper* and those *names*, with commas between them.

    Raises :exc:`AlgorithmError` for an unknown system or option, and for one that
    compares pages unless *by_site*.
    """
    labels = [*PAPERS[paper].algorithms] if paper else []
    if paper == "alarte" and by_site:
        labels += SITE_SYSTEMS
    labels += names.split(",") if names else []
    specs = [SystemSpec.parse(label) for label in dict.fromkeys(labels)]
    for spec in specs:
        if spec.is_site_level and not by_site:
            raise AlgorithmError(f"{spec.name!r} compares pages: it needs --by-site")
    return specs


def measure(options: argparse.Namespace) -> int:
    """Measure systems and print their tables; 1 if one failed on a page."""
    paper = getattr(options, "paper", None)
    specs = read_specs(paper, options.algorithms, by_site=options.by_site)
    sets = read_sets(options)
    result = run_plan(
        plan_systems(only_sites(sets) if options.by_site else sets, specs),
        options.output,
        jobs=options.jobs,
        measure=measure_systems,
    )
    if paper:
        tables = write_paper(paper, result, options.output)
    else:
        tables = format_tables(result.summaries, TEXT_HEADS | HEADS)
    return report(result, tables, options.output)


def write_paper(paper: str, result: Evaluation, folder: Path) -> str:
    """Write the tables and figures of a paper; returns them as text."""
    tables = paper_tables(paper, result.rows)
    for table in tables:
        write_table(table, folder / f"{paper}-{table.number}")
    title, missing = PAPERS[paper].title, PAPERS[paper].missing
    return f"{missing}\n\n{format_paper(title, tables)}".strip()


def draw(options: argparse.Namespace) -> int:
    """Write the figures of a page as SVG, and print what they show."""
    document = read_document(options.page.read_bytes(), all_attributes=True)
    layout = None
    if options.layout:
        layout = Layout.from_json(options.layout.read_bytes(), document)
    names = options.algorithms.split(",") if options.algorithms else [*FIGURES]
    options.output.mkdir(parents=True, exist_ok=True)
    for algorithm in map(get_algorithm, names):
        if algorithm.needs_layout and layout is None:
            print(f"{algorithm.name}: only with --layout\n")
            continue
        drawn = draw_figures(document, algorithm, layout)
        print(drawn.title, *drawn.notes, sep="\n")
        for number, figure in enumerate(drawn.figures, 1):
            path = options.output / f"{algorithm.name}-{number}.svg"
            path.write_text(str(figure.svg), "utf-8")
            colours = ", ".join(f"{colour} {name}" for colour, name in figure.legend)
            print(f"{path}: {figure.caption} Colours: {colours}.")
        print()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 2 if the data or the options do not serve."""
    options = make_parser().parse_args(arguments)
    try:
        return draw(options) if options.command == "figures" else measure(options)
    except (DataSetError, AlgorithmError, LayoutError, OSError) as error:
        print(f"python -m lab.papers: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
