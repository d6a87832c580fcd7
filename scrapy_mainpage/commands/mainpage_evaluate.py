"""``scrapy mainpage-evaluate DATA_DIR``: measure algorithms on labelled pages.

Scrapy imports it for every command, so the extra that evaluation needs is imported in
``run``.
"""

from __future__ import annotations

import os
import shlex
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    INTERRUPTED,
    NOT_POSSIBLE,
    ToolCommand,
    show,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.evaluation.datasets import DataSet
    from scrapy_mainpage.evaluation.specs import AlgorithmSpec


MAX_SHOWN_FAILURES = 10

_EXTRA = {"jinja2", "markdown_it", "matplotlib", "rapidfuzz", "tqdm"}


class Command(ToolCommand):
    """Measure algorithms.

    Exit code 1 if a page or an algorithm failed, 2 if the data or the options do not
    serve.
    """

    arguments = "[options] <data_dir>"
    summary = "Measure main content algorithms on labelled pages"
    description = (
        "Measure algorithms on a set of labelled pages, or on a folder of sets: "
        "words, longest common subsequence, text blocks, DOM nodes, snippets; and "
        "tables, code, lists and headings where the main element is known. The "
        "results are printed as a table and written to a folder, as CSV and as a "
        "web page with plots. A run that was stopped goes on when it is started "
        "again. Needs the extra 'evaluation'."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "-a",
            "--algorithms",
            metavar="A,B",
            help="names, each with options if need be: danag,danag:whole_area=false "
            "(default: all algorithms, all-text and perfect-blocks)",
        )
        parser.add_argument(
            "--paper",
            choices=("rae", "kim", "danag", "gce", "alarte"),
            help="print the tables of this paper, with its systems and those of -a",
        )
        parser.add_argument(
            "-o",
            "--output",
            metavar="DIR",
            default="mainpage-evaluation",
            help="folder of the results (default: mainpage-evaluation)",
        )
        parser.add_argument(
            "-j",
            "--jobs",
            type=int,
            default=os.cpu_count() or 1,
            help="processes (default: one per processor)",
        )
        parser.add_argument(
            "--sets", metavar="A,B", help="only these sets of the folder"
        )
        parser.add_argument(
            "--by-site",
            action="store_true",
            help="measure the sites with four pages or more, also with the systems "
            "that compare the pages of a site: rtdm-td, sst, temex",
        )
        parser.add_argument("--limit", type=int, metavar="N", help="N pages per set")
        parser.add_argument(
            "--reports",
            type=int,
            metavar="N",
            default=0,
            help="write visual reports of the N worst pages per set and algorithm",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Measure, print the table and set the exit code."""
        if len(args) != 1:
            raise UsageError("one folder of labelled pages is needed")
        limit = 1 if opts.limit is None else opts.limit
        if opts.jobs < 1 or opts.reports < 0 or limit < 1:
            raise UsageError("--jobs, --limit and --reports must be positive")
        try:
            self._evaluate(Path(args[0]), opts)
        except ModuleNotFoundError as error:
            if error.name not in _EXTRA:
                raise
            hint = "pip install 'scrapy-mainpage[evaluation]'"
            self._end(NOT_POSSIBLE, f"{error.name} is not installed: {hint}")
        except KeyboardInterrupt:
            self._end(INTERRUPTED, "stopped; the same command goes on from here")

    def _evaluate(self, folder: Path, opts: argparse.Namespace) -> None:
        from scrapy_mainpage.evaluation.datasets import DataSetError
        from scrapy_mainpage.evaluation.evaluate import WEBPAGE, evaluate
        from scrapy_mainpage.evaluation.papers import PAPERS
        from scrapy_mainpage.evaluation.tables import format_paper, format_tables
        from scrapy_mainpage.extraction.algorithms import AlgorithmError

        output = Path(opts.output)
        try:
            result = evaluate(
                _sets(folder, opts),
                _specs(opts),
                output,
                jobs=opts.jobs,
                reports=opts.reports,
                command=_command_line(folder, opts),
                paper=opts.paper,
            )
        except (DataSetError, AlgorithmError) as error:
            self._end(NOT_POSSIBLE, str(error))
            return
        except OSError as error:
            self._end(NOT_POSSIBLE, f"{error.filename}: {error.strerror}")
            return
        tables = format_tables(result.summaries)
        if opts.paper:
            tables = format_paper(PAPERS[opts.paper].title, result.tables)
        show("\n".join([*result.skipped, "", tables]).strip())
        failed = [row for row in result.rows if row.error]
        print(f"\n{len(result.rows)} results, {len(failed)} failed: {output / WEBPAGE}")
        if failed:
            # A page that cannot be read fails with every algorithm.
            lines = dict.fromkeys(
                f"{row.set}/{row.page}: {row.error}" for row in failed
            )
            shown = "\n  ".join(islice(lines, MAX_SHOWN_FAILURES))
            self._end(INCOMPLETE, f"{len(failed)} failed, the first ones:\n  {shown}")

    def _end(self, exitcode: int, message: str) -> None:
        self.end(exitcode, f"scrapy mainpage-evaluate: {message}")


def _sets(folder: Path, opts: argparse.Namespace) -> list[DataSet]:
    from scrapy_mainpage.evaluation.datasets import load_sets, only_sites
    from scrapy_mainpage.evaluation.evaluate import sample

    sets = load_sets(folder, opts.sets)
    if opts.limit:
        sets = [sample(data_set, opts.limit) for data_set in sets]
    return only_sites(sets) if opts.by_site else sets


def _specs(opts: argparse.Namespace) -> list[AlgorithmSpec]:
    from scrapy_mainpage.evaluation.papers import PAPERS
    from scrapy_mainpage.evaluation.specs import AlgorithmSpec, default_specs
    from scrapy_mainpage.extraction.algorithms import AlgorithmError
    from scrapy_mainpage.extraction.site_level import SITE_SYSTEMS

    names, paper = opts.algorithms, opts.paper
    if names is None and paper is None:
        return default_specs(by_site=opts.by_site)
    labels = [*PAPERS[paper].algorithms] if paper else []
    if paper == "alarte" and opts.by_site:
        labels += SITE_SYSTEMS
    labels += names.split(",") if names else []
    specs = [AlgorithmSpec.parse(label) for label in dict.fromkeys(labels)]
    for spec in specs:
        if spec.is_site_level and not opts.by_site:
            raise AlgorithmError(f"{spec.name!r} compares pages: it needs --by-site")
    return specs


def _command_line(folder: Path, opts: argparse.Namespace) -> str:
    """The command to repeat the run, without options that do not change results."""
    words = ["scrapy", "mainpage-evaluate", str(folder)]
    for name in ("algorithms", "paper", "sets", "limit"):
        if (value := getattr(opts, name)) is not None:
            words += [f"--{name}", str(value)]
    words += ["--by-site"] if opts.by_site else []
    return shlex.join(words)
