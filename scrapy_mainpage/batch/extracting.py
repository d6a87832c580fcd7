"""A batch of pages in, a batch of their extractions out; what fails is a row, too."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..extraction.algorithms import DEFAULT_ALGORITHM
from ..extraction.extractor import Extractor
from ..extraction.parsing.limits import TIME, TOO_LARGE, Limits
from .headers import HeadersError, declared_encoding, read_headers, refusal
from .schema import DOCUMENT, INPUT_SCHEMA, output_schema, row_of

if TYPE_CHECKING:
    from ..page import Page
    from ..pipelines.index_documents import DocumentMaker

logger = logging.getLogger(__name__)

NO_HTML: Final = "no_html"
FAILED: Final = "failed:"
BAD_HEADERS: Final = "bad_headers"

_MESSAGES: Final = {
    NO_HTML: "there is no body",
    "not_html": "by its headers it is no HTML document",
    "binary": "the body begins as a binary file does",
    TOO_LARGE: "the page is larger than the limit max_size",
    TIME: "the page took longer than the limit max_time",
}


def extract_batch(
    batch: pa.RecordBatch,
    *,
    extra: Collection[str] = (),
    algorithm: str = DEFAULT_ALGORITHM,
    structured_data: bool = True,
    limits: Limits | None = None,
    **options: Any,
) -> pa.RecordBatch:
    """Extract the pages of *batch*: one row for each, in the same order.

    *batch* has the columns of :data:`INPUT_SCHEMA`, of which only ``html`` must be
    there: bytes as a server sent them, without transfer and content encoding, or text.
    ``headers`` may be a map, a list of structs, or JSON. The columns of the result are
    those of :func:`output_schema`, with the *extra* ones that are asked for. The other
    arguments are those of :func:`scrapy_mainpage.extract`.

    Whatever is wrong with a page is told in its row, in ``error`` and
    ``error_message``. Raises :exc:`ValueError` for what is wrong with the call: a batch
    without ``html``, an unknown column, algorithm or option.
    """
    extraction = Extraction(
        tuple(extra), algorithm, options, structured_data, limits or Limits()
    )
    return BatchExtractor(extraction).extract(batch)


@dataclass(frozen=True)
class Extraction:
    """How pages are extracted; it can be sent to other processes.

    With *documents* there is the column ``document``: what they make of the page.
    """

    extra: tuple[str, ...] = ()
    algorithm: str = DEFAULT_ALGORITHM
    options: dict[str, Any] = field(default_factory=dict)
    structured_data: bool = True
    limits: Limits = field(default_factory=Limits)
    documents: DocumentMaker | None = None

    @property
    def schema(self) -> pa.Schema:
        """That of what is extracted; :exc:`ValueError` for an unknown column."""
        columns = (*self.extra, DOCUMENT) if self.documents else self.extra
        return output_schema(columns)


class BatchExtractor:
    """Extracts batches. Raises :exc:`ValueError` for what the extraction cannot be."""

    def __init__(self, extraction: Extraction) -> None:
        self._extra = extraction.extra
        self._documents = extraction.documents
        self.schema = extraction.schema
        self._extractor = Extractor(
            extraction.algorithm,
            extraction.options,
            structured_data=extraction.structured_data,
            limits=extraction.limits,
        )

    def extract(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows of the batch's pages."""
        rows = [self._row(given) for given in _rows(batch)]
        return to_batch(rows, self.schema)

    def _row(self, given: dict[str, Any]) -> dict[str, Any]:
        html = given.get("html")
        if not isinstance(html, bytes | str):
            html = None
        row = {name: given.get(name) for name in ("url", "crawled_at")}
        row["size"] = None if html is None else len(html)
        if error := given.get("error"):
            return {**row, "error": error, "error_message": given.get("error_message")}
        if html is None:
            return {**row, **_error(NO_HTML)}
        try:
            return {**row, **self._extracted(html, given)}
        except Exception as error:  # noqa: BLE001 - it is told in the row
            message = " ".join(str(error).split())[:500]
            return {**row, **_error(f"{FAILED}{type(error).__name__}", message)}

    def _extracted(self, html: bytes | str, given: dict[str, Any]) -> dict[str, Any]:
        url = given.get("url")
        warnings: tuple[str, ...] = ()
        try:
            headers = read_headers(given.get("headers"))
        except HeadersError:
            headers, warnings = {}, (BAD_HEADERS,)
        if reason := refusal(headers, url, html):
            return _error(reason)
        encoding = declared_encoding(headers)
        page = self._extractor.extract(html, url=url, encoding=encoding)
        for reason in (TOO_LARGE, TIME):
            if not page.words_total and reason in page.warnings:
                return _error(reason)
        row = row_of(page, self._extra)
        row["warnings"] = [*row["warnings"], *warnings]
        if self._documents:
            row[DOCUMENT] = _document(self._documents, page, given)
        return row


def _error(reason: str, message: str | None = None) -> dict[str, str]:
    return {"error": reason, "error_message": message or _MESSAGES.get(reason, reason)}


def _document(maker: DocumentMaker, page: Page, given: dict[str, Any]) -> str | None:
    """The page as an index takes it, in JSON; ``None`` if an index takes none."""
    import json

    said = given.get("crawled_at")
    made = maker.make({"crawled_at": said} if said else {}, page)
    if isinstance(made, str):
        return None
    return json.dumps(made.storable().as_dict(), ensure_ascii=False)


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows of a batch, of the columns that are known, one at a time."""
    if "html" not in batch.schema.names:
        names = ", ".join(batch.schema.names)
        raise ValueError(f"a batch needs a column html; it has {names or 'none'}")
    known = [name for name in INPUT_SCHEMA.names if name in batch.schema.names]
    columns = [batch.column(name) for name in known]
    for number in range(batch.num_rows):
        values = (column[number].as_py() for column in columns)
        yield dict(zip(known, values, strict=True))


def to_batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """The rows as a batch; what a row does not have is null."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:  # half a surrogate pair that some JSON has spelt out
        return pa.RecordBatch.from_pylist(_encodable(rows), schema=schema)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _encodable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(each) for each in value]
    return value


__all__ = ["extract_batch"]
