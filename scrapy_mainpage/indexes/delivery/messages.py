"""What clients say of an error, fit for files and logs: short, without passwords."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from ..errors import redacted

_LONGEST: Final = 1_000
"""Characters. Some clients put whole documents into their messages."""


def message_line(message: str, url: str) -> str:
    """The message on one line, without the passwords of the URL.

    >>> message_line("no  route to h:5432 as me:s/cret", "postgresql://me:s%2Fcret@h/p")
    'no route to h:5432 as me:***'
    """
    return " ".join(hidden(message, url).split())[:_LONGEST]


def hidden(text: str, url: str) -> str:
    """The text with ``***`` in the place of what is secret in the URL."""
    text = text.replace(url, redacted(url))
    for secret in _secrets(url):
        text = text.replace(secret, "***")
    return text


def _secrets(url: str) -> list[str]:
    """The passwords in the URL, as they are written there and as they are."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    values = [parts.netloc.rpartition("@")[0].partition(":")[2]]
    shown = dict(parse_qsl(urlsplit(redacted(url)).query))
    values += [
        value for name, value in parse_qsl(parts.query) if shown.get(name) == "***"
    ]
    forms = {form for value in values for form in (value, unquote(value)) if form}
    return sorted(forms, key=len, reverse=True)
