"""Extractors side by side: a row each, a column per set, type or language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from scrapy_mainpage.evaluation.datasets import DataSet
from scrapy_mainpage.evaluation.measure import Row
from scrapy_mainpage.evaluation.summary import ALL, SET, TYPE, Summary, summarise

from .modelcard import ModelCard
from .peerlist import LEARNED, Peer
from .tables import Table

CROSS_VALIDATED = "learned (cross-validated)"
LEAST = 20
"""Pages that a type must have for a column of its own."""


def peer_tables(
    rows: Sequence[Row],
    sets: Sequence[DataSet],
    peers: Sequence[Peer],
    missing: Sequence[Peer],
    card: ModelCard,
    today: date,
) -> list[Table]:
    """All tables of the comparison; *sets* are whole, *rows* may be of a sample."""
    scores = {(s.set, s.kind, s.group, s.algorithm): s for s in summarise(rows)}
    board = _Board(scores, sets, [peer.label for peer in peers], card)
    return [
        board.by_set(),
        *(board.by_type(each) for each in sets if len(board.types(each.name)) > 1),
        *(board.snippets(each) for each in sets if board.has_snippets_alone(each)),
        extractors_table(rows, peers, missing, today),
    ]


class _Board:
    def __init__(
        self,
        scores: dict[tuple[str, str, str, str], Summary],
        sets: Sequence[DataSet],
        labels: Sequence[str],
        card: ModelCard,
    ):
        self.scores, self.sets, self.labels, self.card = scores, sets, labels, card
        self.pages = {each.name: _counts(each) for each in sets}

    def by_set(self) -> Table:
        names = [each.name for each in self.sets if _has_texts(each)]
        table = Table("word F1, mean over the pages of each set", [], name="peers")
        columns = [(name, SET, ALL) for name in names]
        heads = [f"{name} ({self.measured(name, SET, ALL)})" for name in names]
        return self.filled(table, heads, columns)

    def by_type(self, data: DataSet) -> Table:
        kinds = self.types(data.name)
        table = Table(f"word F1, {data.name}", [], name=f"peers-{data.name}")
        columns = [(data.name, TYPE, kind) for kind in kinds]
        heads = [f"{kind} ({self.measured(data.name, TYPE, kind)})" for kind in kinds]
        return self.filled(table, heads, columns)

    def filled(
        self, table: Table, heads: list[str], columns: list[tuple[str, str, str]]
    ) -> Table:
        """The table with the model's row, and one for each of the others."""
        table.header = ["", *heads]
        table.rows = [[CROSS_VALIDATED, *(self.learned(*c) for c in columns)]]
        table.rows += [
            [label, *(self.f1(*c, label) for c in columns)] for label in self.labels
        ]
        return table

    def learned(self, name: str, kind: str, group: str) -> float | str:
        if not self.card.has_seen(name):
            return self.f1(name, kind, group, LEARNED.label)
        f1 = self.card.f1(name, group, self.pages[name].get(group, 0))
        return "" if f1 is None else f1

    def f1(self, *place: str) -> float | str:
        return self.scores[place].measures["f1"] if place in self.scores else ""

    def snippets(self, data: DataSet) -> Table:
        """Shares of the snippets, where these are all that is known."""
        columns = {"with": "snippets_with", "without": "snippets_without"}
        columns["F1"] = "snippets_f1"
        labels = self.labels
        if not self.card.has_seen(data.name):
            labels = [LEARNED.label, *labels]
        rows = [
            [
                label,
                *(
                    self.scores[data.name, SET, ALL, label].measures.get(m, "")
                    for m in columns.values()
                ),
            ]
            for label in labels
        ]
        if self.card.has_seen(data.name) and self.card.snippets:
            rows.insert(0, [CROSS_VALIDATED, *self.card.snippets])
        head = f"{self.measured(data.name, SET, ALL)} pages"
        return Table(
            f"snippets, {data.name}", [head, *columns], rows, f"peers-{data.name}"
        )

    def has_snippets_alone(self, data: DataSet) -> bool:
        return not _has_texts(data)

    def measured(self, name: str, kind: str, group: str) -> int:
        """How many pages were measured."""
        return self.scores[name, kind, group, self.labels[0]].pages

    def types(self, name: str) -> list[str]:
        """The types of a set that are large enough, largest first."""
        groups = [s for s in self.scores.values() if (s.set, s.kind) == (name, TYPE)]
        pages = {s.group: s.pages for s in groups}
        large = [kind for kind, n in self.pages[name].items() if n >= LEAST]
        return sorted(
            (kind for kind in large if kind != ALL and kind in pages),
            key=lambda kind: (-pages[kind], kind),
        )


def _counts(data: DataSet) -> dict[str, int]:
    counts = {ALL: len(data.pages)}
    for page in data.pages:
        counts[page.type] = counts.get(page.type, 0) + 1
    return counts


def _has_texts(data: DataSet) -> bool:
    return any(page.text is not None for page in data.pages)


def extractors_table(
    rows: Sequence[Row], peers: Sequence[Peer], missing: Sequence[Peer], today: date
) -> Table:
    """Which versions were measured when, how they were called, what they failed on."""
    head = [f"measured {today}", "version", "settings", "pages", "failed"]
    table = Table("extractors", head, name="peers-versions")
    for peer in peers:
        own = [row for row in rows if row.algorithm == peer.label]
        failed = sum(bool(row.error) for row in own)
        table.rows.append([peer.label, peer.version, peer.settings, len(own), failed])
    for peer in missing:
        said = f"NOT INSTALLED: pip install {peer.package}"
        table.rows.append([peer.label, "", said, 0, 0])
    return table
