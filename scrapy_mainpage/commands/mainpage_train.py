"""``scrapy mainpage-train``: train an algorithm's model on labelled pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Command(ScrapyCommand):
    """Trains the model of an algorithm that learns; needs the extra ``[train]``."""

    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """The arguments, for the usage line."""
        return "[options] DATA_DIR"

    def short_desc(self) -> str:
        """The line in the list of commands."""
        return "Train a main content model on labelled pages"

    def long_desc(self) -> str:
        """What ``--help`` says."""
        return (
            "Train the model of an algorithm on the labelled pages in DATA_DIR (a set, "
            "or a folder of sets), cross-validate it with the pages of a site kept "
            "together, and write it with its model card."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        """The options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--algorithm",
            choices=["text-block-context"],
            default="text-block-context",
            help="whose model to train (default: %(default)s)",
        )
        parser.add_argument(
            "--segmentation",
            choices=["paper", "boilerpipe"],
            default="boilerpipe",
            help="how text-block-context cuts pages (default: %(default)s)",
        )
        parser.add_argument(
            "--output",
            required=True,
            metavar="DIR",
            help="folder that gets the model and its card",
        )
        parser.add_argument(
            "--folds", type=int, default=10, help="of the cross-validation"
        )

    def run(self, args: list[str], opts: Namespace) -> None:
        """Train, cross-validate, write; exit code 2 for what cannot be read."""
        if len(args) != 1:
            raise UsageError("one DATA_DIR is needed")
        try:
            from ..evaluation.train_command import train_text_block_context
        except ModuleNotFoundError as error:
            raise UsageError(
                f"{error.name} is missing: pip install scrapy-mainpage[train]",
                print_help=False,
            ) from None
        try:
            train_text_block_context(
                args[0], opts.segmentation, opts.output, opts.folds
            )
        except (OSError, ValueError) as error:
            raise UsageError(str(error), print_help=False) from None
