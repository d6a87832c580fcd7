"""Searches of the search server of the tests: queries, sorting, highlighting.

Queries, options and values that are not known here are refused, as servers refuse
what they do not know, so that no request passes because half of it was not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .searchserveranalysis import RefusedError
from .searchserverindex import SearchIndex

#: Documents that match, each with its score.
Matches = dict[str, float]

MAX_RESULT_WINDOW = 10_000
MAX_CLAUSES = 1024
_BOUNDARIES = ".,!? \t\n"
_MAX_SCAN = 20


class Search:
    """The body of one search, over one index."""

    def __init__(self, index: SearchIndex, body: dict[str, Any]):
        self._index = index
        self._body = dict(body)
        self._clauses = 0
        #: Field -> phrases to highlight there: runs of words, of each several may do.
        self._phrases: dict[str, list[list[set[str]]]] = {}

    def run(self) -> dict[str, Any]:
        """The answer."""
        take = self._body.pop
        size, sort = take("size", 10), take("sort", ["_score"])
        if not 0 <= size <= MAX_RESULT_WINDOW:
            reason = f"Result window is too large, from + size must be <= {size}"
            raise RefusedError("illegal_argument_exception", reason)
        after = take("search_after", None)
        matches = self._matches(take("query", {"match_all": {}}), highlighted=True)
        tracks_scores = take("track_scores", False) or sort == ["_score"]
        if take("track_total_hits", True) is not False:
            raise RefusedError("illegal_argument_exception", "hits are not counted")
        wanted = take("_source", True)
        highlight = take("highlight", None)
        if self._body:
            reason = f"Unknown key for a VALUE in {sorted(self._body)}."
            raise RefusedError("parsing_exception", reason)
        ranked = self._sorted(matches, sort, after)[:size]
        hits = []
        for name, values in ranked:
            hit = self._hit(name, wanted, highlight)
            hit["_score"] = matches[name] if tracks_scores else None
            if sort != ["_score"]:
                hit["sort"] = values
            hits.append(hit)
        return {"hits": {"max_score": None, "hits": hits}}

    def _hit(self, name: str, wanted: Any, highlight: Any) -> dict[str, Any]:
        source = self._index.searchable[name].source
        if isinstance(wanted, list):
            source = {key: value for key, value in source.items() if key in wanted}
        hit = {"_index": self._index.name, "_id": name, "_source": source}
        if highlight and (marked := self._highlighted(name, highlight)):
            hit["highlight"] = marked
        return hit

    # Queries

    def _matches(self, query: Any, *, highlighted: bool) -> Matches:
        kind, definition = _only(query)
        known: dict[str, Callable[..., Matches]] = {
            "bool": self._bool,
            "term": self._term,
            "match_all": self._match_all,
            "multi_match": self._multi_match,
        }
        if kind not in known:
            raise RefusedError("parsing_exception", f"unknown query [{kind}]")
        return known[kind](dict(definition), highlighted=highlighted)

    def _match_all(self, definition: dict[str, Any], *, highlighted: bool) -> Matches:
        _check_empty("match_all", definition)
        return dict.fromkeys(self._index.searchable, 1.0)

    def _bool(self, definition: dict[str, Any], *, highlighted: bool) -> Matches:
        take = partial(_clauses, definition)
        must = [self._matches(item, highlighted=highlighted) for item in take("must")]
        kept = [self._matches(item, highlighted=False) for item in take("filter")]
        out = [self._matches(item, highlighted=False) for item in take("must_not")]
        _check_empty("bool", definition)
        scores: Matches = dict.fromkeys(self._index.searchable, 0.0)
        for matches in must:
            scores = {
                name: score + matches[name]
                for name, score in scores.items()
                if name in matches
            }
        return {
            name: score
            for name, score in scores.items()
            if all(name in matches for matches in kept)
            and not any(name in matches for matches in out)
        }

    def _term(self, definition: dict[str, Any], *, highlighted: bool) -> Matches:
        field, value = _only(definition)
        if isinstance(value, dict):
            raise RefusedError("parsing_exception", "only the short form is known here")
        return {
            name: 1.0
            for name, document in self._index.searchable.items()
            if value in document.exact.get(field, ())
        }

    def _multi_match(self, definition: dict[str, Any], *, highlighted: bool) -> Matches:
        text, fields = definition.pop("query"), definition.pop("fields")
        kind = definition.pop("type", "best_fields")
        most = definition.pop("max_expansions", 50)
        operator = definition.pop("operator", "or")
        _check_empty("multi_match", definition)
        best: Matches = {}
        for weighted in fields:
            field, _, weight = weighted.partition("^")
            matches = self._matches_in(field, text, kind, most, operator, highlighted)
            for name, score in matches.items():
                best[name] = max(best.get(name, 0.0), score * float(weight or 1))
        return best

    def _matches_in(
        self,
        field: str,
        text: str,
        kind: str,
        most: int,
        operator: str,
        highlighted: bool,
    ) -> Matches:
        definition = self._index.properties.get(field, {"type": "none"})
        if definition["type"] != "text":  # of no field: nothing is found
            return {}
        words = [token.word for token in self._index.tokens(field, text)]
        self._clauses += len(words) if kind == "bool_prefix" else bool(words)
        if self._clauses > MAX_CLAUSES:
            raise RefusedError("too_many_nested_clauses", "maxClauseCount is 1024")
        if not words:
            return {}
        phrase = [{word} for word in words]
        if kind == "phrase_prefix":
            phrase[-1] = set(self._index.words_with(field, words[-1])[:most])
        elif kind == "bool_prefix" and len(words) == 1:
            phrase = [set(self._index.words_with(field, words[0]))]
        elif kind != "phrase":
            reason = f"type [{kind}] of {len(words)} words, operator [{operator}]"
            raise RefusedError("parsing_exception", f"not known here: {reason}")
        if highlighted:
            self._phrases.setdefault(field, []).append(phrase)
        if kind == "bool_prefix":  # each document alike, as with a filter
            return dict.fromkeys(self._places(field, phrase), 1.0)
        return {
            name: self._index.score(field, name, words, len(positions))
            for name, positions in self._places(field, phrase).items()
        }

    def _places(self, field: str, phrase: list[set[str]]) -> dict[str, list[int]]:
        """Where the phrase begins, in the documents that have it."""
        places = [self._positions(field, words) for words in phrase]
        found = {}
        for name, starts in places[0].items():
            following = [place.get(name, set()) for place in places[1:]]
            if kept := [
                start
                for start in sorted(starts)
                if all(start + at in each for at, each in enumerate(following, 1))
            ]:
                found[name] = kept
        return found

    def _positions(self, field: str, words: set[str]) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for word in words:
            for name, positions in self._index.postings(field, word).items():
                found.setdefault(name, set()).update(positions)
        return found

    # Sorting

    def _sorted(
        self, matches: Matches, sort: list[Any], after: list[Any] | None
    ) -> list[tuple[str, list[Any]]]:
        ranked = [
            (name, self._values(name, score, sort)) for name, score in matches.items()
        ]
        ranked.sort(key=lambda item: _order(item[1], sort))
        if after is None:
            return ranked
        if len(after) != len(sort):
            reason = f"search_after has {len(after)} value(s) but sort has {len(sort)}."
            raise RefusedError("illegal_argument_exception", reason)
        last = _order(after, sort)
        return [item for item in ranked if _order(item[1], sort) > last]

    def _values(self, name: str, score: float, sort: list[Any]) -> list[Any]:
        document = self._index.searchable[name]
        values: list[Any] = []
        for key in sort:
            if key == "_score":
                values.append(score)
                continue
            field, direction = _only(key)
            if direction != "asc" or field not in self._index.properties:
                raise RefusedError("illegal_argument_exception", f"sort by [{field}]")
            values.append(min(document.exact.get(field, []), default=None))
        return values

    # Highlighting

    def _highlighted(self, name: str, options: dict[str, Any]) -> dict[str, list[str]]:
        options = dict(options)
        fields = options.pop("fields")
        if options.pop("type", "unified") != "fvh" or options.pop("order") != "score":
            raise RefusedError(
                "illegal_argument_exception", "highlighter not known here"
            )
        (start,), (end,) = options.pop("pre_tags"), options.pop("post_tags")
        count, size = options.pop("number_of_fragments"), options.pop("fragment_size")
        nothing = options.pop("no_match_size", 0)
        _check_empty("highlight", options)
        if count != 1 or size < 18 or any(fields.values()):
            reason = f"fragCharSize({size}) is too small. It must be 18 or higher."
            raise RefusedError("illegal_argument_exception", reason)
        marked = {}
        for field in fields:
            vectors = self._index.properties[field].get("term_vector")
            if vectors != "with_positions_offsets":
                reason = f"the field [{field}] should be indexed with term vector"
                raise RefusedError("illegal_argument_exception", reason)
            text = self._index.searchable[name].source.get(field)
            if text:
                spans = list(self._spans(name, field))
                fragment = (
                    _fragment(text, spans, size, start, end)
                    if spans
                    else _cut(text, 0, nothing)[0]
                )
                marked[field] = [fragment]
        return marked

    def _spans(self, name: str, field: str) -> Iterator[tuple[int, int]]:
        """From where to where phrases stand in the document's text."""
        tokens = self._index.searchable[name].words[field]
        spans = set()
        for phrase in self._phrases.get(field, []):
            for place in self._places(field, phrase).get(name, []):
                last = place + len(phrase) - 1
                spans.add((tokens[place].start, tokens[last].end))
        end = -1
        for span in sorted(spans, key=lambda span: (span[0], -span[1])):
            if span[0] >= end:
                yield span
                end = span[1]


def _fragment(
    text: str, spans: list[tuple[int, int]], size: int, start: str, end: str
) -> str:
    """The stretch of the text with the most matches, which are in its middle."""
    groups: list[list[tuple[int, int]]] = []
    for span in spans:
        if groups and span[1] - groups[-1][0][0] <= size:
            groups[-1].append(span)
        else:
            groups.append([span])
    best = max(groups, key=lambda group: len({text[a:b].lower() for a, b in group}))
    length = best[-1][1] - best[0][0]
    first = max(0, best[0][0] - max(0, size - length) // 2)
    fragment, offset = _cut(text, first, first + max(size, length))
    for begins, ends in reversed(best):
        inside = fragment[begins - offset : ends - offset]
        fragment = (
            f"{fragment[: begins - offset]}{start}{inside}{end}"
            f"{fragment[ends - offset :]}"
        )
    return fragment


def _cut(text: str, first: int, last: int) -> tuple[str, int]:
    """The text from one boundary to another, if there are some; where it begins."""
    for offset in range(first, max(0, first - _MAX_SCAN), -1):
        if text[offset - 1] in _BOUNDARIES:
            first = offset
            break
    else:
        first = 0 if first <= _MAX_SCAN else first
    for offset in range(last, min(len(text), last + _MAX_SCAN)):
        if text[offset] in _BOUNDARIES:
            last = offset
            break
    return text[first:last], first


def _only(data: dict[str, Any]) -> tuple[str, Any]:
    if not isinstance(data, dict) or len(data) != 1:
        reason = "query malformed, expected one field"
        raise RefusedError("parsing_exception", reason)
    return next(iter(data.items()))


def _clauses(definition: dict[str, Any], name: str) -> list[Any]:
    clauses = definition.pop(name, [])
    return clauses if isinstance(clauses, list) else [clauses]


def _order(values: list[Any], sort: list[Any]) -> list[Any]:
    """What sorts scores from the highest, all else from the lowest, nothing last."""
    return [
        -value if key == "_score" else (value is None, value)
        for key, value in zip(sort, values, strict=True)
    ]


def _check_empty(name: str, definition: dict[str, Any]) -> None:
    if definition:
        reason = f"[{name}] query does not support {sorted(definition)}"
        raise RefusedError("parsing_exception", reason)
