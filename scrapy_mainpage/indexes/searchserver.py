"""OpenSearch and Elasticsearch: pages are written to them, and searched by their API.

Both speak the same HTTP. A page is one document, with its passages inside it, so that
one operation replaces or deletes all of it.
"""

from __future__ import annotations

import hashlib
import json
import re
import ssl
from base64 import b64encode
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from urllib.request import HTTPSHandler, Request, build_opener

from .base import Index, IndexFailure, IndexUnavailable, Rejection, reading
from .documents import FIELDS_VERSION, STORED, WEIGHTS, storable_text
from .fields import shown_fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Self

    from .documents import IndexDocument

#: Identify an index, in the ``_meta`` of its mapping.
APPLICATION: Final = "scrapy-mainpage"
SCHEMA_VERSION: Final = 2 + FIELDS_VERSION

PORT: Final = 9200
TIMEOUT: Final = 30.0

#: URLs read at once.
URL_BATCH: Final = 1_000
#: Kept characters of a server's message: some quote the document.
MESSAGE_CHARS: Final = 500

#: The names that both servers allow for an index. A leading dot makes it hidden.
_INDEX: Final = re.compile(r'(?![-_+.])[^\s\\/*?"<>|,#:%\x00-\x1f\x7fA-Z]{1,255}')

_TEXT: Final = {"type": "text", "analyzer": "mainpage"}
# Servers refuse a document with a longer value, as it is one word.
_KEYWORD: Final = {"type": "keyword", "ignore_above": 8191}
# Pages have all sorts of dates; a malformed one is stored but no filter finds it.
_DATE: Final = {
    "type": "date",
    "format": "strict_date_optional_time",
    "ignore_malformed": True,
}
_STORED_ONLY: Final = {"type": "object", "enabled": False}
_PROPERTIES: Final = {
    **dict.fromkeys(("id", "url", "site", "language", *STORED), _KEYWORD),
    **dict.fromkeys(("date_published", "date_modified", "crawled_at"), _DATE),
    **dict.fromkeys(WEIGHTS, _TEXT),
    "passages": {
        "type": "nested",
        "dynamic": False,
        "properties": {"heading": _TEXT, "text": _TEXT},
    },
    "fields": _STORED_ONLY,
    "sections": _STORED_ONLY,
}
_ACCENTS: Final = {"tokenizer": "standard", "filter": ["lowercase", "asciifolding"]}
_BODY: Final = {
    # A single server has no place for a replica, a cluster gets one.
    "settings": {
        "index": {"auto_expand_replicas": "0-1"},
        "analysis": {"analyzer": {"mainpage": _ACCENTS}},
    },
    "mappings": {
        "_meta": {"application": APPLICATION, "schema_version": SCHEMA_VERSION},
        "dynamic": False,
        "properties": _PROPERTIES,
    },
}

_NOT_FOUND, _SERVER_ERROR = 404, 500
#: Statuses after which the same request may succeed, beside the server's own errors.
_PASSING: Final = (408, 409, 429)
#: The error of a server that refuses writes, as when its disk is nearly full.
_BLOCK: Final = "cluster_block_exception"


class SearchServerIndex(Index):
    """Documents in an index of a search server or cluster.

    Documents are on the servers' disks when a call returns. They can be found after
    the index's refresh interval, a second by default.
    """

    def __init__(self, server: Server, *, read_only: bool):
        self._server, self._read_only = server, read_only

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``ENGINE+http(s)://user:password@host:9200/index?ca_certs=FILE``."""
        try:
            index = cls(Server(url), read_only=read_only)
            with reading():
                index._prepare()
        except (IndexFailure, OSError, ValueError) as exc:
            raise IndexUnavailable(url, str(exc)) from None
        return index

    def _prepare(self) -> None:
        """Check that the index is one of ours, or create it."""
        if self._exists():
            return
        if self._read_only:
            raise IndexFailure("index_missing", "there is no such index")
        made = self._server.answer("PUT", f"/{self._server.index}", _BODY)
        is_late = _error_of(made.body)[0] == "resource_already_exists_exception"
        if not (is_late and self._exists()):
            _checked(made)

    def _exists(self) -> bool:
        found = self._server.answer("GET", f"/{self._server.index}")
        if found.status == _NOT_FOUND and _error_of(found.body)[0]:
            return False
        for meta in _metas(_checked(found)):  # all indexes of an alias
            version = meta.get("schema_version")
            if meta.get("application") != APPLICATION:
                problem = "the index is not one of scrapy-mainpage"
                raise IndexFailure("foreign", problem)
            if version != SCHEMA_VERSION:
                known = f"this scrapy-mainpage writes version {SCHEMA_VERSION}"
                problem = f"the index has schema version {version}, {known}"
                raise IndexFailure("foreign", f"{problem}; make it anew")
        return True

    @reading()
    def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        self._check_writable()
        rejected: list[Rejection] = []
        actions: list[_Action] = []
        for each in documents:
            try:
                actions.append(_put_action(each))
            except (AttributeError, TypeError, ValueError) as exc:  # noqa: PERF203
                rejected.append(Rejection(each.url, "unsupported", str(exc)))
        for url, item in self._bulk(actions):
            if "error" in item:
                rejected.append(Rejection(url, *_meaning(int(item["status"]), item)))
        return rejected

    @reading()
    def _delete(self, urls: Sequence[str]) -> int:
        """Remove the documents with their passages; return how many existed."""
        self._check_writable()
        actions = [
            (url, _line({"delete": {"_id": page_id(url)}}))
            for url in dict.fromkeys(map(storable_text, urls))
        ]
        items = [item for _, item in self._bulk(actions)]
        for item in items:
            if "error" in item:
                _checked(_Answer(int(item["status"]), item))
        return sum(item["status"] != _NOT_FOUND for item in items)

    def _bulk(self, actions: Sequence[_Action]) -> list[tuple[str, dict[str, Any]]]:
        """Execute the actions; return each URL with its result."""
        if not actions:
            return []
        body = b"".join(lines for _, lines in actions)
        results = self._server.ask("POST", f"/{self._server.index}/_bulk", body)
        return [
            (url, item)
            for (url, _), result in zip(actions, results["items"], strict=True)
            for item in result.values()
        ]

    def urls(self) -> Iterator[str]:
        """Yield the URLs, in the order of their hashes."""
        self._server.ask("POST", f"/{self._server.index}/_refresh")
        last = ""
        while found := self._urls_after(last):
            yield from found.values()
            last = max(found)

    @reading()
    def _urls_after(self, last: str) -> dict[str, str]:
        """Return the URLs whose hashes come after that one, by their hashes."""
        body: dict[str, Any] = {
            "query": {"match_all": {}},
            "size": URL_BATCH,
            "sort": [{"id": "asc"}],
            "search_after": [last],
            "track_total_hits": False,
            "_source": ["url"],
        }
        whole = "allow_partial_search_results=false"
        path = f"/{self._server.index}/_search?{whole}"
        hits = self._server.ask("POST", path, body)["hits"]["hits"]
        return {hit["sort"][0]: hit["_source"]["url"] for hit in hits}

    @reading()
    def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        marks: dict[str, str] = self._meta().get("marks", {})
        return marks.get(name)

    @reading()
    def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in the index's own metadata."""
        self._check_writable()
        meta = self._meta()
        meta["marks"] = {**meta.get("marks", {}), name: value}
        self._server.ask("PUT", f"/{self._server.index}/_mapping", {"_meta": meta})
        return True

    def _meta(self) -> dict[str, Any]:
        """The metadata of the index, or of one of an alias."""
        return next(_metas(self._server.ask("GET", f"/{self._server.index}")))

    def close(self) -> None:
        """Refuse later calls: there is no connection between calls."""
        self._server.is_open = False

    def _check_writable(self) -> None:
        if self._read_only:
            raise IndexFailure("read_only", "the index was opened to be read only")


#: One operation of a bulk request: its URL, and its line or two.
_Action = tuple[str, bytes]


def page_id(url: str) -> str:
    """Return the id of a page: a URL may be longer than an id."""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()


def _put_action(document: IndexDocument) -> _Action:
    """The action that puts a page, without empty values."""
    id_ = page_id(document.url)
    names = ("url", "site", "language", "weight", *STORED, *WEIGHTS)
    values = {"id": id_, **{name: getattr(document, name) for name in names}}
    rows = ((x, value) for x, own in document.fields.items() for value in own.values)
    values["fields"] = shown_fields(rows)
    values["sections"] = [part._asdict() for part in document.sections]
    values["passages"] = [part._asdict() for part in document.passages]
    filled = {name: value for name, value in values.items() if value or value == 0}
    return document.url, _line({"index": {"_id": id_}}) + _line(filled)


def _line(data: Any) -> bytes:
    """The data as JSON on one line; unencodable characters become ``?``."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


class _Answer(NamedTuple):
    """An HTTP answer: its status, and its body as data or as text."""

    status: int
    body: Any


class Server:
    """The server of an index, at ``engine+http(s)://user:password@host:9200/index``.

    ``?ca_certs=FILE`` has the certificates that are trusted, ``?api_key=KEY`` is for
    Elasticsearch. Raises :exc:`ValueError` for any other URL.

    >>> server = Server("opensearch+https://search.example/logs/pages")
    >>> server.host, server.index
    ('https://search.example:9200/logs', 'pages')
    """

    def __init__(self, url: str):
        parts = urlsplit(url)
        scheme = parts.scheme.partition("+")[2]
        if scheme not in ("http", "https"):
            raise ValueError("it says neither +http nor +https")
        if parts.fragment or not parts.hostname or "@" in parts.path + parts.query:
            raise ValueError("it names no host; in a password, # / ? @ are quoted")
        prefix, _, index = parts.path.rpartition("/")
        self.index = unquote(index)
        if not _INDEX.fullmatch(self.index):
            allowed = 'lower case, no spaces, \\/*?"<>|,#:%, no -_+. in front'
            raise ValueError(f"{self.index!r} cannot name an index: {allowed}")
        name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        self.host = f"{scheme}://{name}:{parts.port or PORT}{prefix}"
        self._headers = {"Content-Type": "application/x-ndjson"}
        options = dict(parse_qsl(parts.query.replace("+", "%2B"), strict_parsing=False))
        if key := options.pop("api_key", None):
            self._headers["Authorization"] = f"ApiKey {key}"
        elif parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            coded = b64encode(pair.encode("utf-8", "replace")).decode()
            self._headers["Authorization"] = f"Basic {coded}"
        context = ssl.create_default_context(cafile=options.pop("ca_certs", None))
        if options:
            raise ValueError(f"no option {min(options)!r}; there are ca_certs, api_key")
        self._opener = build_opener(HTTPSHandler(context=context))
        self.is_open = True

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the body of the answer; raise :exc:`IndexFailure` for an error."""
        return _checked(self.answer(method, path, body))

    def answer(self, method: str, path: str, body: Any = None) -> _Answer:
        """Return the answer, also one with an error.

        Raises :exc:`IndexFailure` for a missing or unreadable one.
        """
        if not self.is_open:
            raise IndexFailure("closed", "the index is closed")
        data = body if body is None or isinstance(body, bytes) else _line(body)
        url = self.host + quote(path, safe="/?=_")
        headers = dict(self._headers)
        if not isinstance(body, bytes):
            headers["Content-Type"] = "application/json"
        try:
            request = Request(url, data, headers, method=method)
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return _Answer(answer.status, json.loads(answer.read()))
        except HTTPError as exc:
            with exc:
                return _Answer(exc.code, _read_body(exc.read()))
        except (OSError, HTTPException) as exc:
            text = str(getattr(exc, "reason", exc)) or type(exc).__name__
            raise IndexFailure("connection", _short(text), retryable=True) from exc
        except ValueError as exc:
            problem = _short(f"no JSON: {exc}")
            raise IndexFailure("bad_answer", problem, retryable=True) from exc


def _read_body(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")


def _metas(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the metadata of each index in an answer."""
    for index in body.values():
        yield index["mappings"].get("_meta", {})


def _checked(answer: _Answer) -> Any:
    """Return the body of the answer; raise the failure that it is."""
    if answer.status >= 300:
        reason, message, retryable = _meaning(answer.status, answer.body)
        raise IndexFailure(reason, message, retryable=retryable)
    if not isinstance(answer.body, dict):
        problem = "the server's answer is no object"
        raise IndexFailure("bad_answer", problem, retryable=True)
    return answer.body


def _meaning(status: int, body: Any) -> tuple[str, str, bool]:
    """Return the reason code, the message, and whether the error is retryable."""
    name, text = _error_of(body)
    message = _short(f"{status} {name} {text}")
    if name == _BLOCK:
        return "blocked", message, True
    if status >= _SERVER_ERROR:
        return "unavailable", message, True
    return f"http_{status}", message, status in _PASSING


def _short(text: str) -> str:
    return " ".join(text.split())[:MESSAGE_CHARS]


def _error_of(body: Any) -> tuple[str, str]:
    """Return the error's type and text in the various forms of servers and proxies."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "", str(error or "")
    cause = error.get("caused_by")
    texts = (error.get("reason"), cause.get("reason") if cause else None)
    return str(error.get("type", "")), ": ".join(str(text) for text in texts if text)
