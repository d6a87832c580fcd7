"""Searches in the query language of search servers, and the hits they answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..documents import WEIGHTS, Hit, Passage, Section
from ..folding import fold
from ..text import ZERO_WIDTH_SPACE, segment
from ..snippets import ELLIPSIS, END, START, marked
from .schema import EDGE, PAGE, PASSAGE

if TYPE_CHECKING:
    from ..query import Query, Term

#: The servers give no more in one search, unless they are told to.
MAX_HITS: Final = 10_000

#: URLs that are read at once.
URLS_AT_ONCE: Final = 1_000

#: Characters of a snippet.
SNIPPET: Final = 200

#: Words that may stand for the last one of a phrase with ``*``.
_MAX_EXPANSIONS: Final = 1_000

_FIELDS: Final = [f"{name}^{weight:g}" for name, weight in WEIGHTS.items()]
_PASSAGE_FIELDS: Final = [f"{name}^{WEIGHTS[name]:g}" for name in ("headings", "text")]

# Marks the whole phrase, with as much text before it as behind it.
_HIGHLIGHT: Final = {
    "type": "fvh",
    "fields": {"text": {}},
    "number_of_fragments": 1,
    "fragment_size": SNIPPET,
    "no_match_size": SNIPPET,
    "order": "score",
    "pre_tags": [START],
    "post_tags": [END],
}

# A server may mark the characters of a run one by one.
_BETWEEN: Final = re.compile(f"{END}({ZERO_WIDTH_SPACE}){START}")


def search_body(query: Query) -> dict[str, Any]:
    """The body of a search. Nothing that a user types is syntax in it."""
    matched: dict[str, Any] = {
        "must": [_matched(term, query.passages) for term in query.wanted],
        "filter": _filters(query),
    }
    if query.unwanted:
        matched["must_not"] = [
            _matched(term, query.passages) for term in query.unwanted
        ]
    return {
        "query": {"bool": matched},
        "size": min(query.limit, MAX_HITS),
        "sort": ["_score", {"url": "asc"}, {"position": "asc"}],
        "track_scores": True,
        "track_total_hits": False,
        "highlight": _HIGHLIGHT,
        "_source": ["hit"],
    }


def urls_body(after: str | None) -> dict[str, Any]:
    """The body of a search for the URLs of the pages that follow this one's id."""
    body: dict[str, Any] = {
        "query": {"bool": {"filter": [{"term": {"kind": PAGE}}]}},
        "size": URLS_AT_ONCE,
        "sort": [{"page": "asc"}],
        "track_total_hits": False,
        "_source": ["url"],
    }
    return body if after is None else {**body, "search_after": [after]}


def read_hit(found: dict[str, Any], highlight: tuple[str, str]) -> Hit:
    """The hit that the server's data stand for."""
    data = dict(found["_source"]["hit"])
    passage = data.pop("passage", None)
    sections = tuple(Section(**part) for part in data.pop("sections", ()))
    (snippet,) = found.get("highlight", {}).get("text", [""])
    return Hit(
        **{"title": None, **data},
        sections=sections,
        snippet=_shown(snippet, highlight),
        score=found["_score"],
        passage=Passage(**passage) if passage else None,
    )


def _matched(term: Term, passages: bool) -> dict[str, Any]:
    """What is found: the term in any searched field, as the phrase it may be.

    A prefix that is one word needs no list of the words that begin so, which the
    servers cut off.
    """
    text = segment(term.text)
    matched: dict[str, Any] = {
        "query": text,
        "fields": _PASSAGE_FIELDS if passages else _FIELDS,
        "type": "phrase",
    }
    if term.prefix and _is_one_word(text):
        matched["type"] = "bool_prefix"
    elif term.prefix:
        matched.update(type="phrase_prefix", max_expansions=_MAX_EXPANSIONS)
    return {"multi_match": matched}


def _is_one_word(text: str) -> bool:
    """Whether the servers see one word in the text; see the index's tokenizer."""
    return len(fold(text).split()) == 1


def _filters(query: Query) -> list[dict[str, Any]]:
    values = {
        "kind": PASSAGE if query.passages else PAGE,
        "site": query.site,
        "page_type": query.page_type,
        "language": query.language,
    }
    return [{"term": {name: value}} for name, value in values.items() if value]


def _shown(snippet: str, highlight: tuple[str, str]) -> str:
    """The snippet as it is shown, with what tells that text is left out."""
    snippet = _BETWEEN.sub(r"\1", snippet)
    before = "" if not snippet or snippet.startswith(EDGE) else ELLIPSIS
    behind = "" if not snippet or snippet.endswith(EDGE) else ELLIPSIS
    return marked(f"{before}{snippet.replace(EDGE, '').strip()}{behind}", highlight)
