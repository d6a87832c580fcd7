"""``scrapy mainpage-evaluate DATA_DIR``: scores of algorithms on labelled pages.

Scrapy imports it for every command: imports that take long are in the functions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import INCOMPLETE, ToolCommand, show

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.evaluation.scores import Contender

MAX_SHOWN_FAILURES = 10


class Command(ToolCommand):
    """Exit code 1 if an algorithm failed, 2 if the data or the options do not serve."""

    arguments = "[options] <data_dir>"
    summary = "Measure main content algorithms on labelled pages"
    description = (
        "Measure algorithms, and other packages, on a set of labelled pages, or on a "
        "folder of sets: words and snippets. The scores are printed as a table."
    )

    values = (
        ("--rules", "DIR", "measure also with the rules of this folder"),
        ("--sets", "A,B", "only these sets of the folder"),
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
            "(default: all algorithms), or functions, such as trafilatura.extract",
        )
        add("-o", "--output", metavar="FILE", help="scores of each page, as JSON Lines")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Measure, print the table and set the exit code."""
        if len(args) != 1:
            raise UsageError("one folder of labelled pages is needed")
        from scrapy_mainpage.evaluation.datasets import load_sets
        from scrapy_mainpage.evaluation.scores import format_scores, score_pages

        sets, contenders = load_sets(Path(args[0]), opts.sets), _read_contenders(opts)
        records = list(score_pages(sets, contenders))
        show(format_scores(records))
        if opts.output:
            lines = [json.dumps(record) + "\n" for record in records]
            Path(opts.output).write_text("".join(lines), "ascii")
        if failed := [record for record in records if record["error"]]:
            self.end(INCOMPLETE, f"{len(failed)} failed, the first ones:")
            for record in failed[:MAX_SHOWN_FAILURES]:
                self.warn("{set}/{page}, {algorithm}: {error}".format_map(record))


def _read_contenders(opts: argparse.Namespace) -> list[Contender]:
    from scrapy_mainpage.evaluation.scores import Contender
    from scrapy_mainpage.extraction.algorithms import available

    labels = opts.algorithms.split(",") if opts.algorithms else available()
    found = [Contender.read(label) for label in labels]
    if opts.rules:
        found += [Contender.read(label, opts.rules) for label in labels]
    return [*{contender.label: contender for contender in found}.values()]
