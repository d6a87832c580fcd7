"""What came of a run over files, and how that is said."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from scrapy_mainpage.batch.totals import Totals


@dataclass
class Outcome:
    """What the files of a run came to.

    ``known`` files were done before. ``unreadable`` files have the problem that kept
    them from being read. ``seconds`` is the time of the run, ``busy`` that of the
    processor in each process, ``deaths`` how many of them died.
    """

    files: int = 0
    known: int = 0
    seconds: float = 0.0
    deaths: int = 0
    busy: dict[int, float] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    unreadable: dict[Path, str] = field(default_factory=dict)
    index: str = ""

    def add(self, totals: Totals) -> None:
        """Count a file that was read to its end."""
        self.files += 1
        self.totals.add(totals)

    def report(self) -> str:
        """The outcome in a few lines."""
        totals = self.totals
        if self.known and not self.files and not self.unreadable:
            return f"nothing to do: {self.known:,} files were done before"
        speed = totals.pages / self.seconds if self.seconds else 0.0
        lines = [
            f"{totals.pages:,} pages of {self.files:,} files in {self.seconds:.1f} s: "
            f"{speed:.0f} pages/s"
        ]
        if totals.seconds:
            core = totals.pages / totals.seconds
            lines.append(f"processors: {totals.seconds:.1f} s, {core:.0f} pages/s each")
        if self.known:
            lines.append(f"done before: {self.known:,} files")
        share = totals.words / totals.words_total if totals.words_total else 0.0
        lines.append(
            f"words kept: {totals.words:,} of {totals.words_total:,} ({share:.0%})"
        )
        lines += _counted("failed", totals.failed)
        lines += _counted("left out", totals.skipped)
        if self.deaths:
            lines.append(f"processes that died: {self.deaths:,}")
        lines += [f"not read: {what}" for what in self.unreadable.values()]
        lines += [self.index] if self.index else []
        return "\n".join(lines)


def _counted(what: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    reasons = ", ".join(f"{name} {count:,}" for name, count in counts.most_common())
    return [f"{what}: {counts.total():,} ({reasons})"]
