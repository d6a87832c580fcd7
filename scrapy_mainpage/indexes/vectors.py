"""Searches by meaning: passages with vectors, and both kinds of search fused.

The engines keep a vector per passage under the passage's id, which changes with its
text, and with its path; what has not changed is not embedded again.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from . import ranking
from .documents import Section, port_of
from .embedders import BATCH, EmbedderError
from .failures import IndexFailure
from .snippets import snippet_for
from .tokens import fold, segment

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .documents import Hit, Passage
    from .embedders import Embedder
    from .query import Query, Term
    from .ranking import Found

logger = logging.getLogger(__name__)

LEXICAL: Final = "lexical"
VECTOR: Final = "vector"
HYBRID: Final = "hybrid"
MODES: Final = (LEXICAL, VECTOR, HYBRID)

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

#: Points of a hit with all words in its title or a heading, in any form: it stays
#: above all fused ones.
_NAMED: Final = ranking.IN_HEADING - ranking.OTHER_NAME


class Unembedded(NamedTuple):
    """A passage of the index without a vector."""

    id: str
    text: str
    path: tuple[str, ...]

    @property
    def embedded_text(self) -> str:
        """What is embedded: the headings above, then the text."""
        return "\n".join(filter(None, (" > ".join(self.path), self.text)))


class VectorStore(Protocol):
    """The vectors of an engine's passages; all calls may raise an ``IndexFailure``."""

    async def make(self, size: int) -> None:
        """Prepare for vectors of so many values; remove those of another model."""

    async def missing(self, urls: Sequence[str] | None, limit: int) -> list[Unembedded]:
        """Return up to *limit* passages without a vector, of these pages or all."""
        ...

    async def put(
        self, passages: Sequence[Unembedded], vectors: NDArray[np.float32]
    ) -> None:
        """Store the vectors, each with the headings that it was made with."""

    async def nearest(
        self, query: Query, vector: NDArray[np.float32], count: int
    ) -> tuple[list[Found], bool]:
        """Return those of the *count* nearest passages that pass the filters.

        The best come first. The second value says whether there are no more passages.
        """
        ...


class Embedding(ranking.Searched, Protocol):
    """An index with a model and a place for its vectors."""

    embedder: Embedder | None
    vectors: VectorStore | None

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
        await index.vectors.make(embedder.size)
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
    import numpy as np

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
    store: VectorStore, query: Query, vector: NDArray[np.float32]
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
