"""``scrapy mainpage-index FEED --to URL``: index the items of an earlier crawl.

Imported at every call of ``scrapy``, so the modules of the run are imported in ``run``.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    INTERRUPTED,
    NOT_POSSIBLE,
    ToolCommand,
    index_url,
    printable,
    show,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.commands.index_run import IndexRun


class Command(ToolCommand):
    """Fill indexes from a feed, or from dead letters.

    Exit code 0 if everything is indexed, 1 if not, 2 if nothing is, 130 after Ctrl-C.
    """

    arguments = "[options] <feed>"
    summary = "Index the items of a feed"
    description = (
        "Index the items of a feed that a crawl has written: JSON lines or JSON, "
        "packed by gzip or not, or the pages in a Parquet file that "
        "mainpage-batch has written; - is standard input. A page that is in the "
        "index is replaced, so a feed may be indexed again. The project's "
        "MAINPAGE_INDEX settings apply. --retry indexes the dead letters of the "
        "project, each in the index that it was meant for; --dead-letters lists them."
    )

    lists = (("--to", "INDEX", "file or URL of the index (default: MAINPAGE_INDEX)"),)
    flags = (
        ("--retry", "index the dead letters again"),
        ("--dead-letters", "print what could not be indexed as JSON lines"),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        form = "format of the feed (default: by its name)"
        add("--format", choices=("jsonlines", "json", "parquet"), help=form)
        records = "print records for other tools as JSON lines, and index nothing"
        add("--records", choices=("docsearch", "passages"), help=records)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Index, print the counts, and set the exit code."""
        needs_feed = not (opts.retry or opts.dead_letters)
        if len(args) != needs_feed or "" in args:
            raise UsageError("one feed is needed, or --retry and none")
        settings = self.read_settings()
        urls = _urls(opts.to) or settings.index
        if opts.records and (opts.retry or opts.to):
            raise UsageError("--records goes with neither --to nor --retry")
        if needs_feed and not urls and not opts.records:
            raise UsageError("--to INDEX is needed, as MAINPAGE_INDEX is not set")
        from scrapy_mainpage.commands.index_run import IndexRun, outbox_rows

        run = IndexRun(settings, urls)
        if opts.dead_letters:
            for row in outbox_rows():
                if row.reason:
                    show(json.dumps(row._asdict(), ensure_ascii=False))
            return
        if opts.records:
            run.write_records(args[0], opts.format, opts.records)
            print(printable(run.report()), file=sys.stderr)
        else:
            run.retry() if opts.retry else run.index(args[0], opts.format)
            show(run.report())
        self._end(run)

    def _end(self, run: IndexRun) -> None:
        """Set the exit code of a run, and say how to go on."""
        if not run.is_complete:
            self.exitcode = NOT_POSSIBLE if run.is_unavailable else INCOMPLETE
        if run.total("dead"):
            again = "scrapy mainpage-index --retry"
            self.end(self.exitcode, f"what failed is indexed by: {again}")
        line = f" line {run.line:,}" if run.line else ""
        if run.is_aborted:
            left = f"{run.pending:,} documents are not written"
            self.end(INTERRUPTED, f"ended at{line}; {left}" if line else left)
        elif run.is_stopped:
            self.end(INTERRUPTED, f"stopped at{line}" if line else "stopped")


def _urls(names: list[str] | None) -> tuple[str, ...]:
    if names and not all(names):
        raise UsageError("--to: an empty name is not an index")
    return tuple(dict.fromkeys(map(index_url, names or ())))
