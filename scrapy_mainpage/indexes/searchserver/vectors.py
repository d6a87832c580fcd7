"""Vectors on search servers: a property of passages, compared by a script.

The script compares all passages that pass the filters: exact, and without a setting
that an index must be made with. Another model gets another property.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..vectors import Unembedded
from .bulk import Action, json_bytes, page_id
from .query import MAX_HITS, search_body
from .schema import PASSAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..query import Query

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


def next_field(meta: Mapping[str, Any]) -> str:
    """Return the name of a new property, by that of the last model."""
    return f"vector_{int(meta.get('vectors', 'vector_0').rpartition('_')[2]) + 1}"


def missing_body(field: str, urls: Sequence[str] | None, limit: int) -> dict[str, Any]:
    """Return the body of a search for passages without the property."""
    filters: list[dict[str, Any]] = [{"term": {"kind": PASSAGE}}]
    if urls is not None:
        filters.append({"terms": {"page": [page_id(url) for url in urls]}})
    has_field = {"exists": {"field": field}}
    return {
        "query": {"bool": {"filter": filters, "must_not": [has_field]}},
        "size": limit,
        "track_total_hits": False,
        "_source": ["hit.passage", "url"],
    }


def unembedded(hit: Mapping[str, Any]) -> Unembedded:
    """Return the passage of the server's data, under its id on the server."""
    passage = hit["_source"]["hit"]["passage"]
    return Unembedded(hit["_id"], passage["text"], tuple(passage.get("path") or ()))


def vector_action(field: str, id_: str, vector: NDArray[np.float32]) -> Action:
    """Return the action that adds the vector to the passage with that id."""
    action = json_bytes({"update": {"_id": id_}})
    source = json_bytes({"doc": {field: _values(vector)}})
    return Action(id_, b"%b\n%b\n" % (action, source))


def nearest_body(
    dialect: Dialect,
    field: str,
    query: Query,
    vector: NDArray[np.float32],
    count: int,
) -> dict[str, Any]:
    """Return the body of a search for the nearest passages that pass the filters."""
    passages = replace(query, terms=(), passages=True)
    matched = search_body(passages)["query"]["bool"]
    filters = [*matched["filter"], {"exists": {"field": field}}]
    return {
        "query": {
            "script_score": {
                "query": {"bool": {**matched, "filter": filters}},
                "script": dialect.script(field, _values(vector)),
            }
        },
        "size": min(count, MAX_HITS),
        "sort": ["_score", {"url": "asc"}, {"position": "asc"}],
        "track_scores": True,
        "track_total_hits": False,
        "_source": ["hit"],
    }


def kept_vectors(field: str, docs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the vectors of stored passages, by passage id and path."""
    sources = [doc["_source"] for doc in docs if doc.get("found")]
    return {
        vector_key(source["hit"]["passage"]): source[field]
        for source in sources
        if source.get(field)
    }


def vector_key(passage: Mapping[str, Any]) -> str:
    """Return what a vector depends on: the id of the passage, and its path."""
    return "\0".join((passage["id"], *(passage.get("path") or ())))


def _values(vector: NDArray[np.float32]) -> list[float]:
    found = [round(float(value), 6) for value in vector]
    return found if any(found) else [_LEAST] * len(found)
