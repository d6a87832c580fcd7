"""Cost of hostile pages: seconds, and times a normal page of the same size."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from time import process_time
from typing import Any, NamedTuple

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.page import Page
from tests.hostile.inputs import FULL, HOSTILE, MEGABYTE, normal

from .tables import Table

HEAD = "input, bytes, s, times, longest s, slowest part, s of it, warnings".split(", ")
PARTS = "markdown html blocks metadata all_links media sections comments".split()

#: Inputs reach the limits at different sizes.
SIZES = (100_000, 400_000, 900_000, MEGABYTE, 4 * MEGABYTE, 10 * MEGABYTE)
#: Sizes at which outputs on demand are made, too.
WITH_PARTS = (MEGABYTE, 10 * MEGABYTE)
#: Times a normal page: an input that takes longer is measured again, the least counts.
SUSPECT = 6.0
AGAIN = 3


class Cost(NamedTuple):
    """Cost of one input at one size, with the slowest output made on demand."""

    name: str
    size: int
    seconds: float
    ratio: float
    warnings: tuple[str, ...]
    slowest: str = ""
    part_seconds: float = 0.0


def run(options: argparse.Namespace) -> list[Table]:
    """Measure all inputs at all sizes; the worst come first."""
    costs = {name: list(measured(name)) for name in HOSTILE}
    rows = sorted(map(row, costs.values()), key=lambda row: -row[3])
    every = [cost for of_one in costs.values() for cost in of_one]
    title = (
        f"{len(costs)} hostile pages at {len(SIZES)} sizes: "
        f"at most {max(cost.seconds for cost in every):.2f} s, "
        f"at most {max(cost.ratio for cost in every):.1f} times a normal page of the "
        f"same size; a part at most {max(cost.part_seconds for cost in every):.2f} s"
    )
    return [Table(title, HEAD, rows, "hostile")]


def row(costs: list[Cost]) -> list[Any]:
    """The worst of an input's *costs*, with the longest time and the slowest part."""
    worst = max(costs, key=lambda cost: cost.ratio)
    longest = max(cost.seconds for cost in costs)
    slow = max(costs, key=lambda cost: cost.part_seconds)
    warnings = ", ".join(worst.warnings)
    cells = [worst.name, worst.size, worst.seconds, worst.ratio, longest]
    return [*cells, slow.slowest, slow.part_seconds, warnings]


def measured(name: str) -> Iterator[Cost]:
    """The cost of the input *name* at each size."""
    own = (FULL[name],) if name in FULL else ()
    for size in (*SIZES, *own):
        page = HOSTILE[name](size)
        extracted, seconds, ratio = compared(page)
        cost = Cost(name, len(page), seconds, ratio, extracted.warnings)
        if size in WITH_PARTS:
            parts = {
                part: timed(partial(getattr, extracted, part))[1] for part in PARTS
            }
            slowest = max(parts, key=lambda part: parts[part])
            cost = cost._replace(slowest=slowest, part_seconds=parts[slowest])
        yield cost


def compared(page: bytes) -> tuple[Page, float, float]:
    """The page that is made, its seconds, and how many times a normal page's."""
    call = partial(extractor().extract, page)
    reference = round(len(page), -5) or SIZES[0]
    extracted, seconds = timed(call)
    ratio = seconds / normal_seconds(reference)
    if ratio > SUSPECT:
        usual = partial(extractor().extract, normal(reference))
        pairs = [(timed(call)[1], timed(usual)[1]) for _ in range(AGAIN)]
        seconds = min(seconds, *(pair[0] for pair in pairs))
        usually = min(normal_seconds(reference), *(pair[1] for pair in pairs))
        ratio = seconds / usually
    return extracted, seconds, ratio


@lru_cache(maxsize=1)
def extractor() -> Extractor:
    """The extractor of all pages, which has seen one."""
    made = Extractor()
    made.extract(normal(SIZES[0]))
    return made


@lru_cache(maxsize=256)
def normal_seconds(size: int) -> float:
    """The seconds that a normal page of *size* bytes takes."""
    page = normal(size)
    rounds = 20 if size < MEGABYTE else 3
    return min(timed(partial(extractor().extract, page))[1] for _ in range(rounds))


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The result of *call*, and its processor time."""
    started = process_time()
    result = call()
    return result, process_time() - started
