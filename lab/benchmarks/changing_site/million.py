"""``python -m lab.benchmarks.changing_site.million``: the state of a million pages.

A first run finds all pages, each with twenty links; a second one finds all unchanged
but some, sends their links again, and asks what to check again and what goes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from lab.benchmarks.childprocess import peak_memory
from scrapy_mainpage.memory import NEW, UNCHANGED, Memory, open_memory
from scrapy_mainpage.memory.judgement import judge

PAGES, LINKS = 1_000_000, 20
#: One page in so many is not seen in the second run.
UNSEEN = 50


def url_of(number: int) -> str:
    return f"https://docs.example.com/manual/section-{number // 40}/page-{number}.html"


def first_run(ledger: Memory, scope: int, run: int, pages: int) -> None:
    """All pages are new."""
    for number in range(pages):
        row = ledger.page(scope, url_of(number))
        near = range(max(0, number - LINKS // 2), min(pages, number + LINKS // 2))
        linked = [ledger.page(scope, url_of(each)) for each in near]
        row.requests = ledger.pack(linked)
        row.outcome, row.status, row.etag = NEW, 200, f'"{number:x}-5f3a1c"'
        row.last_modified = "Mon, 02 Mar 2026 06:00:00 GMT"
        row.content_hash = blake2b(row.url.encode(), digest_size=16).digest()
        row.config_hash, row.words, row.confidence = b"0123456789abcdef", 400, 0.93
        row.language, row.last_ok = "en", time.time()
        row.last_seen_run = row.document_run = run
        ledger.put_outcome(row, run)
    ledger.sync()


def second_run(ledger: Memory, scope: int, run: int, pages: int) -> None:
    """All pages are unchanged, but some unseen."""
    for number in range(pages):
        row = ledger.find(scope, url_of(number))
        assert row is not None
        if number % UNSEEN:
            for linked in ledger.requested_by(row):
                linked.requested_run = run
            row.outcome, row.status, row.last_seen_run = UNCHANGED, 304, run
            row.document_run = run
            ledger.put_outcome(row, run)
    ledger.sync()


def sweep(ledger: Memory, scope: int, run: int, pages: int) -> None:
    """Ask what to check again, and what goes."""
    unseen = sum(1 for _ in ledger.to_check_again(scope, run))
    judge(ledger, scope, run)
    assert unseen == -(-pages // UNSEEN)


def main() -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}")
    parser.add_argument("--pages", type=int, default=PAGES)
    pages: int = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.db"
        steps: list[Callable[[Memory, int, int, int], None]]
        steps = [first_run, second_run, sweep]
        ledger = open_memory(str(path))
        scope = ledger.scope("million")
        before, run = peak_memory(), ledger.begin_run(scope)
        for step in steps:
            if step is second_run:
                run = ledger.begin_run(scope)
            start, cpu = time.perf_counter(), time.process_time()
            step(ledger, scope, run.id, pages)
            took, cpu = time.perf_counter() - start, time.process_time() - cpu
            print(
                f"{step.__name__}: {1e6 * took / pages:.1f} microseconds a page "
                f"({1e6 * cpu / pages:.1f} of processor time), "
                f"peak memory {peak_memory() - before:.0f} MB",
                flush=True,
            )
        ledger.close()
        print(f"file: {path.stat().st_size / 2**20:.0f} MB")


if __name__ == "__main__":
    main()
