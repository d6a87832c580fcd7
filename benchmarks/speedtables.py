"""Tables of times: a figure of each run, and of these the median and the range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .contenders import OURS, RESILIPARSE, TRAFILATURA, installed
from .interleaved import ADDED, ALONE, DEMAND, PARSE, STEP, Times
from .speedpages import LEAST
from .steps import BEFORE, ON_DEMAND, STEPS, WITHOUT_RESPONSE
from .tables import Table

FIGURES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda seconds: np.nanmean(seconds, axis=1),
    "median": lambda seconds: np.nanmedian(seconds, axis=1),
    "p95": lambda seconds: np.nanpercentile(seconds, 95, axis=1),
    "p99": lambda seconds: np.nanpercentile(seconds, 99, axis=1),
}
RANGE = ["median of runs", "lowest", "highest"]
PEERS = (RESILIPARSE, TRAFILATURA)
PREFIX = "speed"
#: What the extraction adds beside its steps.
REST = "all else"
WHEN = ("of the response", "without a response", "every page", "on demand")


class Bar(NamedTuple):
    """A ratio that is not to be exceeded."""

    figure: str
    above: str
    below: str
    limit: float

    def __str__(self) -> str:
        return f"{self.figure} of {self.above} / {self.below}"


BARS = (
    Bar("mean", OURS, RESILIPARSE, 1.0),
    Bar("p99", OURS, RESILIPARSE, 1.0),
    Bar("mean", OURS, TRAFILATURA, 0.07),
    Bar("mean", ADDED, PARSE, 0.5),
)


def ratios(
    times: Times, figure: str, above: str, below: str, chosen: Any = slice(None)
) -> np.ndarray:
    """Of each run the ratio of two figures, over the pages that both have read."""
    upper, lower = (times.seconds[part][:, chosen] for part in (above, below))
    both = ~(np.isnan(upper) | np.isnan(lower)).any(axis=0)
    of = FIGURES[figure]
    return of(upper[:, both]) / of(lower[:, both])


def spread_of(values: np.ndarray) -> list[float]:
    """The median, the lowest and the highest of the runs."""
    return [float(each) for each in (np.median(values), values.min(), values.max())]


def title(what: str, times: Times, said: str) -> str:
    runs = f"{times.runs} runs" if times.runs > 1 else "one run"
    return f"{what}, {runs}: {said}"


def bars_table(what: str, times: Times) -> Table:
    head = ["ratio", "limit", *RANGE, "holds"]
    table = Table(title(what, times, "the bars"), head, name=f"{PREFIX}-bars")
    for bar in BARS:
        if {bar.above, bar.below} <= times.seconds.keys():
            found = spread_of(ratios(times, bar.figure, bar.above, bar.below))
            holds = "yes" if found[0] <= bar.limit else "NO"
            table.rows.append([str(bar), bar.limit, *found, holds])
    return table


def extractors_table(what: str, times: Times) -> Table:
    """Milliseconds of every extractor, and how often it failed."""
    head = ["ms from bytes to text", "version", "pages", *FIGURES, "/ parse", "failed"]
    table = Table(title(what, times, "extractors"), head, name=f"{PREFIX}-extractors")
    for each in installed():
        seconds = times.seconds[each.label]
        pages = int((~np.isnan(seconds[0])).sum())
        relative = spread_of(ratios(times, "mean", each.label, PARSE))[0]
        row = [each.label, each.version, pages, *_milliseconds(seconds), relative]
        table.rows.append([*row, times.failed[each.label]])
    return table


def _milliseconds(seconds: np.ndarray) -> list[float]:
    """Of each figure the median of the runs."""
    return [1e3 * float(np.median(of(seconds))) for of in FIGURES.values()]


def ratios_table(what: str, times: Times) -> Table:
    """Ours over each of the others, on the pages that both have read."""
    head = [f"{OURS} /", "figure", *RANGE]
    table = Table(title(what, times, "ratios"), head, name=f"{PREFIX}-ratios")
    for each in installed():
        if each.label != OURS:
            for figure in FIGURES:
                found = spread_of(ratios(times, figure, OURS, each.label))
                table.rows.append([each.label, figure, *found])
    return table


def parsed_table(what: str, times: Times) -> Table:
    """What is added to a response that is parsed anyway."""
    head = ["ms of a response", *FIGURES]
    said = "decode and parse, and the extraction added"
    table = Table(title(what, times, said), head, name=f"{PREFIX}-parsed")
    for part in (PARSE, ADDED):
        table.rows.append([part, *_milliseconds(times.seconds[part])])
    quotients = [spread_of(ratios(times, each, ADDED, PARSE))[0] for each in FIGURES]
    table.rows.append([f"{ADDED} / {PARSE}", *quotients])
    return table


def steps_table(what: str, times: Times) -> Table:
    """Milliseconds of each step, and as a share of decoding and parsing."""
    head = ["ms of a step", "when", *FIGURES, "share of decode + parse"]
    table = Table(title(what, times, "steps"), head, name=f"{PREFIX}-steps")
    base = _sum(times, BEFORE)
    kinds = {
        WHEN[0]: _parts(times, STEP, BEFORE),
        WHEN[1]: _parts(times, ALONE, WITHOUT_RESPONSE),
        WHEN[2]: _parts(times, STEP, STEPS),
        WHEN[3]: _parts(times, DEMAND, ON_DEMAND),
    }
    kinds[WHEN[2]][REST] = times.seconds[ADDED] - _sum(times, STEPS)
    for when, parts in kinds.items():
        for name, seconds in parts.items():
            row = [name, when, *_milliseconds(seconds), _share(seconds, base)]
            table.rows.append(row)
    return table


def _parts(times: Times, prefix: str, names: Iterable[str]) -> dict[str, np.ndarray]:
    return {name: times.seconds[prefix + name] for name in names}


def _sum(times: Times, names: Iterable[str]) -> np.ndarray:
    return np.sum([times.seconds[STEP + name] for name in names], axis=0)


def _share(seconds: np.ndarray, base: np.ndarray) -> float:
    there = ~np.isnan(seconds).any(axis=0)
    shares = seconds[:, there].mean(axis=1) / base[:, there].mean(axis=1)
    return float(np.median(shares))


def groups_table(
    by: str, what: str, times: Times, group: list[str], order: list[str] | None = None
) -> Table:
    """Mean times and ratios of the pages of each size or type."""
    peers = [peer for peer in PEERS if peer in times.seconds]
    columns = [f"{name}, ms" for name in (PARSE, OURS)]
    columns += [f"{name} / {PARSE}" for name in (OURS, *peers)]
    columns += [f"{OURS} / {peer}" for peer in peers]
    head = [by, "pages", *columns, f"{ADDED} / {PARSE}"]
    table = Table(title(what, times, f"by {by}"), head, name=f"{PREFIX}-{by}s")
    labels = np.array(group)
    for name in order or sorted(
        set(group), key=lambda each: (-group.count(each), each)
    ):
        chosen = np.flatnonzero(labels == name)
        if len(chosen) >= LEAST or len(set(group)) == 1:
            row = _group_row(times, chosen, peers)
            table.rows.append([name, len(chosen), *row])
    return table


def _group_row(times: Times, chosen: np.ndarray, peers: Sequence[str]) -> list[float]:
    def mean(part: str) -> float:
        return 1e3 * float(np.median(times.seconds[part][:, chosen].mean(axis=1)))

    def ratio(above: str, below: str) -> float:
        return spread_of(ratios(times, "mean", above, below, chosen))[0]

    return [
        *(mean(part) for part in (PARSE, OURS)),
        *(ratio(part, PARSE) for part in (OURS, *peers)),
        *(ratio(OURS, peer) for peer in peers),
        ratio(ADDED, PARSE),
    ]
