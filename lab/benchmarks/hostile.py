"""Cost of hostile pages: seconds, and times a normal page of the same size.

A second table has hostile markup and data inside of pages, by structure: the worst of
all ways to hold it, seconds and memory, and whether the text or a warning is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from multiprocessing import get_context
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.page import Page
from tests.hostile.embedded import EMBEDDED, SENTENCE, SHARED
from tests.hostile.inputs import FULL, HOSTILE, MEGABYTE, normal
from tests.hostile.test_outputs import PARTS

from .childprocess import STATUS, peak_memory
from .tables import Table

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

HEAD = "input, bytes, s, times, longest s, slowest part, s of it, warnings".split(", ")
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
    return [Table(title, HEAD, rows, "hostile"), embedded_table()]


def embedded_table() -> Table:
    """The worst cost of each structure inside of pages, over all ways and sizes."""
    found: dict[str, list[Held]] = {}
    for name, make in EMBEDDED.items():
        structure, _, way = (name, "", "") if name in SHARED else name.partition(" in ")
        held = [measure_held(way, make(size)) for size in EMBEDDED_SIZES]
        found.setdefault(structure, []).extend(held)
    rows = [held_row(name, held) for name, held in found.items()]
    rows.sort(key=lambda cells: (cells[-1] == "yes", -cells[3]))
    title = f"{len(EMBEDDED)} pages with hostile markup or data inside, at 3 sizes"
    return Table(title, EMBEDDED_HEAD.split(", "), rows, "hostile-embedded")


EMBEDDED_HEAD = (
    "structure, ways, slowest, s / MB, MB, per element, warned, right, holds"
)
EMBEDDED_SIZES = (100_000, MEGABYTE, 10 * MEGABYTE)
WITH_OUTPUTS = ("", "srcdoc")
"""Ways with all outputs in memory: they are the same, whatever the way."""

MIN_RIGHT_WORDS = 20
"""Of a page that holds prose; a page without has nothing to find."""

MIN_HELD_SECONDS = 0.1
"""Of any page: the first steps of an extraction, and the clock of a busy machine."""


class Held(NamedTuple):
    """Cost of a page with something inside of it: seconds, and bytes of memory."""

    way: str
    size: int
    seconds: float
    memory: float
    elements: int
    warned: bool
    right: bool

    @property
    def pace(self) -> float:
        """Seconds for each megabyte, beyond those of any page."""
        return max(self.seconds - MIN_HELD_SECONDS, 0) / (self.size / MEGABYTE)

    @property
    def element_bytes(self) -> float:
        """Memory for each element beyond what the page may take by its size."""
        by_size = 10 * MEGABYTE + 40 * self.size
        return max(self.memory - by_size, 0.0) / max(self.elements, 1)


def measure_held(way: str, page: bytes) -> Held:
    """The cost of a page, in a process of its own."""
    context = get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=send_held, args=(way, page, theirs))
    extractor()
    child.start()
    theirs.close()
    held: Held = ours.recv()
    child.join()
    return held


def send_held(way: str, page: bytes, answer: Connection) -> None:
    """Send the cost of a page."""
    before = peak_memory()
    extracted, seconds = timed(partial(extractor().extract, page, url="http://a.io/x"))
    for part in PARTS if way in WITH_OUTPUTS else ():
        getattr(extracted, part)
    memory = (peak_memory() - before) * 2**20 if STATUS.exists() else 0.0
    contents = extracted._extraction
    elements = sum(c.document.n_elements for c in contents._all()) if contents else 0  # type: ignore[attr-defined]
    right = extracted.words > MIN_RIGHT_WORDS or SENTENCE.encode() not in page
    warned = bool(extracted.warnings)
    answer.send(Held(way, len(page), seconds, memory, elements, warned, right))


def held_row(name: str, held: list[Held]) -> list[Any]:
    """The worst cost of a structure."""
    slowest = max(held, key=lambda each: each.pace)
    element = max(each.element_bytes for each in held)
    silent = [each for each in held if not each.right and not each.warned]
    holds = slowest.pace <= 1 and element <= 2_500 and not silent
    cells: list[Any] = [name, len({each.way for each in held}), slowest.way]
    cells += [slowest.pace, max(each.memory for each in held) / 2**20, element]
    cells += [sum(each.warned for each in held), sum(each.right for each in held)]
    return [*cells, "yes" if holds else "NO"]


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
