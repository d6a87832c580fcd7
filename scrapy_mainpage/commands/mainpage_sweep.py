"""``scrapy mainpage-sweep``: delete the documents that the last crawl found gone.

Imported at every call of ``scrapy``, so the memory is imported in ``run``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import INCOMPLETE, NOT_POSSIBLE, show, to_line
from scrapy_mainpage.commands.mainpage_state import StateCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy_mainpage.memory import Memory, PageRow


class Command(StateCommand):
    """Delete what is gone: exit code 0, 1 if the sweep was refused, 2 if it fails."""

    arguments = "[options]"
    summary = "Delete the documents that a crawl with MAINPAGE_STATE found gone"
    description = (
        "List the documents that the last crawl of each scope found gone, with the "
        "reason (--dry-run), or delete them from the indexes of MAINPAGE_INDEX "
        "(--apply), also where the crawl has refused to. Without --apply the exit code "
        "is 1 if the last crawl of a scope has refused its sweep."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            "--dry-run", action="store_true", help="list them only (the default)"
        )
        group.add_argument("--apply", action="store_true", help="delete them")
        parser.add_argument(
            "--index",
            action="append",
            metavar="URL",
            help="an index to delete from (default: MAINPAGE_INDEX)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """List or delete, and set the exit code."""
        if args:
            raise UsageError("no arguments are taken")
        opts.index = opts.index or self.read_settings().index
        if opts.apply and not opts.index:
            raise UsageError("MAINPAGE_INDEX or --index is needed")
        self.use_state(args, opts, read_only=not opts.apply)

    def use(self, memory: Memory, args: list[str], opts: argparse.Namespace) -> None:
        """List the documents, and delete them if that is wanted."""
        rows = [*memory.select("verdict IS NOT NULL ORDER BY scope, url")]
        for row in rows:
            show(f"{row.verdict}  {to_line(row.url)}")
        if opts.apply:
            self._apply(memory, rows, opts.index)
        else:
            self._say_what_was_refused(memory)

    def _say_what_was_refused(self, memory: Memory) -> None:
        from scrapy_mainpage.memory.judgement import REFUSALS

        for scope, name in memory.scopes().items():
            last = next(iter(memory.runs(scope, 1)), None)
            refused = last.counts.get("sweep", {}).get("refused", ()) if last else ()
            if refused:
                why = "; ".join(REFUSALS.get(reason, reason) for reason in refused)
                self.end(INCOMPLETE, f"the sweep of {name} was refused: {why}")

    def _apply(
        self, memory: Memory, rows: Sequence[PageRow], indexes: Sequence[str]
    ) -> None:
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable, open_index

        urls = [row.url for row in rows]
        if not all(map(memory.lock, {row.scope for row in rows})):
            self.end(NOT_POSSIBLE, "a crawl is running")
            return
        try:
            for url in indexes:
                with open_index(url) as index:
                    index.delete(urls)
        except (IndexUnavailable, IndexFailure) as error:
            self.end(NOT_POSSIBLE, str(error))
            return
        for row in rows:
            row.forget_document()
            memory.put(row)
        memory.sync()
        self.warn(f"{len(rows)} documents were deleted")
