"""Cost of hostile markup and data inside of pages, by structure.

The worst of all ways to hold it, seconds and memory, and whether the text or a warning
is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache, partial
from multiprocessing import get_context
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_mainpage.extraction.extractor import Extractor
from tests.hostile.embedded import EMBEDDED, SENTENCE, SHARED
from tests.hostile.inputs import MEGABYTE, normal
from tests.hostile.test_outputs import PARTS

from .childprocess import STATUS, peak_memory
from .tables import Table

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

HEAD = "structure, ways, slowest, s / MB, MB, per element, warned, right, holds"
SIZES = (100_000, MEGABYTE, 10 * MEGABYTE)
WITH_OUTPUTS = ("", "srcdoc")
"""Ways with all outputs in memory: they are the same, whatever the way."""

MIN_RIGHT_WORDS = 20
"""Of a page that holds prose; a page without has nothing to find."""

MIN_HELD_SECONDS = 0.1
"""Of any page: the first steps of an extraction, and the clock of a busy machine."""


def run(options: argparse.Namespace) -> list[Table]:
    """The worst cost of each structure inside of pages, over all ways and sizes."""
    del options
    found: dict[str, list[Held]] = {}
    for name, make in EMBEDDED.items():
        structure, _, way = (name, "", "") if name in SHARED else name.partition(" in ")
        held = [measure_held(way, make(size)) for size in SIZES]
        found.setdefault(structure, []).extend(held)
    rows = [held_row(name, held) for name, held in found.items()]
    rows.sort(key=lambda cells: (cells[-1] == "yes", -cells[3]))
    title = f"{len(EMBEDDED)} pages with hostile markup or data inside, at 3 sizes"
    return [Table(title, HEAD.split(", "), rows, "evaluation-hostile-embedded")]


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


@cache
def extractor() -> Extractor:
    """The extractor of all pages, which has seen one."""
    made = Extractor()
    made.extract(normal(SIZES[0]))
    return made


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The result of *call*, and its processor time."""
    started = process_time()
    result = call()
    return result, process_time() - started
