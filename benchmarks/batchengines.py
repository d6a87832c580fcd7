"""Whether Spark and Ray give the texts that ``extract`` gives, and what is broken."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow.parquet as pq

import scrapy_mainpage
from scrapy_mainpage.batch.needs import PACKAGES, need
from tests.batch.archives import http, record
from tests.servers.java import find_java

from .batcharchives import Packed
from .childprocess import ROOT
from .tables import Table

HEAD = ["engine", "pages", "same text as extract", "errors", "s with its start"]
FILES = 4


def engines(pages: Packed, folder: Path) -> Table:
    """The examples for each engine, over all pages and three broken records."""
    texts = {
        url: scrapy_mainpage.extract(html, url=url).text
        for url, html in pages.html.items()
    }
    files = _files(pages, folder)
    title = f"{pages.what} in {FILES} WARC files, and a corrupt record, a truncated "
    title += "gzip member and a record of 50 MB: the text of each page, byte for byte"
    table = Table(title, HEAD, name="capacity-engines")
    for engine in ("local", "spark", "ray"):
        if missing := _missing(engine):
            table.rows.append([engine, 0, 0, missing, 0.0])
            continue
        rows, seconds = _extracted(engine, files, folder / engine)
        good = [row for row in rows if not row["error"]]
        same = sum(row["text"] == texts.get(row["url"]) for row in good)
        bad = sorted(row["error"] for row in rows if row["error"])
        table.rows.append([engine, len(good), same, " ".join(bad), seconds])
    return table


def _missing(engine: str) -> str:
    try:
        need(engine if engine in PACKAGES else "batch")
    except ImportError as error:
        return str(error)
    return "no Java" if engine == "spark" and find_java() is None else ""


def _files(pages: Packed, folder: Path) -> list[Path]:
    """The pages in several files; what is broken stands in the last one."""
    members = [
        gzip.compress(record(http(html, content_type="text/html"), url))
        for url, html in pages.html.items()
    ]
    whole = gzip.compress(record(http(b"<p>Broken."), "https://broken.example/"))
    large = gzip.compress(record(http(b"<p>Large. " * (50 * 2**20 // 10))))
    corrupt = whole[:60] + bytes(10) + whole[70:]
    files = []
    for number in range(FILES):
        own = members[number::FILES]
        if number == FILES - 1:
            own = [*own[:5], corrupt, *own[5:9], large, *own[9:], whole[:-20]]
        files.append(folder / f"{number}.warc.gz")
        files[-1].write_bytes(b"".join(own))
    return files


def _extracted(
    engine: str, files: list[Path], folder: Path
) -> tuple[list[dict[str, Any]], float]:
    script = ROOT / "example_project" / "batch" / f"{engine}_job.py"
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    begun = perf_counter()
    subprocess.run(
        [sys.executable, script, folder, *files],
        env={**environment, "RAY_USAGE_STATS_ENABLED": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    seconds = perf_counter() - begun
    columns = ["url", "text", "error"]
    found = sorted(folder.glob("*.parquet"))
    tables = [pq.read_table(file, columns=columns) for file in found]
    return [row for table in tables for row in table.to_pylist()], seconds
