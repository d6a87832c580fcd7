"""Searches in the query language of search servers, and hits of their answers."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ..documents import WEIGHTS, Hit, Passage, Section
from ..fields import MAX_COUNTS, NUMBER, TEXT, shown, shown_fields
from ..query import Term
from ..ranking import Found
from ..snippets import ELLIPSIS, END, START, mark
from ..tokens import ZERO_WIDTH_SPACE, fold, segment
from .schema import EDGE, PAGE, PASSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..fields import Condition, Value
    from ..query import Query

#: Hits of one search, by the default limit of the servers.
MAX_HITS: Final = 10_000

#: URLs read at once.
URL_BATCH: Final = 1_000

_RANGES: Final = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}

#: Characters of a snippet.
SNIPPET_CHARS: Final = 200

#: Words that the last word of a phrase with ``*`` stands for.
MAX_EXPANSIONS: Final = 1_000

_FIELDS: Final = [f"{name}^{weight:g}" for name, weight in WEIGHTS.items()]
_PASSAGE_FIELDS: Final = [f"{name}^{WEIGHTS[name]:g}" for name in ("headings", "text")]

# Marks whole phrases, in the middle of the snippet.
_HIGHLIGHT: Final = {
    "type": "fvh",
    "fields": {"text": {}},
    "number_of_fragments": 1,
    "fragment_size": SNIPPET_CHARS,
    "no_match_size": SNIPPET_CHARS,
    "order": "score",
    "pre_tags": [START],
    "post_tags": [END],
}

# A server may mark the characters of a run one by one.
_BETWEEN: Final = re.compile(f"{END}({ZERO_WIDTH_SPACE}){START}")


def search_body(query: Query) -> dict[str, Any]:
    """Return the body of a search. Nothing that a user types is syntax in it."""
    fields = _PASSAGE_FIELDS if query.passages else _FIELDS
    headings = [each for each in fields if each.startswith(("title", "headings"))]
    wanted = [_clause(term, fields) for term in query.wanted]
    matched: dict[str, Any] = {"filter": _filters(query)}
    if query.minimum is not None:
        matched |= {"should": wanted, "minimum_should_match": query.minimum}
    else:
        matched["must"] = wanted
    if query.in_headings:
        matched["must"] = [_clause(term, headings) for term in query.wanted]
    matched["must_not"] = [_clause(term, fields) for term in query.unwanted]
    for each in query.conditions:
        matched["must_not" if each.excluded else "filter"].append(_condition(each))
    return {
        "query": {"bool": matched},
        "size": min(query.limit, MAX_HITS),
        "sort": [_order(query.sort), {"url": "asc"}, {"position": "asc"}],
        "track_scores": True,
        "track_total_hits": False,
        "highlight": _HIGHLIGHT,
        "_source": ["hit"],
    }


def _order(sort: str) -> Any:
    if not sort:
        return "_score"
    order = "desc" if sort.startswith("-") else "asc"
    return {f"key.{sort.lstrip('-')}": {"order": order, "missing": "_last"}}


def _condition(condition: Condition) -> dict[str, Any]:
    """Return the clause for a condition on a document's own field."""
    name = f"key.{condition.name}"
    any_of: list[dict[str, Any]] = []
    for bounds in condition.any_of:
        values = dict(bounds)
        if condition.type == TEXT:
            any_of.append({"match_phrase": {name: values["has"]}})
        elif "=" in values:
            any_of.append({"term": {name: values["="]}})
        else:
            limits = {_RANGES[sign]: value for sign, value in bounds}
            any_of.append({"range": {name: limits}})
    return {"bool": {"should": any_of, "minimum_should_match": 1}}


def facets_body(
    query: Query, types: Mapping[str, str], names: Iterable[str]
) -> dict[str, Any]:
    """Return the body of a request that counts pages by values of their fields."""
    pages = {"pages": {"cardinality": {"field": "page"}}}
    counted = {}
    for name in names:
        place = "key" if types[name] == NUMBER else "shown"
        terms = {"field": f"{place}.{name}", "size": MAX_COUNTS}
        counted[name] = {"terms": terms, "aggs": pages}
    return {
        "query": search_body(query)["query"],
        "size": 0,
        "track_total_hits": False,
        "aggs": counted,
    }


def counts_of(buckets: Iterable[dict[str, Any]]) -> dict[Value, int]:
    """Return the counts of the pages in buckets, the greatest first."""
    names: dict[object, Value] = {}
    counts: Counter[Value] = Counter()
    for bucket in buckets:
        value = shown(bucket["key"])
        key = value.casefold() if isinstance(value, str) else value
        counts[names.setdefault(key, value)] += bucket["pages"]["value"]
    return dict(counts.most_common())


def words_body(words: Iterable[str]) -> dict[str, Any]:
    """Return the body of a request that counts the documents of each word."""
    terms = {word: Term(word.rstrip("*"), word.endswith("*")) for word in words}
    counted = {word: _clause(term, _FIELDS) for word, term in terms.items()}
    return {
        "size": 0,
        "track_total_hits": False,
        "aggs": {"words": {"filters": {"filters": counted}}},
    }


def urls_body(after: str | None) -> dict[str, Any]:
    """Return the body of a search for the URLs of the pages after this id."""
    body: dict[str, Any] = {
        "query": {"bool": {"filter": [{"term": {"kind": PAGE}}]}},
        "size": URL_BATCH,
        "sort": [{"page": "asc"}],
        "track_total_hits": False,
        "_source": ["url"],
    }
    return body if after is None else {**body, "search_after": [after]}


def read_hit(found: dict[str, Any], highlight: tuple[str, str]) -> Found:
    """Return the candidate of the server's data."""
    data = dict(found["_source"]["hit"])
    passage = data.pop("passage", None)
    fields = shown_fields(data.pop("fields", ()))
    sections = (Section(**{**part, "path": ()}) for part in data.pop("sections", ()))
    (snippet,) = found.get("highlight", {}).get("text", [""])
    if passage:
        passage = Passage(**{**passage, "path": tuple(passage.get("path", ()))})
    hit = Hit(
        **{"title": None, **data},
        sections=tuple(sections),
        snippet=_show(snippet, highlight),
        score=found["_score"] or 0.0,
        fields=fields,
        passage=passage,
    )
    return Found(hit)


def _clause(term: Term, fields: list[str]) -> dict[str, Any]:
    """Return the clause for the term or any of its forms, in any of the fields."""
    own = _text_clause(term.text, fields, prefix=term.prefix)
    if not term.forms:
        return own
    forms = [_text_clause(form, fields) for form in term.forms]
    return {"bool": {"should": [own, *forms], "minimum_should_match": 1}}


def _text_clause(
    text: str, fields: list[str], *, prefix: bool = False
) -> dict[str, Any]:
    """Return the clause for a word or phrase.

    A prefix of one word needs no expansion to a list of words, which servers limit.
    """
    text = segment(text)
    matched: dict[str, Any] = {"query": text, "fields": fields, "type": "phrase"}
    if prefix and len(fold(text).split()) == 1:
        matched["type"] = "bool_prefix"
    elif prefix:
        matched.update(type="phrase_prefix", max_expansions=MAX_EXPANSIONS)
    return {"multi_match": matched}


def _filters(query: Query) -> list[dict[str, Any]]:
    values = {
        "kind": PASSAGE if query.passages else PAGE,
        "site": query.site,
        "page_type": query.page_type,
        "language": query.language,
    }
    return [{"term": {name: value}} for name, value in values.items() if value]


def _show(snippet: str, highlight: tuple[str, str]) -> str:
    """Return the snippet as shown, with ellipses where text is left out."""
    snippet = _BETWEEN.sub(r"\1", snippet)
    before = "" if not snippet or snippet.startswith(EDGE) else ELLIPSIS
    behind = "" if not snippet or snippet.endswith(EDGE) else ELLIPSIS
    return mark(f"{before}{snippet.replace(EDGE, '').strip()}{behind}", highlight)
