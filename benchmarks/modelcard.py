"""The cross-validated scores in a model card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

MODELS = files("scrapy_mainpage.extraction.algorithms") / "models"
COLUMNS = ["set", "type", "pages", "F1"]

#: The type of a line that is about the whole set.
ALL = "all"

#: What a card says of pages with snippets alone.
_SNIPPETS = re.compile(
    r"snippets alone: (\d+\.\d+)% .*? taken,\s+(\d+\.\d+)% .*?; F1 (\d\.\d+)"
)


@dataclass(frozen=True)
class ModelCard:
    """What a card says: *data* names the sets of the training.

    *scores* has the pages and their mean F1 by set and type; *snippets* the shares of
    those that are taken and left out, as they should be, and the F1 of both.
    """

    data: str
    scores: dict[tuple[str, str], tuple[int, float]]
    snippets: tuple[float, float, float] | None = None

    def has_seen(self, name: str) -> bool:
        """Whether the model was trained on the set."""
        return (name, ALL) in self.scores or bool(
            re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.data)
        )

    def f1(self, name: str, kind: str, pages: int) -> float | None:
        """The mean over all *pages* of the set or type; ``None`` if it is not told.

        Pages that training could make nothing of are not among the card's: they have
        no text blocks, so nothing is extracted of them, which counts as 0.
        """
        if (name, kind) not in self.scores:
            return None
        counted, mean = self.scores[name, kind]
        return mean * counted / max(pages, counted)


def read_card(text: str) -> ModelCard:
    """Read a card: ``Data``, its first table with the columns, and the snippets."""
    field = re.search(r"^:Data:((?:.*\n)(?:[ \t]+.*\n)*)", text, re.MULTILINE)
    data, scores = field[1] if field else "", _scores(text.splitlines())
    return ModelCard(data, scores, _snippets(text))


def learned_card() -> ModelCard:
    """The card of the shipped model of ``learned``."""
    return read_card((MODELS / "learned.rst").read_text(encoding="utf-8"))


def _scores(lines: list[str]) -> dict[tuple[str, str], tuple[int, float]]:
    for number, line in enumerate(lines[1:], 1):
        if set(COLUMNS) <= set(line.split()) and lines[number - 1].startswith("=="):
            rule = lines[number - 1]
            spans = [match.span() for match in re.finditer("=+", rule)]
            rows = [_cells(row, spans) for row in _until(lines[number + 2 :], rule)]
            head = _cells(line, spans)
            places = [head.index(name) for name in COLUMNS]
            return {
                (row[a], row[b]): (int(row[c]), float(row[d]))
                for a, b, c, d in [places]
                for row in rows
            }
    return {}


def _snippets(text: str) -> tuple[float, float, float] | None:
    found = _SNIPPETS.search(text)
    if found is None:
        return None
    taken, left_out, f1 = map(float, found.groups())
    return taken / 100, left_out / 100, f1


def _until(lines: list[str], rule: str) -> list[str]:
    return lines[: lines.index(rule)]


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """The cells of a line of a simple table; the last may be longer than its rule."""
    ends = [end for _, end in spans[:-1]] + [len(line)]
    return [
        line[start:end].strip() for (start, _), end in zip(spans, ends, strict=True)
    ]
