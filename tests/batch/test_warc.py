"""WARC files: pages, other records, and damage."""

from __future__ import annotations

import gzip
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastwarc import stream_io

from scrapy_mainpage.batch import BatchError, read_batches

from .archives import (
    DATE,
    http,
    info,
    page,
    record,
    response,
    url,
    write_gzipped,
    write_plain,
)

WRITERS = [write_gzipped, write_plain]
Writer = Callable[..., list[int]]


@pytest.fixture(params=WRITERS, ids=["gzip", "plain"])
def write(request: pytest.FixtureRequest) -> Writer:
    writer: Writer = request.param
    return writer


def rows(path: Path, skipped: Counter[str] | None = None) -> list[dict[str, Any]]:
    found = read_batches(path, format="warc", skipped=skipped)
    return [row for batch in found for row in batch.to_pylist()]


def urls(found: list[dict[str, Any]]) -> list[str | None]:
    return [row["url"] for row in found]


def errors(found: list[dict[str, Any]]) -> list[str]:
    return [row["error"] for row in found if row["error"]]


def test_responses_come_with_what_the_server_said(
    tmp_path: Path, write: Writer
) -> None:
    path = tmp_path / "a.warc"
    write(path, [info(), *map(response, range(3))])
    found = rows(path)
    assert [row["html"] for row in found] == [page(k) for k in range(3)]
    assert urls(found) == [url(k) for k in range(3)]
    assert {row["crawled_at"] for row in found} == {DATE}
    assert found[0]["headers"] == [
        {"name": "content-type", "value": "text/html; charset=utf-8"}
    ]


def test_what_is_no_page_is_left_out_and_counted(tmp_path: Path, write: Writer) -> None:
    path = tmp_path / "a.warc"
    write(
        path,
        [
            info(),
            record(b"GET / HTTP/1.1\r\n\r\n", kind="request"),
            response(1),
            record(
                b"a: b\r\n", kind="metadata", content_type="application/warc-fields"
            ),
            record(http(b"", status="304 Not Modified"), kind="revisit"),
            record(http(page(2), status="404 Not Found")),
            record(http(b"\x89PNG\r\n", content_type="image/png")),
            record(b"20260101 1.2.3.4", "dns:owls.example", content_type="text/dns"),
            record(page(3), url(3), kind="resource", content_type="text/html"),
        ],
    )
    skipped = Counter[str]()
    assert urls(rows(path, skipped)) == [url(1), url(3)]
    assert skipped == dict.fromkeys(
        ["warcinfo", "request", "metadata", "revisit", "status_404", "not_html",
         "not_http"], 1
    )  # fmt: skip


def packed(body: bytes) -> bytes:
    return gzip.compress(body)


def chunked(body: bytes) -> bytes:
    parts = [body[k : k + 100] for k in range(0, len(body), 100)]
    return b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in (*parts, b""))


ENCODED = {
    "gzip": (packed(page(1)), ["Content-Encoding: gzip"]),
    "zlib": (zlib.compress(page(1)), ["Content-Encoding: deflate"]),
    "deflate": (zlib.compress(page(1))[2:-4], ["Content-Encoding: deflate"]),
    "chunks": (chunked(page(1)), ["Transfer-Encoding: chunked"]),
    "chunks with extensions": (
        re.sub(rb"(?m)^([0-9a-f]+)\r$", rb'\1 ;a=b;c="d"\r', chunked(page(1))),
        ["Transfer-Encoding: chunked"],
    ),
    "chunks with trailers": (
        chunked(page(1)).removesuffix(b"\r\n") + b"X: y\r\nZ: 0\r\n\r\n",
        ["Transfer-Encoding: chunked"],
    ),
    "gzip in chunks": (
        chunked(packed(page(1))),
        ["Transfer-Encoding: chunked", "Content-Encoding: gzip"],
    ),
    "decoded before": (
        page(1),
        ["Transfer-Encoding: chunked", "Content-Encoding: gzip"],
    ),
    "brotli, decoded before": (page(1), ["Content-Encoding: br"]),
    "something else": (page(1), ["Content-Encoding: owl"]),
    "nothing": (page(1), ["Content-Encoding: identity"]),
}


@pytest.mark.parametrize("name", ENCODED)
def test_bodies_are_decoded(tmp_path: Path, name: str) -> None:
    body, headers = ENCODED[name]
    write_gzipped(tmp_path / "a.warc.gz", [record(http(body, *headers))])
    (row,) = rows(tmp_path / "a.warc.gz")
    assert row["html"] == page(1)


def test_a_body_in_brotli_is_decoded(tmp_path: Path) -> None:
    brotli = pytest.importorskip("brotli")
    body = http(brotli.compress(page(1)), "Content-Encoding: br")
    write_gzipped(tmp_path / "a.warc.gz", [record(body)])
    assert rows(tmp_path / "a.warc.gz")[0]["html"] == page(1)


BROKEN_BODIES = {
    "gzip": (packed(page(1))[:-20], "Content-Encoding: gzip"),
    "chunks": (b"10\r\nabc", "Transfer-Encoding: chunked"),
    "no last chunk": (b"3\r\nabc\r\n", "Transfer-Encoding: chunked"),
    "a chunk of a wrong size": (
        b"4\r\nabc\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked",
    ),
    "deflate": (b"\x78\x9c owls", "Content-Encoding: deflate"),
}


@pytest.mark.parametrize("name", BROKEN_BODIES)
def test_a_body_that_cannot_be_decoded_is_an_error(tmp_path: Path, name: str) -> None:
    body, header = BROKEN_BODIES[name]
    broken = record(http(body, header), url(7))
    write_gzipped(tmp_path / "a.warc.gz", [broken, response(1)])
    found = rows(tmp_path / "a.warc.gz")
    assert urls(found) == [url(7), url(1)]
    assert errors(found) == ["bad_encoding"]


def test_a_body_that_unpacks_to_too_much_is_an_error(tmp_path: Path) -> None:
    bomb = record(http(gzip.compress(bytes(40 * 2**20)), "Content-Encoding: gzip"))
    write_gzipped(tmp_path / "a.warc.gz", [bomb, response(1)])
    found = rows(tmp_path / "a.warc.gz")
    assert errors(found) == ["too_large"]
    assert urls(found)[-1] == url(1)


def test_a_record_of_50_mb_is_an_error_and_the_rest_is_read(
    tmp_path: Path, write: Writer
) -> None:
    large = record(http(b"<p>Owls. " * (50 * 2**20 // 9)), url(50))
    write(tmp_path / "a.warc", [response(1), large, response(2)])
    found = rows(tmp_path / "a.warc")
    assert urls(found) == [url(1), url(50), url(2)]
    assert errors(found) == ["too_large"]
    assert found[1]["html"] is None


def test_a_film_of_50_mb_is_left_out(tmp_path: Path, write: Writer) -> None:
    film = record(http(bytes(50 * 2**20), content_type="video/mp4"), url(50))
    write(tmp_path / "a.warc", [film, response(2)])
    skipped = Counter[str]()
    assert urls(rows(tmp_path / "a.warc", skipped)) == [url(2)]
    assert skipped == {"not_html": 1}


@pytest.mark.parametrize("cut", [300, -50])
def test_a_file_that_ends_in_a_record_says_so(
    tmp_path: Path, write: Writer, cut: int
) -> None:
    path = tmp_path / "a.warc"
    offsets = write(path, map(response, range(4)))
    data = path.read_bytes()
    path.write_bytes(data[: offsets[3] + cut] if cut > 0 else data[:cut])
    found = rows(path)
    assert urls(found)[:3] == [url(k) for k in range(3)]
    assert errors(found) in (["truncated_record"], ["corrupt_record"])
    assert len(found) == 4


@pytest.mark.parametrize(
    "broken",
    [
        record(http(page(3)), length=100),
        record(http(page(3)), length=10**9),
        response(3).replace(b"Content-Length", b"Content-Lenght"),
        b"Owls were here.\r\n" * 50,
        b"WARC/1.0\r\n\r\n\r\n",
        record(http(page(3), ":status: 200")),
        record(http(page(3)).replace(b"\r\n", b"\n")),
    ],
    ids=["short", "long", "no length", "no record", "no header", "nameless", "LF"],
)
def test_a_record_that_is_broken_costs_no_other(
    tmp_path: Path, write: Writer, broken: bytes
) -> None:
    path = tmp_path / "a.warc"
    write(path, [*map(response, range(3)), broken, *map(response, range(4, 7))])
    found = rows(path)
    others = [each for each in urls(found) if each not in (None, url(3), url(0))]
    assert others == [url(k) for k in (1, 2, 4, 5, 6)]
    assert {*errors(found)} <= {"corrupt_record", "truncated_record"}


@pytest.mark.parametrize("header", [":status: 200", "no colon", "a: \udcff", "b:\tc"])
def test_a_header_that_is_none_costs_nothing(tmp_path: Path, header: str) -> None:
    data = record(http(page(1)).replace(b"Content-Type", b"X\r\nContent-Type", 1))
    data = data.replace(b"X\r\n", header.encode("latin-1", "replace") + b"\r\n")
    length = data.index(b"\r\n\r\n") + 4
    write_gzipped(tmp_path / "a.warc.gz", [record(data[length:-4]), response(2)])
    assert [row["html"] for row in rows(tmp_path / "a.warc.gz")] == [page(1), page(2)]


def test_a_response_without_http_is_an_error(tmp_path: Path) -> None:
    write_gzipped(tmp_path / "a.warc.gz", [record(b"Owls.", url(1)), response(2)])
    found = rows(tmp_path / "a.warc.gz")
    assert errors(found) == ["corrupt_record"]
    assert urls(found) == [url(1), url(2)]


def test_a_file_packed_as_a_whole_is_read_up_to_where_it_breaks(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    data = gzip.compress(b"".join(map(response, range(200))))
    path.write_bytes(data)
    assert urls(rows(path)) == [url(k) for k in range(200)]
    path.write_bytes(data[:-100])
    found = rows(path)
    assert urls(found)[:150] == [url(k) for k in range(150)]
    assert errors(found)


def test_several_records_may_share_a_gzip_member(tmp_path: Path) -> None:
    shared = b"".join(map(response, range(1, 4)))
    path = tmp_path / "a.warc.gz"
    write_gzipped(path, [info(), response(0), shared, response(4)])
    assert urls(rows(path)) == [url(k) for k in range(5)]


def test_an_empty_file_has_no_pages(tmp_path: Path, write: Writer) -> None:
    write(tmp_path / "a.warc", [])
    assert rows(tmp_path / "a.warc") == []


def test_what_is_no_archive_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(random.Random(0).randbytes(300_000))
    assert errors(rows(path)) == ["corrupt_record"]


def test_a_file_that_is_not_there_is_an_error_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="No such file"):
        rows(tmp_path / "none.warc")


@pytest.mark.parametrize(
    ("suffix", "writer"), [("zst", stream_io.ZstdWriter), ("lz4", stream_io.Lz4Writer)]
)
def test_other_packings_are_read_as_well(
    tmp_path: Path, suffix: str, writer: Any
) -> None:
    path = tmp_path / f"a.warc.{suffix}"
    with path.open("wb") as file, writer(file) as packing:
        packing.write(b"".join(map(response, range(20))))
    assert urls(rows(path)) == [url(k) for k in range(20)]
