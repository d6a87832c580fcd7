"""The URL of an index on a search server: hosts, index, credentials, options."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

from ..base import IndexUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

PORT: Final = 9200
TIMEOUT: Final = 30.0

#: The names that both servers allow for an index. A leading dot makes it hidden.
_INDEX: Final = re.compile(r'(?![-_+.])[^\s\\/*?"<>|,#:%\x00-\x1f\x7f]+')
_NOT_IN_INDEX: Final = '\\/*?"<>|,#:%'
MAX_INDEX_BYTES: Final = 255


class UnusableUrlError(ValueError):
    """A URL that names no index of a search server."""


@dataclass(frozen=True)
class Address:
    """An index and its servers.

    ``hosts`` are URLs without the credentials, which are in ``headers``. ``tls`` are
    the options on certificates. ``timeout`` is in seconds. With ``refresh`` the servers
    refresh the index after each write.
    """

    hosts: tuple[str, ...]
    index: str
    headers: Mapping[str, str] = field(repr=False)
    timeout: float = TIMEOUT
    refresh: bool = False
    tls: Mapping[str, bool | str] = field(default_factory=dict)

    def client_options(self) -> dict[str, Any]:
        """Return the options that both clients share: each host is tried once."""
        return {
            "hosts": list(self.hosts),
            "headers": dict(self.headers),
            "max_retries": len(self.hosts) - 1,
            "retry_on_status": (),
            **self.tls,
        }


def parse_address(url: str, *, api_keys: bool = False) -> Address:
    """Parse ``engine+http(s)://user:password@host:9200,host:9200/index?option=value``.

    ``api_keys`` says whether the engine has the option ``api_key``. Raises
    :exc:`IndexUnavailable` for any other URL.

    >>> address = parse_address("opensearch+https://one,two:9201/logs/pages?timeout=5")
    >>> address.hosts
    ('https://one:9200/logs', 'https://two:9201/logs')
    >>> address.index, address.timeout
    ('pages', 5.0)
    """
    try:
        return _parse(urlsplit(url), api_keys)
    except ValueError as exc:  # also those of urlsplit()
        raise IndexUnavailable(url, str(exc)) from None


def _parse(parts: SplitResult, api_keys: bool) -> Address:
    scheme = parts.scheme.partition("+")[2]
    if scheme not in ("http", "https"):
        raise UnusableUrlError("it says neither +http nor +https")
    rest = f"{parts.path}?{parts.query}"
    if parts.fragment or not parts.netloc or "@" in rest:  # may be of a password
        raise UnusableUrlError("it names no host; in a password, # / ? @ are quoted")
    user, at, places = parts.netloc.rpartition("@")
    prefix, _, index = parts.path.rpartition("/")
    options = _options(parts.query, api_keys)
    return Address(
        hosts=tuple(_host(scheme, place, prefix) for place in places.split(",")),
        index=_index(unquote(index)),
        headers=_credentials(user, bool(at), options.pop("api_key", None)),
        timeout=options.pop("timeout", TIMEOUT),
        refresh=options.pop("refresh", False),
        # "ssl_show_warn": who turns the check off knows it.
        tls={"verify_certs": True, "ssl_show_warn": False, **options}
        if scheme == "https"
        else {},
    )


def _host(scheme: str, place: str, prefix: str) -> str:
    parts = urlsplit(f"//{place}")
    if not parts.hostname or parts.path:
        raise UnusableUrlError("it names no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{scheme}://{host}:{PORT if parts.port is None else parts.port}{prefix}"


def _index(name: str) -> str:
    """Return the name if servers allow it, so that no crawl fails at its end."""
    is_short = len(name.encode("utf-8", "replace")) <= MAX_INDEX_BYTES
    if not (_INDEX.fullmatch(name) and is_short and name == name.lower()):
        raise UnusableUrlError(
            f"{name!r} cannot name an index: a name is in lower case, at most "
            f"{MAX_INDEX_BYTES} bytes, without spaces, {_NOT_IN_INDEX} "
            "and -_+. in front"
        )
    return name


def _credentials(user: str, is_given: bool, api_key: str | None) -> dict[str, str]:
    """Return the header, the same and in UTF-8 with every client."""
    if is_given and api_key:
        raise UnusableUrlError("it has both a user and an api_key")
    if api_key:
        return {"authorization": f"ApiKey {api_key}"}
    if not is_given:
        return {}
    name, _, password = user.partition(":")
    pair = f"{unquote(name)}:{unquote(password)}".encode("utf-8", "replace")
    return {"authorization": f"Basic {b64encode(pair).decode()}"}


def _options(query: str, api_keys: bool) -> dict[str, Any]:
    """Return the options by name. A ``+`` stays one: API keys contain it."""
    pairs = (part.partition("=") for part in query.split("&") if part)
    options = {unquote(name): unquote(value) for name, _, value in pairs}
    known = [*_OPTIONS, *(["api_key"] if api_keys else [])]
    for name in options:
        if name not in known:
            raise UnusableUrlError(f"no option {name!r}; there are {', '.join(known)}")
    return {name: _read(name, value) for name, value in options.items()}


def _read(name: str, value: str) -> Any:
    if name not in _OPTIONS:
        return value
    read, form = _OPTIONS[name]
    try:
        return read(value)
    except (ValueError, KeyError):
        raise UnusableUrlError(f"{name} is {form}") from None


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError
    return seconds


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _path(text: str) -> str:
    if not Path(text).exists():
        raise ValueError
    return text


#: Option of a URL -> how its value is read, and the allowed form.
_OPTIONS: Final = {
    "verify_certs": (_boolean, "true or false"),
    "ca_certs": (_path, "the path of a file or folder of certificates"),
    "timeout": (_seconds, "a number of seconds above 0"),
    "refresh": (_boolean, "true or false"),
}
