"""OpenSearch and Elasticsearch: pages are written to them, and searched by their API.

Both speak the same HTTP. A page is one document, with its passages inside it, so that
one operation replaces or deletes all of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import HTTPSHandler, Request, build_opener

from .base import Index, IndexUnavailable
from .documents import DATE, FIELDS_VERSION, STORED, WEIGHTS, storable_text
from .failures import IndexFailure, Rejection, reading
from .fields import shown_fields

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from typing_extensions import Self

    from .documents import IndexDocument

#: Identify an index, in the ``_meta`` of its mapping.
APPLICATION: Final = "scrapy-mainpage"
SCHEMA_VERSION: Final = 2 + FIELDS_VERSION

PORT: Final = 9200
TIMEOUT: Final = 30.0

#: Bytes of a bulk request, unless one document is longer: proxies often allow 1 MB.
BULK_BYTES: Final = 1_000_000
#: URLs read, or looked up, at once.
URL_BATCH: Final = 1_000
#: Kept characters of a server's message: some quote the document.
MESSAGE_CHARS: Final = 500

#: The names that both servers allow for an index. A leading dot makes it hidden.
_INDEX: Final = re.compile(r'(?![-_+.])[^\s\\/*?"<>|,#:%\x00-\x1f\x7f]{1,255}')

_ACCENTS: Final = {
    "mainpage": {"tokenizer": "standard", "filter": ["lowercase", "asciifolding"]}
}
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
    **dict.fromkeys(("id", "url", "site", "language"), _KEYWORD),
    **{name: _DATE if role == DATE else _KEYWORD for name, role in STORED.items()},
    **dict.fromkeys(WEIGHTS, _TEXT),
    "passages": {
        "type": "nested",
        "dynamic": False,
        "properties": {"heading": _TEXT, "text": _TEXT},
    },
    "fields": _STORED_ONLY,
    "sections": _STORED_ONLY,
}

#: HTTP status -> reason code, and whether the same request may succeed later.
_REASONS: Final = {
    400: ("invalid", False),
    401: ("unauthorized", False),
    403: ("forbidden", False),
    404: ("index_missing", False),
    408: ("timeout", True),
    409: ("conflict", True),
    413: ("too_big", False),
    429: ("busy", True),
}
_NOT_FOUND, _TOO_BIG, _SERVER_ERROR = 404, 413, 500
_BLOCK: Final = "cluster_block_exception"
#: Parts of the message of a server that refuses writes: its disk is nearly full.
_FULL: Final = ("read-only-allow-delete", "read_only_allow_delete", "flood-stage")


class SearchServerIndex(Index):
    """Documents in an index of a search server or cluster.

    Documents are on the servers' disks when a call returns. They can be found after
    the index's refresh interval, a second by default; with ``refresh=true`` in the URL
    they can be found when the call returns, which makes the servers slower.
    """

    def __init__(self, address: Address, *, read_only: bool):
        self._server = _Server(address)
        self._path = f"/{address.index}"
        self._write = {"refresh": "true"} if address.refresh else {}
        self._read_only = read_only

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``ENGINE+http(s)://user:password@host:9200/index?option=value``."""
        try:
            index = cls(parse_address(url), read_only=read_only)
            async with reading():
                await index._prepare()
        except IndexFailure as exc:
            raise IndexUnavailable(url, str(exc)) from None
        return index

    async def _prepare(self) -> None:
        """Check that the index is one of ours, or create it."""
        if await self._exists():
            return
        if self._read_only:
            raise IndexFailure("index_missing", "there is no such index")
        body = {
            # A single server has no place for a replica, a cluster gets one.
            "settings": {
                "index": {"auto_expand_replicas": "0-1"},
                "analysis": {"analyzer": _ACCENTS},
            },
            "mappings": {
                "_meta": {"application": APPLICATION, "schema_version": SCHEMA_VERSION},
                "dynamic": False,
                "properties": _PROPERTIES,
            },
        }
        template = {
            "index_patterns": [self._path[1:]],
            "priority": 500,  # above the templates of others for a group of names
            "template": body,
        }
        # It makes the index again if somebody deletes it during a crawl.
        name = f"/_index_template/mainpage-{self._path[1:]}"
        _value(await self._server.ask("PUT", name, template), "acknowledged")
        made = await self._server.ask("PUT", self._path, body)
        is_late = _error_of(made.body)[0] == "resource_already_exists_exception"
        if not (is_late and await self._exists()):
            _value(made, "acknowledged")

    async def _exists(self) -> bool:
        found = await self._server.ask("GET", self._path)
        if found.status == _NOT_FOUND and _error_of(found.body)[0]:
            return False
        for meta in _metas(found):  # all indexes of an alias
            if meta.get("application") != APPLICATION:
                problem = "the index is not one of scrapy-mainpage"
                raise IndexFailure("foreign", problem)
            if meta.get("schema_version") != SCHEMA_VERSION:
                version = meta.get("schema_version")
                known = f"this scrapy-mainpage writes version {SCHEMA_VERSION}"
                problem = f"the index has schema version {version}, {known}"
                raise IndexFailure("foreign", f"{problem}; make it anew")
        return True

    @reading()
    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        self._check_writable()
        # Not in the loop: long texts take a while.
        return await asyncio.to_thread(self._put_now, documents)

    def _put_now(self, documents: Sequence[IndexDocument]) -> list[Rejection]:
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
    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents with their passages; return how many existed."""
        self._check_writable()
        actions = [
            _Action(url, _line({"delete": {"_id": page_id(url)}}))
            for url in dict.fromkeys(map(storable_text, urls))
        ]
        items = await asyncio.to_thread(lambda: list(self._bulk(actions)))
        for _, item in items:
            if "error" in item:
                raise _failure(_Answer(int(item["status"]), item))
        return sum(item["status"] != _NOT_FOUND for _, item in items)

    def _bulk(self, actions: Sequence[_Action]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Execute the actions; yield each URL with its result."""
        for part in _parts(actions):
            yield from self._send(part)

    def _send(self, part: Sequence[_Action]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Execute the actions in one request, or in several if that is too long."""
        body = b"".join(action.lines for action in part)
        answer = self._server.ask_now("POST", f"{self._path}/_bulk", body, self._write)
        if answer.status == _TOO_BIG and len(part) > 1:
            middle = len(part) // 2
            yield from self._send(part[:middle])
            yield from self._send(part[middle:])
            return
        if answer.status == _TOO_BIG:
            yield part[0].url, {"status": _TOO_BIG, "error": answer.body or "too big"}
            return
        items = _value(answer, "items")
        for action, result in zip(part, items, strict=True):
            (item,) = result.values()
            yield action.url, item

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs, in the order of their hashes."""
        refresh = await self._server.ask("POST", f"{self._path}/_refresh")
        _value(refresh, "_shards")
        found, last = await self._urls_after("")
        while found:
            for url in found:
                yield url
            found, last = await self._urls_after(last)

    @reading()
    async def _urls_after(self, last: str) -> tuple[list[str], str]:
        """Return URLs whose hashes come after that one, and the last of these."""
        body: dict[str, Any] = {
            "query": {"match_all": {}},
            "size": URL_BATCH,
            "sort": [{"id": "asc"}],
            "search_after": [last],
            "track_total_hits": False,
            "_source": ["url"],
        }
        whole = {"allow_partial_search_results": "false"}
        path = f"{self._path}/_search"
        answer = await self._server.ask("POST", path, body, whole)
        hits = _value(answer, "hits")["hits"]
        urls = [hit["_source"]["url"] for hit in hits]
        return urls, hits[-1]["sort"][0] if hits else last

    @reading()
    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        marks: dict[str, str] = (await self._meta()).get("marks", {})
        return marks.get(name)

    @reading()
    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in the index's own metadata."""
        self._check_writable()
        meta = await self._meta()
        meta["marks"] = {**meta.get("marks", {}), name: value}
        path = f"{self._path}/_mapping"
        _value(await self._server.ask("PUT", path, {"_meta": meta}), "acknowledged")
        return True

    async def _meta(self) -> dict[str, Any]:
        """The metadata of the index, or of one of an alias."""
        return next(_metas(await self._server.ask("GET", self._path)))

    async def close(self) -> None:
        """Refuse later calls: there is no connection between calls."""
        self._server.is_open = False

    def _check_writable(self) -> None:
        if self._read_only:
            raise IndexFailure("read_only", "the index was opened to be read only")


class _Action(NamedTuple):
    """One operation of a bulk request: its URL, and its line or two."""

    url: str
    lines: bytes


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
    return _Action(document.url, _line({"index": {"_id": id_}}) + _line(filled))


def _line(data: Any) -> bytes:
    """The data as JSON on one line; unencodable characters become ``?``."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _parts(actions: Iterable[_Action]) -> Iterator[list[_Action]]:
    """Yield the actions in lists of at most so many bytes, or of one action."""
    part: list[_Action] = []
    size = 0
    for action in actions:
        if part and size + len(action.lines) > BULK_BYTES:
            yield part
            part, size = [], 0
        part.append(action)
        size += len(action.lines)
    if part:
        yield part


class _Answer(NamedTuple):
    """An HTTP answer: its status, and its body as data or as text."""

    status: int
    body: Any


class _Server:
    """The hosts of a server or cluster; each request is tried once on each."""

    def __init__(self, address: Address):
        self._address = address
        self.is_open = True
        try:
            context = address.tls_context()
        except OSError as exc:
            raise _no_answer("misconfigured", str(exc), retryable=False) from exc
        self._opener = build_opener(HTTPSHandler(context=context))

    async def ask(self, *request: Any) -> _Answer:
        """Make the request in a thread; see :meth:`ask_now`."""
        return await asyncio.to_thread(self.ask_now, *request)

    def ask_now(
        self,
        method: str,
        path: str,
        body: Any = None,
        params: Mapping[str, str] | None = None,
    ) -> _Answer:
        """Return the answer, also one with an error.

        Raises :exc:`IndexFailure` for a missing or unreadable answer of all hosts.
        """
        if not self.is_open:
            raise IndexFailure("closed", "the index is closed")
        data = body if body is None or isinstance(body, bytes) else _line(body)
        kind = "x-ndjson" if isinstance(body, bytes) else "json"
        headers = {**self._address.headers, "Content-Type": f"application/{kind}"}
        query = "&".join(f"{name}={value}" for name, value in (params or {}).items())
        failure = _no_answer("connection", "no host")
        for host in self._address.hosts:
            url = f"{host}{path}?{query}".rstrip("?")
            try:
                return self._ask_host(Request(url, data, headers, method=method))
            except IndexFailure as exc:
                failure = exc
        raise failure

    def _ask_host(self, request: Request) -> _Answer:
        try:
            with self._opener.open(request, timeout=self._address.timeout) as answer:
                return _Answer(answer.status, json.loads(answer.read()))
        except HTTPError as exc:
            with exc:
                return _Answer(exc.code, _read_body(exc.read()))
        except TimeoutError as exc:
            raise _no_answer("timeout", "no answer in time") from exc
        except URLError as exc:
            is_late = isinstance(exc.reason, TimeoutError)
            reason = "timeout" if is_late else "connection"
            raise _no_answer(reason, str(exc.reason)) from exc
        except (OSError, HTTPException) as exc:
            raise _no_answer("connection", str(exc) or type(exc).__name__) from exc
        except ValueError as exc:
            raise _no_answer("bad_answer", f"no JSON: {exc}") from exc


def _read_body(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")


def _metas(answer: _Answer) -> Iterator[dict[str, Any]]:
    """Yield the metadata of each index in an answer; raise the failure without any."""
    if answer.status >= 300 or not isinstance(answer.body, dict):
        raise _failure(answer)
    for index in answer.body.values():
        yield index["mappings"].get("_meta", {})


def _value(answer: _Answer, name: str) -> Any:
    """Return the value of this name in the answer; raise the failure without one."""
    if answer.status >= 300:
        raise _failure(answer)
    if not isinstance(answer.body, dict) or name not in answer.body:
        raise _no_answer("bad_answer", f"the server's answer has no {name!r}")
    return answer.body[name]


def _failure(answer: _Answer) -> IndexFailure:
    reason, message, retryable = _meaning(answer.status, answer.body)
    return IndexFailure(reason, message, retryable=retryable)


def _no_answer(reason: str, text: str, *, retryable: bool = True) -> IndexFailure:
    """The failure of a call without an answer, or with an unreadable one."""
    message = " ".join(text.split())[:MESSAGE_CHARS]
    return IndexFailure(reason, message or "no answer", retryable=retryable)


def _meaning(status: int, body: Any) -> tuple[str, str, bool]:
    """Return the reason code, the message, and whether the error is retryable."""
    name, text = _error_of(body)
    message = " ".join(f"{status} {name} {text}".split())[:MESSAGE_CHARS]
    if name == _BLOCK:
        is_full = any(word in text for word in _FULL)
        reason = "disk_full" if is_full else "read_only"
        return reason, message, is_full or status >= _SERVER_ERROR
    if status >= _SERVER_ERROR:
        return "unavailable", message, True
    reason, retryable = _REASONS.get(status, ("refused", False))
    return reason, message, retryable


def _error_of(body: Any) -> tuple[str, str]:
    """Return the error's type and text in the various forms of servers and proxies."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "", str(error or "")
    cause = error.get("caused_by")
    texts = (error.get("reason"), cause.get("reason") if cause else None)
    return str(error.get("type", "")), ": ".join(str(text) for text in texts if text)


@dataclass(frozen=True)
class Address:
    """An index and its servers: hosts as URLs, credentials in headers, options."""

    hosts: tuple[str, ...]
    index: str
    headers: Mapping[str, str] = field(repr=False)
    timeout: float = TIMEOUT
    refresh: bool = False
    verify_certs: bool = True
    ca_certs: Path | None = None

    def tls_context(self) -> ssl.SSLContext:
        """Return the context that knows the certificates; raises :exc:`OSError`."""
        folder = self.ca_certs if self.ca_certs and self.ca_certs.is_dir() else None
        file = None if folder else self.ca_certs
        context = ssl.create_default_context(cafile=file, capath=folder)
        if not self.verify_certs:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def parse_address(url: str) -> Address:
    """Parse ``engine+http(s)://user:password@host:9200,host:9200/index?option=value``.

    Raises :exc:`IndexUnavailable` for any other URL.

    >>> address = parse_address("opensearch+https://one,two:9201/logs/pages?timeout=5")
    >>> address.hosts
    ('https://one:9200/logs', 'https://two:9201/logs')
    >>> address.index, address.timeout
    ('pages', 5.0)
    """
    try:
        return _parse(urlsplit(url))
    except ValueError as exc:  # also those of urlsplit()
        raise IndexUnavailable(url, str(exc)) from None


def _parse(parts: SplitResult) -> Address:
    engine, _, scheme = parts.scheme.partition("+")
    if scheme not in ("http", "https"):
        raise ValueError("it says neither +http nor +https")
    rest = f"{parts.path}?{parts.query}"
    if parts.fragment or not parts.netloc or "@" in rest:  # may be of a password
        raise ValueError("it names no host; in a password, # / ? @ are quoted")
    user, at, places = parts.netloc.rpartition("@")
    prefix, _, index = parts.path.rpartition("/")
    options = _options(parts.query)
    key = options.pop("api_key", None)
    if key and (at or engine != "elasticsearch"):
        raise ValueError("api_key is for Elasticsearch, in place of a user")
    name = unquote(index)
    if not _INDEX.fullmatch(name) or name != name.lower() or len(name.encode()) > 255:
        allowed = 'lower case, at most 255 bytes, no spaces, \\/*?"<>|,#:%'
        raise ValueError(f"{name!r} cannot name an index: {allowed}, -_+. in front")
    return Address(
        hosts=tuple(_host(scheme, place, prefix) for place in places.split(",")),
        index=name,
        headers=_credentials(user if at else None, key),
        **options,
    )


def _host(scheme: str, place: str, prefix: str) -> str:
    parts = urlsplit(f"//{place}")
    if not parts.hostname or parts.path:
        raise ValueError("it names no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{scheme}://{host}:{PORT if parts.port is None else parts.port}{prefix}"


def _credentials(user: str | None, api_key: str | None) -> dict[str, str]:
    if api_key:
        return {"Authorization": f"ApiKey {api_key}"}
    if user is None:
        return {}
    name, _, password = user.partition(":")
    pair = f"{unquote(name)}:{unquote(password)}".encode("utf-8", "replace")
    return {"Authorization": f"Basic {b64encode(pair).decode()}"}


def _options(query: str) -> dict[str, Any]:
    """Return the options by name. A ``+`` stays one: API keys contain it."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    found = {}
    for name, value in ((unquote(name), unquote(value)) for name, _, value in pairs):
        if name not in _OPTIONS:
            raise ValueError(f"no option {name!r}; there are {', '.join(_OPTIONS)}")
        read, form = _OPTIONS[name]
        try:
            found[name] = read(value)
        except (ValueError, KeyError):
            raise ValueError(f"{name} is {form}") from None
    return found


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(text)
    return seconds


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _path(text: str) -> Path:
    if not Path(text).exists():
        raise ValueError(text)
    return Path(text)


#: Option of a URL -> how its value is read, and the allowed form.
_OPTIONS: Final[dict[str, tuple[Callable[[str], Any], str]]] = {
    "verify_certs": (_boolean, "true or false"),
    "ca_certs": (_path, "the path of a file or folder of certificates"),
    "timeout": (_seconds, "a number of seconds above 0"),
    "refresh": (_boolean, "true or false"),
    "api_key": (str, "a key"),
}
