"""Searches of the tantivy engine: queries built of terms, never parsed; hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tantivy
from tantivy import Occur
from tantivy import Query as TantivyQuery

from ..documents import WEIGHTS, Hit
from ..snippets import phrases_of, snippet_for
from .rows import hit_values, stored_passage, stored_text
from .schema import PAGE, PASSAGE, PASSAGE_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..query import Query
    from ..snippets import Phrase

#: Words that the last word of a phrase with ``*`` stands for, the most frequent ones.
MAX_PHRASE_EXPANSIONS: Final = 1_000

#: A prefix matches all its words; so many, the most frequent ones, rank the hits.
MAX_RANKED_EXPANSIONS: Final = 50
_UNRANKED_SCORE: Final = 0.1


def find(searcher: tantivy.Searcher, schema: tantivy.Schema, query: Query) -> list[Hit]:
    """Return the best hits by BM25."""
    wanted = phrases_of(query.wanted)
    if not wanted:
        return []
    builder = QueryBuilder(searcher, schema)
    search = builder.query(wanted, phrases_of(query.unwanted), query)
    limit = min(query.limit, max(1, searcher.num_docs))  # memory is allocated for it
    matches = searcher.search(search, limit, count=False).hits
    hits = [
        _hit(searcher, builder, score, searcher.doc(address), query)
        for score, address in matches
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.url))


def _hit(
    searcher: tantivy.Searcher,
    builder: QueryBuilder,
    score: float,
    match: tantivy.Document,
    query: Query,
) -> Hit:
    page = match
    if query.passages:
        pages = builder.pages(match.get_all("key"))
        ((_, address),) = searcher.search(pages, 1).hits
        page = searcher.doc(address)
    return Hit(
        **hit_values(page),
        snippet=snippet_for(query, stored_text(match)),
        score=score,
        passage=stored_passage(match) if query.passages else None,
    )


class QueryBuilder:
    """Builds tantivy's queries for one state of the index."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema):
        self._searcher = searcher
        self._schema = schema

    def query(
        self, wanted: Sequence[Phrase], unwanted: Sequence[Phrase], query: Query
    ) -> TantivyQuery:
        """Return the query for all wanted and no unwanted phrases, with filters."""
        weights = PASSAGE_WEIGHTS if query.passages else WEIGHTS
        filters = {
            "kind": PASSAGE if query.passages else PAGE,
            "sites": query.site,
            "page_type": query.page_type,
            "languages": query.language,
        }
        parts = [(Occur.Must, self._in_any_field(item, weights)) for item in wanted]
        parts += [
            (Occur.MustNot, self._in_any_field(item, weights)) for item in unwanted
        ]
        parts += [
            (Occur.Must, TantivyQuery.const_score_query(self.term(name, value), 0.0))
            for name, value in filters.items()
            if value is not None
        ]
        return TantivyQuery.boolean_query(parts)

    def term(self, field: str, word: str) -> TantivyQuery:
        """Return the query for the word in the field."""
        return TantivyQuery.term_query(self._schema, field, word)

    def pages(self, keys: Sequence[str]) -> TantivyQuery:
        """Return the query for the pages with these keys, without passages."""
        having = TantivyQuery.term_set_query(self._schema, "key", keys)
        parts = [(Occur.Must, self.term("kind", PAGE)), (Occur.Must, having)]
        return TantivyQuery.boolean_query(parts)

    def _in_any_field(
        self, phrase: Phrase, weights: Mapping[str, float]
    ) -> TantivyQuery:
        return _any(
            TantivyQuery.boost_query(self._in_field(phrase, name), weight)
            for name, weight in weights.items()
        )

    def _in_field(self, phrase: Phrase, field: str) -> TantivyQuery:
        if not phrase.prefix:
            return self._words(phrase.words, field)
        *first, prefix = phrase.words
        if first:
            return _any(
                self._words([*first, word], field)
                for word in self._expansions(prefix, field, MAX_PHRASE_EXPANSIONS)
            )
        unranked = TantivyQuery.fuzzy_term_query(
            self._schema, field, prefix, distance=0, prefix=True
        )
        ranked = (
            self.term(field, word)
            for word in self._expansions(prefix, field, MAX_RANKED_EXPANSIONS)
        )
        return _any(
            [TantivyQuery.const_score_query(unranked, _UNRANKED_SCORE), *ranked]
        )

    def _words(self, words: Sequence[str], field: str) -> TantivyQuery:
        if len(words) == 1:
            return self.term(field, words[0])
        return TantivyQuery.phrase_query(self._schema, field, list(words))

    def _expansions(self, prefix: str, field: str, limit: int) -> list[str]:
        found = self._searcher.terms_with_prefix(field, prefix, limit=limit)
        return [word for word, _ in found]


def _any(queries: Iterable[TantivyQuery]) -> TantivyQuery:
    parts = [(Occur.Should, query) for query in queries]
    return TantivyQuery.boolean_query(parts) if parts else TantivyQuery.empty_query()
