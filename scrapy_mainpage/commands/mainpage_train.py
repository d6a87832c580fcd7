"""``scrapy mainpage-train DATA_DIR``: train an algorithm's model on labelled pages.

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

_EXTRA = ("lightgbm", "rapidfuzz", "scipy", "sklearn", "tqdm")


class Command(ToolCommand):
    """Train a model: exit code 0, or 2 if the data or the options do not serve."""

    arguments = "[options] --output DIR <data_dir>"
    summary = "Train a main content model on labelled pages"
    description = (
        "Train the model of an algorithm on a set of labelled pages, or on a "
        "folder of sets; cross-validate it with the pages of a site kept together; "
        "write it with its model card. Needs the extra 'train'."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--algorithm",
            choices=["learned", "text-block-context"],
            default="learned",
            help="whose model to train (default: %(default)s)",
        )
        parser.add_argument(
            "--segmentation",
            choices=["paper", "boilerpipe"],
            default="paper",
            help="how text-block-context cuts pages (default: %(default)s)",
        )
        parser.add_argument(
            "--word-density",
            choices=["lines", "sentences"],
            default="lines",
            help="words of complete lines, or of sentences of 80 words as in the "
            "paper's equation (default: %(default)s)",
        )
        parser.add_argument(
            "--min-num-obj",
            type=int,
            default=10,
            metavar="N",
            help="of text-block-context: records in a leaf (default: %(default)s)",
        )
        parser.add_argument(
            "--confidence-factor",
            type=float,
            default=0.7,
            metavar="F",
            help="of text-block-context: of the pruning, off above 0.5 "
            "(default: %(default)s)",
        )
        parser.add_argument(
            "--sets", metavar="A,B", help="only these sets of the folder"
        )
        parser.add_argument(
            "-o",
            "--output",
            required=True,
            metavar="DIR",
            help="folder that gets the model and its card",
        )
        parser.add_argument(
            "--folds",
            type=int,
            default=10,
            help="of the cross-validation (default: %(default)s)",
        )
        parser.add_argument(
            "--start",
            metavar="MODEL",
            help="go on from this model of learned, or from 'ours', the package's",
        )
        parser.add_argument(
            "--site-weight",
            type=float,
            metavar="W",
            help="with --start: a model for the sites of these pages alone, each of "
            "which counts as W pages, such as 30",
        )
        parser.add_argument(
            "--leave-out",
            action="store_true",
            help="learned: also measure each set and language without any of its pages",
        )
        parser.add_argument(
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
        if opts.min_num_obj < 1:
            raise UsageError("--min-num-obj must be 1 or more")
        if not 0 < opts.confidence_factor < 1:
            raise UsageError("--confidence-factor must be between 0 and 1")
        if opts.start and opts.algorithm != "learned":
            raise UsageError("--start is for the algorithm learned")
        if opts.site_weight is not None:
            if not opts.start or opts.leave_out:
                raise UsageError("--site-weight needs --start, without --leave-out")
            if not 1 <= opts.site_weight <= MAX_SITE_WEIGHT:
                raise UsageError(f"--site-weight must be 1 to {MAX_SITE_WEIGHT}")
        try:
            print(_train(Path(args[0]), opts))
        except ModuleNotFoundError as error:
            if error.name not in _EXTRA:
                raise
            hint = "pip install 'scrapy-mainpage[train]'"
            self._end(f"{error.name} is not installed: {hint}")
        except (OSError, ValueError) as error:
            self._end(str(error))

    def _end(self, message: str) -> None:
        self.end(NOT_POSSIBLE, f"scrapy mainpage-train: {message}")


def _train(folder: Path, opts: Namespace) -> str:
    for name in _EXTRA:  # before all data are read
        import_module(name)
    from scrapy_mainpage.evaluation.datasets import load_sets

    sets, output = load_sets(folder, opts.sets), Path(opts.output)
    if opts.algorithm == "learned":
        from scrapy_mainpage.training.train_learned import train_learned, train_site

        if opts.site_weight is not None:
            return train_site(
                sets, output, opts.folds, opts.licence, opts.start, opts.site_weight
            )
        return train_learned(
            sets, output, opts.folds, opts.licence, opts.start, opts.leave_out
        )
    from scrapy_mainpage.training.train_text_block_context import (
        Recipe,
        train_text_block_context,
    )

    recipe = Recipe(
        opts.segmentation, opts.word_density, opts.min_num_obj, opts.confidence_factor
    )
    return train_text_block_context(sets, recipe, output, opts.folds, opts.licence)
