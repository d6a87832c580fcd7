"""Requests to a search server about one index, and the meaning of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ..failures import IndexFailure, Rejection
from .bulk import MAX_BULK_BYTES, bulk_body, json_bytes, split_bulk
from .schema import (
    index_body,
    is_ours,
    schema_problem,
    template_body,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .bulk import Action

#: Seconds for fast requests to a healthy server, such as those that open an index.
QUICK_TIMEOUT: Final = 10.0

#: Kept characters of a server's message: some quote the document.
MAX_MESSAGE_CHARS: Final = 500

NOT_FOUND, TOO_BIG, UNAVAILABLE = 404, 413, 503

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
#: Parts of the message of a server that refuses writes: its disk is nearly full.
_FULL: Final = ("read-only-allow-delete", "read_only_allow_delete", "flood-stage")
_BLOCK: Final = "cluster_block_exception"


class Answer(NamedTuple):
    """An HTTP answer: its status, and its body as data or as text."""

    status: int
    body: Any


class Connection(Protocol):
    """The client of a search server, as the engine uses it."""

    async def request(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        *,
        params: dict[str, str] | None = None,
        body: bytes | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Send the request once; return error answers, too.

        ``timeout`` is in seconds, for this request. Raises :exc:`IndexFailure` for a
        missing or unreadable answer.
        """

    async def close(self) -> None:
        """Close all connections to the server."""


class ServerCalls:
    """The calls about the index ``name``. All raise :exc:`IndexFailure`."""

    def __init__(self, connection: Connection, name: str):
        self._connection = connection
        self._name = name
        self._max_bytes = MAX_BULK_BYTES
        #: Whether the connection was not closed.
        self.is_open = True

    async def close(self) -> None:
        """Close the connection; all later calls fail."""
        self.is_open = False
        await self._connection.close()

    async def prepare(self, *, read_only: bool) -> None:
        """Check that the index is one of ours, or create it."""
        if await self._exists():
            return
        if read_only:
            raise IndexFailure("index_missing", "there is no such index")
        await self._put_template()
        made = await self._request("PUT", f"/{self._name}", index_body())
        if error_type(made.body) != "resource_already_exists_exception":
            value_of(made, "acknowledged")
        elif not await self._exists():  # another process was faster
            raise failure(made)

    async def passage_counts(self, ids: Sequence[str]) -> list[int | None]:
        """Return the number of passages of each page, ``None`` for missing pages.

        It sees writes before searches do.
        """
        if not ids:
            return []
        path, params = f"/{self._name}/_mget", {"_source_includes": "passages"}
        answer = await self._request("POST", path, {"ids": ids}, params=params)
        return list(map(_passage_count, value_of(answer, "docs")))

    async def bulk(self, actions: Iterable[Action]) -> list[tuple[Action, Any]]:
        """Execute the actions in few requests; return each with its result."""
        done: list[tuple[Action, Any]] = []
        for part in split_bulk(actions, self._max_bytes):
            done += await self._send(part)
        return done

    async def find(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the hits of the search, of all shards or an error."""
        answer = await self._search(body)
        hits: list[dict[str, Any]] = value_of(answer, "hits")["hits"]
        return hits

    async def _search(self, body: dict[str, Any]) -> Answer:
        path, params = (
            f"/{self._name}/_search",
            {"allow_partial_search_results": "false"},
        )
        return await self._request("POST", path, body, params=params)

    async def buckets(self, body: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """Return the buckets of each aggregation."""
        counted = value_of(await self._search(body), "aggregations")
        return {name: each["buckets"] for name, each in counted.items()}

    async def count(self, body: dict[str, Any]) -> dict[str, int]:
        """Return the documents of each filter named in the only aggregation."""
        answer = await self._search(body)
        (counted,) = value_of(answer, "aggregations").values()
        return {name: int(n["doc_count"]) for name, n in counted["buckets"].items()}

    async def refresh(self, *, timeout: float | None = None) -> None:
        """Make all writes visible to searches."""
        path = f"/{self._name}/_refresh"
        value_of(await self._request("POST", path, timeout=timeout), "_shards")

    async def meta(self) -> dict[str, Any]:
        """Return the metadata of the index, or of one of an alias."""
        answer = await self._request("GET", f"/{self._name}")
        if answer.status != 200 or not answer.body:
            raise failure(answer)
        meta: dict[str, Any] = next(iter(answer.body.values()))["mappings"]["_meta"]
        return meta

    async def put_meta(
        self, meta: dict[str, Any], properties: Mapping[str, Any] | None = None
    ) -> None:
        """Replace the metadata; add properties of documents."""
        path = f"/{self._name}/_mapping"
        body = {"_meta": meta, **({"properties": properties} if properties else {})}
        value_of(await self._request("PUT", path, body), "acknowledged")

    async def _exists(self) -> bool:
        path = f"/{self._name}"
        found = await self._request("GET", path, timeout=QUICK_TIMEOUT)
        if found.status == NOT_FOUND:
            return False
        if found.status != 200 or not isinstance(found.body, dict):
            raise failure(found)
        for index in found.body.values():  # all indexes of an alias
            if problem := schema_problem(index["mappings"].get("_meta")):
                raise IndexFailure("foreign", problem)
        return True

    async def _put_template(self) -> None:
        name = f"mainpage-{self._name}"
        path = f"/_index_template/{name}"
        found = await self._request("GET", path, timeout=QUICK_TIMEOUT)
        if found.status != NOT_FOUND:
            for item in value_of(found, "index_templates"):
                if not is_ours(item["index_template"].get("_meta")):
                    problem = f"the template {name!r} is not one of scrapy-mainpage"
                    raise IndexFailure("foreign", problem)
        made = await self._request("PUT", path, template_body(self._name))
        value_of(made, "acknowledged")

    async def _send(self, actions: Sequence[Action]) -> list[tuple[Action, Any]]:
        """Execute the actions in one request, or in several if that is too long."""
        answer = await self._request("POST", f"/{self._name}/_bulk", bulk_body(actions))
        if answer.status != TOO_BIG:
            items = (
                item for each in value_of(answer, "items") for item in each.values()
            )
            return list(zip(actions, items, strict=True))
        if len(actions) == 1:
            body = answer.body
            error = body.get("error") if isinstance(body, dict) else body
            return [(actions[0], {"status": TOO_BIG, "error": error})]
        half = len(actions) // 2
        self._max_bytes = max(len(bulk_body(actions[:half])), 1)  # for later requests
        return await self._send(actions[:half]) + await self._send(actions[half:])

    async def _request(
        self,
        method: str,
        path: str,
        body: bytes | dict[str, Any] | None = None,
        *,
        params: dict[str, str] | None = None,
        timeout: float | None = None,
    ) -> Answer:
        closed = IndexFailure("closed", "the index is closed")
        if not self.is_open:
            raise closed
        media = (
            "application/x-ndjson" if isinstance(body, bytes) else "application/json"
        )
        data = json_bytes(body) if isinstance(body, dict) else body
        try:
            return await self._connection.request(
                method,
                path,
                {"content-type": media},
                params=params,
                body=data,
                timeout=timeout,
            )
        except IndexFailure as exc:
            if self.is_open:
                raise
            raise closed from exc  # running requests end with the connection


def _passage_count(item: dict[str, Any]) -> int | None:
    if error_type(item) not in ("", "index_not_found_exception"):
        raise failure(Answer(UNAVAILABLE, item))  # of a shard, without a status
    if not item.get("found"):
        return None
    return int(item.get("_source", {}).get("passages", 0))


def error_type(body: Any) -> str:
    """Return the server's name of the error in the body, or an empty string."""
    return _error_of(body)[0]


def value_of(answer: Answer, name: str) -> Any:
    """Return the value of this name in the answer; raise the failure without one."""
    if answer.status >= 300:
        raise failure(answer)
    if not isinstance(answer.body, dict) or name not in answer.body:
        message = f"the server's answer has no {name!r}"
        raise IndexFailure("bad_answer", message, retryable=True)
    return answer.body[name]


def failure(answer: Answer) -> IndexFailure:
    """Return the failure of a whole call."""
    reason, message, retryable = _meaning(answer.status, answer.body)
    return IndexFailure(reason, message, retryable=retryable)


def rejection(url: str, item: dict[str, Any]) -> Rejection:
    """Return the rejection of a document; ``item`` is its part of the answer."""
    return Rejection(url, *_meaning(int(item["status"]), item))


def no_answer(reason: str, text: str, *, retryable: bool = True) -> IndexFailure:
    """Return the failure of a call without an answer, or with an unreadable one."""
    message = " ".join(text.split())[:MAX_MESSAGE_CHARS]
    return IndexFailure(reason, message or "no answer", retryable=retryable)


def _meaning(status: int, body: Any) -> tuple[str, str, bool]:
    """Return the reason code, the message, and whether the error is retryable."""
    name, text = _error_of(body)
    message = " ".join(f"{status} {name} {text}".split())[:MAX_MESSAGE_CHARS]
    if name == _BLOCK:
        is_full = any(word in text for word in _FULL)
        reason = "disk_full" if is_full else "read_only"
        return reason, message, is_full or status >= 429
    if status >= 500:
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
