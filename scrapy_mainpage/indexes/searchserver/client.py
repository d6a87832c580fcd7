"""What is asked of a search server about one index of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..errors import IndexFailure
from .answers import (
    NOT_FOUND,
    TOO_BIG,
    UNAVAILABLE,
    Answer,
    error_type,
    failure,
    value_of,
)
from .bulk import MAX_BYTES, bulk_body, json_bytes, parted
from .schema import (
    index_body,
    is_ours,
    template_body,
    template_name,
    why_not_ours,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .answers import Connection
    from .bulk import Action

#: Seconds for what a server in order does at once, such as opening an index.
QUICKLY: Final = 10.0

_JSON, _LINES = "application/json", "application/x-ndjson"


class ServerCalls:
    """The calls about the index ``name``. All raise :exc:`IndexFailure`."""

    def __init__(self, connection: Connection, name: str):
        self._connection = connection
        self._name = name
        self._is_open = True
        self._max_bytes = MAX_BYTES

    @property
    def is_open(self) -> bool:
        """Whether the connection has not been closed."""
        return self._is_open

    async def close(self) -> None:
        """Close the connection; all later calls fail."""
        self._is_open = False
        await self._connection.close()

    async def prepare(self, *, read_only: bool) -> None:
        """Check that the index is one of ours; make it if there is none."""
        if await self._is_there():
            return
        if read_only:
            raise IndexFailure("index_missing", "there is no such index")
        await self._make_template()
        made = await self._request("PUT", f"/{self._name}", index_body())
        if error_type(made.body) != "resource_already_exists_exception":
            value_of(made, "acknowledged")
        elif not await self._is_there():  # another process was quicker
            raise failure(made)

    async def passage_counts(self, ids: Sequence[str]) -> list[int | None]:
        """How many passages each of the pages has, ``None`` for pages not there.

        This sees also what no search finds yet.
        """
        if not ids:
            return []
        path, params = f"/{self._name}/_mget", {"_source_includes": "passages"}
        answer = await self._request("POST", path, {"ids": ids}, params=params)
        return list(map(_passage_count, value_of(answer, "docs")))

    async def bulk(self, actions: Iterable[Action]) -> list[tuple[Action, Any]]:
        """Do the actions, in few requests; each with what the server says of it."""
        done: list[tuple[Action, Any]] = []
        for part in parted(actions, self._max_bytes):
            done += await self._send(part)
        return done

    async def find(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The hits of the search, which are those of all shards or none."""
        path, params = (
            f"/{self._name}/_search",
            {"allow_partial_search_results": "false"},
        )
        answer = await self._request("POST", path, body, params=params)
        hits: list[dict[str, Any]] = value_of(answer, "hits")["hits"]
        return hits

    async def refresh(self, *, timeout: float | None = None) -> None:
        """Let searches find all that has been written."""
        path = f"/{self._name}/_refresh"
        value_of(await self._request("POST", path, timeout=timeout), "_shards")

    async def _is_there(self) -> bool:
        found = await self._request("GET", f"/{self._name}", timeout=QUICKLY)
        if found.status == NOT_FOUND:
            return False
        if found.status != 200 or not isinstance(found.body, dict):
            raise failure(found)
        for index in found.body.values():  # of an alias: all that it stands for
            if problem := why_not_ours(index["mappings"].get("_meta")):
                raise IndexFailure("foreign", problem)
        return True

    async def _make_template(self) -> None:
        name = template_name(self._name)
        found = await self._request("GET", f"/_index_template/{name}", timeout=QUICKLY)
        if found.status != NOT_FOUND:
            for item in value_of(found, "index_templates"):
                if not is_ours(item["index_template"].get("_meta")):
                    problem = f"the template {name!r} is not one of scrapy-mainpage"
                    raise IndexFailure("foreign", problem)
        body = template_body(self._name)
        made = await self._request("PUT", f"/_index_template/{name}", body)
        value_of(made, "acknowledged")

    async def _send(self, actions: Sequence[Action]) -> list[tuple[Action, Any]]:
        """Do the actions in one request, or in several if that is too long."""
        answer = await self._request("POST", f"/{self._name}/_bulk", bulk_body(actions))
        if answer.status != TOO_BIG:
            items = (
                item for each in value_of(answer, "items") for item in each.values()
            )
            return list(zip(actions, items, strict=True))
        if len(actions) == 1:
            return [(actions[0], {"status": TOO_BIG, "error": _error_of(answer)})]
        half = len(actions) // 2
        self._max_bytes = max(len(bulk_body(actions[:half])), 1)  # the next ones fit
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
        if not self._is_open:
            raise _closed()
        try:
            return await self._connection.request(
                method,
                path,
                params=params,
                body=json_bytes(body) if isinstance(body, dict) else body,
                media_type=_LINES if isinstance(body, bytes) else _JSON,
                timeout=timeout,
            )
        except IndexFailure as exc:
            if self._is_open:
                raise
            raise _closed() from exc  # what was under way ends with the connection


def _closed() -> IndexFailure:
    return IndexFailure("closed", "the index is closed")


def _passage_count(item: dict[str, Any]) -> int | None:
    if error_type(item) not in ("", "index_not_found_exception"):
        raise failure(Answer(UNAVAILABLE, item))  # of a shard; nobody says a status
    if not item.get("found"):
        return None
    return int(item.get("_source", {}).get("passages", 0))


def _error_of(answer: Answer) -> Any:
    body = answer.body
    return body.get("error") if isinstance(body, dict) else body
