"""Queries of the tantivy engine: built of terms, never parsed from a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tantivy
from tantivy import Occur
from tantivy import Query as TantivyQuery

from ..documents import WEIGHTS
from .rows import PAGE, PASSAGE, PASSAGE_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..query import Query
    from ..snippets import Phrase

#: The last word of a phrase may go on as this many words, the most frequent ones.
_PHRASE_EXPANSIONS: Final = 1_000

#: A beginning finds all words; so many, the most frequent ones, rank the hits.
_RANKED_EXPANSIONS: Final = 50
_UNRANKED_SCORE: Final = 0.1


class QueryBuilder:
    """Makes tantivy's queries of ours, for one state of the index."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema):
        self._searcher = searcher
        self._schema = schema

    def query(
        self, wanted: Sequence[Phrase], unwanted: Sequence[Phrase], query: Query
    ) -> TantivyQuery:
        """All of the wanted and none of the unwanted, in what the filters leave."""
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
        """What has the word in the field."""
        return TantivyQuery.term_query(self._schema, field, word)

    def pages(self, keys: Sequence[str]) -> TantivyQuery:
        """The pages with these keys, without their passages."""
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
        if len(phrase.words) > 1:
            return self._beginning_of_phrase(phrase.words, field)
        return self._beginning(phrase.words[0], field)

    def _words(self, words: Sequence[str], field: str) -> TantivyQuery:
        if len(words) == 1:
            return self.term(field, words[0])
        return TantivyQuery.phrase_query(self._schema, field, list(words))

    def _beginning(self, prefix: str, field: str) -> TantivyQuery:
        every = TantivyQuery.fuzzy_term_query(
            self._schema, field, prefix, distance=0, prefix=True
        )
        ranked = (
            self.term(field, word)
            for word in self._expansions(prefix, field, _RANKED_EXPANSIONS)
        )
        unranked = TantivyQuery.const_score_query(every, _UNRANKED_SCORE)
        return _any([unranked, *ranked])

    def _beginning_of_phrase(self, words: Sequence[str], field: str) -> TantivyQuery:
        *first, prefix = words
        return _any(
            self._words([*first, word], field)
            for word in self._expansions(prefix, field, _PHRASE_EXPANSIONS)
        )

    def _expansions(self, prefix: str, field: str, limit: int) -> list[str]:
        found = self._searcher.terms_with_prefix(field, prefix, limit=limit)
        return [word for word, _ in found]


def _any(queries: Iterable[TantivyQuery]) -> TantivyQuery:
    parts = [(Occur.Should, query) for query in queries]
    return TantivyQuery.boolean_query(parts) if parts else TantivyQuery.empty_query()
