"""Growth of every output of hostile pages: time, size and memory."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from multiprocessing import get_context
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.report import write_report
from tests.hostile.amplifying import AMPLIFYING
from tests.hostile.inputs import HOSTILE, normal
from tests.hostile.test_outputs import URL, count_elements, make_outputs

from .childprocess import MEGABYTE, STATUS, peak_memory
from .growth import worst_growth
from .tables import Table

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

HEAD = (
    "input, slowest part, s, growth / linear, largest part, times, memory, per element,"
    " holds"
)
SIZES = (250_000, 1_000_000, 4_000_000)
MAX_GROWTH = 2.0
MIN_SECONDS = 0.3
"""A shorter step is not compared with the same step of a smaller page."""

MAX_SIZE_RATIO = 20
MAX_MEMORY_RATIO = 40
MIN_MEMORY = 10 * MEGABYTE
"""Of any page: buffers begin with some size, and names are kept from page to page."""

MAX_ELEMENT_BYTES = 2_500
"""Of memory for an element, beyond what its page may take by its size: the tree, the
arrays, features, and objects of outputs. Pages have 100,000 elements at most."""


class Cost(NamedTuple):
    """Seconds and characters of each output, and bytes of memory, of one page."""

    size: int
    elements: int
    seconds: dict[str, float]
    characters: dict[str, int]
    memory: float


def run(options: argparse.Namespace) -> list[Table]:
    """Measure all inputs; those that do not hold come first."""
    del options
    makers = {**AMPLIFYING, **HOSTILE}
    make_outputs_of(normal(SIZES[0]))  # loads models and modules for all processes
    rows = []
    for name, make in makers.items():
        rows.append(row(name, [measure(make(size)) for size in SIZES]))
    title = f"all outputs of {len(rows)} hostile pages, at most {SIZES[-1]:,} bytes"
    rows.sort(key=lambda cells: (cells[-1] == "yes", -cells[3]))
    return [Table(title, HEAD.split(", "), rows, "outputs")]


def row(name: str, costs: list[Cost]) -> list[Any]:
    """The worst of an input's outputs."""
    growths = {
        part: worst_growth(*zip(*points, strict=True))
        for part in costs[-1].seconds
        if len(points := list(long_steps(part, costs))) > 1
    }
    worst = max(growths, key=lambda part: growths[part], default="")
    ratios = {p: n / costs[-1].size for p, n in costs[-1].characters.items()}
    largest = max(ratios, key=lambda part: ratios[part])
    memory = max(max(c.memory - MIN_MEMORY, 0) / c.size for c in costs)
    element = max(map(element_bytes, costs))
    growth = growths.get(worst, 0.0)
    holds = growth <= MAX_GROWTH and element <= MAX_ELEMENT_BYTES
    holds = holds and ratios[largest] <= MAX_SIZE_RATIO
    cells = [name, worst, costs[-1].seconds.get(worst, 0.0), growth]
    cells += [largest, ratios[largest], memory, element]
    return [*cells, "yes" if holds else "NO"]


def element_bytes(cost: Cost) -> float:
    """Memory for each element beyond what the page may take by its size."""
    by_size = MIN_MEMORY + MAX_MEMORY_RATIO * cost.size
    return max(cost.memory - by_size, 0.0) / max(cost.elements, 1)


def long_steps(part: str, costs: list[Cost]) -> Iterator[tuple[float, int]]:
    """Seconds and size where a step takes long enough to be compared."""
    for cost in costs:
        seconds = cost.seconds.get(part, 0.0)
        if seconds >= MIN_SECONDS / 16:
            yield max(seconds, MIN_SECONDS / 4), cost.size


def measure(page: bytes) -> Cost:
    """The cost of a page, in a process of its own."""
    context = get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=make_all, args=(page, theirs))
    child.start()
    theirs.close()
    cost: Cost = ours.recv()
    child.join()
    return cost


def make_all(page: bytes, answer: Connection) -> None:
    """Send the cost of a page."""
    before = peak_memory()
    elements, seconds, characters = make_outputs_of(page)
    memory = (peak_memory() - before) * MEGABYTE if STATUS.exists() else 0.0
    answer.send(Cost(len(page), elements, seconds, characters, memory))


def make_outputs_of(page: bytes) -> tuple[int, dict[str, float], dict[str, int]]:
    """The elements of a page, and seconds and characters of each output."""
    seconds, characters, start = {}, {}, process_time()
    extracted = Extractor().extract(page, url=URL)
    seconds["extract"] = process_time() - start
    start = process_time()
    for part, size in make_outputs(extracted):
        seconds[part], start = process_time() - start, process_time()
        characters[part] = size
    characters["report"] = len(write_report(extracted))
    seconds["report"] = process_time() - start
    return count_elements(extracted), seconds, characters
