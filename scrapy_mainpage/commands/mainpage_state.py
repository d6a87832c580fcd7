"""``scrapy mainpage-state [URL]``: what crawls have found at each address.

Imported at every call of ``scrapy``, so the memory is imported in ``run``.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    CommandError,
    ToolCommand,
    show,
    to_line,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy_mainpage.memory import Memory, PageRow

#: Runs of each scope that are shown.
SHOWN_RUNS: Final = 10

#: Columns of the terminal that the tables take.
WIDTH: Final = 100

#: Columns of a page that mean nothing outside of the memory.
_INTERNAL: Final = (
    *("requests", "body_hash", "config_hash", "parent", "scope", "id", "stored"),
)
_TIMES: Final = ("last_ok", "next_visit")


class StateCommand(ToolCommand):
    """A command that opens the state of the project."""

    @contextmanager
    def opened_state(self, *, read_only: bool = True) -> Iterator[Memory]:
        """The memory within the block; raises :exc:`.CommandError` where it fails."""
        from scrapy_mainpage.memory import open_memory

        name = self.read_settings().state
        if not name:
            raise UsageError("MAINPAGE_STATE is needed")
        memory = open_memory(name, read_only=read_only)
        try:
            yield memory
        except memory.errors as error:
            raise CommandError(str(error)) from error
        finally:
            memory.close()


class Command(StateCommand):
    """Show the state: exit code 0, 1 if a last run is not complete, 2 without state."""

    arguments = "[options] [url]"
    summary = "Show what crawls with MAINPAGE_STATE have found"
    description = (
        "Show the runs of each scope (a spider with its arguments) and their outcomes; "
        "with URL what is known of a page. The exit code is 1 if the last run of a "
        "scope is not complete."
    )

    flags = (("--json", "print JSON lines"),)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print runs, or what is known of a page."""
        if len(args) > 1:
            raise UsageError("one URL is shown")
        with self.opened_state() as memory:
            rows = _pages_at(memory, args[0]) if args else self._runs(memory)
        if args and not rows:
            raise CommandError("the state knows nothing of it")
        if opts.json:
            show("\n".join(map(json.dumps, rows)))
        elif args:
            lines = (f"{n}: {_cell(value)}" for row in rows for n, value in row.items())
            show("\n".join(lines))
        elif rows:
            show("\n\n".join(_tables(rows)))
        else:
            show("No crawl has run with this state.")

    def _runs(self, memory: Memory) -> list[dict[str, Any]]:
        from scrapy_mainpage.memory.tables import OUTCOMES

        rows = []
        for scope, name in memory.scopes().items():
            runs = memory.runs(scope, SHOWN_RUNS)
            for run in reversed(runs):
                outcomes = dict.fromkeys(OUTCOMES, 0) | run.counts.get("outcomes", {})
                row = {"run": run.id, "scope": name, "started": _date(run.started)}
                row |= {"ended": _date(run.ended), "reason": run.reason}
                row |= {"complete": run.complete, **outcomes}
                row["documents"] = run.counts.get("documents")
                row["missing"] = run.counts.get("missing", {})
                rows.append(row | {"sweep": run.counts.get("sweep", {})})
            if runs and not runs[0].complete:
                self.exitcode = INCOMPLETE
        return rows


def _tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    """A table for each scope, of its runs, within the columns of a terminal."""
    from scrapy_mainpage.commands.tables import table
    from scrapy_mainpage.memory.tables import OUTCOMES

    columns = ("run", "started", "reason", "complete", "documents")
    for scope in dict.fromkeys(row["scope"] for row in rows):
        lines = [[*columns, "pages, sweep"]]
        for row in (each for each in rows if each["scope"] == scope):
            found = [f"{row[name]} {name}" for name in OUTCOMES if row[name]]
            found += [f"{k} {_cell(v)}" for k, v in row["sweep"].items() if v]
            cells = [_cell(row[name])[:19] for name in columns]
            lines.append([*cells, ", ".join(found) or "-"])
        yield f"{to_line(scope)[:WIDTH]}\n{table(lines, WIDTH)}"


def _pages_at(memory: Memory, url: str) -> list[dict[str, Any]]:
    """What each scope knows of an address; one of routes knows it with its own."""
    from scrapy_mainpage.addresses import page_address

    addresses = {page_address(url, routes=routes) for routes in (True, False)}
    found = [page for each in addresses for page in memory.in_all_scopes(each)]
    scopes = memory.scopes()
    return [{"scope": scopes[page.scope], **_values(page)} for page in found]


def _values(page: PageRow) -> dict[str, Any]:
    """The values of a page that say something."""
    values: dict[str, Any] = {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in vars(page).items()
        if value is not None and name not in _INTERNAL
    }
    return values | {name: _date(values[name]) for name in _TIMES if name in values}


def _date(moment: float | None) -> str | None:
    if moment is None:
        return None
    return datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="seconds")


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return to_line(json.dumps(value) if isinstance(value, dict) else str(value))
