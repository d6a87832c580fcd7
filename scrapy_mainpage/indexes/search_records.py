"""Records of documents for other search tools, and for retrieval: plain data."""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from ..addresses import is_application, page_address, with_anchor
from .candidates import with_paths
from .documents import HIT_FIELDS, STORED
from .fields import read_fields, shown_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .documents import Hit, IndexDocument

DOCSEARCH, PASSAGES = "docsearch", "passages"
FORMATS: Final = (DOCSEARCH, PASSAGES)

#: Levels of a hierarchy, lvl0 to lvl6.
LEVELS: Final = 7

#: Characters of a record's content: Algolia takes no record above 10 kB.
MAX_CONTENT: Final = 5_000

_PARAGRAPH: Final = re.compile(r"\n\s*\n")
_METADATA: Final = ("title", "description", "language", *STORED)
_HIT_FIELDS: Final = ("title", "snippet", *HIT_FIELDS[2:])


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
    DocSearch writes them, for Algolia and others. ``passages``: one for each passage;
    *markdown* gives the Markdown of the passage with an id.
    """
    if form != PASSAGES:
        yield from _docsearch(document)
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


def _own_fields(document: IndexDocument) -> dict[str, Any]:
    return shown_fields(
        (name, value)
        for name, own in read_fields(document.fields).items()
        for value in own.values
    )
