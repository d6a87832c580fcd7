"""Processes that share the parts of files, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scrapy_mainpage
from scrapy_mainpage.batch import BatchError
from scrapy_mainpage.batch.extracting import Extraction
from scrapy_mainpage.batch.local import LocalPool, Part
from scrapy_mainpage.batch.sources import Opening, open_source
from scrapy_mainpage.batch.worker import Answer, Setup
from scrapy_mainpage.processes.messages import Failure
from tests.processes.algorithms import TROUBLED, UNWILLING, troubling

from .archives import http, page, record, response, url, write_gzipped, write_plain


def setup(limit: float = 100.0, algorithm: str = "learned", **options: Any) -> Setup:
    return Setup(Extraction(algorithm=algorithm, options=options), Opening(), limit)


def parts_of(path: Path, most: int) -> Iterator[Part]:
    with open_source(path) as source:
        for start, end in source.parts(most):
            yield Part(path, start, end)


def worked(
    parts: Iterator[Part] | list[Part], given: Setup, processes: int = 2
) -> tuple[list[dict[str, Any]], int, list[Failure]]:
    """The rows, in their order, how many processes died, and what failed."""
    rows: list[dict[str, Any]] = []
    failures = []
    with LocalPool(processes, given) as pool:
        for told in pool.work(parts):
            if isinstance(told.answer, Failure):
                failures.append(told.answer)
            elif isinstance(told.answer, Answer) and told.answer.batch:
                rows += told.answer.batch.to_pylist()
        return rows, pool.deaths, failures


def urls(rows: list[dict[str, Any]]) -> list[str]:
    return [row["url"] for row in rows]


def test_the_rows_of_all_parts_come_in_their_order(tmp_path: Path) -> None:
    for name, write in (("a.warc.gz", write_gzipped), ("b.warc", write_plain)):
        write(tmp_path / name, (response(k, paragraphs=60) for k in range(200)))
    parts = [
        *parts_of(tmp_path / "a.warc.gz", 9),
        *parts_of(tmp_path / "b.warc", 9),
    ]
    assert len(parts) > 5
    rows, deaths, failures = worked(parts, setup())
    assert urls(rows) == 2 * [url(k) for k in range(200)]
    assert rows[17]["text"] == scrapy_mainpage.extract(page(17, 60)).text
    assert (deaths, failures) == (0, [])


@pytest.mark.parametrize("packed", [True, False])
def test_an_archive_within_an_archive_is_not_taken_apart(
    tmp_path: Path, packed: bool
) -> None:
    inner = [response(1000 + k, paragraphs=30) for k in range(120)]
    write = write_gzipped if packed else write_plain
    write(tmp_path / "inner.warc", inner)
    held = (tmp_path / "inner.warc").read_bytes()
    archive = record(http(held, content_type="application/warc"), "https://e/warc")
    path = tmp_path / "a.warc"
    if packed:  # what cannot be packed is kept as it is, so that it can be seen
        import gzip

        data = gzip.compress(response(0)) + gzip.compress(archive, 0)
        path.write_bytes(data + gzip.compress(response(1)))
    else:
        write_plain(path, [response(0), archive, response(1)])
    end = path.stat().st_size
    bounds = [end * k // 5 for k in range(6)]
    parts = [Part(path, bounds[k], bounds[k + 1]) for k in range(5)]
    assert urls(worked(parts, setup())[0]) == [url(0), url(1)]


def troubled(path: Path, *troubles: str) -> None:
    records = [record(http(page(k)), url(k)) for k in range(20)]
    for k, trouble in enumerate(troubles):
        html = troubling(trouble).encode()
        records.insert(5 * k + 3, record(http(html), f"https://e/{trouble[7:]}"))
    write_gzipped(path, records)


def test_a_page_that_kills_its_process_is_an_error_and_costs_no_other(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.warc.gz"
    troubled(path, "please die", "please chatter", "please die")
    rows, deaths, failures = worked(parts_of(path, 1), setup(algorithm=TROUBLED))
    broken = [row for row in rows if row["error"]]
    assert urls(broken) == 2 * ["https://e/die"]
    assert {row["error"] for row in broken} == {"WorkerDied"}
    assert "exit code 3" in broken[0]["error_message"]
    assert len(rows) == 23
    assert [each for each in urls(rows) if "owls" in each] == [
        url(k) for k in range(20)
    ]
    assert deaths == 3  # the second page is found while rows come one by one
    assert failures == []


def test_a_page_that_kills_once_is_extracted(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    troubled(path, "please stumble")
    given = setup(algorithm=TROUBLED, folder=str(tmp_path))
    rows, deaths, _ = worked(parts_of(path, 1), given)
    assert [row["error"] for row in rows] == 21 * [None]
    assert deaths == 1


def test_a_page_that_takes_too_long_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    troubled(path, "please loop")
    given = setup(algorithm=TROUBLED, limit=3.0, folder=str(tmp_path))
    rows, deaths, _ = worked(parts_of(path, 1), given, processes=1)
    assert [row["error"] for row in rows if row["error"]] == ["WorkerTimedOut"]
    assert (len(rows), deaths) == (21, 2)


def test_a_record_that_kills_when_it_is_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    write_gzipped(path, map(response, range(6)))
    given = setup(algorithm=TROUBLED)
    asked = Deadly(3)
    monkeypatch.setattr("scrapy_mainpage.batch.local.Worker", asked.worker)
    rows, _, failures = worked(parts_of(path, 1), given, processes=1)
    assert [row["error"] for row in rows if row["error"]] == ["WorkerDied"]
    assert urls([row for row in rows if not row["error"]]) == [
        url(k) for k in range(6) if k != 3
    ]
    assert failures == []


class Deadly:
    """Workers that die of the record with that number, whatever they do with it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def worker(self) -> Any:
        from scrapy_mainpage.batch.worker import Reader
        from scrapy_mainpage.processes.messages import WorkerDied

        number = self.number

        class DeadlyWorker:
            def prepare(self, prepare: Any, setup: Setup, seconds: float) -> None:
                self.reader = Reader(setup)

            def ask(self, task: Any) -> Any:
                answer = self.reader.do(task)
                batch = answer.batch if isinstance(answer, Answer) else None
                if batch and url(number) in batch.column("url").to_pylist():
                    raise WorkerDied("of it")
                return answer

            def stop(self) -> None:
                self.reader.close()

            kill = stop

        return DeadlyWorker()


def test_a_file_that_cannot_be_opened_there_fails_alone(tmp_path: Path) -> None:
    write_gzipped(tmp_path / "a.warc.gz", map(response, range(3)))
    gone = Part(tmp_path / "gone.warc.gz", 0, 10)
    rows, _, failures = worked([gone, *parts_of(tmp_path / "a.warc.gz", 1)], setup())
    assert urls(rows) == [url(k) for k in range(3)]
    assert "No such file" in failures[0].details


def test_an_extraction_that_cannot_be_is_said_at_once(tmp_path: Path) -> None:
    write_gzipped(tmp_path / "a.warc.gz", [response(0)])
    parts = list(parts_of(tmp_path / "a.warc.gz", 1))
    with pytest.raises(BatchError, match="not here"):
        worked(parts, setup(algorithm=UNWILLING))


def test_work_that_is_left_leaves_no_process(tmp_path: Path) -> None:
    write_gzipped(tmp_path / "a.warc.gz", map(response, range(100)))
    with LocalPool(2, setup()) as pool:
        for told in pool.work(parts_of(tmp_path / "a.warc.gz", 9)):
            if told.answer:
                break
        workers = list(pool._workers)
    assert workers
    assert all(worker._process.poll() is not None for worker in workers)
    assert not any(thread.is_alive() for thread in pool._threads)


def test_parts_of_parquet_are_shared_too(tmp_path: Path) -> None:
    pages = [{"url": url(k), "html": page(k)} for k in range(300)]
    pq.write_table(pa.Table.from_pylist(pages), tmp_path / "a.parquet")
    parts = list(parts_of(tmp_path / "a.parquet", 8))
    assert len(parts) == 4
    rows, _, _ = worked(parts, setup())
    assert urls(rows) == [url(k) for k in range(300)]
