"""The schema of an index on a search server: analysis, mapping, template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..documents import DATE, FIELDS_VERSION, STORED, WEIGHTS
from ..fields import KEYWORD, TEXT
from ..tokens import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Identify an index, in the ``_meta`` of mapping and template.
APPLICATION: Final = "scrapy-mainpage"
SCHEMA_VERSION: Final = 1 + FIELDS_VERSION

#: Above the templates of others for ``*`` or a group of names.
_TEMPLATE_PRIORITY: Final = 500

#: Around each text, so that a snippet shows whether it reaches an end of it. Invisible,
#: not part of words, and removed from texts by segment().
EDGE: Final = "\u2060"

PAGE, PASSAGE = "page", "passage"

# Words are those of the other engines: letters, digits, marks (vowel signs of Indic
# scripts, among others) and symbols with emoji. segment() separates words without
# spaces by a character that is none of these. Combining accents are removed. The filter
# asciifolding would make ss of ß and l of ł, which no other engine does.
_LETTERS: Final = [*map(chr, (*range(0xB5, 0x250), *range(0x1E00, 0x1F00))), "ς"]
_FOLDED: Final = [
    f"{letter} => {fold(letter)}"
    for letter in _LETTERS
    if fold(letter) not in (" ", letter.lower()[0])
]
_ANALYSIS: Final = {
    "char_filter": {"mainpage_letters": {"type": "mapping", "mappings": _FOLDED}},
    "tokenizer": {
        "mainpage_words": {
            "type": "pattern",
            "pattern": r"[\p{L}\p{N}\p{Mn}\p{Mc}\p{Co}\p{So}]+",
            "group": 0,
        },
    },
    "filter": {
        "mainpage_accents": {
            "type": "pattern_replace",
            "pattern": r"[\u0300-\u036f]",
            "replacement": "",
        },
        # Servers refuse a document with a word longer than 32,766 bytes.
        "mainpage_length": {"type": "truncate", "length": 255},
    },
    "analyzer": {
        "mainpage": {
            "type": "custom",
            "char_filter": ["mainpage_letters"],
            "tokenizer": "mainpage_words",
            "filter": ["lowercase", "mainpage_accents", "mainpage_length"],
        },
    },
}

_SEARCHED: Final = {"type": "text", "analyzer": "mainpage"}
# Servers refuse a document with a longer value, as it is one word.
_KEYWORD: Final = {"type": "keyword", "ignore_above": 8191}
# Pages have all sorts of dates; a malformed one is stored but no filter finds it.
_DATE: Final = {
    "type": "date",
    "format": "strict_date_optional_time",
    "ignore_malformed": True,
}
_PROPERTIES: Final = {
    **dict.fromkeys(("kind", "page", "url", "site", "language"), _KEYWORD),
    "position": {"type": "integer"},
    **{name: _DATE if role == DATE else _KEYWORD for name, role in STORED.items()},
    **dict.fromkeys(WEIGHTS, _SEARCHED),
    # With term vectors a snippet of a long text needs no second analysis.
    "text": {**_SEARCHED, "term_vector": "with_positions_offsets"},
    "hit": {"type": "object", "enabled": False},
}
_META: Final = {
    "application": APPLICATION,
    "schema_version": SCHEMA_VERSION,
    "weights": dict(WEIGHTS),
}


def index_body() -> dict[str, Any]:
    """Return the settings and mappings of an index."""
    return {
        # A single server has no place for a replica, a cluster gets one.
        "settings": {"index": {"auto_expand_replicas": "0-1", "analysis": _ANALYSIS}},
        "mappings": {"_meta": _META, "dynamic": False, "properties": _PROPERTIES},
    }


def field_mapping(types: Mapping[str, str]) -> dict[str, Any]:
    """Return the properties of documents' own fields: keys, and values for facets."""
    kinds = {TEXT: _SEARCHED, KEYWORD: _KEYWORD}
    keys = {name: kinds.get(kind, {"type": "double"}) for name, kind in types.items()}
    return {
        "key": {"properties": keys},
        "shown": {"properties": dict.fromkeys(types, _KEYWORD)},
    }


def template_body(index: str) -> dict[str, Any]:
    """Return the template: it restores an index deleted during a crawl."""
    return {
        "index_patterns": [index],
        "priority": _TEMPLATE_PRIORITY,
        "version": SCHEMA_VERSION,
        "template": index_body(),
        "_meta": _META,
    }


def is_ours(meta: Mapping[str, Any] | None) -> bool:
    """Whether the ``_meta`` is that of an index or template of ours."""
    return meta is not None and meta.get("application") == APPLICATION


def schema_problem(meta: Mapping[str, Any] | None) -> str | None:
    """Return the problem of an index with this ``_meta``, if any."""
    if meta is None or not is_ours(meta):
        return "the index is not one of scrapy-mainpage"
    version = meta.get("schema_version")
    if version != SCHEMA_VERSION:
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}"
        return f"the index has schema version {version}, {known}"
    return None
