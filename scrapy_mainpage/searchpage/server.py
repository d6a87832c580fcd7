"""The server of the search page and of ``/search.json``: read-only, by default local.

There is no secret: other users of this machine may search, too. Pages of other sites
cannot: they neither get past the check of ``Host`` nor may read an answer.
"""

from __future__ import annotations

import html
import json
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from ipaddress import ip_address
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from ..indexes import IndexFailure
from ..indexes.fields import TEXT, UnknownFieldError
from ..indexes.search_records import hit_record
from ..local_server import (
    CSS,
    HTML,
    JAVASCRIPT,
    JSON,
    LocalHandler,
    LocalServer,
    Refused,
)
from ..redaction import message_line

if TYPE_CHECKING:
    from ..indexes import Index

DEFAULT_ADDRESS: Final = ("127.0.0.1", 8765)

#: Hits of an answer.
LIMIT: Final = 10
MAX_LIMIT: Final = 100
#: Fields that are counted, and values of each.
MAX_FACETS: Final = 6
MAX_VALUES: Final = 8

#: Parameters that narrow a search, and the options that they are.
_FILTERS: Final = {"site": "site", "type": "page_type", "language": "language"}

_FILES: Final = {"/search.css": CSS, "/search.js": JAVASCRIPT}


class SearchServer(LocalServer):
    """Serves the search page of an index until ``shutdown``.

    *name* is shown as the name of the index, links have the *color*; *url* is the
    index's, whose password is in no message. *options* are of :meth:`.Index.search`,
    for all searches.
    """

    def __init__(
        self,
        index: Index,
        url: str,
        name: str,
        address: tuple[str, int] = DEFAULT_ADDRESS,
        *,
        color: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(address, _Handler)
        self._index, self._url, self._options = index, url, options
        self.name, self._host, self.color = name, address[0], color
        types = index.field_types()
        self._facets = [name for name in types if types[name] != TEXT][:MAX_FACETS]
        mark = token_hex(8)  # which no page can guess
        self._marks = (f"\ue000{mark}\ue002", f"\ue001{mark}\ue002")

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self._host}:{self.server_port}/"

    def is_own(self, host: str) -> bool:
        """Whether it is our name, or an address, which no attacker can bind."""
        name = host.rpartition(":")[0] if ":" in host else host
        try:
            ip_address(name.strip("[]"))
        except ValueError:
            return name in ("localhost", self._host)
        return True

    def search(self, given: dict[str, list[str]]) -> dict[str, Any]:
        """Return the answer of ``/search.json``, of several values with the last.

        Raises :exc:`Refused` for a bad limit or filter, or an index that cannot be
        searched.
        """
        parameters = {name: values[-1] for name, values in given.items()}
        limit = parameters.get("limit", str(LIMIT))
        is_number = limit.isascii() and limit.isdigit() and len(limit) < 9
        if not (is_number and 0 < int(limit) <= MAX_LIMIT):
            reason = f"limit: a number from 1 to {MAX_LIMIT}"
            raise Refused(HTTPStatus.BAD_REQUEST, reason)
        options: dict[str, Any] = {
            _FILTERS[name]: parameters.get(name) for name in _FILTERS
        }
        options = {**options, **{k: v for k, v in self._options.items() if v}}
        query = parameters.get("q", "")
        filters: dict[str, list[str]] = {}
        for condition in given.get("filter", ()):
            name, _, value = condition.partition(":")
            # The values of facets may begin with a sign of order.
            filters[name] = [*filters.get(name, ()), f"={value}"]
        facets = options.pop("facets", None) or self._facets
        try:
            hits = self._index.search(
                query,
                **options,
                filters=filters,
                facets=facets,
                limit=int(limit) + 1,
                highlight=self._marks,
            )
        except UnknownFieldError as error:
            raise Refused(HTTPStatus.BAD_REQUEST, str(error)) from error
        except IndexFailure as failure:
            reason = message_line(str(failure), self._url)
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, reason) from failure
        shown = [hit_record(hit) for hit in hits[: int(limit)]]
        for record in shown:
            record["snippet"] = self._parts(record["snippet"])
        counts = {
            name: dict(islice(hits.facets[name].items(), MAX_VALUES))
            for name in hits.facets
        }
        has_more = len(hits) > int(limit)
        return {"query": query, "hits": shown, "facets": counts, "has_more": has_more}

    def _parts(self, snippet: str) -> list[str]:
        """The snippet as texts, of which the second, fourth and so on match."""
        start, end = self._marks
        return snippet.replace(end, start).split(start)


class _Handler(LocalHandler):
    server: SearchServer

    def do_GET(self) -> None:  # noqa: N802
        """Answer with the page, its files, or the hits of a search as JSON."""
        try:
            self.check_origin()
            self.send(HTTPStatus.OK, *self._answer())
        except Refused as refused:
            self.refuse(refused.status, str(refused))

    def _answer(self) -> tuple[str, str]:
        path, _, query = self.path.partition("?")
        if path == "/search.json":
            return json.dumps(self.server.search(_parameters(query))), JSON
        if path == "/":
            page = _read("search.html")
            return page.replace("INDEX", html.escape(self.server.name)), HTML
        if path in _FILES:
            text = _read(path[1:])
            is_style = path.endswith(".css")
            return colored(text, self.server.color) if is_style else text, _FILES[path]
        raise Refused(HTTPStatus.NOT_FOUND, "no such page")


def _parameters(query: str) -> dict[str, list[str]]:
    try:
        return parse_qs(query, keep_blank_values=True, max_num_fields=50)
    except ValueError:
        raise Refused(HTTPStatus.BAD_REQUEST, "too many parameters") from None


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def colored(style: str, color: str | None) -> str:
    """Return the style sheet with a color of links and buttons."""
    return f"{style}:root {{ --link: {color}; }}\n" if color else style


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``, ``HOST`` or ``:PORT``.

    Raises :exc:`ValueError` for anything else.

    >>> parse_address(":9000"), parse_address("search.local")
    (('127.0.0.1', 9000), ('search.local', 8765))
    """
    parts = urlsplit(f"//{text}")
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        raise ValueError(text)
    port = DEFAULT_ADDRESS[1] if parts.port is None else parts.port
    return parts.hostname or DEFAULT_ADDRESS[0], port
