"""What goes wrong with indexes: at opening, with a whole call, with one document."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

#: URL scheme -> what the URLs of its engine look like.
URL_FORMS: Final = {
    "sqlite": "sqlite:///relative/path.db or sqlite:////absolute/path.db",
    "tantivy": "tantivy:///relative/folder or tantivy:////absolute/folder",
    "postgresql": "postgresql://user:password@host:5432/database",
    "opensearch": "opensearch+http(s)://user:password@host:9200/index",
    "elasticsearch": "elasticsearch+http(s)://user:password@host:9200/index",
}


class IndexUnavailable(ValueError):
    """An index that cannot be opened: wrong URL, foreign file, no permission, ...

    The message is one line with the URL (without its password), the reason and what is
    allowed.
    """

    def __init__(self, url: str, reason: str):
        reason = " ".join(reason.split())
        scheme = url.partition(":")[0].partition("+")[0]
        allowed = URL_FORMS.get(scheme) or ", ".join(URL_FORMS.values())
        super().__init__(f"{redacted(url)!r}: {reason}; allowed is {allowed}")
        self.url = url
        self.reason = reason
        self.allowed = allowed


class IndexFailure(RuntimeError):
    """A read or write that an open index could not do.

    ``reason`` is a short code for statistics, such as ``"disk_full"``. A call that is
    ``retryable`` may succeed later; one that is not fails in the same way again.
    """

    def __init__(self, reason: str, message: str, *, retryable: bool = False):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


class Rejection(NamedTuple):
    """Why one document of several is not in the index; see :exc:`IndexFailure`."""

    url: str
    reason: str
    message: str
    retryable: bool = False


def redacted(url: str) -> str:
    """The URL of an index as it may be shown and logged: without its password.

    >>> redacted("postgresql://me:secret@localhost/pages?password=secret")
    'postgresql://me:***@localhost/pages?password=***'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "***" if "@" in url else url
    if "@" not in parts.netloc and ":" in parts.netloc and "@" in url:
        return f"{parts.scheme}://***"  # the password has / ? # unquoted
    user, at, place = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    netloc = f"{name}{colon}{'***' if colon else ''}{at}{place}"
    query = "&".join(map(_redacted_option, parts.query.split("&")))
    if (netloc, query) == (parts.netloc, parts.query):
        return url
    return urlunsplit(parts._replace(netloc=netloc, query=query))


def _redacted_option(option: str) -> str:
    name, equals, _ = option.partition("=")
    is_secret = any(word in name.lower() for word in ("pass", "key", "secret", "token"))
    return f"{name}{equals}***" if is_secret and equals else option
