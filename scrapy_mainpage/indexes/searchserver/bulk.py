"""The lines of bulk requests, and requests of them no longer than servers take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..errors import Rejection
from .schema import page_id, page_source, passage_id, passage_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..documents import IndexDocument

#: Bytes of a bulk request, unless one document is longer. Servers allow 100 MB; what
#: stands before them often one, and so does the HTTP client before it warns.
MAX_BYTES: Final = 1_000_000


class Action(NamedTuple):
    """One operation of a bulk request: the URL it is about, and its line or two."""

    url: str
    lines: bytes


class Prepared(NamedTuple):
    """A document as actions, each of which replaces what was at its place."""

    page: Action
    passages: list[Action]


def prepared(
    documents: Iterable[IndexDocument],
) -> tuple[list[Prepared], dict[str, Rejection]]:
    """The documents as actions, and by URL why there are none for some."""
    ready: list[Prepared] = []
    rejected: dict[str, Rejection] = {}
    for document in documents:
        outcome = _prepared(document)
        if isinstance(outcome, Rejection):
            rejected[document.url] = outcome
        else:
            ready.append(outcome)
    return ready, rejected


def _prepared(document: IndexDocument) -> Prepared | Rejection:
    try:
        return _all_actions(document)
    except (AttributeError, TypeError, ValueError) as exc:  # values of wrong types
        return Rejection(document.url, "unsupported", str(exc))


def _all_actions(document: IndexDocument) -> Prepared:
    page = page_id(document.url)
    passages = [
        _put(
            document,
            passage_id(page, position),
            passage_source(document, passage, position),
        )
        for position, passage in enumerate(document.passages)
    ]
    return Prepared(_put(document, page, page_source(document)), passages)


def delete_page(url: str) -> Action:
    """Take the page out, without its passages."""
    return _delete(url, page_id(url))


def delete_passages(url: str, first: int, end: int) -> Iterator[Action]:
    """Take out the page's passages from ``first`` on, before ``end``."""
    page = page_id(url)
    for position in range(first, end):
        yield _delete(url, passage_id(page, position))


def parted(actions: Iterable[Action], max_bytes: int) -> Iterator[list[Action]]:
    """The actions in lists of at most so many bytes, or of one."""
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
    """The body of the request that does the actions."""
    return b"".join(action.lines for action in actions)


def json_bytes(data: Any) -> bytes:
    """The data as JSON on one line. What cannot be encoded becomes ``?``."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _put(document: IndexDocument, name: str, source: dict[str, Any]) -> Action:
    action = json_bytes({"index": {"_id": name}})
    return Action(document.url, b"%b\n%b\n" % (action, json_bytes(source)))


def _delete(url: str, name: str) -> Action:
    return Action(url, json_bytes({"delete": {"_id": name}}) + b"\n")
