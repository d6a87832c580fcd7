"""Errors of indexes: at opening, of a whole call, of one document; no passwords."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..redaction import hide_secrets, redacted

#: URL scheme -> form of the URLs of its engine.
URL_FORMS: Final = {
    "sqlite": "sqlite:///relative/path.db or sqlite:////absolute/path.db",
    "tantivy": "tantivy:///relative/folder or tantivy:////absolute/folder",
    "postgresql": "postgresql://user:password@host:5432/database",
    "opensearch": "opensearch+http(s)://user:password@host:9200/index",
    "elasticsearch": "elasticsearch+http(s)://user:password@host:9200/index",
}


class IndexUnavailable(ValueError):
    """An index that cannot be opened: wrong URL, foreign file, no permission, ...

    The message is one line with the URL (without its password), the reason and the
    allowed form.
    """

    def __init__(self, url: str, reason: str):
        reason = " ".join(hide_secrets(reason, url).split())
        scheme = url.partition(":")[0].partition("+")[0]
        allowed = URL_FORMS.get(scheme) or ", ".join(URL_FORMS.values())
        super().__init__(f"{redacted(url)!r}: {reason}; allowed is {allowed}")
        self.url = url
        self.reason = reason
        self.allowed = allowed


class IndexFailure(RuntimeError):
    """A read or write that failed on an open index.

    ``reason`` is a short code for statistics, such as ``"disk_full"``. A call that is
    ``retryable`` may succeed later; any other fails again in the same way.
    """

    def __init__(self, reason: str, message: str, *, retryable: bool = False):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


class Rejection(NamedTuple):
    """Why the index refused one document of a call; see :exc:`IndexFailure`."""

    url: str
    reason: str
    message: str
    retryable: bool = False


def reason_in(message: str, reasons: dict[str, str], default: str) -> str:
    """Return the reason code of the first key that the message contains."""
    return next((code for part, code in reasons.items() if part in message), default)
