"""Searches by meaning: passages with vectors, and both kinds of search fused.

SQLite keeps a vector per passage under the passage's id, which changes with its text,
and with its path; what has not changed is not embedded again. Vectors have one byte a
value, and NumPy scans them all: exact, and without anything that not every Python's
SQLite has.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from . import ranking
from .base import IndexFailure
from .documents import Section
from .embedders import BATCH, EmbedderError
from .snippets import snippet_for
from .sqlite import SqliteIndex
from .sqlite_file import transaction
from .tokens import segment, unsegment

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from .base import Index
    from .documents import Hit, Passage
    from .embedders import Embedder
    from .query import Query

    Floats = NDArray[np.float32]

logger = logging.getLogger(__name__)

VECTOR: Final = "vector"

#: The mark of an index that names the model of its vectors.
MARK: Final = "embedder"

#: Batches that fail one after another, after which the model is gone.
MAX_FAILURES: Final = 4

#: Of reciprocal rank fusion, by its authors: how little the first ranks stand out.
RANK_CONSTANT: Final = 60

#: How much more the order of a page's passages counts than that of the page by words:
#: of 1, 3 and 8 the best on the questions of the lab.
OF_PASSAGES: Final = 8

#: Nearest passages that are read, beside ten for each hit: a page has several.
POOL: Final = 30

#: Vectors that are compared at once.
ROWS: Final = 16_384

#: Score of what is named as the query: it stays above all others.
_NAMED: Final = ranking.NAMED

_TABLE: Final = (
    "DROP TABLE IF EXISTS vectors",
    "CREATE TABLE vectors (passage TEXT PRIMARY KEY, path TEXT, vector BLOB NOT NULL) "
    "WITHOUT ROWID",
)
_PUT: Final = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
_OF_NONE: Final = (
    "DELETE FROM vectors WHERE passage IN (SELECT v.passage FROM vectors AS v "
    "LEFT JOIN passages AS p ON p.id = v.passage WHERE p.id IS NULL)"
)
_WITHOUT: Final = (
    "SELECT p.row, p.id, coalesce(p.text, substr(w.text, p.start + 1, p.length)), "
    "p.path FROM passages AS p JOIN search AS w ON w.rowid = p.document "
    "LEFT JOIN vectors AS v ON v.passage = p.id AND v.path IS p.path "
    "WHERE v.passage IS NULL AND p.row > ? ORDER BY p.row LIMIT ?"
)
_COUNTS: Final = (
    "SELECT (SELECT count(*) FROM passages), (SELECT count(*) FROM documents "
    "WHERE id NOT IN (SELECT document FROM passages))"
)
_ALL: Final = (
    "SELECT p.row, v.vector FROM passages AS p JOIN vectors AS v ON v.passage = p.id "
    "WHERE length(v.vector) = ?"
)


#: A passage without a vector: its row, its id, its segmented text, and its path.
_Row = tuple[int, str, str, str | None]


def _embedded_text(row: _Row) -> str:
    """What is embedded: the headings above, then the text."""
    above = " > ".join(json.loads(row[3] or "[]"))
    return "\n".join(filter(None, (above, unsegment(row[2]))))


class Vectors:
    """The vectors of an index, in memory until its file changes."""

    def __init__(self, index: SqliteIndex, embedder: Embedder) -> None:
        self._index, self._embedder = index, embedder
        self._state: object = None
        self._rows = np.empty(0, np.int64)
        self._values = np.empty((0, 0), np.int8)
        self._lengths = np.empty(0, np.float32)

    def embed(self) -> int:
        """Embed the passages without a vector; return how many.

        Raises :exc:`IndexFailure`, also if the model fails; what is embedded stays. A
        few passages that the model refuses leave the others.
        """
        count = last = failures = 0
        failure: EmbedderError | None = None
        while rows := self._index.run(_fetch, _WITHOUT, (last, BATCH)):
            last = rows[-1][0]
            try:
                vectors = self._embedder.passages([*map(_embedded_text, rows)])
            except EmbedderError as exc:
                failure, failures = exc, failures + 1
                if failures == MAX_FAILURES:
                    break
                continue
            failures = 0
            paired = zip(rows, _packed(vectors), strict=True)
            made = [(row[1], row[3], packed.tobytes()) for row, packed in paired]
            self._index.run(_change, [_PUT], made)
            count += len(made)
        self._index.run(_change, [_OF_NONE])
        if failure is not None:
            raise IndexFailure("embedder", str(failure), retryable=not count)
        return count

    def search(
        self, query: Query, synonyms: Mapping[str, Sequence[str]] | None, mode: str
    ) -> tuple[list[Hit], Query]:
        """Return the hits by meaning, or those of both kinds by rank fusion.

        The second value is the query by words, as it was asked.
        """
        text = " ".join(term.text for term in query.wanted)
        try:
            vector = self._embedder.query(text)
        except EmbedderError as exc:
            raise IndexFailure("embedder", str(exc)) from exc
        nearest = self._nearest(query, vector)
        by_words: Sequence[Hit] = []
        asked, weight = query, 1
        if mode != VECTOR:
            by_words, asked = ranking.search(self._index, query, synonyms)
            if not query.passages:  # pages are ordered by their best passages
                wide = replace(query, passages=True, limit=POOL)
                found, _ = ranking.search(self._index, wide, synonyms)
                nearest = _fused(found, nearest)
                weight = OF_PASSAGES
        near = _merged(query, nearest)
        known = {_key(hit) for hit in by_words}
        hits = _fused(by_words, near, weight)[: query.limit]
        return [
            hit
            if _key(hit) in known
            else replace(hit, snippet=snippet_for(query, segment(hit.snippet)))
            for hit in hits
        ], asked

    def _nearest(self, query: Query, vector: Floats) -> list[Hit]:
        """The nearest passages that the query's filters and quoted words leave."""
        rows, scores = self._index.run(self._scores, vector)
        if (allowed := self._index.passages_of(query)) is not None:
            inside = np.isin(rows, allowed)
            rows, scores = rows[inside], scores[inside]
        best = np.argsort(-scores, kind="stable")[: 10 * query.limit + POOL]
        pairs = zip(rows[best].tolist(), scores[best].tolist(), strict=True)
        return self._index.passages_at([*pairs])

    def _scores(
        self, connection: sqlite3.Connection, vector: Floats
    ) -> tuple[NDArray[np.int64], Floats]:
        """The rows of all passages with a vector, and their similarities."""
        self._read(connection, len(vector))
        scores = np.empty(len(self._rows), np.float32)
        for start in range(0, len(scores), ROWS):
            part = slice(start, start + ROWS)
            scores[part] = self._values[part].astype(np.float32) @ vector
        return self._rows, scores / self._lengths

    def _read(self, connection: sqlite3.Connection, size: int) -> None:
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        state = version, connection.total_changes
        if state == self._state:
            return
        rows = _fetch(connection, _ALL, (size,))
        self._rows = np.array([row for row, _ in rows], np.int64)
        values = np.frombuffer(b"".join(packed for _, packed in rows), np.int8)
        self._values = values.reshape(-1, size)
        squares = np.einsum("ij,ij->i", self._values, self._values, dtype=np.int32)
        self._lengths = np.sqrt(np.maximum(squares, 1)).astype(np.float32)
        self._state = state


def _fetch(connection: sqlite3.Connection, statement: str, values: Any) -> list[Any]:
    return connection.execute(statement, values).fetchall()


def _change(
    connection: sqlite3.Connection, statements: Iterable[str], rows: Any = ((),)
) -> None:
    with transaction(connection):
        for statement in statements:
            connection.executemany(statement, rows)


def _packed(vectors: Floats) -> NDArray[np.int8]:
    """The vectors with whole values from -127 to 127; their lengths do not matter."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True)
    packed: NDArray[np.int8] = (
        (vectors * (127 / np.maximum(greatest, 1e-12))).round().astype(np.int8)
    )
    return packed


def use(index: Index, embedder: Embedder, *, read_only: bool) -> None:
    """Have the index search, and embed, with this model.

    An index with vectors of another one loses them, which one line says; a read-only
    one raises :exc:`IndexFailure`.
    """
    if not isinstance(index, SqliteIndex):
        raise IndexFailure("no_vectors", "only indexes in SQLite keep vectors")
    known = index.mark(MARK)
    if known != embedder.name:
        if read_only:
            found = f"its vectors are of {known}" if known else "it has no vectors"
            problem = f"{found}, MAINPAGE_EMBEDDER is {embedder.name}; "
            problem += "the next crawl or mainpage-index makes them"
            raise IndexFailure("other_embedder", problem)
        count, bare = index.run(_fetch, _COUNTS, ())[0]
        if known or count or bare:
            message = "%d passages get vectors of %s%s; %d documents have no passages"
            instead = f", in place of {known}" if known else ""
            logger.warning(message, count, embedder.name, instead, bare)
        index.run(_change, _TABLE)
        index.put_mark(MARK, embedder.name)
    index.vectors = Vectors(index, embedder)


def _merged(query: Query, found: Iterable[Hit]) -> list[Hit]:
    """The nearest passages as hits: each, or one for all of a page.

    The sections of a page's hit are those of its passages, the nearest first.
    """
    hits: dict[Hashable, Hit] = {}
    for hit in found:
        passage = hit.passage
        if passage is None:
            continue
        key = passage.id if query.passages else hit.url
        if key not in hits:
            own = passage if query.passages else None
            hits[key] = replace(hit, snippet=passage.text, sections=(), passage=own)
        if not query.passages and (section := _section(passage)):
            sections = dict.fromkeys((*hits[key].sections, section))
            hits[key] = replace(hits[key], sections=tuple(sections))
    return list(hits.values())


def _section(passage: Passage) -> Section | None:
    """The section of a passage; ``None`` for a text before the first heading."""
    if passage.heading is None:
        return None
    level = max(len(passage.path), 1)
    return Section(passage.heading, level, passage.anchor, path=passage.path)


def _fused(by_words: Sequence[Hit], near: Sequence[Hit], weight: int = 1) -> list[Hit]:
    """Fuse both by their ranks; what has the words in a name comes first, as it was."""
    named = {_key(hit) for hit in by_words if hit.score >= _NAMED * hit.weight}
    scores = _rank_scores(map(_key, by_words), *[[*map(_key, near)]] * weight)
    others = {_key(hit): hit for hit in near}
    hits = {**others, **{_key(hit): hit for hit in by_words}}
    made = []
    for key, hit in hits.items():
        score, sections = scores[key], hit.sections
        if key in named:
            score += hit.score
        elif key in others:
            both = {**_by_place(others[key].sections), **_by_place(sections)}
            sections = tuple(both.values())[: ranking.MAX_SECTIONS]
        made.append(replace(hit, score=score, sections=sections))
    return sorted(made, key=lambda hit: (-hit.score, hit.url))


def _by_place(sections: Iterable[Section]) -> dict[Hashable, Section]:
    return {(part.heading, part.anchor): part for part in sections}


def _key(hit: Hit) -> tuple[str, str]:
    return hit.url, hit.passage.id if hit.passage else ""


def _rank_scores(*rankings: Iterable[Hashable]) -> dict[Hashable, float]:
    """The scores by reciprocal rank fusion."""
    scores: dict[Hashable, float] = {}
    for each in rankings:
        for rank, key in enumerate(each, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_CONSTANT + rank)
    return scores
