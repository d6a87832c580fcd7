"""``scrapy mainpage-train DATA_DIR``: train a model of ``learned`` on labelled pages.

Scrapy imports it for every command, so the extra that training needs is imported in
``run``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import NOT_POSSIBLE, ToolCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


MAX_SITE_WEIGHT = 1000

_EXTRA = ("lightgbm", "rapidfuzz", "scipy", "tqdm")


class Command(ToolCommand):
    """Train a model: exit code 0, or 2 if the data or the options do not serve."""

    arguments = "[options] --output DIR <data_dir>"
    summary = "Train a main content model on labelled pages"
    description = (
        "Train a model of the algorithm learned on a set of labelled pages, or on a "
        "folder of sets; cross-validate it with the pages of a site kept together; "
        "write it with its model card. Needs the extra 'train'."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add("--sets", metavar="A,B", help="only these sets of the folder")
        add(
            "-o",
            "--output",
            required=True,
            metavar="DIR",
            help="folder that gets the model and its card",
        )
        add(
            "--folds",
            type=int,
            default=10,
            help="of the cross-validation (default: %(default)s)",
        )
        add(
            "--start",
            default="ours",
            metavar="MODEL",
            help="go on from this model; by default from 'ours', the package's",
        )
        add(
            "--site-weight",
            type=float,
            metavar="W",
            help="a model for the sites of these pages alone, each of which counts as "
            "W pages, such as 30",
        )
        add(
            "--licence",
            default="not stated",
            metavar="NOTE",
            help="note on the licence of the data, for the card",
        )

    def run(self, args: list[str], opts: Namespace) -> None:
        """Train, cross-validate, write; exit code 2 for unreadable data."""
        if len(args) != 1:
            raise UsageError("one folder of labelled pages is needed")
        if opts.folds < 2:
            raise UsageError("--folds must be 2 or more")
        weight = opts.site_weight
        if weight is not None and not 1 <= weight <= MAX_SITE_WEIGHT:
            raise UsageError(f"--site-weight must be 1 to {MAX_SITE_WEIGHT}")
        try:
            print(_train(Path(args[0]), opts))
        except ModuleNotFoundError as error:
            if error.name not in _EXTRA:
                raise
            self.end_without("train", error)
        except (OSError, ValueError) as error:
            self.end(NOT_POSSIBLE, str(error))


def _train(folder: Path, opts: Namespace) -> str:
    for name in _EXTRA:  # before all data are read
        import_module(name)
    from scrapy_mainpage.evaluation.datasets import load_sets
    from scrapy_mainpage.training.train_learned import train_learned

    sets, output = load_sets(folder, opts.sets), Path(opts.output)
    return train_learned(
        sets, output, opts.folds, opts.licence, opts.start, opts.site_weight
    )
