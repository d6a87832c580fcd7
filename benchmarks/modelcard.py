"""The cross-validated scores in a model card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

#: The type of a line about the whole set.
ALL = "all"
#: A line of the first table: set, type, pages, F1.
_LINE = re.compile(r"^([\w-]+) +(\S.*?) +(\d+) (\d\.\d+)$")
_SNIPPETS = re.compile(
    r"snippets alone: (\d+\.\d+)% .*? taken,\s+(\d+\.\d+)% .*?; F1 (\d\.\d+)"
)


@dataclass(frozen=True)
class ModelCard:
    """A card's data field, pages and mean F1 by set and type, and snippet shares."""

    data: str
    scores: dict[tuple[str, str], tuple[int, float]]
    snippets: tuple[float, float, float] | None = None

    def has_seen(self, name: str) -> bool:
        """Whether the model was trained on the set."""
        return (
            re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.data) is not None
        )

    def f1(self, name: str, kind: str, pages: int) -> float | None:
        """The mean over all *pages* of the set or type; ``None`` if not in the card.

        Pages without text blocks are not among the card's; they count as 0.
        """
        if (name, kind) not in self.scores:
            return None
        counted, mean = self.scores[name, kind]
        return mean * counted / max(pages, counted)


def read_card(text: str) -> ModelCard:
    """Read the field ``Data``, the first table with F1, and the snippets of a card."""
    field = re.search(r"^:Data:((?:.*\n)(?:[ \t]+.*\n)*)", text, re.MULTILINE)
    scores: dict[tuple[str, str], tuple[int, float]] = {}
    for line in text.partition("left out")[0].splitlines():
        if match := _LINE.match(line):
            scores[match[1], match[2]] = (int(match[3]), float(match[4]))
    found = _SNIPPETS.search(text)
    snippets = None
    if found:
        taken, left_out, f1 = map(float, found.groups())
        snippets = (taken / 100, left_out / 100, f1)
    return ModelCard(field[1] if field else "", scores, snippets)


def learned_card() -> ModelCard:
    """The card of the shipped model of ``learned``."""
    weights = files("scrapy_mainpage.extraction") / "weights"
    return read_card((weights / "learned.rst").read_text(encoding="utf-8"))
