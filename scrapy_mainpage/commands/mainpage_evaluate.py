"""``scrapy mainpage-evaluate DATA_DIR``: measure algorithms on labelled pages.

Scrapy imports it for every command, so the extra that evaluation needs is imported in
``run``.
"""

from __future__ import annotations

import os
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

_EXTRA = {"jinja2", "rapidfuzz", "tqdm"}


class Command(ToolCommand):
    """Measure algorithms.

    Exit code 1 if a page or an algorithm failed, 2 if the data or the options do not
    serve.
    """

    arguments = "[options] <data_dir>"
    summary = "Measure main content algorithms on labelled pages"
    description = (
        "Measure algorithms on a set of labelled pages, or on a folder of sets: "
        "words, text blocks and snippets. The results are printed as a table, with the "
        "worst pages, and written to a folder as CSV. A run that was stopped goes on "
        "when it is started again. Needs the extra 'evaluation'."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add(
            "-a",
            "--algorithms",
            metavar="A,B",
            help="names, each with options if need be: danag,danag:whole_area=false "
            "(default: all algorithms, all-text and perfect-blocks)",
        )
        add(
            "-o",
            "--output",
            metavar="DIR",
            default="mainpage-evaluation",
            help="folder of the results (default: mainpage-evaluation)",
        )
        add(
            "-j",
            "--jobs",
            type=int,
            default=os.cpu_count() or 1,
            help="processes (default: one per processor)",
        )
        add(
            "--rules",
            metavar="DIR",
            help="measure each algorithm again with the rules of sites in this folder",
        )
        add("--sets", metavar="A,B", help="only these sets of the folder")
        add("--limit", type=int, metavar="N", help="N pages per set")
        add(
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
            self.end_without("evaluation", error)
        except KeyboardInterrupt:
            self.end(INTERRUPTED, "stopped; the same command goes on from here")

    def _evaluate(self, folder: Path, opts: argparse.Namespace) -> None:
        from scrapy_mainpage.evaluation.datasets import DataSetError
        from scrapy_mainpage.evaluation.run import make_plan, run_plan
        from scrapy_mainpage.evaluation.tables import format_tables, format_worst
        from scrapy_mainpage.extraction.algorithms import AlgorithmError

        output = Path(opts.output)
        try:
            sets, specs = _sets(folder, opts), _specs(opts)
            plan = make_plan(sets, specs)
            result = run_plan(plan, output, jobs=opts.jobs, reports=opts.reports)
        except (DataSetError, AlgorithmError) as error:
            self.end(NOT_POSSIBLE, str(error))
            return
        except OSError as error:
            self.end(NOT_POSSIBLE, f"{error.filename}: {error.strerror}")
            return
        tables = format_tables(result.summaries)
        own = [spec.label for spec in specs if not spec.is_reference]
        worst = format_worst(result.rows, own, output)
        show("\n".join([*result.skipped, "", tables, "", worst]).strip())
        failed = [row for row in result.rows if row.error]
        print(f"\n{len(result.rows)} results, {len(failed)} failed: {output}")
        if failed:
            # A page that cannot be read fails with every algorithm.
            lines = dict.fromkeys(
                f"{row.set}/{row.page}: {row.error}" for row in failed
            )
            self.end(INCOMPLETE, f"{len(failed)} failed, the first ones:")
            for line in islice(lines, MAX_SHOWN_FAILURES):
                self.warn(line)


def _sets(folder: Path, opts: argparse.Namespace) -> list[DataSet]:
    from scrapy_mainpage.evaluation.datasets import load_sets, sample

    sets = load_sets(folder, opts.sets)
    return [sample(data_set, opts.limit) for data_set in sets] if opts.limit else sets


def _specs(opts: argparse.Namespace) -> list[AlgorithmSpec]:
    from scrapy_mainpage.evaluation.specs import AlgorithmSpec, default_specs

    specs = default_specs()
    if opts.algorithms is not None:
        labels = dict.fromkeys(opts.algorithms.split(","))
        specs = [AlgorithmSpec.parse(label) for label in labels]
    ruled = [s for s in specs if opts.rules and not (s.is_reference or s.is_extractor)]
    return [*specs, *(spec.with_rules(opts.rules) for spec in ruled)]
