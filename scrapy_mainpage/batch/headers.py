"""Headers of responses in any notation, and the kind of body that they declare."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from w3lib.encoding import http_content_type_encoding

from ..extraction.parsing.encoding import is_binary

NOT_HTML: Final = "not_html"
BINARY: Final = "binary"


class HeadersError(ValueError):
    """Headers in an unknown notation."""


def read_headers(value: Any) -> dict[str, str]:
    """The headers by their names in lower case; the first of several with one name.

    *value* is a mapping, pairs, structs of ``name`` and ``value``, or JSON of any of
    these; a value may be a list, as in Scrapy. Raises :exc:`HeadersError`.
    """
    if value is None or value in ("", b""):
        return {}
    if isinstance(value, str | bytes):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise HeadersError("text that is not JSON") from None
    read: dict[str, str] = {}
    for name, content in _pairs(value):
        if content is not None:
            read.setdefault(_text(name).strip().lower(), _text(content))
    if "" in read:
        raise HeadersError("a header without a name")
    return read


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    if not isinstance(value, list | tuple):
        raise HeadersError(f"{type(value).__name__} instead of names and values")
    return [_pair(each) for each in value]


def _pair(each: Any) -> tuple[Any, Any]:
    if isinstance(each, Mapping) and each.keys() >= {"name", "value"}:
        return each["name"], each["value"]
    if isinstance(each, list | tuple) and len(each) == 2:
        return each[0], each[1]
    raise HeadersError("a header that is not a name with a value")


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else ""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def declared_encoding(headers: Mapping[str, str]) -> str | None:
    """The encoding in the content type, if one is declared."""
    return http_content_type_encoding(headers.get("content-type"))


def refuse(
    headers: Mapping[str, str], url: str | None, body: bytes | str
) -> str | None:
    """The reason code if the body is not an HTML document, else ``None``.

    Content types are judged as in a crawl. A body without one is taken for HTML.
    """
    if isinstance(body, bytes) and is_binary(body):
        return BINARY
    if "content-type" not in headers:
        return None
    return None if is_html(headers, url, body) else NOT_HTML


def is_html(headers: Mapping[str, str], url: str | None, body: bytes | str) -> bool:
    """Whether Scrapy would take it for HTML, by headers, URL or the first bytes."""
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type == "text/html":
        return True
    from scrapy.http import Headers, HtmlResponse
    from scrapy.responsetypes import responsetypes

    names = ("content-type", "content-disposition")
    given = {name: headers[name] for name in names if name in headers}
    start = body[:5000] if isinstance(body, bytes) else body[:5000].encode("utf-8")
    typed = Headers(given, encoding="latin-1")
    found = responsetypes.from_args(headers=typed, url=url, body=start)
    return issubclass(found, HtmlResponse)
