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

import pyarrow as pa
import pytest
from fastwarc import stream_io

from scrapy_mainpage.batch import (
    INPUT_SCHEMA,
    BatchError,
    extract_batch,
    read_batches,
)

from .archives import (
    DATE,
    HTML,
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


def header(*lines: str, end: str = "\r\n", body: bytes | None = None) -> bytes:
    """The record of page 3 below these lines."""
    said = end.join([*lines, "", ""]).encode("latin-1")
    return record(said + (page(3) if body is None else body), url(3))


OK, KIND = "HTTP/1.1 200 OK", f"Content-Type: {HTML}"
ZIPPED, CHUNKED = "Content-Encoding: gzip", "Transfer-Encoding: chunked"
WHOLE = {
    "no name": header(OK, ":status: 200", KIND),
    "no colon": header(OK, "owls", KIND),
    "NUL": header(OK, "A: \0", "\0: b", f"{KIND}\0"),
    "not ASCII": header(OK, "\xff\xfe: owl", KIND),
    "folded": header(OK, "A: b\r\n  c", "Content-Type: text/html;\r\n\tcharset=utf-8"),
    "HTTP/2": header("HTTP/2 200", KIND),
    "ICY": header("ICY 200 OK", KIND),
    "no status": header(KIND, "Server: owl"),
    "no header": record(page(3), url(3)),
    "no empty line": record(f"{OK}\r\n{KIND}\n".encode() + page(3), url(3)),
    "LF": header(OK, KIND, end="\n"),
    "LF and CRLF": header(f"{OK}\n{KIND}", "A: b"),
    "LF of WARC": header(OK, KIND, end="\n").replace(b"\r\n", b"\n"),
    "length of HTTP": header(OK, KIND, "Content-Length: 9"),
    "chunks with LF": header(
        OK, KIND, CHUNKED, body=chunked(page(3)).replace(b"\r\n", b"\n")
    ),
    "gzip as brotli": header(OK, KIND, "Content-Encoding: br", body=packed(page(3))),
    "two members": header(
        OK, KIND, ZIPPED, body=packed(page(3)[:500]) + packed(page(3)[500:])
    ),
    "interim": header("HTTP/1.1 100 Continue", "", OK, KIND),
    "first line": header(OK, KIND).replace(b"/1.0\r\n", b"/1.0\r\n: owl\r\n", 1),
    "blank lines before": b"\r\n\r\n" + header(OK, KIND),
    "old version": header(OK, KIND).replace(b"WARC/1.0", b"WARC/0.18"),
    "no end": header(OK, KIND)[:-4],
    "resource": record(page(3), url(3), kind="resource", content_type=HTML),
}
LONG = page(3, 400)
IN_PART = {
    "chunks": (header(OK, KIND, CHUNKED, body=chunked(LONG)[:-90]), "bad_encoding"),
    "no last chunk": (
        header(OK, KIND, CHUNKED, body=chunked(LONG)[:-5]),
        "bad_encoding",
    ),
    "size of a chunk": (
        header(OK, KIND, CHUNKED, body=b"fffffff\r\n" + LONG),
        "bad_encoding",
    ),
    "gzip": (header(OK, KIND, ZIPPED, body=packed(LONG)[:-90]), "bad_encoding"),
    "sum of gzip": (
        header(OK, KIND, ZIPPED, body=packed(page(3))[:-8] + bytes(8)),
        "bad_encoding",
    ),
    "deflate": (
        header(OK, KIND, "Content-Encoding: deflate", body=zlib.compress(LONG)[:-90]),
        "bad_encoding",
    ),
}
NOT_READ = {
    "header of HTTP": (record(b"Owls.", url(3)), "corrupt_record"),
    "no record": (b"Owls were here.\r\n" * 50, None),
    "no version": (header(OK, KIND).removeprefix(b"WARC/1.0\r\n"), None),
    "gzip": (
        header(OK, KIND, ZIPPED, body=b"\x1f\x8b\x08" + b"\xff" * 90),
        "bad_encoding",
    ),
    "revisit": (record(http(b""), url(3), kind="revisit"), None),
}


def write_whole(path: Path, records: list[bytes]) -> None:
    path.write_bytes(gzip.compress(b"".join(records)))


def write_zstd(path: Path, records: list[bytes]) -> None:
    with path.open("wb") as file, stream_io.ZstdWriter(file) as packing:
        packing.write(b"".join(records))


def with_others(tmp_path: Path, write: Any, odd: bytes) -> list[dict[str, Any]]:
    """The rows of a record among others, without those: these are complete."""
    path = tmp_path / "a.warc"
    write(path, [*map(response, range(3)), odd, *map(response, range(4, 7))])
    found = rows(path)
    odd_urls = None, url(3)
    others = {row["url"]: row["html"] for row in found if row["url"] not in odd_urls}
    assert others == {url(k): page(k) for k in (0, 1, 2, 4, 5, 6)}
    assert len(found) <= 7
    return [row for row in found if row["url"] not in others]


@pytest.fixture(params=[*WRITERS, write_whole, write_zstd])
def any_write(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize("name", WHOLE)
def test_a_page_is_whole_below_any_header(
    tmp_path: Path, any_write: Any, name: str
) -> None:
    (row,) = with_others(tmp_path, any_write, WHOLE[name])
    assert (row["html"], row["warnings"], row["error"]) == (page(3), None, None)


@pytest.mark.parametrize("name", IN_PART)
def test_a_damaged_page_is_read_as_far_as_it_can_be_and_says_so(
    tmp_path: Path, any_write: Any, name: str
) -> None:
    odd, code = IN_PART[name]
    (row,) = with_others(tmp_path, any_write, odd)
    assert (row["warnings"], row["error"]) == ([code], None)
    assert any(whole.startswith(row["html"]) for whole in (LONG, page(3)))
    assert len(row["html"]) > 400
    (made,) = extract_batch(pa.RecordBatch.from_pylist([row], INPUT_SCHEMA)).to_pylist()
    assert code in made["warnings"]
    assert "Owl 3" in made["text"]


@pytest.mark.parametrize("name", NOT_READ)
def test_what_cannot_be_read_is_an_error_and_costs_no_other(
    tmp_path: Path, any_write: Any, name: str
) -> None:
    odd, code = NOT_READ[name]
    assert errors(with_others(tmp_path, any_write, odd)) == [code] * bool(code)


def test_a_page_about_archives_is_whole(tmp_path: Path, any_write: Any) -> None:
    example = response(9).partition(b"<html")[0] + b"9 owls"
    odd = header(OK, KIND, body=page(3) + b"<pre>\r\n" + example)
    (row,) = with_others(tmp_path, any_write, odd)
    assert row["html"].endswith(b"9 owls")


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
    assert errors(found) == ["corrupt_record"]
    assert len(found) == 4


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
