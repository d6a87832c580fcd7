"""A batch of pages in, a batch of their extractions out; failures are rows, too."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from typing import Any, Final

import pyarrow as pa
from w3lib.encoding import http_content_type_encoding

from ..extraction.algorithms import DEFAULT_ALGORITHM
from ..extraction.extractor import Extractor
from ..extraction.parsing.encoding import binary_type
from ..extraction.parsing.tree import TIME, TOO_LARGE, Limits
from ..extraction.title_rule import AUTO
from ..page import METADATA_FIELDS, Block, Link, Media, Page, Section
from ..records import as_plain

Row = dict[str, Any]

BAD_HEADERS: Final = "bad_headers"
NOT_HTML: Final = "not_html"
NO_HTML: Final = "no_html"
_BINARY: Final = "binary"

_MESSAGES: Final = {
    NO_HTML: "no body",
    NOT_HTML: "not an HTML document, by its headers",
    _BINARY: "the body begins like a binary file",
    TOO_LARGE: "the page is larger than the limit max_size",
    TIME: "the page took longer than the limit max_time",
}

_START_BYTES: Final = 5000
"""Bytes of a body that its type is judged by, as in Scrapy."""

# --- Columns -------------------------------------------------------------------

_HEADERS: Final = pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))

_TEXTS: Final = pa.list_(pa.string())

#: Columns of :func:`~scrapy_mainpage.batch.read_batches`. Only ``html`` is required; a
#: row with an ``error`` keeps it and is not extracted.
INPUT_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("html", pa.binary()),
        ("headers", _HEADERS),
        ("crawled_at", pa.string()),
        ("warnings", _TEXTS),
        ("error", pa.string()),
        ("error_message", pa.string()),
    ]
)

#: Attributes of the page: column, type.
_PAGE_COLUMNS: Final = (
    ("text", pa.string()),
    ("page_type", pa.string()),
    ("confidence", pa.float64()),
    ("words", pa.int64()),
    ("words_total", pa.int64()),
    ("algorithm", pa.string()),
    ("warnings", _TEXTS),
    ("sources", _TEXTS),
)

#: Fields of the page's metadata, all of them strings; addresses are the last columns.
_METADATA_COLUMNS: Final = sorted(
    METADATA_FIELDS, key=("canonical_url", "image").__contains__
)

_TYPES: Final = {
    "str": pa.string(),
    "str | None": pa.string(),
    "Label": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "tuple[str, ...]": _TEXTS,
}


def _list_of(kind: type, *without: str) -> pa.DataType:
    """The type of a list of such records of a page, without some of their fields."""
    parts = (part for part in fields_of(kind) if part.name not in without)
    return pa.list_(pa.struct([(part.name, _TYPES[str(part.type)]) for part in parts]))


#: Columns on request, with their types.
EXTRA: Final = {
    "blocks": _list_of(Block, "index", "box"),
    "comments": pa.string(),
    "html": pa.string(),
    "links": _list_of(Link),
    "markdown": pa.string(),
    "media": _list_of(Media),
    "sections": _list_of(Section, "first_block", "end_block"),
}


def output_schema(extra: Collection[str] = ()) -> pa.Schema:
    """The schema of what :func:`~scrapy_mainpage.batch.extract_batch` returns.

    Raises :exc:`ValueError` for an unknown *extra* column.
    """
    if unknown := set(extra) - {*EXTRA}:
        names = ", ".join(EXTRA)
        raise ValueError(f"no such column: {', '.join(sorted(unknown))}; {names} are")
    return pa.schema(
        [
            ("url", pa.string()),
            *((name, pa.string()) for name in _METADATA_COLUMNS),
            *_PAGE_COLUMNS,
            *((name, kind) for name, kind in EXTRA.items() if name in extra),
            ("size", pa.int64()),
            *((name, pa.string()) for name in ("crawled_at", "error", "error_message")),
        ]
    )


def to_batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    """The rows as a batch; missing columns are null."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:  # half a surrogate pair, escaped in some JSON
        return pa.RecordBatch.from_pylist(_encodable(rows), schema=schema)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _encodable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(each) for each in value]
    return value


# --- Headers -------------------------------------------------------------------


class HeadersError(ValueError):
    """Headers in an unknown notation."""


#: A column of headers that :func:`read_headers` refuses, for some that it has refused.
NO_HEADERS: Final = [{"name": None, "value": None}]


def headers_column(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """The headers as a value of the column."""
    return [{"name": name, "value": value} for name, value in headers.items()]


def read_headers(value: Any) -> dict[str, str]:
    """The headers by their names in lower case; the first of several with one name.

    *value* is a mapping, pairs, structs of ``name`` and ``value``, or JSON of any of
    these; a value may be a list, as in Scrapy. Raises :exc:`HeadersError`.
    """
    read: dict[str, str] = {}
    try:
        known = json.loads(value) if isinstance(value, str | bytes) and value else value
        pairs: Any = known.items() if isinstance(known, Mapping) else known or ()
        for pair in pairs:
            is_struct = isinstance(pair, Mapping)
            name, content = (pair["name"], pair["value"]) if is_struct else pair
            if name is None:
                raise HeadersError("a header without a name")
            if text := _text(content):
                read.setdefault(_text(name).strip().lower(), text)
    except (KeyError, RecursionError, TypeError, ValueError) as error:
        raise HeadersError(f"not names with values: {error}") from None
    read.pop("", None)
    return read


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value or "")
    return text.encode("utf-8", "ignore").decode()  # without half surrogate pairs


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


# --- Extraction ----------------------------------------------------------------


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
    schema = output_schema(extra)
    extractor = BatchExtractor(Extraction(tuple(extra), algorithm, options, others))
    rows = [extractor.extract_row(given) for given in _rows(batch)]
    return to_batch(rows, schema)


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
    """

    extra: tuple[str, ...] = ()
    algorithm: str = DEFAULT_ALGORITHM
    options: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)


class BatchExtractor:
    """Extracts rows. Raises :exc:`ValueError` for impossible options."""

    def __init__(self, extraction: Extraction) -> None:
        self._extra = extraction.extra
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
            return {**row, **_refusal(NO_HTML)}
        try:
            return {**row, **self._extract(html, given)}
        except Exception as error:  # noqa: BLE001 - it goes into the row
            message = " ".join(str(error).split())[:500]
            code = f"failed:{type(error).__name__}"
            return {**row, "error": code, "error_message": message}

    def _extract(self, html: bytes | str, given: Row) -> Row:
        url = given.get("url")
        warnings: list[str] = []
        try:
            headers = read_headers(given.get("headers"))
        except HeadersError:
            headers, warnings = {}, [BAD_HEADERS]
        if isinstance(html, bytes) and binary_type(html):
            return _refusal(_BINARY)
        # A body without a content type is taken for HTML.
        if "content-type" in headers and not is_html(headers, url, html):
            return _refusal(NOT_HTML)
        encoding = http_content_type_encoding(headers.get("content-type"))
        page = self._extractor.extract(html, url=url, encoding=encoding)
        for reason in (TOO_LARGE, TIME):
            if not page.words_total and reason in page.warnings:
                return _refusal(reason)
        row = _page_row(page, self._extra)
        row["warnings"] = [*row["warnings"], *warnings, *(given.get("warnings") or ())]
        return row


def make_error(error: str, message: str, url: str | None = None) -> Row:
    """The row of a record that cannot be read."""
    return {"url": url, "error": error, "error_message": message[:500]}


def _refusal(reason: str) -> Row:
    return {"error": reason, "error_message": _MESSAGES[reason]}


def _page_row(page: Page, extra: Collection[str]) -> Row:
    """The columns of *page*, with those in *extra*, as plain data."""
    row: Row = {name: getattr(page, name) for name, _ in _PAGE_COLUMNS}
    row.update(page.metadata.as_dict())
    for name in EXTRA:
        if name in extra:
            value = getattr(page, name)
            # Fields that the struct of a list lacks are ignored.
            row[name] = value if isinstance(value, str) else [*map(as_plain, value)]
    return row
