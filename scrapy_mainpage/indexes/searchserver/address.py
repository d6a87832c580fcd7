"""Where a search server's index is, as its URL says it."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

from ..errors import IndexUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Value = TypeVar("_Value")

PORT: Final = 9200
TIMEOUT: Final = 30.0

#: What a URL may have after its ``?``, and the values allowed.
OPTIONS: Final = {
    "verify_certs": "true or false",
    "ca_certs": "the path of a file or folder of certificates",
    "timeout": "a number of seconds above 0",
    "refresh": "true or false",
}
_BOOLEANS: Final = {"true": True, "false": False}

#: What both servers take as the name of an index. A dot in front makes it hidden.
_INDEX: Final = re.compile(r'(?![-_+.])[^\s\\/*?"<>|,#:%\x00-\x1f\x7f]+')
_NOT_IN_INDEX: Final = '\\/*?"<>|,#:%'
_INDEX_BYTES: Final = 255


class UnusableUrlError(ValueError):
    """A URL that names no index of a search server."""


@dataclass(frozen=True)
class Address:
    """An index and the servers that have it.

    ``hosts`` are URLs without the credentials, which are in ``headers``. ``tls`` has
    what the URL says of certificates. ``timeout`` is in seconds. With ``refresh`` each
    write makes the servers refresh the index.
    """

    hosts: tuple[str, ...]
    index: str
    headers: Mapping[str, str] = field(repr=False)
    timeout: float = TIMEOUT
    refresh: bool = False
    tls: Mapping[str, bool | str] = field(default_factory=dict)

    @property
    def other_hosts(self) -> int:
        """How many hosts may be tried when one cannot be reached."""
        return len(self.hosts) - 1


def parse_address(url: str, *, api_keys: bool = False) -> Address:
    """Read ``engine+http(s)://user:password@host:9200,host:9200/index?option=value``.

    ``api_keys`` tells whether the engine knows the option ``api_key``. Raises
    :exc:`IndexUnavailable` for any other URL.

    >>> address = parse_address("opensearch+https://one,two:9201/logs/pages?timeout=5")
    >>> address.hosts
    ('https://one:9200/logs', 'https://two:9201/logs')
    >>> address.index, address.timeout
    ('pages', 5.0)
    """
    try:
        return _parsed(urlsplit(url), api_keys)
    except ValueError as exc:  # also those of urlsplit()
        raise IndexUnavailable(url, str(exc)) from None


def _parsed(parts: SplitResult, api_keys: bool) -> Address:
    scheme = parts.scheme.partition("+")[2]
    if scheme not in ("http", "https"):
        raise UnusableUrlError("it says neither +http nor +https")
    rest = f"{parts.path}?{parts.query}"
    if parts.fragment or not parts.netloc or "@" in rest:  # it may be of a password
        raise UnusableUrlError("it names no host; in a password, # / ? @ are quoted")
    user, at, places = parts.netloc.rpartition("@")
    prefix, _, index = parts.path.rpartition("/")
    options = _options(parts.query, api_keys)
    return Address(
        hosts=tuple(_host(scheme, place, prefix) for place in places.split(",")),
        index=_index(unquote(index)),
        headers=_credentials(user, bool(at), options.get("api_key")),
        timeout=_option(options, "timeout", _seconds, TIMEOUT),
        refresh=_option(options, "refresh", _boolean, False),
        tls=_tls(options) if scheme == "https" else {},
    )


def _host(scheme: str, place: str, prefix: str) -> str:
    parts = urlsplit(f"//{place}")
    if not parts.hostname or parts.path:
        raise UnusableUrlError("it names no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{scheme}://{host}:{PORT if parts.port is None else parts.port}{prefix}"


def _index(name: str) -> str:
    """The name, if the servers take it: that spares a crawl that fails at its end."""
    is_short = len(name.encode("utf-8", "replace")) <= _INDEX_BYTES
    if not (_INDEX.fullmatch(name) and is_short and name == name.lower()):
        raise UnusableUrlError(
            f"{name!r} cannot name an index: a name is in lower case, at most "
            f"{_INDEX_BYTES} bytes, without spaces, {_NOT_IN_INDEX} and -_+. in front"
        )
    return name


def _credentials(user: str, is_given: bool, api_key: str | None) -> dict[str, str]:
    """The header made here, so that it is the same and UTF-8 with every client."""
    if is_given and api_key:
        raise UnusableUrlError("it has both a user and an api_key")
    if api_key:
        return {"authorization": f"ApiKey {api_key}"}
    if not is_given:
        return {}
    name, _, password = user.partition(":")
    pair = f"{unquote(name)}:{unquote(password)}".encode("utf-8", "replace")
    return {"authorization": f"Basic {b64encode(pair).decode()}"}


def _options(query: str, api_keys: bool) -> dict[str, str]:
    """The options by name. A ``+`` stays one: keys have them."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    options = {unquote(name): unquote(value) for name, _, value in pairs}
    known = [*OPTIONS, *(["api_key"] if api_keys else [])]
    for name in options:
        if name not in known:
            raise UnusableUrlError(f"no option {name!r}; there are {', '.join(known)}")
    return options


def _option(
    options: Mapping[str, str],
    name: str,
    read: Callable[[str], _Value],
    default: _Value,
) -> _Value:
    if name not in options:
        return default
    try:
        return read(options[name])
    except (ValueError, KeyError):
        raise UnusableUrlError(f"{name} is {OPTIONS[name]}") from None


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError
    return seconds


def _boolean(text: str) -> bool:
    return _BOOLEANS[text]


def _path(text: str) -> str:
    if not Path(text).exists():
        raise ValueError
    return text


def _tls(options: Mapping[str, str]) -> dict[str, bool | str]:
    tls: dict[str, bool | str] = {
        "verify_certs": _option(options, "verify_certs", _boolean, True),
        "ssl_show_warn": False,  # who turns it off knows
    }
    certificates = _option(options, "ca_certs", _path, "")
    return {**tls, "ca_certs": certificates} if certificates else tls
