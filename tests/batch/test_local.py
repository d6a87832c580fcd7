"""Conversion of files by several processes, and pages that kill these."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import scrapy_mainpage
from scrapy_mainpage.batch import BatchError
from scrapy_mainpage.batch.convert import Conversion
from scrapy_mainpage.batch.extract import Extraction
from scrapy_mainpage.batch.formats import Opening
from scrapy_mainpage.batch.local import MAX_PASSED_OVER, LocalRun
from scrapy_mainpage.batch.locations import Location
from scrapy_mainpage.batch.outputs import Totals, delete_leftovers
from tests.processes.algorithms import TROUBLED, UNWILLING, troubling

from .archives import http, page, record, response, url, write_gzipped, write_plain


class Run:
    """Converts files of the folder into its subfolder ``pages``."""

    def __init__(self, place: Path, algorithm: str = "learned", **options: Any):
        self.folder = place
        self.deaths = 0
        self.problems: dict[str, str | None] = {}
        extraction = Extraction(algorithm=algorithm, options=options)
        target = str(place / "pages")
        self.conversion = Conversion(extraction, Opening(), target)

    def __call__(
        self, *names: str, processes: int = 1, seconds: float = 100.0
    ) -> list[dict[str, Any]]:
        """The rows of the files, in order."""
        sources = [Location(str(self.folder / name)) for name in names]
        rows = []
        with LocalRun(self.conversion, processes, seconds) as run:
            for result in run.convert(sources):
                if result is None:
                    continue
                name = Path(result.path).name
                self.problems[name] = result.problem
                if result.totals:
                    path = self.folder / "pages" / f"{name}.parquet"
                    found = pq.read_table(path).to_pylist()
                    assert Totals.from_json(result.totals).pages == sum(
                        not row["error"] for row in found
                    )
                    rows += found
            self.deaths = run.deaths
        delete_leftovers(Location(str(self.folder / "pages")), sources)
        return rows


def urls(rows: list[dict[str, Any]]) -> list[str]:
    return [row["url"] for row in rows]


def troubled(path: Path, *troubles: str) -> None:
    """An archive of twenty pages, with troubling ones among them."""
    records = [record(http(page(k)), url(k)) for k in range(20)]
    for k, trouble in enumerate(troubles):
        html = troubling(trouble).encode()
        records.insert(5 * k + 3, record(http(html), f"https://e/{trouble[7:]}"))
    write_gzipped(path, records)


def test_files_come_in_order_and_one_that_cannot_be_read_costs_no_other(
    tmp_path: Path,
) -> None:
    for name, write in (("a.warc.gz", write_gzipped), ("b.warc", write_plain)):
        write(tmp_path / name, (response(k, paragraphs=60) for k in range(200)))
    run = Run(tmp_path)
    rows = run("a.warc.gz", "gone.warc.gz", "b.warc", processes=2)
    assert urls(rows) == 2 * [url(k) for k in range(200)]
    assert rows[17]["text"] == scrapy_mainpage.extract(page(17, 60)).text
    assert run.deaths == 0
    assert list(run.problems) == ["a.warc.gz", "gone.warc.gz", "b.warc"]
    assert "No such file" in (run.problems["gone.warc.gz"] or "")


def test_pages_that_end_their_process_are_errors_and_cost_no_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    troubled(tmp_path / "a.warc.gz", "please die", "please stumble", "please loop")
    run = Run(tmp_path, TROUBLED, folder=str(tmp_path))
    with caplog.at_level(logging.WARNING):
        rows = run("a.warc.gz", seconds=3.0)
    errors = {row["url"]: row["error"] for row in rows if row["error"]}
    # A page that kills its process only once is extracted.
    assert errors == {"https://e/die": "WorkerDied", "https://e/loop": "WorkerTimedOut"}
    messages = [row["error_message"] for row in rows if row["error"]]
    assert "exit code 3" in messages[0]
    assert "after 3 seconds" in messages[1]
    assert len(rows) == 23
    assert [each for each in urls(rows) if "owls" in each] == [
        url(k) for k in range(20)
    ]
    assert [record.message.split(" at ")[1][:6] for record in caplog.records] == [
        *("page 3", "page 1")
    ]
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == [
        "a.warc.gz.parquet"
    ]


def test_a_file_of_pages_that_end_their_process_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_mainpage.batch.local.MAX_PASSED_OVER", 1)
    assert MAX_PASSED_OVER > 1
    troubled(tmp_path / "a.warc.gz", "please die", "please die")
    write_gzipped(tmp_path / "b.warc.gz", map(response, range(3)))
    run = Run(tmp_path, TROUBLED)
    rows = run("a.warc.gz", "b.warc.gz", processes=2)
    assert urls(rows) == [url(k) for k in range(3)]
    assert "the process that converted it died" in (run.problems["a.warc.gz"] or "")


def test_an_impossible_extraction_is_an_error_of_the_run(tmp_path: Path) -> None:
    write_gzipped(tmp_path / "a.warc.gz", [response(0)])
    with pytest.raises(BatchError, match="not here"):
        Run(tmp_path, UNWILLING)("a.warc.gz")
