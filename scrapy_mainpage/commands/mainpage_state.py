"""``scrapy mainpage-state [URL]``: what crawls have found at each address.

Imported at every call of ``scrapy``, so the memory is imported in ``run``.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    NOT_POSSIBLE,
    ToolCommand,
    show,
    to_line,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.memory import Memory, PageRow

#: Runs of each scope that are shown without --run.
SHOWN_RUNS: Final = 10

#: Columns of a page that mean nothing outside of the memory.
_INTERNAL: Final = ("requests", "body_hash", "config_hash", "parent", "scope", "id")
_TIMES: Final = ("started", "ended", "last_ok", "next_visit")


class StateCommand(ToolCommand):
    """A command that opens the state of the project, or that of ``--state``."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the option of the state."""
        super().add_options(parser)
        parser.add_argument(
            "--state", metavar="URL", help="the state (default: MAINPAGE_STATE)"
        )

    def use_state(
        self, args: list[str], opts: argparse.Namespace, *, read_only: bool = True
    ) -> None:
        """Open the memory, and call :meth:`use`; print why not if it cannot be."""
        from scrapy_mainpage.memory import MemoryUnavailable, open_memory

        name = opts.state or self.read_settings().state
        if not name:
            raise UsageError("MAINPAGE_STATE or --state is needed")
        try:
            memory = open_memory(name, read_only=read_only)
        except MemoryUnavailable as error:
            self.end(NOT_POSSIBLE, str(error))
            return
        try:
            self.use(memory, args, opts)
        except memory.errors as error:
            self.end(NOT_POSSIBLE, str(error))
        finally:
            memory.close()

    def use(self, memory: Memory, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command does."""
        raise NotImplementedError


class Command(StateCommand):
    """Show the state: exit code 0, 1 if a last run is not complete, 2 without state."""

    arguments = "[options] [url]"
    summary = "Show what crawls with MAINPAGE_STATE have found"
    description = (
        "Show the runs of each scope (a spider with its arguments) and their outcomes; "
        "with --run the pages last seen in that run that are not unchanged; with URL "
        "what is known of a page. The exit code is 1 if the last run of a scope is not "
        "complete."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON lines")
        parser.add_argument(
            "--run", type=int, metavar="N", help="the pages of this run"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print runs, the pages of one, or what is known of a page."""
        if len(args) > 1 or (args and opts.run is not None):
            raise UsageError("one URL, or --run, is shown")
        self.use_state(args, opts)

    def use(self, memory: Memory, args: list[str], opts: argparse.Namespace) -> None:
        """Print what the memory has."""
        from scrapy_mainpage.commands.tables import table

        if args:
            rows = _pages_at(memory, args[0])
        else:
            rows = self._runs(memory) if opts.run is None else _seen(memory, opts.run)
        if not rows and (args or opts.run is not None):
            self.end(NOT_POSSIBLE, "the state knows nothing of it")
        elif opts.json:
            show("\n".join(map(json.dumps, rows)))
        elif args:
            lines = (f"{n}: {_cell(value)}" for row in rows for n, value in row.items())
            show("\n".join(lines))
        elif rows:
            show(table([[*rows[0]], *([*map(_cell, row.values())] for row in rows)]))
        else:
            show("No crawl has run with this state.")

    def _runs(self, memory: Memory) -> list[dict[str, Any]]:
        from scrapy_mainpage.memory import OUTCOMES

        rows = []
        for scope, name in memory.scopes().items():
            runs = memory.runs(scope, SHOWN_RUNS)
            for run in reversed(runs):
                outcomes = run.counts.get("outcomes", {})
                row = {"run": run.id, "scope": name, "started": run.started}
                row |= {"ended": run.ended, "reason": run.reason}
                row["complete"] = run.complete
                row |= {each: outcomes.get(each, 0) for each in OUTCOMES}
                row["documents"] = run.counts.get("documents")
                rows.append(_dated(row) | {"sweep": run.counts.get("sweep", {})})
            if runs and not runs[0].complete:
                self.exitcode = INCOMPLETE
        return rows


def _seen(memory: Memory, run: int) -> list[dict[str, Any]]:
    """The pages of which the run is the latest, but for unchanged ones."""
    from scrapy_mainpage.memory.records import NOT_MODIFIED, UNCHANGED

    rows = memory.select(
        "last_seen_run = :run AND outcome <> :unchanged "
        "AND coalesce(status, 0) <> :same ORDER BY outcome, url",
        run=run,
        unchanged=UNCHANGED,
        same=NOT_MODIFIED,
    )
    names = ("outcome", "status", "reason", "url")  # the longest is the last
    return [{name: getattr(row, name) for name in names} for row in rows]


def _pages_at(memory: Memory, url: str) -> list[dict[str, Any]]:
    """What each scope knows of an address."""
    from scrapy_mainpage.addresses import page_address

    rows = []
    for scope, name in memory.scopes().items():
        # A crawl of routes knows the page with its own.
        addresses = (page_address(url, routes=routes) for routes in (True, False))
        page = next(filter(None, (memory.find(scope, one) for one in addresses)), None)
        if page is not None:
            rows.append({"scope": name, **_page(page)})
    return rows


def _page(page: PageRow) -> dict[str, Any]:
    """The values of a page that say something."""
    from scrapy_mainpage.memory.records import COLUMNS

    values = {
        name: value.hex() if isinstance(value, bytes) else value
        for name in COLUMNS
        if (value := getattr(page, name)) is not None and name not in _INTERNAL
    }
    return _dated(values)


def _dated(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with their times as dates."""
    for name in _TIMES:
        if values.get(name) is not None:
            moment = datetime.fromtimestamp(values[name], timezone.utc)
            values[name] = moment.isoformat(timespec="seconds")
    return values


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return to_line(json.dumps(value) if isinstance(value, dict) else str(value))
