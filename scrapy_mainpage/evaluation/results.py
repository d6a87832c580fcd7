"""The file of results: one JSON object a line, added to while a run goes on.

A run that was stopped goes on from it. A row is used again only for the same page with
the same label, and the same algorithm, options, version and code: its key says so.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from .measure import Row

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from .datasets import LabelledPage
    from .specs import AlgorithmSpec


def row_key(name: str, page: LabelledPage, spec: AlgorithmSpec) -> str:
    """The key of a page of the set *name* with an algorithm."""
    files = [_state(page.html_file), _state(page.layout_file)]
    label = (name, repr(page), spec.label, spec.fingerprint, *files)
    text = "\n".join(label)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _state(file: Path | None) -> str:
    if file is None:
        return ""
    stat = file.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}"


def _row(line: bytes) -> Row | None:
    """The row of a line; ``None`` for one that another version wrote, or no one."""
    try:
        return Row(**json.loads(line))
    except (ValueError, TypeError):
        return None


class ResultsFile:
    """Rows kept in a file; a line cut short by a kill is left out and written over."""

    def __init__(self, path: Path):
        self.path = path
        self.rows: dict[str, Row] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self.path.write_bytes(whole)
        for line in whole.split(b"\n"):
            if (row := _row(line)) is not None:
                self.rows[row.key] = row

    def add(self, rows: Iterable[Row]) -> None:
        """Keep *rows*, on disk when this returns."""
        rows = list(rows)
        lines = [json.dumps(row.as_dict(), ensure_ascii=False) + "\n" for row in rows]
        with self.path.open("ab") as file:
            file.write("".join(lines).encode("utf-8", "replace"))
        self.rows.update((row.key, row) for row in rows)

    def drop_others(self, keys: Iterable[str]) -> None:
        """Rewrite the file with the rows of *keys* alone; the rest is out of date."""
        kept = [self.rows[key] for key in keys if key in self.rows]
        temporary = self.path.with_name(self.path.name + ".new")
        temporary.unlink(missing_ok=True)
        fresh = ResultsFile(temporary)
        fresh.add(kept)
        temporary.replace(self.path)
        self.rows = fresh.rows


__all__ = ["ResultsFile", "row_key"]
