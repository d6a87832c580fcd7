"""Vectors on search servers: a property of passages, compared by a script.

The script compares all passages that pass the filters: exact, and without a setting
that an index must be made with. Another model gets another property.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..failures import IndexFailure
from ..vectors import Unembedded
from .bulk import Action, json_bytes, page_id
from .query import read_hit, search_body
from .schema import PASSAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..failures import Rejection
    from ..query import Query
    from ..ranking import Found
    from .client import ServerCalls

#: The least value of a vector: a server cannot compare one of zeros.
_LEAST: Final = 1e-6


class Dialect(NamedTuple):
    """How a product declares and compares vectors."""

    mapping: Callable[[int], dict[str, Any]]
    script: Callable[[str, list[float]], dict[str, Any]]


OPENSEARCH: Final = Dialect(
    lambda size: {"type": "knn_vector", "dimension": size},
    lambda field, vector: {
        "lang": "knn",
        "source": "knn_score",
        "params": {
            "field": field,
            "query_value": vector,
            "space_type": "cosinesimil",
        },
    },
)
ELASTICSEARCH: Final = Dialect(
    lambda size: {"type": "dense_vector", "dims": size, "index": False},
    lambda field, vector: {
        "source": f"cosineSimilarity(params.vector, '{field}') + 1.0",
        "params": {"vector": vector},
    },
)


class ServerVectors:
    """A :class:`~..vectors.VectorStore`, in which a rewritten passage has no vector.

    *write* executes actions, *refresh* makes them visible.
    """

    def __init__(self, calls: ServerCalls, write: Any, refresh: Any, dialect: Dialect):
        self._calls, self._write, self._refresh = calls, write, refresh
        self._dialect = dialect

    async def make(self, size: int) -> None:
        """Add a property for the vectors; those in another one are not used."""
        meta = await self._calls.meta()
        number = meta.get("vectors", "vector_0").rpartition("_")[2]
        meta["vectors"] = f"vector_{int(number) + 1}"
        mapping = {meta["vectors"]: self._dialect.mapping(size)}
        await self._calls.put_meta(meta, mapping)

    async def missing(self, urls: Sequence[str] | None, limit: int) -> list[Unembedded]:
        """Return passages without a vector, of these pages or all."""
        await self._refresh()
        filters: list[dict[str, Any]] = [{"term": {"kind": PASSAGE}}]
        if urls is not None:
            filters.append({"terms": {"page": [page_id(url) for url in urls]}})
        has_vector = {"exists": {"field": await self._field()}}
        body = {
            "query": {"bool": {"filter": filters, "must_not": [has_vector]}},
            "size": limit,
            "track_total_hits": False,
            "_source": ["hit.passage"],
        }
        return [_unembedded(hit) for hit in await self._calls.find(body)]

    async def put(
        self, passages: Sequence[Unembedded], vectors: NDArray[np.float32]
    ) -> None:
        """Add the vectors to the passages."""
        field = await self._field()
        rejected: dict[str, Rejection] = {}
        pairs = zip(passages, vectors, strict=True)
        actions = (_action(field, each.id, vector) for each, vector in pairs)
        await self._write(actions, rejected)
        for _, reason, message, retryable in rejected.values():
            raise IndexFailure(reason, message, retryable=retryable)

    async def nearest(
        self, query: Query, vector: NDArray[np.float32], count: int
    ) -> tuple[list[Found], bool]:
        """Return the nearest passages that pass the filters."""
        field = await self._field()
        passages = replace(query, terms=(), passages=True, limit=count)
        body = search_body(passages)
        matched = body["query"]["bool"]
        matched["filter"].append({"exists": {"field": field}})
        script = self._dialect.script(field, _values(vector))
        body["query"] = {"script_score": {"query": {"bool": matched}, "script": script}}
        hits = await self._calls.find(body)
        return [read_hit(hit, query.highlight) for hit in hits], len(hits) < count

    async def _field(self) -> str:
        name: str | None = (await self._calls.meta()).get("vectors")
        if name is None:
            raise IndexFailure("no_vectors", "the index was made anew, without vectors")
        return name


def _unembedded(hit: Mapping[str, Any]) -> Unembedded:
    """The passage of the server's data, under its id on the server."""
    passage = hit["_source"]["hit"]["passage"]
    return Unembedded(hit["_id"], passage["text"], tuple(passage.get("path") or ()))


def _action(field: str, id_: str, vector: NDArray[np.float32]) -> Action:
    action = json_bytes({"update": {"_id": id_}})
    source = json_bytes({"doc": {field: _values(vector)}})
    return Action(id_, b"%b\n%b\n" % (action, source))


def _values(vector: NDArray[np.float32]) -> list[float]:
    found = [round(float(value), 6) for value in vector]
    return found if any(found) else [_LEAST] * len(found)
