"""The schema of an index on a search server, and documents as it holds them."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from ..documents import WEIGHTS, Hit
from ..folding import fold
from ..text import segment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..documents import IndexDocument, Passage

#: Tell our indexes from others'; in the ``_meta`` of mapping and template.
APPLICATION: Final = "scrapy-mainpage"
SCHEMA_VERSION: Final = 1

#: Above others' templates for ``*`` or a family of names.
_TEMPLATE_PRIORITY: Final = 500

#: Parts of a host or language tag that are kept apart. Real ones have fewer.
_MAX_PARTS: Final = 32

#: Around each text, so that a snippet shows whether it goes to an end of it. Invisible,
#: no part of words, and taken out of texts by segment().
EDGE: Final = "\u2060"

PAGE, PASSAGE = "page", "passage"

# Words are what the other engines take for words: letters, digits, marks (vowel signs
# of Indic scripts, among others) and symbols with emoji. segment() parts what has no
# spaces by a character that is none of them. What stands apart as an accent is dropped.
# Not by the filter asciifolding: it makes ss of ß and l of ł, and others do not.
_LETTERS: Final = [*map(chr, (*range(0xB5, 0x250), *range(0x1E00, 0x1F00))), "ς"]
_FOLDED: Final = [
    f"{letter} => {fold(letter)}"
    for letter in _LETTERS
    if fold(letter) not in (" ", letter.lower()[0])
]
_ANALYSIS: Final = {
    "char_filter": {
        "mainpage_letters": {"type": "mapping", "mappings": _FOLDED},
    },
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
        # A word longer than 32,766 bytes would have its document refused.
        "mainpage_length": {"type": "truncate", "length": 255},
    },
    "analyzer": {
        "mainpage": {
            "type": "custom",
            "char_filter": ["mainpage_letters"],
            "tokenizer": "mainpage_words",
            "filter": [
                "lowercase",
                "mainpage_accents",
                "mainpage_length",
            ],
        },
    },
}

_SEARCHED: Final = {"type": "text", "analyzer": "mainpage"}
# Longer values would have the document refused, as they are one word.
_KEYWORD: Final = {"type": "keyword", "ignore_above": 8191}
# Pages say all sorts of dates; such a one is kept and cannot be filtered by.
_DATE: Final = {
    "type": "date",
    "format": "strict_date_optional_time",
    "ignore_malformed": True,
}

_PROPERTIES: Final = {
    "kind": _KEYWORD,
    "page": _KEYWORD,
    "position": {"type": "integer"},
    "url": _KEYWORD,
    "site": _KEYWORD,
    "language": _KEYWORD,
    "page_type": _KEYWORD,
    "author": _KEYWORD,
    "site_name": _KEYWORD,
    "date_published": _DATE,
    "date_modified": _DATE,
    "crawled_at": _DATE,
    **dict.fromkeys(WEIGHTS, _SEARCHED),
    # With these vectors a snippet of a long text needs no second analysis of it.
    "text": {**_SEARCHED, "term_vector": "with_positions_offsets"},
    "hit": {"type": "object", "enabled": False},
}

_KEPT: Final = (
    "page_type",
    "author",
    "site_name",
    *(name for name, kind in _PROPERTIES.items() if kind is _DATE),
)
_IN_HIT: Final = [
    item.name
    for item in fields(Hit)
    if item.name not in ("snippet", "score", "passage")
]


def meta() -> dict[str, Any]:
    """What marks an index as ours."""
    return {
        "application": APPLICATION,
        "schema_version": SCHEMA_VERSION,
        "weights": dict(WEIGHTS),
    }


def index_body() -> dict[str, Any]:
    """The settings and mappings of an index."""
    return {
        # One server alone has no place for a replica, and several shall have one.
        "settings": {"index": {"auto_expand_replicas": "0-1", "analysis": _ANALYSIS}},
        "mappings": {"_meta": meta(), "dynamic": False, "properties": _PROPERTIES},
    }


def template_name(index: str) -> str:
    """The name of the template for the index."""
    return f"mainpage-{index}"


def template_body(index: str) -> dict[str, Any]:
    """The template; with it an index that is removed under a crawl comes back whole."""
    return {
        "index_patterns": [index],
        "priority": _TEMPLATE_PRIORITY,
        "version": SCHEMA_VERSION,
        "template": index_body(),
        "_meta": meta(),
    }


def is_ours(marks: Mapping[str, Any] | None) -> bool:
    """Whether these are the ``_meta`` of an index or template of ours."""
    return marks is not None and marks.get("application") == APPLICATION


def why_not_ours(marks: Mapping[str, Any] | None) -> str | None:
    """What is wrong with an index that has these ``_meta``, if anything."""
    if marks is None or not is_ours(marks):
        return "the index is not one of scrapy-mainpage"
    version = marks.get("schema_version")
    if version != SCHEMA_VERSION:
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}"
        return f"the index has schema version {version}, {known}"
    return None


def page_id(url: str) -> str:
    """The id of a page: short, as URLs may be longer than an id can be."""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()


def passage_id(page: str, position: int) -> str:
    """The id of the page's passage at this position."""
    return f"{page}/{position}"


def page_source(document: IndexDocument) -> dict[str, Any]:
    """The document as it is indexed, without what is empty."""
    return _filled(
        {
            **_common(document),
            "kind": PAGE,
            "passages": len(document.passages) or None,
            **{name: segment(getattr(document, name) or "") for name in WEIGHTS},
            "text": _edged(document.text),
            "hit": _hit_data(document),
        }
    )


def passage_source(
    document: IndexDocument, passage: Passage, position: int
) -> dict[str, Any]:
    """A passage as it is indexed: as a document beside its page's."""
    return _filled(
        {
            **_common(document),
            "kind": PASSAGE,
            "position": position,
            "headings": segment(passage.heading or ""),
            "text": _edged(passage.text),
            "hit": {**_hit_data(document), "passage": passage._asdict()},
        }
    )


def _common(document: IndexDocument) -> dict[str, Any]:
    """What pages and their passages are filtered by."""
    return {
        "page": page_id(document.url),
        "url": document.url,
        "site": _host_and_parents(document.site),
        "language": _tag_and_prefixes(document.language or ""),
        **{name: getattr(document, name) for name in _KEPT},
    }


def _edged(text: str) -> str:
    return f"{EDGE}{segment(text)}{EDGE}" if text else ""


def _host_and_parents(host: str) -> list[str]:
    """What a filter may say to find the host: ``docs.example.com``, ``example.com``."""
    labels = host.split(".")[-_MAX_PARTS:] if host else []
    parents = [".".join(labels[start:]) for start in range(len(labels))]
    return parents if host in parents else [*filter(None, [host]), *parents]


def _tag_and_prefixes(tag: str) -> list[str]:
    """What a filter may say to find the language: ``en-gb``, ``en``."""
    parts = tag.split("-")[:_MAX_PARTS] if tag else []
    prefixes = ["-".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return prefixes if tag in prefixes else [*filter(None, [tag]), *prefixes]


def _hit_data(document: IndexDocument) -> dict[str, Any]:
    data = {name: getattr(document, name) for name in _IN_HIT}
    data["sections"] = [section._asdict() for section in document.sections]
    return _filled(data)


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value or value == 0}
