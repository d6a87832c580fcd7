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
    """A command that reads the state of the project, or that of ``--state``."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the option of the state."""
        super().add_options(parser)
        parser.add_argument(
            "--state", metavar="URL", help="the state (default: MAINPAGE_STATE)"
        )

    def open_state(
        self, opts: argparse.Namespace, *, read_only: bool = True
    ) -> Memory | None:
        """Open the memory; print why not, and return ``None``, if it cannot be."""
        from scrapy_mainpage.memory import MemoryUnavailable, open_memory

        name = opts.state or self.read_settings().state
        if not name:
            raise UsageError("MAINPAGE_STATE or --state is needed")
        try:
            return open_memory(name, read_only=read_only)
        except MemoryUnavailable as error:
            self.end(NOT_POSSIBLE, str(error))
            return None


class Command(StateCommand):
    """Show the state: exit code 0, 1 if a last run is not complete, 2 without state."""

    arguments = "[options] [url]"
    summary = "Show what crawls with MAINPAGE_STATE have found"
    description = (
        "Show the runs of each scope (a spider with its arguments) and their outcomes; "
        "with --run the pages of that run that are not unchanged; with URL the history "
        "of a page. The exit code is 1 if the last run of a scope is not complete."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON lines")
        parser.add_argument(
            "--run", type=int, metavar="N", help="the pages of this run"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print runs, the pages of one, or the history of a page."""
        if len(args) > 1 or (args and opts.run is not None):
            raise UsageError("one URL, or --run, is shown")
        memory = self.open_state(opts)
        if memory is None:
            return
        try:
            rows = self._rows(memory, args[0] if args else None, opts.run)
        except memory.errors as error:
            self.end(NOT_POSSIBLE, str(error))
            return
        finally:
            memory.close()
        if rows:
            show("\n".join(map(json.dumps, rows)) if opts.json else _as_table(rows))
        elif args or opts.run is not None:
            self.end(NOT_POSSIBLE, "the state knows nothing of it")
        else:
            show("" if opts.json else "No crawl has run with this state.")

    def _rows(
        self, memory: Memory, url: str | None, run: int | None
    ) -> list[dict[str, Any]]:
        if url is not None:
            return _history(memory, url)
        if run is None:
            return self._runs(memory)
        names = ("url", "outcome", "status", "reason")
        found = (dict(zip(names, row, strict=True)) for row in memory.run_history(run))
        return [{**row, "url": row.pop("url")} for row in found]  # the URL is the last

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


def _history(memory: Memory, url: str) -> list[dict[str, Any]]:
    from scrapy_mainpage.addresses import page_address

    rows = []
    for scope, name in memory.scopes().items():
        # A crawl of routes knows the page with its own.
        addresses = (page_address(url, routes=routes) for routes in (True, False))
        page = next(filter(None, (memory.find(scope, one) for one in addresses)), None)
        if page is not None:
            rows.append({"scope": name, **_page(page)})
            names = ("run", "outcome", "status", "reason")
            events = memory.history(page)
            rows += [dict(zip(names, event, strict=True)) for event in events]
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


def _as_table(rows: list[dict[str, Any]]) -> str:
    """Rows with the same names one below the other, a page line by line."""
    lines, names, widths = list[str](), list[str](), dict[str, int]()
    for row in rows:
        cells = {name: _cell(value) for name, value in row.items()}
        if "url" in row and "scope" in row:
            lines += [f"{name}: {text}" for name, text in cells.items()]
            continue
        if list(row) != names:
            names = list(row)
            same = [each for each in rows if list(each) == names]
            widths = {n: max(len(n), *(len(_cell(e[n])) for e in same)) for n in names}
            lines.append("  ".join(n.ljust(widths[n]) for n in names).rstrip())
        lines.append("  ".join(cells[n].ljust(widths[n]) for n in names).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return to_line(json.dumps(value) if isinstance(value, dict) else str(value))
