"""Tables of the papers: what they are made of, those of Alarte and Silva, files."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Final

from lab.tables import Table, write_csv
from scrapy_mainpage.evaluation.datasets import site_of

from .site_level import SITE_SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lab.evaluation.page_measures import Row

    Cell = str | int | float | None
    from pathlib import Path


AVERAGE: Final = "Average"
LCS: Final = ("lcs_precision", "lcs_recall", "lcs_f1", "lcs_f05")


@dataclass(frozen=True)
class PaperTable:
    """A table or figure: its number in the paper, its title, and its cells.

    ``bars`` are values by group and algorithm, ``variation`` how much each varies,
    ``points`` values of x and y by algorithm, ``axes`` their titles.
    """

    number: str
    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    bars: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    variation: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    points: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    axes: tuple[str, str] = ("", "")

    @property
    def heading(self) -> str:
        """Its number and title, as a line."""
        return f"{self.number.replace('-', ' ').capitalize()}: {self.title}"


def page_of(row: Row) -> str:
    """The page of a row, with its set: ids are unique in one set only."""
    return f"{row.set} {row.page}"


def web_site_of(row: Row) -> str:
    """The host of a row's page."""
    return site_of(row.url)


set_of: Callable[[Row], str] = attrgetter("set")
algorithm_of: Callable[[Row], str] = attrgetter("algorithm")


def group_rows(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """The rows by *key*, in the order in which keys appear."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def common_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of the pages that every algorithm was measured on."""
    n = len(group_rows(rows, algorithm_of))
    pages = group_rows(rows, page_of)
    return [row for row in rows if len(pages[page_of(row)]) == n]


def mean_of(rows: Sequence[Row], measure: str) -> float | None:
    """The mean of a measure over the rows that have it; ``None`` without any."""
    return mean_of_known([row.measures.get(measure) for row in rows])


def mean_of_known(values: Iterable[float | None]) -> float | None:
    """The mean of the values but ``None``; ``None`` without any."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def means_of(rows: Sequence[Row], measures: Sequence[str]) -> tuple[float | None, ...]:
    """The mean of each measure."""
    return tuple(mean_of(rows, measure) for measure in measures)


def seconds_of(rows: Sequence[Row]) -> float | None:
    """The mean time of the pages that did not fail."""
    return mean_of_known([row.seconds for row in rows if not row.error])


def sum_of(rows: Iterable[Row], measure: str) -> int:
    """The sum of a count."""
    return sum(int(row.measures.get(measure, 0)) for row in rows)


def pool_blocks(rows: Sequence[Row]) -> tuple[float, float, float, float]:
    """Accuracy, precision, recall and F1 of the main class over all blocks.

    A block is main content if two thirds of it are in the text, as in Web2Text.
    """
    names = ("total", "common", "predicted", "gold")
    total, common, predicted, gold = (sum_of(rows, f"two_thirds_{x}") for x in names)
    right = total - predicted - gold + 2 * common
    return (
        right / max(total, 1),
        common / max(predicted, 1),
        common / max(gold, 1),
        2 * common / max(predicted + gold, 1),
    )


NODES_WORDS: Final = (
    "node_set_recall", "node_set_precision", "node_set_f1", "recall", "precision", "f1",
)  # fmt: skip
BLOCK_NODES_WORDS: Final = (
    "nodes_recall", "nodes_precision", "nodes_f1", "recall", "precision", "f1",
)  # fmt: skip
ORDER: Final = ("R", "P", "F1")
CENTROID: Final = "centroid"
NO_POST_PROCESS: Final = "post_process=false"
C_SET: Final = {f"{CENTROID}:c={c}:{NO_POST_PROCESS}": c for c in range(1, 9)}
THRESHOLDS: Final = {
    f"{CENTROID}:tr={tr / 4:g}:hr={hr}:inner_groups=true": (tr / 4, hr)
    for tr in range(5, 13)
    for hr in range(1, 9)
}
TEXT_SYSTEMS: Final = (
    "bte", "dsc", "fe", "k-fe", "lqf", "ccb", "cetr", "cetd:variant=CETD-DS",
    "cetd:variant=CECTD-S", "cetd:variant=CECTD-DS", "wlr",
)  # fmt: skip
BLOCK_SYSTEMS: Final = (
    "bte", "boilerpy3-default", "boilerpy3", "boilerpy3-largest", "unfluff",
)  # fmt: skip


def alarte_tables(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 1 to 6, figure 2; table 4 where sites were compared."""
    systems = group_rows(rows, algorithm_of)
    head = ("", *(f"{of} {m}" for of in ("nodes", "words") for m in ORDER))
    columns = (*head[1:], "Runtime s")
    sizes = _lines(systems, {k: str(c) for k, c in C_SET.items()})
    thresholds = _thresholds(systems)
    own = systems.get(CENTROID, [])
    facts = ("nodes_total", "nodes_gold")
    pages: list[tuple[Cell, ...]] = [
        (
            row.page,
            *(int(row.measures.get(name, 0)) for name in facts),
            *map(row.measures.get, NODES_WORDS),
            row.seconds,
        )
        for row in own
    ]
    if own:
        means = means_of(own, (*facts, *NODES_WORDS))
        pages.append((AVERAGE, *means, seconds_of(own)))
    points = [(r.measures["nodes_rated"], r.seconds) for r in own if _is_rated(r)]
    return [
        PaperTable("table-1", "Size of the c-SET", ("Size", *columns), sizes),
        PaperTable("table-2", "Thresholds", ("tr", "hr", *columns), thresholds),
        PaperTable(
            "table-3", "By page", ("Page", "Nodes", "Main", *columns), tuple(pages)
        ),
        *_sites(systems),
        _lcs_by_set(systems, (*TEXT_SYSTEMS, CENTROID)),
        _accuracy(systems, (*BLOCK_SYSTEMS, CENTROID)),
        PaperTable(
            "figure-2", "Runtime by rated nodes", points={CENTROID: points},
            axes=("rated nodes", "seconds"),
        ),
    ]  # fmt: skip


def _thresholds(systems: Mapping[str, Sequence[Row]]) -> tuple[tuple[Cell, ...], ...]:
    """Table 2: of each tr the values of hr with the best F1 of words."""
    by_tr: dict[float, dict[int, tuple[Cell, ...]]] = {}
    for name, (tr, hr) in THRESHOLDS.items():
        if name in systems:
            (line,) = _lines(systems, {name: ""})
            by_tr.setdefault(tr, {})[hr] = line[1:]
    lines: list[tuple[Cell, ...]] = []
    for tr, by_hr in by_tr.items():
        # F1 is the last but one, before the time.
        best = max(line[-2] or 0 for line in by_hr.values())
        hrs = [hr for hr, line in by_hr.items() if (line[-2] or 0) == best]
        lines.append((f"{tr:g}", ", ".join(map(str, hrs)), *by_hr[hrs[0]]))
    without = _lines(systems, {f"{CENTROID}:c=3:{NO_POST_PROCESS}": "No post-process"})
    return (*lines, *((line[0], "", *line[1:]) for line in without))


def _sites(systems: Mapping[str, Sequence[Row]]) -> list[PaperTable]:
    """Table 4: of the systems that compare pages the elements of the taken blocks."""
    names = [name for name in SITE_SYSTEMS if name in systems]
    lines = [
        (name, *means_of(systems[name], BLOCK_NODES_WORDS), seconds_of(systems[name]))
        for name in names
    ]
    if names and CENTROID in systems:
        own = systems[CENTROID]
        lines.append((CENTROID, *means_of(own, BLOCK_NODES_WORDS), seconds_of(own)))
    head = ("Algorithm", *(f"{of} {m}" for of in ("nodes", "words") for m in ORDER))
    title = "Systems that compare the pages of a site"
    table = PaperTable("table-4", title, (*head, "Runtime s"), tuple(lines))
    return [table] if names else []


def _is_rated(row: Row) -> bool:
    return not row.error and "nodes_rated" in row.measures


def _lines(
    systems: Mapping[str, Sequence[Row]], names: Mapping[str, str]
) -> tuple[tuple[Cell, ...], ...]:
    """A line for each of the systems *names*, by the title there."""
    return tuple(
        (title, *means_of(systems[name], NODES_WORDS), seconds_of(systems[name]))
        for name, title in names.items()
        if name in systems
    )


def _lcs_by_set(
    systems: Mapping[str, Sequence[Row]], names: Iterable[str]
) -> PaperTable:
    """Table 5 of Alarte and Silva."""
    sets = list(dict.fromkeys(r.set for own in systems.values() for r in own))
    lines = []
    for name in names:
        if name in systems:
            groups = group_rows(systems[name], set_of)
            parts = [means_of(groups.get(key, []), LCS[:3]) for key in sets]
            mean = tuple(mean_of_known(column) for column in zip(*parts, strict=True))
            lines.append((name, *(v for part in (*parts, mean) for v in part)))
    titles = (f"{key} {m}" for key in (*sets, AVERAGE) for m in ("P", "R", "F1"))
    title = "Longest common subsequence"
    return PaperTable("table-5", title, ("Algorithm", *titles), tuple(lines))


def _accuracy(systems: Mapping[str, Sequence[Row]], names: Iterable[str]) -> PaperTable:
    """Table 6 of Alarte and Silva, over all text blocks of each set."""
    sets = list(dict.fromkeys(r.set for own in systems.values() for r in own))
    lines: list[tuple[Cell, ...]] = []
    for name in names:
        if own := systems.get(name):
            groups = group_rows(own, set_of)
            values = (v for key in sets for v in pool_blocks(groups.get(key, [])))
            lines.append((name, *values, seconds_of(own)))
    titles = (f"{key} {m}" for key in sets for m in ("Acc.", "Prec.", "Rec.", "F1"))
    return PaperTable(
        "table-6", "Text blocks", ("Method", *titles, "Runtime s"), tuple(lines)
    )


MAX_PAPER_LINES: Final = 30


def format_paper(title: str, tables: Iterable[PaperTable]) -> str:
    """A paper's tables; of long ones the first lines and the last."""
    return "\n\n".join([title, *(str(_shown(table)) for table in tables if table.rows)])


def _shown(table: PaperTable) -> Table:
    rows = [["" if cell is None else cell for cell in row] for row in table.rows]
    left_out = len(rows) - MAX_PAPER_LINES
    if left_out > 0:
        more = [f"{left_out} more", *[""] * (len(table.head) - 1)]
        rows[MAX_PAPER_LINES - 1 : -1] = [more]
    return Table(table.heading, [*table.head], rows)


def write_table(table: PaperTable, path: Path) -> None:
    """Write the cells of a table, or the values of a figure, to the CSV file *path*."""
    head, rows = list(table.head), [list(row) for row in table.rows]
    if table.points:
        head = ["algorithm", *table.axes]
        rows = [[n, *point] for n, points in table.points.items() for point in points]
    elif not rows:
        head = ["group", "algorithm", "value"]
        rows = [[g, n, v] for g, bars in table.bars.items() for n, v in bars.items()]
        if table.variation:
            head.append("variation")
            rows = [[*row, table.variation[str(row[0])][str(row[1])]] for row in rows]
    write_csv(path, [head, *rows])
