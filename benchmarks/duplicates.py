"""How well copies of the main text are found, how fast, and in how much memory."""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from scrapy_mainpage.duplicates.entry import Entry
from scrapy_mainpage.duplicates.fingerprint import Fingerprint
from scrapy_mainpage.duplicates.store import LocalStore
from scrapy_mainpage.evaluation.datasets import DataSetError
from scrapy_mainpage.settings import Settings

from .copies import Sample, half_of, originals, with_copies
from .pages import WORDS
from .tables import Table

COUNT = 2000  # pages, half of them copies
THRESHOLDS = (0.75, 0.8, 0.82, 0.85, 0.9)
KINDS = ("exact", "re-templated", "translated", "edited")
HALVES = ("tuned with", "reported on")
REMEMBERED = 100_000
CHARACTERS = 10_000


def run(options: argparse.Namespace) -> list[Table]:
    return [quality(options.data), speed(options.rounds), memory()]


def quality(data: Path) -> Table:
    """Precision and recall, on one half of the sites and on the other."""
    header = ["sites", "threshold", "pages", "precision", "recall", *KINDS]
    table = Table("copies of pages: precision, recall, and recall by kind", header)
    try:
        pages = originals(data)
    except DataSetError:
        table.title += f": NOTHING MEASURED, no set in {data}"
        return table
    for half, name in enumerate(HALVES):
        ours = [page for page in pages if half_of(page.site) == half]
        samples = with_copies(ours, COUNT)
        for threshold in THRESHOLDS:
            table.rows.append(
                [name, threshold, len(samples), *scores(samples, threshold)]
            )
    return table


def scores(samples: list[Sample], threshold: float) -> list[float]:
    """Precision, recall, and the recall of each kind of copy.

    A page is a copy if one of its group came before it; the kind of a pair is that of
    the copy, also where the copy came first and the original is dropped.
    """
    kinds = {s.group: s.kind for s in samples if s.kind != "original"}
    seen: set[int] = set()
    found: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    wrong = 0
    for sample, dropped in zip(samples, judged(samples, threshold), strict=True):
        if sample.group in seen:
            copies[kinds[sample.group]] += 1
            found[kinds[sample.group]] += dropped
        else:
            wrong += dropped
        seen.add(sample.group)
    right = found.total()
    by_kind = [found[kind] / max(1, copies[kind]) for kind in KINDS]
    return [right / max(1, right + wrong), right / max(1, copies.total()), *by_kind]


def judged(samples: list[Sample], threshold: float) -> list[bool]:
    """Whether each page would be dropped."""
    store = LocalStore(REMEMBERED)

    async def is_dropped(sample: Sample) -> bool:
        made = Fingerprint.of(sample.text)
        if made is None:
            return False
        entry = Entry.of(made, sample.url)
        if (await store.find(entry, threshold)).matches:
            return True
        await store.remember(entry)
        return False

    async def all_of() -> list[bool]:
        return [await is_dropped(sample) for sample in samples]

    return asyncio.run(all_of())


def speed(rounds: int) -> Table:
    """What a page costs: its fingerprint, and the look whether it is a copy."""
    title = f"time of one page in µs, {CHARACTERS:,} characters"
    table = Table(title, ["step", "rensa", "datasketch"])
    text = " ".join(random.Random(1).choices(WORDS, k=CHARACTERS // 5))[:CHARACTERS]
    made = Fingerprint.of(text)
    assert made is not None
    table.rows.append(["fingerprint", least(lambda: Fingerprint.of(text), rounds), "-"])
    table.rows.append(["signature only", *(least(f, rounds) for f in signatures(text))])
    return table


def signatures(text: str) -> Iterator[Callable[[], object]]:
    """The signature of a text by rensa, and by datasketch if it is installed."""
    from scrapy_mainpage.duplicates.fingerprint import BANDS, ROWS, _signature
    from scrapy_mainpage.duplicates.word_hashes import pair_words, read_words

    hashes = pair_words(read_words(text)[0])
    yield lambda: _signature(hashes)
    try:
        from datasketch import MinHash
    except ImportError:
        return
    count = BANDS * ROWS
    given = MinHash(num_perm=count).permutations
    values = (hashes >> 32).tolist()

    def by_datasketch() -> None:
        minhash = MinHash(
            num_perm=count, permutations=given, scheme="affine32", hashfunc=int
        )
        minhash.update_batch(values)

    yield by_datasketch


def least(function: Callable[[], object], rounds: int) -> float:
    """The least mean of so many rounds, in microseconds."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(100):
            function()
        times.append((perf_counter() - start) / 100)
    return 1e6 * min(times)


def memory() -> Table:
    """Resident memory of so many remembered texts of 400 words, and time of each."""
    table = Table(f"{REMEMBERED:,} texts remembered", ["MB", "look and add, µs"])
    choose = random.Random(2)
    words = [
        f"{a}{b}{choose.randrange(10)}" for a in WORDS for b in WORDS for _ in "1234"
    ]
    store = LocalStore(REMEMBERED)

    async def fill() -> float:
        spent = 0.0
        for number in range(REMEMBERED):
            made = Fingerprint.of(" ".join(choose.choices(words, k=400)))
            assert made is not None
            entry = Entry.of(made, f"https://site{number % 100}.example/page/{number}")
            start = perf_counter()
            await store.find(entry, Settings().duplicates_threshold)
            await store.remember(entry)
            spent += perf_counter() - start
        return spent

    before = resident()
    spent = asyncio.run(fill())
    table.rows.append([resident() - before, 1e6 * spent / REMEMBERED])
    return table


def resident() -> float:
    """The process's resident memory in MB; 0 where it cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6
