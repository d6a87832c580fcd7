"""A fake OpenSearch or Elasticsearch: stores documents, answers plainly, and fails.

It speaks the part of the HTTP protocol that the package uses and refuses unknown paths,
parameters and malformed bulk requests. It lists URLs alone: nothing else is searched.
Writes are visible to searches after a refresh only. Tests make it fail: see
:meth:`SearchServer.fail` and below.
"""

from __future__ import annotations

import json
import re
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .searchserverhttp import (
    Answer,
    Fault,
    Handler,
    HttpServer,
    RefusedError,
    Request,
)

_NAME = re.compile(r"/(?P<index>[^_/][^/]*)(?:/(?P<call>_\w+))?")
_TYPES = re.compile(
    r"application/(vnd\.elasticsearch\+)?(json|x-ndjson)(; *compatible-with=\d+)?"
)
#: Method and call -> the allowed parameters.
_CALLS: dict[tuple[str, str], set[str]] = {
    ("GET", ""): set(),
    ("PUT", ""): set(),
    ("PUT", "_mapping"): set(),
    ("POST", "_bulk"): {"refresh"},
    ("POST", "_search"): {"allow_partial_search_results"},
    ("POST", "_refresh"): set(),
}

Check = Callable[[str, dict[str, Any]], RefusedError | None]


@dataclass
class FakeIndex:
    """An index: its settings and mappings, written and searchable documents by id."""

    body: dict[str, Any]
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    searchable: dict[str, dict[str, Any]] = field(default_factory=dict)

    def refresh(self) -> None:
        self.searchable = dict(self.documents)

    def find(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the documents behind an id, in the order of ids."""
        assert (body["query"], body["sort"]) == ({"match_all": {}}, [{"id": "asc"}])
        (after,) = body["search_after"]
        hits = [
            {"_id": name, "_source": {"url": source["url"]}, "sort": [source["id"]]}
            for name, source in sorted(self.searchable.items())
            if source["id"] > after
        ]
        return hits[: body["size"]]


@dataclass
class SearchServer:
    """The server; a context manager that starts and stops it."""

    product: str = "opensearch"
    password: str | None = None  # of the user "me"
    api_key: str | None = None
    max_content_length: int = 104_857_600
    tls: ssl.SSLContext | None = None
    indexes: dict[str, FakeIndex] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._faults: list[Fault] = []
        self._check_item: Check | None = None
        self._lock = threading.RLock()

    def __enter__(self) -> SearchServer:
        members = {"answered": self.answer}
        handler = type("SearchHandler", (Handler,), members)
        self._http = HttpServer(("127.0.0.1", 0), handler)
        if self.tls:
            self._http.socket = self.tls.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}
        )
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.close_all()

    @property
    def host(self) -> str:
        """The host and port."""
        return f"127.0.0.1:{self._http.server_address[1]}"

    def url(self, index: str = "pages", options: str = "") -> str:
        """Return the URL of an index of this server, which opening it creates."""
        scheme = f"{self.product}+http{'s' if self.tls else ''}"
        user = f"me:{self.password}@" if self.password else ""
        return f"{scheme}://{user}{self.host}/{index}?{options}".rstrip("?")

    # --- Faults -----------------------------------------------------------------

    def fail(self, status: int, path: str, *, times: int = 1, body: Any = None) -> None:
        """Answer the next requests of this path so, without executing them."""
        self._faults.append(Fault(path, times, status, body))

    def fail_as_proxy(self, status: int, path: str, text: str) -> None:
        """Answer the next request as a proxy would."""
        self._faults.append(Fault(path, 1, status, text, "text/html"))

    def reset(self, path: str, *, is_applied: bool, times: int = 1) -> None:
        """Reset the connection at the next requests, executed or not."""
        self._faults.append(Fault(path, times, resets=True, is_applied=is_applied))

    def hold(self, path: str, until: threading.Event) -> None:
        """Answer the next request only after the event."""
        self._faults.append(Fault(path, waits=until, is_applied=True))

    def reject(self, check: Check | None) -> None:
        """Let ``check(action, source)`` refuse items of bulk requests."""
        self._check_item = check

    # --- Protocol ---------------------------------------------------------------

    def answer(self, request: Request) -> Answer | None:
        """Return status, body and media type; ``None`` for a connection reset."""
        with self._lock:
            self.requests.append(request)
            fault = self._next_fault(request)
        if fault and fault.status:
            return fault.status, fault.body, fault.content_type
        if fault and fault.waits:
            fault.waits.wait(60)
        if fault and fault.resets and not fault.is_applied:
            return None
        try:
            self._check(request)
            with self._lock:
                status, body = self._route(request)
        except RefusedError as exc:
            error = {"type": exc.kind, "reason": exc.reason}
            status, body = exc.status, {"error": error, "status": exc.status}
        if fault and fault.resets:
            return None
        return status, body, "application/json; charset=UTF-8"

    def _next_fault(self, request: Request) -> Fault | None:
        for fault in self._faults:
            if request.path.endswith(fault.path):
                fault.times -= 1
                if not fault.times:
                    self._faults.remove(fault)
                return fault
        return None

    def _check(self, request: Request) -> None:
        allowed = set()
        if self.password:
            pair = f"me:{self.password}".encode()
            allowed.add(f"Basic {b64encode(pair).decode()}")
        if self.api_key:
            allowed.add(f"ApiKey {self.api_key}")
        if allowed and request.headers.get("authorization") not in allowed:
            reason = "missing authentication credentials"
            raise RefusedError("security_exception", reason, 401)
        if len(request.body) > self.max_content_length:
            raise RefusedError("content_too_long", "too long", 413)
        media_type = request.headers.get("content-type", "")
        if request.body and not _TYPES.fullmatch(media_type):
            reason = f"Content-Type header [{media_type}] is not supported"
            raise RefusedError("media_type_header_exception", reason, 406)

    def _route(self, request: Request) -> tuple[int, Any]:
        match = _NAME.fullmatch(request.path)
        call = (request.method, (match and match["call"]) or "")
        if not match or request.params.keys() - _CALLS.get(call, set()):
            reason = f"no handler found for uri [{request.path}] and method"
            raise RefusedError("illegal_argument_exception", reason)
        name = match["index"]
        if call == ("GET", ""):
            return 200, {name: {"aliases": {}, **self._index(name).body}}
        if call == ("PUT", ""):
            if name in self.indexes:
                reason = f"index [{name}/x] already exists"
                raise RefusedError("resource_already_exists_exception", reason)
            self.indexes[name] = FakeIndex(request.json)
            return 200, {"acknowledged": True, "index": name}
        if call == ("PUT", "_mapping"):
            mappings = self._index(name).body["mappings"]
            sent = request.json
            mappings["properties"] |= sent.pop("properties", {})
            mappings |= sent
            return 200, {"acknowledged": True}
        if call == ("POST", "_refresh"):
            self._index(name).refresh()
            return 200, {"_shards": {"total": 1, "successful": 1, "failed": 0}}
        if call == ("POST", "_search"):
            hits = self._index(name).find(request.json)
            return 200, {"timed_out": False, "hits": {"hits": hits}}
        return self._bulk(name, request)

    def _index(self, name: str) -> FakeIndex:
        if name not in self.indexes:
            reason = f"no such index [{name}]"
            raise RefusedError("index_not_found_exception", reason, 404)
        return self.indexes[name]

    def _bulk(self, name: str, request: Request) -> tuple[int, Any]:
        actions = _read_actions(request.body)
        if name not in self.indexes:
            self.indexes[name] = FakeIndex({})
        index = self.indexes[name]
        items = [
            {action: self._bulk_item(index, action, id_, source)}
            for action, id_, source in actions
        ]
        if request.params.get("refresh") == "true":
            index.refresh()
        return 200, {"items": items}

    def _bulk_item(
        self, index: FakeIndex, action: str, id_: str, source: Any
    ) -> dict[str, Any]:
        if len(id_.encode()) > 512:
            return _refused(id_, RefusedError("illegal_argument_exception", "long id"))
        check = self._check_item
        if check and (refused := check(action, source or {"_id": id_})):
            return _refused(id_, refused)
        if action == "index":
            status = 200 if id_ in index.documents else 201
            index.documents[id_] = source
        else:
            status = 200 if index.documents.pop(id_, None) else 404
        return {"_id": id_, "status": status}


def _refused(id_: str, refused: RefusedError) -> dict[str, Any]:
    error = {"type": refused.kind, "reason": refused.reason}
    return {"_id": id_, "status": refused.status, "error": error}


def _read_actions(body: bytes) -> list[tuple[str, str, Any]]:
    """Return action, id and source of each operation of a bulk request."""
    try:
        *lines, end = body.split(b"\n")
        assert end == b""
        actions = []
        rest = iter(lines)
        for line in rest:
            ((action, options),) = json.loads(line).items()
            (id_,) = options.values()
            assert (action in ("index", "delete"), *options) == (True, "_id")
            source = json.loads(next(rest)) if action != "delete" else None
            actions.append((action, id_, source))
    except (AssertionError, ValueError, StopIteration, AttributeError):
        reason = "Malformed action/metadata line"
        raise RefusedError("illegal_argument_exception", reason) from None
    return actions
