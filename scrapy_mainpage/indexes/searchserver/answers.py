"""What search servers answer, and what their errors mean."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

from ..errors import IndexFailure, Rejection

#: HTTP status -> reason code, and whether the same may succeed later.
_REASONS: Final = {
    400: ("invalid", False),
    401: ("unauthorized", False),
    403: ("forbidden", False),
    404: ("index_missing", False),
    408: ("timeout", True),
    409: ("conflict", True),
    413: ("too_big", False),
    429: ("busy", True),
}
NOT_FOUND, TOO_BIG, UNAVAILABLE = 404, 413, 503

#: How a server says that it takes no more because its disk is nearly full.
_FULL: Final = ("read-only-allow-delete", "read_only_allow_delete", "flood-stage")
_BLOCK: Final = "cluster_block_exception"

#: Characters of a server's message that are kept: some quote the document.
_MESSAGE_CHARS: Final = 500


class Answer(NamedTuple):
    """An answer over HTTP: its status, and its body as data or as text."""

    status: int
    body: Any


class Connection(Protocol):
    """A client of a search server, as the engines use it."""

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, str] | None = None,
        body: bytes | None = None,
        media_type: str = "application/json",
        timeout: float | None = None,
    ) -> Answer:
        """Send the request once; answers that tell of errors are answers.

        ``timeout``, in seconds, is for this request. Raises :exc:`IndexFailure` if
        there is no answer, or none that can be read.
        """

    async def close(self) -> None:
        """Close all that is open towards the server."""


def error_type(body: Any) -> str:
    """What the server calls the error in the body, empty if it says nothing."""
    return _named(body)[0]


def value_of(answer: Answer, name: str) -> Any:
    """What the server's data have under this name; the failure if there is none."""
    if answer.status >= 300:
        raise failure(answer)
    if not isinstance(answer.body, dict) or name not in answer.body:
        message = f"the server's answer has no {name!r}"
        raise IndexFailure("bad_answer", message, retryable=True)
    return answer.body[name]


def failure(answer: Answer) -> IndexFailure:
    """The failure of a whole call."""
    reason, retryable = _meaning(answer.status, *_named(answer.body))
    return IndexFailure(reason, _message(*answer), retryable=retryable)


def rejection(url: str, item: dict[str, Any]) -> Rejection:
    """Why the document is not in; ``item`` is the part of the answer about it."""
    status = int(item["status"])
    reason, retryable = _meaning(status, *_named(item))
    return Rejection(url, reason, _message(status, item), retryable)


def no_answer(reason: str, text: str, *, retryable: bool = True) -> IndexFailure:
    """The failure of a call that the server did not answer, or not readably."""
    message = " ".join(text.split())[:_MESSAGE_CHARS]
    return IndexFailure(reason, message or "no answer", retryable=retryable)


def _meaning(status: int, name: str, text: str) -> tuple[str, bool]:
    if name == _BLOCK:
        is_full = any(word in text for word in _FULL)
        return ("disk_full", True) if is_full else ("read_only", status >= 429)
    if status >= 500:
        return "unavailable", True
    return _REASONS.get(status, ("refused", False))


def _named(body: Any) -> tuple[str, str]:
    """The error's type and its text; servers and proxies answer in several ways."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "", str(error or "")
    cause = error.get("caused_by")
    texts = (error.get("reason"), cause.get("reason") if cause else None)
    return str(error.get("type", "")), ": ".join(str(text) for text in texts if text)


def _message(status: int, body: Any) -> str:
    words = " ".join(f"{status} {' '.join(filter(None, _named(body)))}".split())
    return words[:_MESSAGE_CHARS]
