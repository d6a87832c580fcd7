"""``scrapy mainpage-index FEED --to URL``: index what an earlier crawl has written.

Imported at every call of ``scrapy``, so what the indexing needs is imported in ``run``.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.settings import Settings

    from .indexing.outcome import Outcome

INCOMPLETE = 1
NOT_POSSIBLE = 2
INTERRUPTED = 130


class Command(ScrapyCommand):
    """Fill indexes from a feed, or from what an earlier run could not index.

    Exit code 0 if all is indexed, 1 if not, 2 if nothing could be, 130 after Ctrl-C.
    """

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return what stands after the command's name."""
        return "[options] <feed>"

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return "Index the items of a feed"

    def long_desc(self) -> str:
        """Return the help."""
        return (
            "Index the items of a feed that a crawl has written: JSON lines, JSON or "
            "CSV, packed by gzip or not, or the pages in a Parquet file that "
            "mainpage-batch has written; - is standard input. A page that is in the "
            "index takes its old place, so a feed may be indexed again. The project's "
            "MAINPAGE_INDEX settings hold here, too. --retry FILE feeds what could not "
            "be indexed again: each document to the index that it was meant for."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--to",
            metavar="INDEX",
            action="append",
            help="file (SQLite), folder (tantivy) or URL of the index; may be given "
            "several times (default: MAINPAGE_INDEX)",
        )
        parser.add_argument(
            "--format",
            choices=("jsonlines", "json", "csv", "parquet"),
            help="format of the feed (default: as its name says)",
        )
        parser.add_argument(
            "--retry", metavar="FILE", help="index the dead letters of this file"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Index, say what came of it, and set the exit code."""
        if len(args) != (0 if opts.retry else 1) or "" in args:
            raise UsageError("one feed is needed, or --retry FILE and none")
        settings = self._settings()
        urls = _urls(opts.to) or settings.index
        if not urls and not opts.retry:
            raise UsageError("--to INDEX is needed, as MAINPAGE_INDEX is not set")
        from scrapy_mainpage.feeds import FeedError
        from scrapy_mainpage.indexes import IndexUnavailable

        from .indexing.retryfile import RetryError
        from .indexing.run import IndexRun
        from .output import show

        run = IndexRun(settings, urls)
        try:
            if opts.retry:
                outcome = run.retry(Path(opts.retry))
            else:
                outcome = run.index(args[0], opts.format)
        except (FeedError, RetryError, IndexUnavailable, OSError) as exc:
            self._end(NOT_POSSIBLE, str(exc))
            return
        except (
            KeyboardInterrupt
        ):  # while files were put in order, which can be repeated
            self._end(INTERRUPTED, "stopped")
            return
        show(outcome.report())
        self._judge(outcome, opts.retry or settings.index_dead_letters)

    def _settings(self) -> Settings:
        from scrapy_mainpage.settings import Settings

        assert self.settings is not None
        return Settings.from_settings(self.settings)

    def _judge(self, outcome: Outcome, dead_letters: str) -> None:
        """Set the exit code, and say how it may go on."""
        if not outcome.is_complete:
            self.exitcode = NOT_POSSIBLE if outcome.unavailable else INCOMPLETE
        if outcome.total("dead"):
            again = shlex.join(["scrapy", "mainpage-index", "--retry", dead_letters])
            self._end(self.exitcode, f"what failed is indexed by: {again}")
        if outcome.is_aborted:
            left = f"{outcome.pending:,} documents before it are not written"
            self._end(INTERRUPTED, f"ended at line {outcome.line:,}; {left}")
        elif outcome.is_stopped:
            self._end(INTERRUPTED, f"stopped after line {outcome.line:,}")

    def _end(self, exitcode: int, message: str) -> None:
        self.exitcode = exitcode
        print(f"scrapy mainpage-index: {message}", file=sys.stderr)


def _urls(names: list[str] | None) -> tuple[str, ...]:
    from .indexurls import index_url

    if names and not all(names):
        raise UsageError("--to: an empty name is no index")
    return tuple(dict.fromkeys(map(index_url, names or ())))
