"""Spark and Ray on this machine: the examples, and the command's engines.

Each is a process of its own, as a cluster's driver is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scrapy_mainpage
from scrapy_mainpage.batch.convert import Conversion, convert_file
from scrapy_mainpage.batch.extract import Extraction
from scrapy_mainpage.batch.locations import Location

from ..servers.java import QUICK_SPARK
from .archives import http, page, record, response, url, write_gzipped

PAGES = 60
DAMAGE = ["corrupt_record", "corrupt_record", "too_large"]
EXAMPLES = Path(__file__).parents[2] / "example_project" / "batch"
#: Requirements of each engine.
NEEDS = {"spark": ("pyspark", "java"), "ray": ("ray",)}

Requirement = Callable[[str], str]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Pages in four files; one file has every kind of damage."""
    folder = tmp_path_factory.mktemp("archives")
    large = record(http(b"<p>Owls. " * (50 * 2**20 // 9)), "https://e/large")
    paths = [folder / f"{k}.warc.gz" for k in range(4)]
    for k, path in enumerate(paths):
        records = [response(number) for number in range(k, PAGES, 4)]
        if k == 3:
            records[10:10] = [large, response(-1)]
            offsets = write_gzipped(path, [*records, response(-2)])
            data = bytearray(path.read_bytes())
            data[offsets[11] + 60 : offsets[11] + 70] = bytes(10)
            path.write_bytes(data[:-50])
        else:
            write_gzipped(path, records)
    return paths


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    """The text of each page, by its address."""
    extract = scrapy_mainpage.extract
    return {url(k): extract(page(k), url=url(k)).text for k in range(PAGES)}


def start(*command: object, folder: Path, code: int = 0) -> str:
    """Run a Python program in the folder; return its output."""
    environment = {
        **os.environ,
        **QUICK_SPARK,
        "PYSPARK_PYTHON": sys.executable,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_TMPDIR": "/tmp",  # sockets have short names only
        "PYTHONPATH": str(EXAMPLES),
    }
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    found = {row["url"]: row["text"] for row in rows if not row["error"]}
    assert len(found) == sum(not row["error"] for row in rows)
    return found


def errors(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(row["error"] for row in rows if row["error"])


def read(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_the_examples_give_the_texts_that_extract_does(
    engine: str,
    requirement: Requirement,
    archives: list[Path],
    known: dict[str, str],
    tmp_path: Path,
) -> None:
    for name in NEEDS[engine]:
        requirement(name)
    table = [{"n": k, "url": url(k), "html": page(k)} for k in range(30)]
    pq.write_table(pa.Table.from_pylist(table), tmp_path / "table.parquet")
    # One after the other: they are slow to start.
    code = (
        f"import sys, {engine}_job, {engine}_table_job\n"
        f"{engine}_job.main('pages', *sys.argv[1:])\n"
        f"{engine}_table_job.main('found', 'table.parquet')"
    )
    start("-c", code, *archives, folder=tmp_path)
    rows = read(tmp_path / "pages")
    assert texts(rows) == known
    assert errors(rows) == DAMAGE
    found = texts(read(tmp_path / "found"))
    assert found == {url(k): known[url(k)] for k in range(30)}


def test_the_example_without_a_cluster_gives_the_same(
    archives: list[Path], known: dict[str, str], tmp_path: Path
) -> None:
    out = start(EXAMPLES / "local_job.py", "pages", *archives, folder=tmp_path)
    assert out == f"{PAGES + 3} pages of 4 files\n"
    rows = read(tmp_path / "pages")
    assert texts(rows) == known
    assert errors(rows) == DAMAGE


def test_the_command_shares_files_out(
    requirement: Requirement,
    archives: list[Path],
    known: dict[str, str],
    tmp_path: Path,
) -> None:
    """On Ray; the tutorial of archives runs it on Spark."""
    requirement("ray")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"owls")
    command = ["-m", "scrapy", "mainpage-batch", *archives[2:], broken]
    command += ["--output=pages", "--engine=ray", "--processes=1", "--markdown"]
    out = start(*command, folder=tmp_path, code=1)
    assert f"{PAGES // 2} pages of 2 files" in out
    assert f"not read: {broken}: " in out
    rows = read(tmp_path / "pages")
    assert texts(rows) == {url(k): known[url(k)] for k in range(PAGES) if k % 4 > 1}
    assert errors(rows) == DAMAGE
    assert all(row["markdown"] for row in rows if not row["error"])
    names = {file.name for file in (tmp_path / "pages").iterdir()}
    assert names == {f"{path.name}.parquet" for path in archives[2:]}


def test_a_task_says_what_came_of_its_file(
    archives: list[Path], tmp_path: Path
) -> None:
    conversion = Conversion(Extraction(), folder=str(tmp_path / "pages"))
    paths = [archives[3], tmp_path / os.fsdecode(b"none-\xff.warc.gz")]
    sources = [Location(str(path)) for path in paths]
    done, failed = (convert_file(number, conversion, sources) for number in (0, 1))
    number, totals, problem = done
    assert (number, totals["pages"], totals["failed/too_large"]) == (0, PAGES // 4, 1)
    assert problem is None
    assert "No such file" in (failed[2] or "")
    assert len(texts(read(tmp_path / "pages"))) == PAGES // 4
