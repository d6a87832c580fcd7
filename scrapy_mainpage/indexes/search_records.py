"""Records of documents for other search tools, and for retrieval: plain data."""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from ..addresses import is_application, page_address, with_anchor
from .fields import read_fields, shown_fields
from .ranking import with_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .documents import Hit, IndexDocument

DOCSEARCH, PASSAGES = "docsearch", "passages"
TYPESENSE, MEILISEARCH = "typesense", "meilisearch"
FORMATS: Final = (DOCSEARCH, TYPESENSE, MEILISEARCH, PASSAGES)

#: Levels of a hierarchy, lvl0 to lvl6.
LEVELS: Final = 7

#: Above the position of a record on its page, in the priority for Typesense.
_MAX_PLACE: Final = 1_000_000

#: Characters of a record's content: Algolia takes no record above 10 kB.
MAX_CONTENT: Final = 5_000

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_METADATA: Final = (
    *("title", "description", "language", "page_type", "author"),
    *("date_published", "date_modified", "site_name", "crawled_at"),
)
_HIT_FIELDS: Final = (
    *("title", "snippet", "site", "language", "page_type", "author"),
    *("date_published", "crawled_at"),
)


def hit_record(hit: Hit) -> dict[str, Any]:
    """Return a hit for programs: links with the fragment, and nothing empty."""
    values: dict[str, Any] = {"url": hit.link, "page": hit.url}
    values |= {name: getattr(hit, name) for name in _HIT_FIELDS}
    values["score"] = round(hit.score, 4)
    values["fields"] = hit.fields or None
    values["sections"] = [
        {"url": with_anchor(hit.url, section.anchor), "path": section.path}
        for section in hit.sections
    ]
    if passage := hit.passage:
        counts = {"words": passage.words, "tokens": passage.tokens}
        values["passage"] = {**passage._asdict(), **counts}
    return {name: value for name, value in values.items() if value not in (None, [])}


def records_of(
    document: IndexDocument,
    form: str,
    markdown: Callable[[str], str | None] = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """Yield the records of a document in one of the ``FORMATS``.

    ``docsearch``: one for each heading, entry and paragraph, as the crawler of
    DocSearch writes them, for Algolia. ``typesense`` and ``meilisearch``: the same in
    the flat shape of the crawlers that these two publish. ``passages``: one for each
    passage; *markdown* gives the Markdown of the passage with an id.
    """
    if form != PASSAGES:
        flatten = {TYPESENSE: _for_typesense, MEILISEARCH: _for_meilisearch}.get(form)
        records = _docsearch(document)
        yield from map(flatten, records) if flatten else records
        return
    metadata = {name: getattr(document, name) for name in _METADATA}
    shared = {name: value for name, value in metadata.items() if value}
    own = _own_fields(document)
    for passage in document.passages:
        yield {
            "id": passage.id,
            "url": with_anchor(document.url, passage.anchor),
            "page": document.url,
            "position": passage.position,
            "path": list(passage.path),
            "text": passage.text,
            "markdown": markdown(passage.id) or passage.text,
            "words": passage.words,
            "tokens": passage.tokens,
            **shared,
            **({"fields": own} if own else {}),
        }


def _docsearch(document: IndexDocument) -> Iterator[dict[str, Any]]:
    """Yield the page's record, then those of its sections and their paragraphs."""
    top = [document.site_name or document.site, document.title or document.url]
    places = list(with_paths(document.title, document.sections))
    numbers = count()
    has_title = bool(places) and places[0].path == (document.title,)
    if not has_title:
        yield _record(document, top, None, None, next(numbers))
    first = places[0].section.start if places else len(document.text)
    for text in _paragraphs(document.text[: max(first, 0)], ""):
        yield _record(document, top, None, text, next(numbers))
    for section, path, end in places:
        names = [top[0], *(path if document.title else (top[1], *path))]
        yield _record(document, names, section.anchor, None, next(numbers))
        if section.start >= 0:
            body = document.text[section.start : end if end >= 0 else None]
            for text in _paragraphs(body, section.heading):
                yield _record(document, names, section.anchor, text, next(numbers))


def _paragraphs(text: str, heading: str) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text.removeprefix(heading)):
        line = " ".join(paragraph.split())
        for start in range(0, len(line), MAX_CONTENT):
            yield line[start : start + MAX_CONTENT]


def _record(
    document: IndexDocument,
    names: list[str],
    anchor: str | None,
    content: str | None,
    position: int,
) -> dict[str, Any]:
    names = names[:LEVELS]
    url = with_anchor(document.url, anchor)
    key = f"{url}\0{content}\0{position}".encode("utf-8", "surrogatepass")
    depth = len(names) - 1
    padded = [*names, *[None] * (LEVELS - len(names))]
    return _own_fields(document) | {
        "objectID": blake2b(key, digest_size=16).hexdigest(),
        "url": url,
        "url_without_anchor": page_address(
            document.url, routes=is_application(document.url)
        ),
        "anchor": anchor,
        "type": f"lvl{depth}" if content is None else "content",
        "content": content,
        "hierarchy": {f"lvl{level}": name for level, name in enumerate(padded)},
        "lang": document.language,
        "weight": {
            "page_rank": round(100 * document.weight),
            "level": 0 if content is not None else 100 - 10 * depth,
            "position": position,
        },
    }


def _for_typesense(record: dict[str, Any]) -> dict[str, Any]:
    """The record for a collection sorted by ``item_priority``, without nulls."""
    weight, levels = record.pop("weight"), record.pop("hierarchy")
    # The order of a page's records is the last thing that counts.
    places = max(_MAX_PLACE - weight["position"], 0)
    priority = weight["page_rank"] * 10**9 + weight["level"] * _MAX_PLACE + places
    flat = record | {f"hierarchy.{level}": name for level, name in levels.items()}
    flat |= {"id": record["objectID"], "language": record["lang"]}
    flat["item_priority"] = priority
    return {name: value for name, value in flat.items() if value is not None}


def _for_meilisearch(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its levels, and the one of its own, as fields."""
    weight, levels = record.pop("weight"), record.pop("hierarchy")
    flat = {f"hierarchy_{level}": name for level, name in levels.items()}
    own = [name for level, name in levels.items() if level == record["type"]]
    radio = {f"hierarchy_radio_{record['type']}": own[0]} if own else {}
    return {**record, **flat, **radio, **weight}


def _own_fields(document: IndexDocument) -> dict[str, Any]:
    return shown_fields(
        (name, value)
        for name, own in read_fields(document.fields).items()
        for value in own.values
    )
