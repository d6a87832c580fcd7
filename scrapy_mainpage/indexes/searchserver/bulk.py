"""Documents as the actions of bulk requests, in requests that servers accept."""

from __future__ import annotations

import hashlib
import json
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..documents import HIT_FIELDS, STORED, WEIGHTS, parent_hosts, tag_prefixes
from ..failures import Rejection
from ..fields import TEXT
from ..tokens import segment
from .schema import EDGE, PAGE, PASSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..documents import IndexDocument, Passage

#: Bytes of a bulk request, unless one document is longer. Servers allow 100 MB; proxies
#: often 1 MB, and the HTTP client warns above that.
MAX_BULK_BYTES: Final = 1_000_000


class Action(NamedTuple):
    """One operation of a bulk request: its URL, and its line or two."""

    url: str
    lines: bytes


class PreparedDocument(NamedTuple):
    """A document as actions, each of which replaces what has its id."""

    page: Action
    passages: list[Action]


def prepare(
    documents: Iterable[IndexDocument],
) -> tuple[list[PreparedDocument], dict[str, Rejection]]:
    """Return the documents as actions, and by URL the rejected ones."""
    ready: list[PreparedDocument] = []
    rejected: dict[str, Rejection] = {}
    for document in documents:
        try:
            ready.append(_prepare(document))
        except (AttributeError, TypeError, ValueError) as exc:  # noqa: PERF203 one only
            rejected[document.url] = Rejection(document.url, "unsupported", str(exc))
    return ready, rejected


def _prepare(document: IndexDocument) -> PreparedDocument:
    page = page_id(document.url)
    passages = [
        _put(
            document,
            _passage_id(page, position),
            _passage_source(document, passage, position),
        )
        for position, passage in enumerate(document.passages)
    ]
    return PreparedDocument(_put(document, page, _page_source(document)), passages)


def delete_page(url: str) -> Action:
    """Return the action that deletes the page, without its passages."""
    return _delete(url, page_id(url))


def delete_passages(url: str, first: int, end: int) -> Iterator[Action]:
    """Yield the actions that delete the page's passages from ``first`` to ``end``."""
    page = page_id(url)
    for position in range(first, end):
        yield _delete(url, _passage_id(page, position))


def split_bulk(actions: Iterable[Action], max_bytes: int) -> Iterator[list[Action]]:
    """Yield the actions in lists of at most so many bytes, or of one action."""
    part: list[Action] = []
    size = 0
    for action in actions:
        if part and size + len(action.lines) > max_bytes:
            yield part
            part, size = [], 0
        part.append(action)
        size += len(action.lines)
    if part:
        yield part


def bulk_body(actions: Sequence[Action]) -> bytes:
    """Return the body of a bulk request."""
    return b"".join(action.lines for action in actions)


def json_bytes(data: Any) -> bytes:
    """Return the data as JSON on one line; unencodable characters become ``?``."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _put(document: IndexDocument, name: str, source: dict[str, Any]) -> Action:
    action = json_bytes({"index": {"_id": name}})
    return Action(document.url, b"%b\n%b\n" % (action, json_bytes(source)))


def _delete(url: str, name: str) -> Action:
    return Action(url, json_bytes({"delete": {"_id": name}}) + b"\n")


def page_id(url: str) -> str:
    """Return the id of a page: a URL may be longer than an id."""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()


def _passage_id(page: str, position: int) -> str:
    return f"{page}/{position}"


def _page_source(document: IndexDocument) -> dict[str, Any]:
    """Return the indexed values of a page, without empty ones."""
    return _filled(
        {
            **_common(document),
            "kind": PAGE,
            "passages": len(document.passages) or None,
            **{name: segment(getattr(document, name) or "") for name in WEIGHTS},
            "text": _with_edges(document.text),
            "hit": _hit_values(document),
        }
    )


def _passage_source(
    document: IndexDocument, passage: Passage, position: int
) -> dict[str, Any]:
    """Return the indexed values of a passage, a document beside its page's."""
    return _filled(
        {
            **_common(document),
            "kind": PASSAGE,
            "position": position,
            "headings": segment(passage.searched_heading),
            "text": _with_edges(passage.text),
            "hit": {**_hit_values(document), "passage": passage._asdict()},
        }
    )


def _common(document: IndexDocument) -> dict[str, Any]:
    """Return the values by which pages and passages are filtered."""
    return {
        "page": page_id(document.url),
        "url": document.url,
        "site": parent_hosts(document.site),
        "language": tag_prefixes(document.language or ""),
        **{name: getattr(document, name) for name in STORED},
        "key": {
            x: [key for key, _ in own.rows()] for x, own in document.fields.items()
        },
        "shown": {
            x: [value for _, value in own.rows() if isinstance(value, str)]
            for x, own in document.fields.items()
            if own.type != TEXT
        },
    }


def _with_edges(text: str) -> str:
    return f"{EDGE}{segment(text)}{EDGE}" if text else ""


def _hit_values(document: IndexDocument) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(document, name) for name in HIT_FIELDS}
    values["weight"] = document.weight
    values["fields"] = [
        row
        for name, own in document.fields.items()
        for row in zip(repeat(name), own.values, strict=False)
    ]
    values["sections"] = [section._asdict() for section in document.sections]
    return _filled(values)


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value or value == 0}
