"""Errors of indexes: at opening, of a whole call, of one document; no passwords."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

#: URL scheme -> form of the URLs of its engine.
URL_FORMS: Final = {
    "sqlite": "sqlite:///relative/path.db or sqlite:////absolute/path.db",
    "tantivy": "tantivy:///relative/folder or tantivy:////absolute/folder",
    "postgresql": "postgresql://user:password@host:5432/database",
    "opensearch": "opensearch+http(s)://user:password@host:9200/index",
    "elasticsearch": "elasticsearch+http(s)://user:password@host:9200/index",
}

#: Characters of a logged message: some clients quote whole documents.
MAX_MESSAGE_CHARS: Final = 1_000


class IndexUnavailable(ValueError):
    """An index that cannot be opened: wrong URL, foreign file, no permission, ...

    The message is one line with the URL (without its password), the reason and the
    allowed form.
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


def redacted(url: str) -> str:
    """Return the URL of an index for messages and logs: without its password.

    >>> redacted("postgresql://me:secret@localhost/pages?password=secret")
    'postgresql://me:***@localhost/pages?password=***'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "***" if "@" in url else url
    if "@" not in parts.netloc and ":" in parts.netloc and "@" in url:
        return f"{parts.scheme}://***"  # a password with an unquoted / ? #
    user, at, place = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    netloc = f"{name}{colon}{'***' if colon else ''}{at}{place}"
    query = "&".join(map(_redact_option, parts.query.split("&")))
    if (netloc, query) == (parts.netloc, parts.query):
        return url
    return urlunsplit(parts._replace(netloc=netloc, query=query))


def _redact_option(option: str) -> str:
    name, equals, _ = option.partition("=")
    is_secret = any(word in name.lower() for word in ("pass", "key", "secret", "token"))
    return f"{name}{equals}***" if is_secret and equals else option


def message_line(message: str, url: str) -> str:
    """Return the message on one line, without the passwords of the URL.

    >>> message_line("no  route to h:5432 as me:s/cret", "postgresql://me:s%2Fcret@h/p")
    'no route to h:5432 as me:***'
    """
    return " ".join(hide_secrets(message, url).split())[:MAX_MESSAGE_CHARS]


def hide_secrets(text: str, url: str) -> str:
    """Replace the secrets of the URL in the text by ``***``."""
    text = text.replace(url, redacted(url))
    for secret in _secrets(url):
        text = text.replace(secret, "***")
    return text


def _secrets(url: str) -> list[str]:
    """Return the passwords in the URL, quoted and unquoted, the longest first."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    shown = dict(parse_qsl(urlsplit(redacted(url)).query))
    values = [parts.netloc.rpartition("@")[0].partition(":")[2]]
    values += [
        value for name, value in parse_qsl(parts.query) if shown.get(name) == "***"
    ]
    forms = {form for value in values for form in (value, unquote(value)) if form}
    return sorted(forms, key=len, reverse=True)
