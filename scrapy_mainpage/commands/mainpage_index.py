"""``scrapy mainpage-index FEED --to URL``: index the items of an earlier crawl.

Imported at every call of ``scrapy``, so the modules of the run are imported in ``run``.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    INTERRUPTED,
    NOT_POSSIBLE,
    ToolCommand,
    index_url,
    show,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.commands.index_run import IndexOutcome


class Command(ToolCommand):
    """Fill indexes from a feed, or from dead letters.

    Exit code 0 if everything is indexed, 1 if not, 2 if nothing is, 130 after Ctrl-C.
    """

    arguments = "[options] <feed>"
    summary = "Index the items of a feed"
    description = (
        "Index the items of a feed that a crawl has written: JSON lines, JSON or "
        "CSV, packed by gzip or not, or the pages in a Parquet file that "
        "mainpage-batch has written; - is standard input. A page that is in the "
        "index is replaced, so a feed may be indexed again. The project's "
        "MAINPAGE_INDEX settings apply. --retry FILE indexes dead letters again, "
        "each document in the index that it was meant for."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add(
            "--to",
            metavar="INDEX",
            action="append",
            help="file (SQLite) or URL of the index; may be given several times "
            "(default: MAINPAGE_INDEX)",
        )
        add(
            "--format",
            choices=("jsonlines", "json", "csv", "parquet"),
            help="format of the feed (default: by its name)",
        )
        add(
            "--records",
            choices=("docsearch", "typesense", "meilisearch", "passages"),
            help="print records for other tools as JSON lines, and index nothing",
        )
        add("--retry", metavar="FILE", help="index the dead letters of this file")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Index, print the counts, and set the exit code."""
        if len(args) != (0 if opts.retry else 1) or "" in args:
            raise UsageError("one feed is needed, or --retry FILE and none")
        settings = self.read_settings()
        urls = _urls(opts.to) or settings.index
        if opts.records and (opts.retry or opts.to):
            raise UsageError("--records goes with neither --to nor --retry")
        if not urls and not opts.retry and not opts.records:
            raise UsageError("--to INDEX is needed, as MAINPAGE_INDEX is not set")
        from scrapy_mainpage.commands.index_run import IndexRun
        from scrapy_mainpage.commands.retry_file import RetryError
        from scrapy_mainpage.feeds import FeedError
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable
        from scrapy_mainpage.indexes.embedders import EmbedderError

        run = IndexRun(settings, urls)
        try:
            if opts.records:
                outcome = run.write_records(args[0], opts.format, opts.records)
                print(outcome.report(), file=sys.stderr)
                self.exitcode = 0 if outcome.is_complete else INCOMPLETE
                return
            if opts.retry:
                outcome = run.retry(Path(opts.retry))
            else:
                outcome = run.index(args[0], opts.format)
        except (FeedError, RetryError, IndexUnavailable, OSError) as exc:
            self.end(NOT_POSSIBLE, str(exc))
            return
        except (EmbedderError, IndexFailure) as exc:
            self.end(NOT_POSSIBLE, f"MAINPAGE_EMBEDDER={settings.embedder}: {exc}")
            return
        except KeyboardInterrupt:  # while files are moved, which can be repeated
            self.end(INTERRUPTED, "stopped")
            return
        show(outcome.report())
        self._finish(outcome, opts.retry or settings.index_dead_letters)

    def _finish(self, outcome: IndexOutcome, dead_letters: str) -> None:
        """Set the exit code, and say how to go on."""
        if not outcome.is_complete:
            self.exitcode = NOT_POSSIBLE if outcome.unavailable else INCOMPLETE
        if outcome.total("dead"):
            again = shlex.join(["scrapy", "mainpage-index", "--retry", dead_letters])
            self.end(self.exitcode, f"what failed is indexed by: {again}")
        if outcome.is_aborted:
            left = f"{outcome.pending:,} documents before it are not written"
            self.end(INTERRUPTED, f"ended at line {outcome.line:,}; {left}")
        elif outcome.is_stopped:
            self.end(INTERRUPTED, f"stopped after line {outcome.line:,}")


def _urls(names: list[str] | None) -> tuple[str, ...]:
    if names and not all(names):
        raise UsageError("--to: an empty name is not an index")
    return tuple(dict.fromkeys(map(index_url, names or ())))
