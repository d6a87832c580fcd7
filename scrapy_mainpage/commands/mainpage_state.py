"""``scrapy mainpage-state [URL]``: what crawls have found at each address.

Imported at every call of ``scrapy``, so the ledger is imported in ``run``.
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

    from scrapy_mainpage.memory import Memory, PageRow, Run

#: Runs of each scope that are shown without --run.
SHOWN_RUNS: Final = 10

#: Columns of a page that mean nothing outside of the file.
_INTERNAL: Final = ("requests", "body_hash", "config_hash", "parent", "scope", "id")


class StateCommand(ToolCommand):
    """A command that reads the state of the project, or that of ``--state``."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the option of the file."""
        super().add_options(parser)
        parser.add_argument(
            "--state", metavar="URL", help="the state (default: MAINPAGE_STATE)"
        )

    def open_state(
        self, opts: argparse.Namespace, *, read_only: bool = True
    ) -> Memory | None:
        """Open the ledger; print why not, and return ``None``, if it cannot be."""
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
        ledger = self.open_state(opts)
        if ledger is None:
            return
        try:
            if args:
                rows = _history(ledger, args[0])
            elif opts.run is not None:
                rows = _pages(ledger, opts.run)
            else:
                rows = self._runs(ledger)
        except ledger.errors as error:
            self.end(NOT_POSSIBLE, str(error))
            return
        finally:
            ledger.close()
        if not rows and (args or opts.run is not None):
            self.end(NOT_POSSIBLE, "the state knows nothing of it")
            return
        show("\n".join(map(json.dumps, rows)) if opts.json else _as_table(rows))

    def _runs(self, ledger: Memory) -> list[dict[str, Any]]:
        rows = []
        for scope, name in ledger.scopes().items():
            runs = ledger.runs(scope, SHOWN_RUNS)
            rows += [_run_row(run, name) for run in reversed(runs)]
            if runs and not runs[0].complete:
                self.exitcode = INCOMPLETE
        return rows


def _run_row(run: Run, scope: str) -> dict[str, Any]:
    outcomes = run.counts.get("outcomes", {})
    sweep = run.counts.get("sweep", {})
    return {
        "run": run.id,
        "scope": scope,
        "started": _time(run.started),
        "ended": _time(run.ended),
        "reason": run.reason,
        "complete": run.complete,
        **{name: outcomes.get(name, 0) for name in _outcomes()},
        "documents": run.counts.get("documents"),
        "sweep": sweep,
    }


def _outcomes() -> tuple[str, ...]:
    from scrapy_mainpage.memory import OUTCOMES

    return OUTCOMES


def _time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    moment = datetime.fromtimestamp(seconds, timezone.utc)
    return moment.isoformat(timespec="seconds")


def _pages(ledger: Memory, run: int) -> list[dict[str, Any]]:
    return [
        {"outcome": outcome, "status": status, "reason": reason, "url": url}
        for url, outcome, status, reason in ledger.run_history(run)
    ]


def _history(ledger: Memory, url: str) -> list[dict[str, Any]]:
    from scrapy_mainpage.addresses import page_address

    rows = []
    for scope, name in ledger.scopes().items():
        # A crawl of routes knows the page with its own.
        addresses = (page_address(url, routes=routes) for routes in (True, False))
        page = next(filter(None, (ledger.find(scope, one) for one in addresses)), None)
        if page is None:
            continue
        rows.append({"scope": name, **_page(page)})
        rows += [
            {"run": run, "outcome": outcome, "status": status, "reason": reason}
            for run, outcome, status, reason in ledger.history(page)
        ]
    return rows


def _page(page: PageRow) -> dict[str, Any]:
    """The values of a page that say something."""
    from scrapy_mainpage.memory.records import COLUMNS

    values = {
        name: value
        for name in COLUMNS
        if (value := getattr(page, name)) is not None and name not in _INTERNAL
    }
    if page.content_hash is not None:
        values["content_hash"] = page.content_hash.hex()
    for name in ("last_ok", "next_visit"):
        values[name] = _time(values.get(name))
    return values


def _as_table(rows: list[dict[str, Any]]) -> str:
    """Rows with the same names one below the other, others line by line."""
    if not rows:
        return "No crawl has run with this state."
    if "started" not in rows[0] and "url" in rows[0] and "scope" in rows[0]:
        facts = [f"{name}: {to_line(str(value))}" for name, value in rows[0].items()]
        return "\n".join([*facts, "", _as_table(rows[1:])] if rows[1:] else facts)
    names = [name for name in rows[0] if name != "sweep"]
    lines = [names]
    for row in rows:
        cells = ["-" if row.get(n) is None else str(row[n]) for n in names]
        lines.append([to_line(cell) for cell in cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = []
    for line, row in zip(lines, [{}, *rows], strict=True):
        text = "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
        sweep = row.get("sweep")
        shown.append(f"{text}  {json.dumps(sweep)}" if sweep else text)
    return "\n".join(shown)
