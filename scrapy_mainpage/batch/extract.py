"""A batch of pages in, a batch of their extractions out; failures are rows, too."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from w3lib.encoding import http_content_type_encoding

from ..extraction.algorithms import DEFAULT_ALGORITHM
from ..extraction.extractor import Extractor
from ..extraction.parsing.encoding import is_binary
from ..extraction.parsing.tree import TIME, TOO_LARGE, Limits
from ..extraction.title_rule import AUTO
from .schema import (
    DOCUMENT,
    INPUT_SCHEMA,
    HeadersError,
    Row,
    make_row,
    output_schema,
    read_headers,
    to_batch,
)

if TYPE_CHECKING:
    from ..page import Page

BAD_HEADERS: Final = "bad_headers"
NOT_HTML: Final = "not_html"
_NO_HTML: Final = "no_html"
_BINARY: Final = "binary"
_FAILED: Final = "failed:"

_MESSAGES: Final = {
    _NO_HTML: "no body",
    NOT_HTML: "not an HTML document, by its headers",
    _BINARY: "the body begins like a binary file",
    TOO_LARGE: "the page is larger than the limit max_size",
    TIME: "the page took longer than the limit max_time",
}

_START_BYTES: Final = 5000
"""Bytes of a body that its type is judged by, as in Scrapy."""


def extract_batch(
    batch: pa.RecordBatch,
    *,
    extra: Collection[str] = (),
    algorithm: str = DEFAULT_ALGORITHM,
    structured_data: bool = True,
    title_in_text: str = AUTO,
    limits: Limits | None = None,
    detect_encoding: bool = False,
    **options: Any,
) -> pa.RecordBatch:
    """Extract the pages of *batch*: one row for each, in the same order.

    *batch* has columns of :data:`INPUT_SCHEMA`. Only ``html`` is required: bytes as a
    server sent them, without transfer and content encoding, or text. ``headers`` may be
    a map, a list of structs, or JSON. The result has the columns of
    :func:`output_schema` and the *extra* ones. The other arguments are those of
    :func:`scrapy_mainpage.extract`.

    An error of a page is in the columns ``error`` and ``error_message`` of its row.
    Raises :exc:`ValueError` for a batch without ``html``, an unknown column, algorithm
    or option.
    """
    others = {
        "structured_data": structured_data,
        "title_in_text": title_in_text,
        "limits": limits,
        "detect_encoding": detect_encoding,
    }
    extraction = Extraction(tuple(extra), algorithm, options, others)
    extractor = BatchExtractor(extraction)
    rows = [extractor.extract_row(given) for given in _rows(batch)]
    return to_batch(rows, extraction.schema)


def _rows(batch: pa.RecordBatch) -> Iterator[Row]:
    """The rows of a batch, with its known columns, one at a time."""
    if "html" not in batch.schema.names:
        names = ", ".join(batch.schema.names)
        raise ValueError(f"a batch needs a column html; it has {names or 'none'}")
    known = [name for name in INPUT_SCHEMA.names if name in batch.schema.names]
    columns = [batch.column(name) for name in known]
    for number in range(batch.num_rows):
        values = (column[number].as_py() for column in columns)
        yield dict(zip(known, values, strict=True))


@dataclass(frozen=True)
class Extraction:
    """Options of the extraction, which can be sent to other processes.

    *options* are those of the algorithm, *others* further arguments of the extractor.
    With *documents*, a :class:`~scrapy_mainpage.pipelines.DocumentMaker`, the rows have
    a column ``document`` with the page's document for an index.
    """

    extra: tuple[str, ...] = ()
    algorithm: str = DEFAULT_ALGORITHM
    options: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)
    documents: Any = None

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows. Raises :exc:`ValueError` for an unknown column."""
        columns = (*self.extra, DOCUMENT) if self.documents else self.extra
        return output_schema(columns)


class BatchExtractor:
    """Extracts rows. Raises :exc:`ValueError` for impossible options."""

    def __init__(self, extraction: Extraction) -> None:
        self._extra = extraction.extra
        self._documents = extraction.documents
        self._extractor = Extractor(
            extraction.algorithm, extraction.options, **extraction.others
        )

    def extract_row(self, given: Row) -> Row:
        """The row of one page, from a row of :data:`.INPUT_SCHEMA`."""
        html = given.get("html")
        if not isinstance(html, bytes | str):
            html = None
        row = {name: given.get(name) for name in ("url", "crawled_at")}
        row["size"] = None if html is None else len(html)
        if error := given.get("error"):
            return {**row, "error": error, "error_message": given.get("error_message")}
        if html is None:
            return {**row, **_error(_NO_HTML)}
        try:
            return {**row, **self._extract(html, given)}
        except Exception as error:  # noqa: BLE001 - it goes into the row
            message = " ".join(str(error).split())[:500]
            return {**row, **_error(f"{_FAILED}{type(error).__name__}", message)}

    def _extract(self, html: bytes | str, given: Row) -> Row:
        url = given.get("url")
        warnings: tuple[str, ...] = ()
        try:
            headers = read_headers(given.get("headers"))
        except HeadersError:
            headers, warnings = {}, (BAD_HEADERS,)
        if isinstance(html, bytes) and is_binary(html):
            return _error(_BINARY)
        # A body without a content type is taken for HTML.
        if "content-type" in headers and not is_html(headers, url, html):
            return _error(NOT_HTML)
        encoding = http_content_type_encoding(headers.get("content-type"))
        page = self._extractor.extract(html, url=url, encoding=encoding)
        for reason in (TOO_LARGE, TIME):
            if not page.words_total and reason in page.warnings:
                return _error(reason)
        row = make_row(page, self._extra)
        row["warnings"] = [*row["warnings"], *warnings]
        if self._documents:
            row[DOCUMENT] = _document(self._documents, page, given)
        return row


def _error(reason: str, message: str | None = None) -> Row:
    return {"error": reason, "error_message": message or _MESSAGES.get(reason, reason)}


def _document(maker: Any, page: Page, given: Row) -> str | None:
    """The page's document in JSON; ``None`` if it has none."""
    crawled_at = given.get("crawled_at")
    made = maker.make({"crawled_at": crawled_at} if crawled_at else {}, page)
    if isinstance(made, str):
        return None
    return json.dumps(made.storable().as_dict(), ensure_ascii=False)


def is_html(headers: Mapping[str, str], url: str | None, body: bytes | str) -> bool:
    """Whether Scrapy would take it for HTML, by headers, URL or the first bytes."""
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type == "text/html":
        return True
    from scrapy.http import Headers, HtmlResponse
    from scrapy.responsetypes import responsetypes

    names = {"content-type", "content-disposition"}.intersection(headers)
    given = {name: headers[name].encode("latin-1", "replace") for name in names}
    start = body[:_START_BYTES]
    start = start.encode("utf-8", "replace") if isinstance(start, str) else start
    found = responsetypes.from_args(headers=Headers(given), url=url, body=start)
    return issubclass(found, HtmlResponse)
