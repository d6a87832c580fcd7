"""A table or figure of a paper, and what such tables are computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Final

from .datasets import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .measure import Row

    Cell = str | int | float | None

AVERAGE: Final = "Average"
LCS: Final = ("lcs_precision", "lcs_recall", "lcs_f1", "lcs_f05")


@dataclass(frozen=True)
class PaperTable:
    """A table or figure: its number in the paper, its title, and its cells.

    ``bars`` are values by group and algorithm, ``points`` values of x and y by
    algorithm, ``axes`` their titles.
    """

    number: str
    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    bars: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    points: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    axes: tuple[str, str] = ("", "")

    @property
    def heading(self) -> str:
        """Its number and title, as a line."""
        return f"{self.number.replace('-', ' ').capitalize()}: {self.title}"


def page_of(row: Row) -> str:
    """The page of a row, with its set: ids are unique in one set only."""
    return f"{row.set} {row.page}"


def set_of(row: Row) -> str:
    """The set of a row."""
    return row.set


def web_site_of(row: Row) -> str:
    """The host of a row's page."""
    return site_of(row.url)


def algorithm_of(row: Row) -> str:
    """The algorithm of a row."""
    return row.algorithm


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
    """Accuracy, precision, recall and F1 of the main class over all blocks."""
    names = ("total", "common", "predicted", "gold")
    total, common, predicted, gold = (sum_of(rows, f"blocks_{x}") for x in names)
    right = total - predicted - gold + 2 * common
    return (
        right / max(total, 1),
        common / max(predicted, 1),
        common / max(gold, 1),
        2 * common / max(predicted + gold, 1),
    )
