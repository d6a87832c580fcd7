"""``scrapy mainpage-sweep``: delete the documents that the last crawl found gone.

Imported at every call of ``scrapy``, so the memory is imported in ``run``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import INCOMPLETE, CommandError, show, to_line
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
        "reason, or delete them from the indexes of MAINPAGE_INDEX "
        "(--apply), also where the crawl has refused to. Without --apply the exit code "
        "is 1 if the last crawl of a scope has refused its sweep."
    )

    flags = (("--apply", "delete them"),)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """List or delete, and set the exit code."""
        if args:
            raise UsageError("no arguments are taken")
        if opts.apply and not self.read_settings().index:
            raise UsageError("MAINPAGE_INDEX is needed")
        with self.opened_state(read_only=not opts.apply) as memory:
            rows = [*memory.select("verdict IS NOT NULL ORDER BY scope, url")]
            for row in rows:
                show(f"{row.verdict}  {to_line(row.url)}")
            if opts.apply:
                self._apply(memory, rows)
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

    def _apply(self, memory: Memory, rows: Sequence[PageRow]) -> None:
        from scrapy_mainpage.indexes import open_index

        urls = [row.url for row in rows]
        if not all(map(memory.lock, {row.scope for row in rows})):
            raise CommandError("a crawl is running")
        for url in self.read_settings().index:
            with open_index(url) as index:
                index.delete(urls)
        for row in rows:
            row.forget_document()
            memory.put(row)
        memory.sync()
        self.warn(f"{len(rows)} documents were deleted")
