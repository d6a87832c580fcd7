"""Documents of the tantivy engine, and the stored values that hits are made of.

A page and its passages are documents of tantivy with the same key: one term finds all
that belongs to a URL. Searched fields hold folded words and are not stored; stored
fields hold the values of hits and the text of snippets and are not searched.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import tantivy

from ..documents import (
    HIT_FIELDS,
    STORED_FIELDS,
    WEIGHTS,
    IndexDocument,
    Passage,
    parent_hosts,
    sections_of,
    storable_text,
    tag_prefixes,
)
from ..tokens import fold, segment
from .schema import PAGE, PASSAGE


def key_of(url: str) -> str:
    """Return the key of a page: a URL may be longer than a term of tantivy."""
    return blake2b(storable_text(url).encode(), digest_size=16).hexdigest()


def tantivy_documents(document: IndexDocument) -> list[tantivy.Document]:
    """Return the page and its passages; raise :exc:`TypeError` for wrong types."""
    page = _new(document, PAGE)
    segmented = {name: segment(getattr(document, name) or "") for name in WEIGHTS}
    for name, text in segmented.items():
        page.add_text(name, fold(text))
    stored = {name: getattr(document, name) for name in (*STORED_FIELDS, "sections")}
    page.add_bytes("kept", _json(stored))
    page.add_bytes("stored_text", segmented["text"].encode())
    return [page, *(_passage(document, part) for part in document.passages)]


def _passage(document: IndexDocument, passage: Passage) -> tantivy.Document:
    new = _new(document, PASSAGE)
    text = segment(passage.text)
    new.add_text("passage_heading", fold(segment(passage.heading or "")))
    new.add_text("passage_text", fold(text))
    new.add_bytes("kept", _json(passage))
    new.add_bytes("stored_text", text.encode())
    return new


def _new(document: IndexDocument, kind: str) -> tantivy.Document:
    """Return a document of tantivy with its key and the values of filters."""
    new = tantivy.Document()
    new.add_text("key", key_of(document.url))
    new.add_text("kind", kind)
    for site in parent_hosts(document.site):
        new.add_text("sites", site)
    if document.page_type:
        new.add_text("page_type", document.page_type)
    for language in tag_prefixes(document.language or ""):
        new.add_text("languages", language)
    return new


def hit_values(page: tantivy.Document) -> dict[str, Any]:
    """Return the fields of a hit that are stored with the page."""
    stored = json.loads(page.get_first("kept") or b"{}")
    values: dict[str, Any] = {name: stored.get(name) for name in HIT_FIELDS}
    return {**values, "sections": sections_of(stored["sections"])}


def stored_passage(document: tantivy.Document) -> Passage:
    """Return the passage that the document holds."""
    return Passage(*json.loads(document.get_first("kept") or b"[]"))


def stored_text(document: tantivy.Document) -> str:
    """Return the segmented text, which snippets are cut from."""
    return (document.get_first("stored_text") or b"").decode()


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
