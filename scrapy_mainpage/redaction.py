"""Credentials in URLs, which no message, log or file may show.

A password with an unquoted ``@ / ? # [ ] %`` makes it uncertain where the credentials
end. Libraries then take a part of it for a host or a port and quote that part, so their
messages about such a URL are not shown at all.
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Final
from urllib.parse import (
    SplitResult,
    quote,
    quote_plus,
    unquote,
    unquote_plus,
    urlsplit,
    urlunsplit,
)

#: Characters of a logged message: some clients quote whole documents.
MAX_MESSAGE_CHARS: Final = 1_000

#: Replaces messages about a URL whose credentials cannot be told from the rest.
UNQUOTED: Final = (
    "its credentials cannot be read; special characters in a password, such as "
    "@ / ? # [ ] %, are quoted as %XX"
)

#: URLs without credentials: the rest is a path.
_FILES: Final = ("sqlite:///", "tantivy:///")
_NAME: Final = (
    r"(?:pass(?!age)|pwd|(?<![a-z])pw|key|secret|token|bearer|credential"
    r"|auth(?!ors?\b))"
)
_SECRET_NAME: Final = re.compile(_NAME, re.IGNORECASE)
#: Before the name of an option: in a query, in libpq's keyword form, and in others.
_BEFORE_NAME: Final = re.compile(r"[\s&/?#:@]")
#: A quoted password: what RFC 3986 allows, and letters of other scripts.
_QUOTED: Final = re.compile(r"(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*")
_PLAIN_OPTION: Final = re.compile(r"[a-z_]+=[^@#?\[\]]*")


def redacted(url: str) -> str:
    """Return the URL for messages and logs: without its password.

    >>> redacted("postgresql://me:secret@localhost/pages?password=secret")
    'postgresql://me:***@localhost/pages?password=***'
    """
    if not _has_credentials(url):
        return url
    scheme, colon, rest = url.partition(":")
    if _has_secret_option(scheme):
        return "***"
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = None
    if parts is None or _is_cut(parts, rest):
        return f"{scheme}{colon}{'//' * rest.startswith('//')}***"
    user, at, place = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    netloc = f"{name}{colon}{'***' if colon else ''}{at}{place}"
    query = "&".join(_redact_options(parts.query))
    if (netloc, query) == (parts.netloc, parts.query):
        return url
    fragment = "" if query.endswith("***") else parts.fragment
    shown = parts._replace(netloc=netloc, query=query, fragment=fragment)
    return urlunsplit(shown)


def hide_secrets(text: str, url: str) -> str:
    """Replace the secrets of the URL in the text by ``***``.

    If they cannot be told from the rest of the URL, the text is :data:`UNQUOTED`.
    """
    if not _has_credentials(url):
        return text
    secrets = _find_secrets(url)
    if secrets is None:
        return UNQUOTED
    text = text.replace(url, redacted(url))
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def message_line(message: str, url: str) -> str:
    """Return the message on one line, without the passwords of the URL.

    >>> message_line("no  route to h:5432 as me:s/cret", "postgresql://me:s%2Fcret@h/p")
    'no route to h:5432 as me:***'
    """
    return " ".join(hide_secrets(message, url).split())[:MAX_MESSAGE_CHARS]


def redacted_value(value: object, name: str = "") -> object:
    """Return the value of a setting for messages, cut off where a secret may begin.

    *name* is that of an unknown setting; if it says password, nothing is shown.

    >>> redacted_value(["redis://:secret@localhost", 5])
    "['redis:***"
    """
    if _SECRET_NAME.search(name):
        return "***"
    text = unquote(repr(value))
    secret = _SECRET_NAME.search(text)
    # A user's password begins behind the first colon before an "@".
    ends = [text.find(":", 0, text.rfind("@") + 1) + 1, secret.end() if secret else 0]
    end = min(filter(None, ends), default=0)
    return f"{text[:end]}***" if end else value


def _has_secret_option(text: str) -> bool:
    """Whether a word before a ``=`` is a name for secrets."""
    names = (_BEFORE_NAME.split(part.rstrip())[-1] for part in text.split("=")[:-1])
    return any(map(_SECRET_NAME.search, names))


def _has_credentials(url: str) -> bool:
    is_secret = "@" in url or _SECRET_NAME.search(unquote(url))
    return bool(is_secret) and not url.startswith(_FILES)


def _is_cut(parts: SplitResult, rest: str) -> bool:
    """Whether the user's password may be elsewhere than between ``:`` and ``@``.

    An unquoted ``/ ? #`` of it may have ended the host, or it is in libpq's keyword
    form, ``host=... password=...``.
    """
    user, _, place = parts.netloc.rpartition("@")
    shown = f"{user.partition(':')[0]} {place} {parts.path} {parts.fragment}"
    if _has_secret_option(unquote(shown)):
        return True
    if not rest.startswith("//"):
        return "@" in rest
    before = rest.rpartition("@")[0]
    return ":" in before and "@" in rest.removeprefix(f"//{parts.netloc}")


def _redact_options(query: str) -> list[str]:
    """Hide the values of secret options, and what an unquoted ``&`` cut off."""
    shown: list[str] = []
    is_secret = False
    for option in query.split("&"):
        name = option.partition("=")[0]
        if _has_secret_option(unquote(option)):
            is_secret = True
            shown.append(f"{name}=***")
        elif is_secret and not _PLAIN_OPTION.fullmatch(option):
            shown.append("***")
        else:
            shown.append(option)
    return shown


def _find_secrets(url: str) -> set[str] | None:
    """Return the secrets of the URL in all forms; ``None`` if they are uncertain."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    user = parts.netloc.rpartition("@")[0]
    secrets = [user.partition(":")[2]]
    options, shown = parts.query.split("&"), _redact_options(parts.query)
    for option, hidden in zip(options, shown, strict=True):
        if hidden == "***" and option != "***":
            return None
        if option != hidden:
            secrets.append(option.partition("=")[2])
    is_cut = _is_cut(parts, url.partition(":")[2]) or bool(parts.fragment)
    if is_cut or not url.isprintable() or not all(map(_QUOTED.fullmatch, secrets)):
        return None
    plain = {unquote(secret) for secret in secrets}
    plain |= {unquote_plus(secret) for secret in secrets}
    # Some servers and proxies quote the header of a request that they refuse.
    secrets.append(b64encode(unquote(user).encode("utf-8", "replace")).decode())
    written = (str, quote, quote_plus, repr, ascii)
    forms = {form(each) for each in plain for form in written}
    return {form.strip("'\"") for form in {*secrets, *forms}} - {""}
