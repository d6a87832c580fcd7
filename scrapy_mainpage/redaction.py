"""Credentials in URLs, which no message, log or file may show.

A URL whose credentials cannot be told from the rest is neither used nor shown: of a
password with an unquoted ``@ / ? # [ ] %`` a library may take a part for a host or a
port, and quote that part in a message.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

#: Characters of a logged message: some clients quote whole documents.
MAX_MESSAGE_CHARS: Final = 1_000

#: Replaces messages about a URL whose credentials cannot be told from the rest.
UNREADABLE: Final = (
    "its credentials cannot be told from the rest: special characters in a password, "
    "such as @ / ? # [ ] %, are quoted as %XX, and options with a password or key "
    "stand last"
)

#: URLs without credentials: the rest is a path.
_FILES: Final = "sqlite:///"
_NAME: Final = (
    r"(?:pass(?!age)|pwd|(?<![a-z])pw|key|secret|token|bearer|credential"
    r"|auth(?!ors?\b))"
)
_SECRET_NAME: Final = re.compile(_NAME, re.IGNORECASE)
#: An option with a secret, as libpq and others take them beside those of a query.
_SECRET_OPTION: Final = re.compile(rf"{_NAME}[^\s&/?#:@=]{{0,100}}\s*=", re.IGNORECASE)

#: What RFC 3986 allows in credentials, and letters of other scripts.
_QUOTED: Final = r"(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*"
_VALUE: Final = re.compile(_QUOTED.replace("~", "~/"))
_HOST: Final = r"(?:\[[\w:.%]*\]|[\w.~%-]*)(?::\d*)?"
_URL: Final = re.compile(
    # Scheme, user, hosts, path, query.
    rf"(\w[\w+.-]*)://(?:({_QUOTED})@)?({_HOST}(?:,{_HOST})*)((?:[/#][^?]*)?)(?:\?(.*))?",
    re.DOTALL,
)
_CUT: Final = re.compile(r"[@#?\s]")
#: Schemes of pages and files, whose paths may contain an ``@``.
_OF_PATHS: Final = {"file", "gcs", "gs", "hdfs", "http", "https", "s3", "viewfs"}

#: A name without a password may be a token. A shorter one is hidden as a word only.
_MIN_TOKEN_CHARS: Final = 8


class _Reading(NamedTuple):
    """A URL as it may be shown, and patterns of the spellings of its secrets."""

    shown: str
    patterns: list[str]


def is_readable(url: str) -> bool:
    """Whether the credentials of the URL, if any, can be told from the rest."""
    return _read(url) is not None


def redacted(url: str) -> str:
    """Return the URL for messages and logs: without its password, or its token.

    >>> redacted("postgresql://me:secret@localhost/pages?password=secret")
    'postgresql://me:***@localhost/pages?password=***'
    >>> redacted("https://token@localhost/")
    'https://***@localhost/'
    """
    reading = _read(url)
    return reading.shown if reading else "***"


def hide_secrets(text: str, url: str) -> str:
    """Replace the secrets of the URL in the text by ``***``.

    If they cannot be told from the rest of the URL, the text is :data:`UNREADABLE`.
    """
    reading = _read(url)
    if reading is None:
        return UNREADABLE
    text = text.replace(url, reading.shown)
    for pattern in reading.patterns:
        text = re.sub(pattern, "***", text, flags=re.IGNORECASE)
    return text


def error_line(error: BaseException | None) -> str:
    """Return the message of an error on one line, or else its type."""
    return " ".join(str(error).split()) or type(error).__name__


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


def _has_credentials(url: str) -> bool:
    has_secret = "@" in url or _SECRET_NAME.search(unquote(url))
    has_form = ":" in url or "=" in url
    return bool(has_secret) and has_form and not url.startswith(_FILES)


def _read(url: str) -> _Reading | None:
    """Return what may be shown of the URL; ``None`` if its secrets are uncertain."""
    if not _has_credentials(url):
        return _Reading(url, [])
    match = _URL.fullmatch(url)
    if match is None:
        return None
    scheme, user, hosts, path, query = match.groups()
    is_path = user is None and ":" not in hosts and scheme in _OF_PATHS
    if not is_path and _CUT.search(path + (query or "")):
        return None
    name, _, password = (user or "").partition(":")
    options = (query or "").split("&")
    plain = list(takewhile(lambda option: not _is_secret(option), options))
    last = options[len(plain) :]
    rest = unquote("&".join([name, hosts, path, *plain]))
    is_certain = all(_is_secret(option) and _VALUE.fullmatch(option) for option in last)
    if not is_certain or _SECRET_OPTION.search(rest):
        return None
    shown = [*plain, *(f"{option.partition('=')[0]}=***" for option in last[:1])]
    before = "" if user is None else f"{name}:***@" if password else "***@"
    after = "" if query is None else f"?{'&'.join(shown)}"
    # Behind an unquoted & what looks like a name is a part of the first secret.
    values = [part for option in last for part in option.split("=", 1)][1:]
    try:
        patterns = [*_user_patterns(name, password), *map(_spellings, values)]
    except ValueError:
        return None
    longest_first = sorted(filter(None, patterns), key=len, reverse=True)
    return _Reading(f"{scheme}://{before}{hosts}{path}{after}", longest_first)


def _is_secret(option: str) -> bool:
    name, equals, _ = option.partition("=")
    return bool(equals and _SECRET_NAME.search(unquote(name)))


def _user_patterns(name: str, password: str) -> list[str]:
    """Return patterns of the password, or of the token in place of a name."""
    if not name and not password:
        return []
    # Some servers and proxies quote the header of a request that they refuse.
    header = b64encode(unquote(f"{name}:{password}").encode()).decode()
    secret = _spellings(password or name)
    if not password and len(name) < _MIN_TOKEN_CHARS:
        secret = rf"\b(?:{secret})\b"
    return [re.escape(header), secret]


def _spellings(secret: str) -> str:
    """Return a pattern of the secret as written and unquoted, escaped in any way.

    Raises :exc:`ValueError` for a secret that is not text: a library may end a message
    at a control character.
    """
    unquoted = unquote(secret, errors="strict")
    if not unquoted.isprintable():
        raise ValueError("a control character")
    forms = sorted({secret, unquoted}, key=len, reverse=True)
    return "|".join("".join(map(_character, form)) for form in forms)


def _character(character: str) -> str:
    """Return a pattern of the character, plain and escaped, once or several times."""
    forms = {
        character,
        quote(character, safe=""),
        f"\\{character}",
        ascii(character)[1:-1],
        json.dumps(character)[1:-1],
        repr(character.encode())[2:-1],
        *(" +" if character in " +" else ""),
    }
    longest_first = sorted(map(re.escape, forms), key=len, reverse=True)
    return f"(?:{'|'.join(longest_first)})".replace(r"\\", r"\\{1,4}")
