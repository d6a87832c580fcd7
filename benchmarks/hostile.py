"""What hostile pages cost: seconds, and times a normal page of the same size."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import lru_cache, partial
from time import process_time
from typing import Any, NamedTuple

from scrapy_mainpage.extraction.extractor import Extractor
from tests.hostile.inputs import FULL, HOSTILE, MEGABYTE, normal

from .tables import Table

HEAD = ["input", "bytes", "s", "times", "slowest part", "s of it", "warnings"]
PARTS = "markdown html blocks metadata all_links media sections comments".split()

LEAST = 100_000
"""Bytes of a normal page below which the time is that of the start, not of the page."""


class Cost(NamedTuple):
    """What one input costs; the slowest part is made of a page that is there."""

    name: str
    size: int
    seconds: float
    ratio: float
    warnings: tuple[str, ...]
    slowest: str
    part_seconds: float


def run(options: argparse.Namespace) -> list[Table]:
    """Measure all inputs; the worst come first."""
    costs = sorted(map(measured, HOSTILE), key=lambda cost: -cost.ratio)
    longest = max(cost.seconds for cost in costs)
    title = (
        f"{len(costs)} hostile pages: at most {longest:.2f} s, "
        f"at most {costs[0].ratio:.1f} times a normal page of the same size"
    )
    rows = [
        [
            cost.name,
            cost.size,
            cost.seconds,
            cost.ratio,
            cost.slowest,
            cost.part_seconds,
            ", ".join(cost.warnings),
        ]
        for cost in costs
    ]
    return [Table(title, HEAD, rows, "hostile")]


def measured(name: str) -> Cost:
    """Measure the input *name*."""
    page = HOSTILE[name](FULL.get(name, MEGABYTE))
    call = partial(extractor().extract, page)
    extracted, seconds = timed(call)
    seconds = min(seconds, timed(call)[1])
    reference = normal_seconds(max(round(len(page), -5), LEAST))
    parts = {part: timed(partial(getattr, extracted, part))[1] for part in PARTS}
    slowest = max(parts, key=lambda part: parts[part])
    return Cost(
        name,
        len(page),
        seconds,
        seconds / reference,
        extracted.warnings,
        slowest,
        parts[slowest],
    )


@lru_cache(maxsize=1)
def extractor() -> Extractor:
    """The extractor of all pages, which has seen one."""
    made = Extractor()
    made.extract(normal(LEAST))
    return made


@lru_cache(maxsize=256)
def normal_seconds(size: int) -> float:
    """The seconds that a normal page of *size* bytes takes."""
    page = normal(size)
    return min(timed(partial(extractor().extract, page))[1] for _ in range(3))


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What *call* returns, and its processor time."""
    started = process_time()
    result = call()
    return result, process_time() - started
