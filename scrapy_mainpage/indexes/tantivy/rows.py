"""Documents as tantivy holds them, and what of them is given back with hits.

A page and its passages are documents of tantivy with the same key, so one term finds
all that was there under a URL. What is searched is not stored, and what is stored not
searched: the words are folded, the text of snippets is as it was.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import tantivy

from ..documents import WEIGHTS, IndexDocument, Passage, Section, storable_text
from ..folding import fold
from ..text import segment

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The name of the tokenizer, as the schema says it.
TOKENIZER: Final = "mainpage"

#: :func:`fold` parts the words. tantivy holds those of up to 65,530 bytes.
ANALYZER: Final = (
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    .filter(tantivy.Filter.remove_long(65_000))
    .build()
)

#: What is searched of a passage, and how much a match weighs there.
PASSAGE_WEIGHTS: Final = {
    "passage_heading": WEIGHTS["headings"],
    "passage_text": WEIGHTS["text"],
}

#: The values of the field ``kind``.
PAGE: Final = "page"
PASSAGE: Final = "passage"

#: What is kept of a document beside its text.
_KEPT: Final = (
    "url",
    "title",
    "site",
    "language",
    "page_type",
    "author",
    "date_published",
    "date_modified",
    "site_name",
    "crawled_at",
    "sections",
)
_IN_HITS: Final = frozenset(_KEPT) - {"date_modified", "site_name"}

#: Hosts and language tags are shorter; longer ones are found as a whole only.
_MAX_PARTED: Final = 255


def schema() -> tantivy.Schema:
    """The fields of tantivy's documents."""
    builder = tantivy.SchemaBuilder()
    for name in ("key", "kind", "sites", "page_type", "languages"):
        kept = name == "key"  # a passage is found, and its page is wanted
        builder.add_text_field(
            name, stored=kept, tokenizer_name="raw", index_option="basic"
        )
    for name in (*WEIGHTS, *PASSAGE_WEIGHTS):
        builder.add_text_field(name, tokenizer_name=TOKENIZER)
    builder.add_bytes_field("kept", stored=True)
    builder.add_bytes_field("stored_text", stored=True)
    return builder.build()


def key_of(url: str) -> str:
    """What identifies a page; a URL may be longer than a term of tantivy."""
    return blake2b(storable_text(url).encode(), digest_size=16).hexdigest()


def tantivy_documents(document: IndexDocument) -> list[tantivy.Document]:
    """The page and its passages. Raises :exc:`TypeError` for values of wrong types."""
    page = _new(document, PAGE)
    parted = {name: segment(getattr(document, name) or "") for name in WEIGHTS}
    for name, text in parted.items():
        page.add_text(name, fold(text))
    page.add_bytes("kept", _json({name: getattr(document, name) for name in _KEPT}))
    page.add_bytes("stored_text", parted["text"].encode())
    return [page, *(_of_passage(document, part) for part in document.passages)]


def _of_passage(document: IndexDocument, passage: Passage) -> tantivy.Document:
    one = _new(document, PASSAGE)
    text = segment(passage.text)
    one.add_text("passage_heading", fold(segment(passage.heading or "")))
    one.add_text("passage_text", fold(text))
    one.add_bytes("kept", _json(passage))
    one.add_bytes("stored_text", text.encode())
    return one


def _new(document: IndexDocument, kind: str) -> tantivy.Document:
    """A document of tantivy with what finds and filters it."""
    new = tantivy.Document()
    new.add_text("key", key_of(document.url))
    new.add_text("kind", kind)
    for site in _endings(document.site):
        new.add_text("sites", site)
    if document.page_type:
        new.add_text("page_type", document.page_type)
    for language in _beginnings(document.language or ""):
        new.add_text("languages", language)
    return new


def kept_of(page: tantivy.Document) -> dict[str, Any]:
    """What a hit says of the page."""
    kept = json.loads(page.get_first("kept") or b"{}")
    kept["sections"] = tuple(Section(*part) for part in kept["sections"])
    return {name: value for name, value in kept.items() if name in _IN_HITS}


def url_of(page: tantivy.Document) -> str:
    """The URL of the page."""
    return str(json.loads(page.get_first("kept") or b"{}")["url"])


def passage_of(document: tantivy.Document) -> Passage:
    """The passage that was found."""
    return Passage(*json.loads(document.get_first("kept") or b"[]"))


def text_of(document: tantivy.Document) -> str:
    """The text of which a snippet is cut, as :func:`.segment` parted it."""
    return (document.get_first("stored_text") or b"").decode()


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _endings(site: str) -> Iterator[str]:
    """The host and those that it is below."""
    while site:
        yield site
        site = site.partition(".")[2] if len(site) <= _MAX_PARTED else ""


def _beginnings(language: str) -> Iterator[str]:
    """The tag and the shorter ones that take it in."""
    while language:
        yield language
        language = language.rpartition("-")[0] if len(language) <= _MAX_PARTED else ""
