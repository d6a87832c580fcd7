"""The tables of ``docs/comparison.rst`` and of the README, with the present model.

Measures nothing: takes our scores from the model card, all others from the tables that
``speed`` and ``lab.tools.evaluation_tables`` wrote, and marks the best of each column.
With ``--docs`` the table of the README is written, too.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from lab import ROOT
from lab.tables import Table, read_csv, simple_table

#: The type of a line about the whole set.
ALL = "all"
#: A line of the first table: set, type, pages, F1.
_LINE = re.compile(r"^([\w-]+) +(\S.*?) +(\d+) (\d\.\d+)$")
_SNIPPETS = re.compile(
    r"snippets alone: (\d+\.\d+)% .*? taken,\s+(\d+\.\d+)% .*?; F1 (\d\.\d+)"
)


@dataclass(frozen=True)
class ModelCard:
    """A card's pages and mean F1 by set and type, and its snippet shares."""

    scores: dict[tuple[str, str], tuple[int, float]]
    snippets: tuple[float, float, float] | None = None

    def f1(self, name: str, kind: str, pages: int) -> float | None:
        """The mean over all *pages* of the set or type; ``None`` if not in the card.

        Pages without text blocks are not among the card's; they count as 0.
        """
        if (name, kind) not in self.scores:
            return None
        counted, mean = self.scores[name, kind]
        return mean * counted / max(pages, counted)


def read_card(text: str) -> ModelCard:
    """Read the first table with F1, and the snippets of a card."""
    scores: dict[tuple[str, str], tuple[int, float]] = {}
    for line in text.partition("left out")[0].splitlines():
        if match := _LINE.match(line):
            scores[match[1], match[2]] = (int(match[3]), float(match[4]))
    found = _SNIPPETS.search(text)
    snippets = None
    if found:
        taken, left_out, f1 = map(float, found.groups())
        snippets = (taken / 100, left_out / 100, f1)
    return ModelCard(scores, snippets)


def learned_card() -> ModelCard:
    """The card of the shipped model of ``learned``."""
    weights = files("scrapy_mainpage.extraction") / "weights"
    return read_card((weights / "learned.rst").read_text(encoding="utf-8"))


CROSS_VALIDATED = "learned (cross-validated)"
TABLES = ROOT / "docs/evaluation"
SPEED = ROOT / "docs/speed/extractors.csv"
README = ROOT / "README.rst"
#: Sets of the README, by the heading of their column.
SHOWN_SETS = {
    "documentation": "documentation",
    "news": "world-news",
    "many languages": "multilingual-article",
    "all kinds of pages": "wcxb-dev",
}
SHOWN = ("trafilatura", "resiliparse", "readability-lxml")
README_TABLE = re.compile(r"(?<=\.\. comparison\n\n)=.*?\n\n", re.DOTALL)
COLUMN = re.compile(r"(\S.*?) \((\d+)\)")

Rows = list[list[str]]


def run(options: argparse.Namespace) -> list[Table]:
    card = learned_card()
    names = ("wcxb-dev", "multilingual-news")
    tables = [
        compare("peers", "word F1", card, None),
        *(compare(f"peers-{name}", f"word F1, {name}", card, name) for name in names),
    ]
    tables += [compare_snippets(card), list_leaders(tables)]
    if options.docs:
        text, table = README.read_text("utf-8"), readme_table(tables[0])
        README.write_text(README_TABLE.sub(f"{table}\n", text), "utf-8")
    return tables


def compare(name: str, title: str, card: ModelCard, data_set: str | None) -> Table:
    """A table by set, or by type of one set, with the scores of the card."""
    header, *rows = read_rows(TABLES / f"{name}.csv")
    ours = [CROSS_VALIDATED]
    for column in header[1:]:
        match = COLUMN.fullmatch(column)
        assert match is not None, column
        key = (data_set, match[1]) if data_set else (match[1], ALL)
        ours.append(f"{card.f1(*key, int(match[2])) or 0:.3f}")
    return mark_best(Table(title, header, [ours, *rows[1:]], f"evaluation-{name}"))


def compare_snippets(card: ModelCard) -> Table:
    """The table of the set that has snippets alone."""
    name = "peers-multilingual-segments"
    header, *rows = read_rows(TABLES / f"{name}.csv")
    ours = [CROSS_VALIDATED, *(f"{share:.3f}" for share in card.snippets or ())]
    return mark_best(Table("snippets", header, [ours, *rows[1:]], f"evaluation-{name}"))


def list_leaders(tables: list[Table]) -> Table:
    """The two best of each set, type and language."""
    leaders = Table("leaders", ["Pages", "Highest F1", "Next"], [])
    leaders.name = "evaluation-peers-leaders"
    for table in tables:
        prefix = table.name.partition("-peers-")[2]
        for k, column in enumerate(table.header[1:], 1):
            ranked = sorted(table.rows, key=lambda row: -float(row[k].strip("*")))
            best = [f"{row[0]} {row[k].strip('*')}" for row in ranked[:2]]
            group = column.partition(" (")[0]
            leaders.rows.append([f"{prefix}: {group}" if prefix else group, *best])
    return leaders


def mark_best(table: Table) -> Table:
    """The table with its highest scores in bold."""
    for k in range(1, len(table.header)):
        best = max(float(row[k]) for row in table.rows)
        for row in table.rows:
            row[k] = f"**{row[k]}**" if float(row[k]) == best else row[k]
    return table


def readme_table(peers: Table) -> str:
    """Quality and time of the extractors that most people know, as reStructuredText."""
    names = [column.partition(" (")[0] for column in peers.header]
    scores = {row[0]: dict(zip(names, row, strict=True)) for row in peers.rows}
    speed = {row[0]: row[3] for row in read_rows(SPEED)[1:]}
    lines = [["", *SHOWN_SETS, "ms per page"]]
    for name in (CROSS_VALIDATED, *SHOWN):
        cells = [scores[name][data_set] for data_set in SHOWN_SETS.values()]
        label = "scrapy-mainpage" if name == CROSS_VALIDATED else name
        lines.append([label, *cells, speed[name.partition(" (")[0]]])
    return f"{simple_table(lines, gap='  ')}\n"


def read_rows(path: Path) -> Rows:
    """The rows of a table of the documentation, without marks."""
    return [[cell.strip("*") for cell in row] for row in read_csv(path)]
