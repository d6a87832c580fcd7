"""Searches by meaning: passages with vectors, and both kinds of search fused.

SQLite keeps a vector per passage under the passage's id, which changes with its text,
and with its path; what has not changed is not embedded again. Vectors have one byte a
value, and NumPy scans them all: exact, and without anything that not every Python's
SQLite has.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np

from . import ranking
from .documents import Section, port_of
from .embedders import BATCH, EmbedderError
from .failures import IndexFailure
from .snippets import snippet_for
from .sqlite.storage import transaction, unpack
from .tokens import fold, segment

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import (
        Awaitable,
        Callable,
        Hashable,
        Iterable,
        Mapping,
        Sequence,
    )

    from numpy.typing import NDArray

    from .documents import Hit, Passage
    from .embedders import Embedder
    from .query import Query, Term
    from .ranking import Found

logger = logging.getLogger(__name__)

VECTOR: Final = "vector"

#: The mark of an index that names the model of its vectors.
MARK: Final = "embedder"

#: Passages that are read at once to be embedded.
READ: Final = 4_096

#: Passages of a batch that a model refused, which are tried alone if it takes none.
MAX_TRIED: Final = 4

#: Of reciprocal rank fusion, by its authors: how little the first ranks stand out.
RANK_CONSTANT: Final = 60

#: Nearest passages that are read, at least.
POOL: Final = 30

#: ... and at most, of those that pass the filters: phrases may be in none of them.
MAX_NEAR: Final = 20_000

#: Passages compared at once: they are in the processor's cache.
ROWS: Final = 4_096

#: Points of a hit that is named as the query, in any form: it stays above all others.
_NAMED: Final = ranking.NAMED + ranking.OF_WORDS - 2 * ranking.OTHER_FORM

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
    "SELECT p.id, p.text, p.path FROM passages AS p "
    "LEFT JOIN vectors AS v ON v.passage = p.id AND v.path IS p.path "
    "WHERE v.passage IS NULL {} LIMIT ?"
)
_OF_PAGES: Final = (
    "AND p.document IN (SELECT d.id FROM json_each(?) AS u "
    "JOIN documents AS d ON d.url = u.value)"
)
_ALL: Final = (
    "SELECT p.row, v.vector FROM passages AS p JOIN vectors AS v ON v.passage = p.id "
    "WHERE length(v.vector) = ?"
)


class Unembedded(NamedTuple):
    """A passage of the index without a vector."""

    id: str
    text: str
    path: str | None

    @property
    def embedded_text(self) -> str:
        """What is embedded: the headings above, then the text."""
        above = " > ".join(json.loads(self.path or "[]"))
        return "\n".join(filter(None, (above, self.text)))


class Vectors:
    """The vectors of an index, in memory until its file changes.

    *run* calls a function with the connection, in its thread; *passages_in* returns
    the passages of rows that pass a query's filters.
    """

    def __init__(
        self,
        run: Callable[..., Awaitable[Any]],
        passages_in: Callable[[Query, Mapping[int, float]], Awaitable[list[Found]]],
    ) -> None:
        self._run, self._passages_in = run, passages_in
        self._state: object = None
        self._rows = np.empty(0, np.int64)
        self._values = np.empty((0, 0), np.int8)
        self._lengths = np.empty(0, np.float32)

    async def make(self) -> None:
        """Make the table, empty."""
        await self._run(_execute, _TABLE)

    async def missing(self, urls: Sequence[str] | None, limit: int) -> list[Unembedded]:
        """Return passages without a vector, of these pages or all."""
        pages = [] if urls is None else [json.dumps(urls)]
        statement = _WITHOUT.format(_OF_PAGES if pages else "")
        rows = await self._run(_fetch, statement, (*pages, limit))
        if not rows and not pages:
            await self._run(_execute, [_OF_NONE])
        return [Unembedded(id_, unpack(text)[0], path) for id_, text, path in rows]

    async def put(
        self, passages: Sequence[Unembedded], vectors: NDArray[np.float32]
    ) -> None:
        """Store the vectors, each with the headings that it was made with."""
        rows = [
            (each.id, each.path, packed.tobytes())
            for each, packed in zip(passages, _packed(vectors), strict=True)
        ]
        await self._run(_put, rows)

    async def nearest(
        self, query: Query, vector: NDArray[np.float32], count: int
    ) -> tuple[list[Found], bool]:
        """Return those of the *count* nearest passages that pass the filters.

        The best come first. The second value says whether there are no more passages.
        """
        scores, is_all = await self._run(self._nearest, vector, count)
        return await self._passages_in(query, scores), is_all

    def _nearest(
        self, connection: sqlite3.Connection, vector: NDArray[np.float32], count: int
    ) -> tuple[dict[int, float], bool]:
        self._read(connection, len(vector))
        scores = np.empty(len(self._rows), np.float32)
        for start in range(0, len(scores), ROWS):
            part = slice(start, start + ROWS)
            scores[part] = self._values[part].astype(np.float32) @ vector
        scores /= self._lengths
        first = scores.argpartition(-count)[-count:] if count < len(scores) else ...
        pairs = zip(self._rows[first].tolist(), scores[first].tolist(), strict=True)
        return dict(pairs), count >= len(scores)

    def _read(self, connection: sqlite3.Connection, size: int) -> None:
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        state = version, connection.total_changes
        if state == self._state:
            return
        rows = connection.execute(_ALL, (size,)).fetchall()
        self._rows = np.array([row for row, _ in rows], np.int64)
        values = np.frombuffer(b"".join(packed for _, packed in rows), np.int8)
        self._values = values.reshape(-1, size)
        squares = np.einsum("ij,ij->i", self._values, self._values, dtype=np.int32)
        self._lengths = np.sqrt(np.maximum(squares, 1)).astype(np.float32)
        self._state = state


def _execute(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    with transaction(connection):
        for statement in statements:
            connection.execute(statement)


def _fetch(connection: sqlite3.Connection, statement: str, values: Any) -> list[Any]:
    return connection.execute(statement, values).fetchall()


def _put(connection: sqlite3.Connection, rows: Iterable[Any]) -> None:
    with transaction(connection):
        connection.executemany(_PUT, rows)


def _packed(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """The vectors with whole values from -127 to 127; their lengths do not matter."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True)
    packed: NDArray[np.int8] = (
        (vectors * (127 / np.maximum(greatest, 1e-12))).round().astype(np.int8)
    )
    return packed


class Embedding(ranking.Searched, Protocol):
    """An index with a model and a place for its vectors."""

    embedder: Embedder | None
    vectors: Vectors | None

    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""

    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark; return whether the engine keeps marks."""
        ...


async def use(index: Embedding, embedder: Embedder, *, read_only: bool) -> None:
    """Have the index search, and embed, with this model.

    An index with vectors of another one loses them, which one line says; a read-only
    one raises :exc:`IndexFailure`.
    """
    if index.vectors is None:
        raise IndexFailure("no_vectors", "only indexes in SQLite keep vectors")
    known = await index.mark(MARK)
    if known != embedder.name:
        if read_only:
            found = f"its vectors are of {known}" if known else "it has no vectors"
            problem = f"{found}, MAINPAGE_EMBEDDER is {embedder.name}; "
            problem += "the next crawl or mainpage-index makes them"
            raise IndexFailure("other_embedder", problem)
        if known:
            message = "The vectors of %s are made anew with %s, in place of %s"
            logger.warning(message, type(index).__name__, embedder.name, known)
        await index.vectors.make()
        await index.put_mark(MARK, embedder.name)
    index.embedder = embedder


async def embed(index: Embedding, urls: Sequence[str] | None = None) -> int:
    """Embed the passages without a vector, of these pages or all; return how many.

    Raises :exc:`IndexFailure`, also if the model fails; what is embedded stays. A
    passage that the model refuses, such as a too long one, leaves the others.
    """
    embedder, store, count = index.embedder, index.vectors, 0
    if embedder is None or store is None:
        return 0
    before: list[Unembedded] = []
    refused: EmbedderError | None = None
    while passages := await store.missing(urls, READ):
        if passages == before:
            problem = str(refused or "the index does not keep the vectors")
            raise IndexFailure("embedder" if refused else "vectors", problem)
        before = passages
        for start in range(0, len(passages), BATCH):
            batch = passages[start : start + BATCH]
            try:
                vectors = await _vectors_of(embedder, batch)
            except EmbedderError as exc:
                refused, batch, vectors = await _one_by_one(embedder, batch, exc)
            await store.put(batch, vectors)
            count += len(batch)
    return count


async def _vectors_of(
    embedder: Embedder, passages: Sequence[Unembedded]
) -> NDArray[np.float32]:
    texts = [passage.embedded_text for passage in passages]
    return await asyncio.to_thread(embedder.passages, texts)


async def _one_by_one(
    embedder: Embedder, passages: list[Unembedded], error: EmbedderError
) -> tuple[EmbedderError, list[Unembedded], NDArray[np.float32]]:
    """Return the error, the passages that the model takes alone, and their vectors.

    Raises :exc:`IndexFailure` if it takes none of the first: it is gone.
    """
    taken: list[Unembedded] = []
    vectors = []
    for number, passage in enumerate(passages):
        if number >= MAX_TRIED and not taken:
            break
        try:
            vectors.append((await _vectors_of(embedder, [passage]))[0])
            taken.append(passage)
        except EmbedderError as exc:
            error = exc
    if not taken:
        raise IndexFailure("embedder", str(error), retryable=True) from error
    return error, taken, np.stack(vectors)


async def search(
    index: Embedding,
    query: Query,
    synonyms: Mapping[str, Sequence[str]] | None,
    mode: str,
) -> tuple[list[Hit], Query]:
    """Return the hits by meaning, or those of both kinds by reciprocal rank fusion.

    The second value is the query by words, as it was asked.
    """
    embedder, store = index.embedder, index.vectors
    if embedder is None or store is None:
        raise IndexFailure("no_embedder", f"mode {mode!r} needs MAINPAGE_EMBEDDER")
    text = " ".join(term.text for term in query.wanted)
    try:
        vector = await asyncio.to_thread(embedder.query, text)
    except EmbedderError as exc:
        raise IndexFailure("embedder", str(exc)) from exc
    near = _merged(query, await _near(store, query, vector))
    by_words, asked = (
        ([], query) if mode == VECTOR else await ranking.search(index, query, synonyms)
    )
    known = {_key(hit) for hit in by_words}
    hits = _fused(by_words, near)[: query.limit]
    return [
        hit if _key(hit) in known else _with_snippet(hit, query) for hit in hits
    ], asked


def _with_snippet(hit: Hit, query: Query) -> Hit:
    """The hit with a snippet of its text, which stands in the snippet's place."""
    return replace(hit, snippet=snippet_for(query, segment(hit.snippet)))


async def _near(
    store: Vectors, query: Query, vector: NDArray[np.float32]
) -> list[Found]:
    """The nearest passages that fit the query's filters, excluded words and phrases.

    Those of very many pages are read, more and more, until there are enough.
    """
    count = max(2 * query.limit, POOL)
    while True:
        found, is_all = await store.nearest(query, vector, count)
        fitting = [each for each in found if _fits(query, each)]
        enough = len({each.hit.url for each in fitting}) >= query.limit
        if is_all or enough or len(found) >= MAX_NEAR:
            return fitting
        count *= 4


def _fits(query: Query, found: Found) -> bool:
    if query.port is not None and port_of(found.hit.url) != query.port:
        return False
    quoted = [term for term in query.wanted if term.quoted]
    if not (quoted or query.unwanted):
        return True
    passage = found.hit.passage
    text = (
        f"{found.hit.title} {passage.searched_heading} {passage.text}"
        if passage
        else ""
    )
    padded = f" {' '.join(fold(segment(text)).split())} "
    return all(_is_in(term, padded) for term in quoted) and not any(
        _is_in(term, padded) for term in query.unwanted
    )


def _is_in(term: Term, padded: str) -> bool:
    return f" {' '.join(term.words)}{'' if term.prefix else ' '}" in padded


def _merged(query: Query, found: Iterable[Found]) -> list[Hit]:
    """The nearest passages as hits: each, or one for all of a page.

    The sections of a page's hit are those of its passages, the nearest first.
    """
    hits: dict[Hashable, Hit] = {}
    for each in found:
        passage = each.hit.passage
        if passage is None:
            continue
        key = passage.id if query.passages else each.hit.url
        if key not in hits:
            own = passage if query.passages else None
            hits[key] = replace(
                each.hit, snippet=passage.text, sections=(), passage=own
            )
        if not query.passages and (section := _section(each.hit, passage)):
            hit = hits[key]
            sections = dict.fromkeys((*hit.sections, section))
            hits[key] = replace(hit, sections=tuple(sections))
    return list(hits.values())


def _section(hit: Hit, passage: Passage) -> Section | None:
    """The section of a passage; ``None`` for a text before the first heading."""
    if passage.heading is None:
        return None
    for section in hit.sections:
        if (section.heading, section.anchor) == (passage.heading, passage.anchor):
            return section._replace(path=passage.path)
    level = max(len(passage.path), 1)
    return Section(passage.heading, level, passage.anchor, path=passage.path)


def _fused(by_words: Sequence[Hit], near: Sequence[Hit]) -> list[Hit]:
    """Fuse both by their ranks; what has the words in a name comes first, as it was."""
    named = {_key(hit) for hit in by_words if hit.score >= _NAMED * hit.weight}
    scores = _rank_scores(map(_key, by_words), map(_key, near))
    hits = {_key(hit): hit for hit in (*near, *by_words)}
    others = {_key(hit): hit for hit in near}
    made = []
    for key, hit in hits.items():
        sections = hit.sections
        if key in others and key not in named:
            own, near_by = _by_place(sections), _by_place(others[key].sections)
            ranks = _rank_scores(own, near_by)
            both = {**near_by, **own}
            best = sorted(both, key=lambda place: -ranks[place])
            sections = tuple(both[place] for place in best[: ranking.MAX_SECTIONS])
        score = scores[key] + (hit.score if key in named else 0)
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
