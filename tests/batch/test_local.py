"""Extraction by several processes, and pages that kill these."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from scrapy_mainpage.batch.convert import Conversion, FileConversion, PoolExtractor
from scrapy_mainpage.batch.extract import Extraction
from scrapy_mainpage.batch.locations import Location
from scrapy_mainpage.processes.worker import WorkerNotStarted
from tests.processes.algorithms import TROUBLED, UNWILLING, troubling

from .archives import convert, http, page, record, response, url, write_gzipped

Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Converts a file of the test's folder; returns its rows."""
    pools = []

    def run(
        name: str, algorithm: str = "learned", processes: int = 2, **options: Any
    ) -> list[dict[str, Any]]:
        seconds = options.pop("seconds", 100.0)
        extraction = Extraction(algorithm=algorithm, options=options)
        extractor = PoolExtractor(extraction, processes, seconds=seconds)
        pools.append(extractor.pool)
        conversion = Conversion(extraction, folder=str(tmp_path / "pages"))
        file = FileConversion(Location(str(tmp_path / name)), conversion)
        assert file.run(extractor) is None
        found: list[dict[str, Any]] = pq.read_table(
            tmp_path / f"pages/{name}.parquet"
        ).to_pylist()
        assert file.totals["pages"] == sum(not row["error"] for row in found)
        return found

    yield run
    for pool in pools:
        pool.close()


def test_the_output_is_that_of_one_process_to_the_byte(
    tmp_path: Path, run: Run
) -> None:
    write_gzipped(tmp_path / "a.warc.gz", map(response, range(100)))
    assert [row["url"] for row in run("a.warc.gz")] == [url(k) for k in range(100)]
    convert(tmp_path / "a.warc.gz", tmp_path / "one")
    known = (tmp_path / "one/a.warc.gz.parquet").read_bytes()
    assert (tmp_path / "pages/a.warc.gz.parquet").read_bytes() == known


def test_pages_that_end_their_process_are_errors_and_cost_no_others(
    tmp_path: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    records = [response(k) for k in range(20)]
    for k, trouble in enumerate(("please die", "please stumble", "please loop")):
        html = troubling(trouble).encode()
        records.insert(5 * k + 3, record(http(html), f"https://e/{trouble[7:]}"))
    write_gzipped(tmp_path / "a.warc.gz", records)
    with caplog.at_level(logging.WARNING):
        rows = run("a.warc.gz", TROUBLED, seconds=6.0, folder=str(tmp_path))
    errors = {row["url"]: row["error"] for row in rows if row["error"]}
    # A page that kills its process only once is extracted.
    assert errors == {"https://e/die": "WorkerDied", "https://e/loop": "WorkerTimedOut"}
    messages = [row["error_message"] for row in rows if row["error"]]
    assert "exit code 3" in messages[0]
    assert "after 6 seconds" in messages[1]
    assert len(rows) == 23
    assert [row["url"] for row in rows if "owls" in row["url"]] == [
        url(k) for k in range(20)
    ]
    assert [line.message.rpartition(" ")[2] for line in caplog.records] == [*errors]
    assert [path.name for path in (tmp_path / "pages").iterdir()] == [
        "a.warc.gz.parquet"
    ]


def test_an_impossible_extraction_ends_the_run(tmp_path: Path, run: Run) -> None:
    write_gzipped(tmp_path / "a.warc.gz", [response(0)])
    with pytest.raises(WorkerNotStarted, match="not here"):
        run("a.warc.gz", UNWILLING)


def test_what_a_killed_process_left_is_deleted(tmp_path: Path) -> None:
    names = (".a.warc.parquet.17.part", ".b.warc.parquet.17.part", "a.warc.parquet")
    for name in names:
        (tmp_path / name).write_bytes(page(1))
    sources = [Location("in/a.warc")]
    Conversion(Extraction(), folder=str(tmp_path)).delete_leftovers(sources)
    assert {path.name for path in tmp_path.iterdir()} == {*names[1:]}
