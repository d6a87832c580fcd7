"""What came of an indexing, counted and said."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

_FIRST: Final = 5
"""So many lines are named of those with the same problem."""

#: Counts of :class:`.IndexWriter` in the report, and what they are called there.
_COUNTS: Final = {
    "put": "indexed",
    "deleted": "deleted",
    "superseded": "superseded by a later one of the same page",
    "dead": "failed",
    "lost": "lost",
}


@dataclass
class Outcome:
    """What was read, what is wrong with it, and what was written into each index.

    ``counts`` are those of each index, by its URL as it may be shown. ``unavailable``
    are the indexes that could not be used. ``line`` is the last one that was read. With
    ``is_stopped`` that is not the end; with ``is_aborted`` ``pending`` documents were
    left unwritten.
    """

    source: str
    noun: str = "items"
    read: int = 0
    line: int = 0
    seconds: float = 0.0
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    is_stopped: bool = False
    is_aborted: bool = False
    unavailable: set[str] = field(default_factory=set)
    pending: int = 0
    _lines: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def note(self, problem: str, line: int) -> None:
        """Count a problem of the line."""
        self.problems[problem] += 1
        lines = self._lines[problem]
        if len(lines) < _FIRST and line not in lines:  # a list may stand on one
            lines.append(line)

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(counts.get(name, 0) for counts in self.counts.values()))

    @property
    def is_complete(self) -> bool:
        """Whether all that was read is where it belongs."""
        return not (self.problems or self.total("dead") or self.total("lost"))

    def report(self) -> str:
        """The outcome in a few lines."""
        read = f"{self.read:,} {self.noun} of {self.source} in {self.seconds:.1f} s"
        lines = [read]
        lines += [f"{url}: {_said(counts)}" for url, counts in self.counts.items()]
        lines += [
            f"{self.verb}: {number:,}, {problem} ({self._places(problem)})"
            for problem, number in self.problems.most_common()
        ]
        return "\n".join(lines)

    @property
    def verb(self) -> str:
        """What becomes of lines with a problem."""
        return "skipped" if self.noun == "items" else "kept"

    def _places(self, problem: str) -> str:
        lines = self._lines[problem]
        more = ", ..." if len(lines) == _FIRST < self.problems[problem] else ""
        noun = "line" if len(lines) == 1 else "lines"
        return f"{noun} {', '.join(map(str, lines))}{more}"


def _said(counts: dict[str, float]) -> str:
    said = [
        f"{counts[name]:,.0f} {word}{_reasons(counts) if name == 'dead' else ''}"
        for name, word in _COUNTS.items()
        if counts.get(name)
    ]
    return ", ".join(said) or "nothing indexed"


def _reasons(counts: dict[str, float]) -> str:
    reasons = [
        f"{name.removeprefix('dead/')} {number:,.0f}"
        for name, number in counts.items()
        if name.startswith("dead/")
    ]
    return f" ({', '.join(reasons)})"
