"""A search server for tests: the part of the protocol of OpenSearch and Elasticsearch
that this package speaks, over HTTP, read from their public descriptions.

It refuses what real servers refuse: unknown paths, parameters, queries and settings,
malformed bulk requests, documents that do not fit the mapping. What was written is
found by searches after a refresh only, and there is none by itself. Tests make it
fail: with :meth:`SearchServer.fail` and what follows it.
"""

from __future__ import annotations

import re
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

from .searchserveranalysis import RefusedError
from .searchserverhttp import Answer, Fault, Handler, HttpServer, Request
from .searchserverindex import SearchIndex
from .searchserverrequests import check_params, read_actions
from .searchserversearch import Search

_NAME = re.compile(r"/(?P<index>[^_/][^/]*)(?:/(?P<call>_\w+))?")
_TEMPLATE = re.compile(r"/_index_template/(?P<name>[^/]+)")
_TYPES = re.compile(
    r"application/(vnd\.elasticsearch\+)?(json|x-ndjson)(; *compatible-with=\d+)?"
)


@dataclass
class SearchServer:
    """The server; a context manager that starts and stops it."""

    product: str = "opensearch"
    password: str | None = None  # of the user "me"
    api_key: str | None = None
    max_content_length: int = 104_857_600
    tls: ssl.SSLContext | None = None
    indexes: dict[str, SearchIndex] = field(default_factory=dict)
    templates: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._faults: list[Fault] = []
        self._reject: Callable[[str, dict[str, Any]], RefusedError | None] | None = None
        self._lock = threading.RLock()

    def __enter__(self) -> SearchServer:
        members = {"answered": self.answer, "product": self.product}
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
        """The URL of an index of this server; the index is made when it is opened."""
        scheme = f"{self.product}+http{'s' if self.tls else ''}"
        user = f"me:{self.password}@" if self.password else ""
        return f"{scheme}://{user}{self.host}/{index}?{options}".rstrip("?")

    # What tests make go wrong

    def fail(self, status: int, path: str, *, times: int = 1, body: Any = None) -> None:
        """Answer so, without doing anything, to the next requests of this path."""
        self._faults.append(Fault(path, times, status, body))

    def fail_as_proxy(self, status: int, path: str, text: str) -> None:
        """Answer the next request as something between client and server does."""
        self._faults.append(Fault(path, 1, status, text, "text/html"))

    def reset(self, path: str, *, is_applied: bool, times: int = 1) -> None:
        """Break the connection at the next requests, done or not."""
        self._faults.append(Fault(path, times, resets=True, is_applied=is_applied))

    def hold(self, path: str, until: threading.Event) -> None:
        """Answer the next request only then."""
        self._faults.append(Fault(path, waits=until, is_applied=True))

    def reject(
        self, check: Callable[[str, dict[str, Any]], RefusedError | None] | None
    ) -> None:
        """Let ``check(action, source)`` say which items of bulk requests fail."""
        self._reject = check

    # The protocol

    def answer(self, request: Request) -> Answer | None:
        """Status, body and media type; nothing for a connection that breaks."""
        with self._lock:
            self.requests.append(request)
            fault = self._next_fault(request)
        if fault and fault.status:
            return fault.status, fault.body, fault.content_type
        if fault and fault.waits:
            fault.waits.wait(60)
        if fault and fault.resets and not fault.is_applied:
            return None
        status, body = self._done(request)
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

    def _done(self, request: Request) -> tuple[int, Any]:
        try:
            self._check(request)
            with self._lock:
                return self._routed(request)
        except RefusedError as exc:
            error = {"type": exc.kind, "reason": exc.reason}
            body = {"error": {"root_cause": [error], **error}, "status": exc.status}
            return exc.status, body

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

    def _routed(self, request: Request) -> tuple[int, Any]:
        if match := _TEMPLATE.fullmatch(request.path):
            calls = {"GET": self._get_template, "PUT": self._put_template}
            if request.method in calls:
                check_params(request, set())
                return calls[request.method](match["name"], request)
        match = _NAME.fullmatch(request.path)
        call = match and self._calls().get((request.method, match["call"] or ""))
        if not match or not call:
            reason = f"no handler found for uri [{request.path}] and method"
            raise RefusedError("illegal_argument_exception", reason)
        function, params = call
        check_params(request, params)
        return function(match["index"], request)

    def _calls(self) -> dict[tuple[str, str], tuple[Callable[..., Any], set[str]]]:
        searching = {"allow_partial_search_results"}
        return {
            ("GET", ""): (self._get_index, set()),
            ("PUT", ""): (self._put_index, set()),
            ("POST", "_bulk"): (self._bulk, {"refresh"}),
            ("POST", "_mget"): (self._mget, {"_source_includes", "realtime"}),
            ("POST", "_search"): (self._search, searching),
            ("POST", "_refresh"): (self._refresh, set()),
        }

    def _get_template(self, name: str, request: Request) -> tuple[int, Any]:
        if name not in self.templates:
            reason = f"index template matching [{name}] not found"
            raise RefusedError("resource_not_found_exception", reason, 404)
        item = {"name": name, "index_template": self.templates[name]}
        return 200, {"index_templates": [item]}

    def _put_template(self, name: str, request: Request) -> tuple[int, Any]:
        body = request.json
        known = {"index_patterns", "priority", "version", "template", "_meta"}
        if unknown := body.keys() - known:
            reason = f"[index_template] unknown field {sorted(unknown)}"
            raise RefusedError("x_content_parse_exception", reason)
        SearchIndex("template", body["template"])  # as far as servers check it
        self.templates[name] = body
        return 200, {"acknowledged": True}

    def _get_index(self, name: str, request: Request) -> tuple[int, Any]:
        index = self._index(name)
        mappings = index.body.get("mappings", {})
        settings = index.body.get("settings", {})
        body = {"aliases": {}, "mappings": mappings, "settings": settings}
        return 200, {name: body}

    def _put_index(self, name: str, request: Request) -> tuple[int, Any]:
        if name in self.indexes:
            reason = f"index [{name}/x] already exists"
            raise RefusedError("resource_already_exists_exception", reason)
        if name != name.lower() or re.search(r'[\s\\/*?"<>|,#:]|^[-_+.]', name):
            reason = f"Invalid index name [{name}]"
            raise RefusedError("invalid_index_name_exception", reason)
        self.indexes[name] = SearchIndex(name, request.json)
        body = {"acknowledged": True, "shards_acknowledged": True, "index": name}
        return 200, body

    def _index(self, name: str, *, is_made: bool = False) -> SearchIndex:
        if name not in self.indexes and is_made:
            templates = [
                template
                for template in self.templates.values()
                if any(fnmatch(name, pattern) for pattern in template["index_patterns"])
            ]
            best = max(templates, key=lambda item: item["priority"], default={})
            self.indexes[name] = SearchIndex(name, best.get("template", {}))
        if name not in self.indexes:
            reason = f"no such index [{name}]"
            raise RefusedError("index_not_found_exception", reason, 404)
        return self.indexes[name]

    def _refresh(self, name: str, request: Request) -> tuple[int, Any]:
        self._index(name).refresh()
        return 200, {"_shards": {"total": 1, "successful": 1, "failed": 0}}

    def _mget(self, name: str, request: Request) -> tuple[int, Any]:
        ids = request.json.get("ids")
        if not ids or request.json.keys() != {"ids"}:
            reason = "Validation Failed: 1: no documents to get;"
            raise RefusedError("action_request_validation_exception", reason)
        wanted = request.params.get("_source_includes", "*").split(",")
        docs = []
        for each in ids:
            item: dict[str, Any] = {"_index": name, "_id": each}
            if name not in self.indexes:
                kind = "index_not_found_exception"
                item["error"] = {"type": kind, "reason": f"no such index [{name}]"}
            elif document := self.indexes[name].documents.get(each):
                item["found"] = True
                item["_source"] = {
                    key: value
                    for key, value in document.source.items()
                    if any(fnmatch(key, pattern) for pattern in wanted)
                }
            else:
                item["found"] = False
            docs.append(item)
        return 200, {"docs": docs}

    def _search(self, name: str, request: Request) -> tuple[int, Any]:
        found = Search(self._index(name), request.json).run()
        shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
        return 200, {"took": 1, "timed_out": False, "_shards": shards, **found}

    def _bulk(self, name: str, request: Request) -> tuple[int, Any]:
        actions = list(read_actions(request.body))
        index = self._index(name, is_made=True)
        items = []
        for action, options, source in actions:
            items.append({action: self._bulk_item(index, action, options, source)})
        if request.params.get("refresh", "false") != "false":
            index.refresh()
        errors = any("error" in item for each in items for item in each.values())
        return 200, {"took": 1, "errors": errors, "items": items}

    def _bulk_item(
        self, index: SearchIndex, action: str, options: dict[str, Any], source: Any
    ) -> dict[str, Any]:
        item: dict[str, Any] = {"_index": index.name, "_id": options["_id"]}
        try:
            refused = self._reject and self._reject(action, source or options)
            if refused:
                raise refused
            if action == "delete":
                item["result"] = index.delete(options["_id"])
            else:
                item["result"] = index.write(options["_id"], source)
        except RefusedError as exc:
            error = {"type": exc.kind, "reason": exc.reason}
            return {**item, "status": exc.status, "error": error}
        statuses = {"created": 201, "not_found": 404}
        return {**item, "status": statuses.get(item["result"], 200)}
