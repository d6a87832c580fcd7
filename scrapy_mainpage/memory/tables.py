"""The tables of the memory: pages with their latest outcome, runs, texts.

With the statements on them, for SQLite and PostgreSQL.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from struct import iter_unpack, pack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Iterable

Row = tuple[Any, ...]

NEW: Final = "new"
CHANGED: Final = "changed"
UNCHANGED: Final = "unchanged"
DROPPED: Final = "dropped"
GONE: Final = "gone"
REDIRECTED: Final = "redirected"
FAILED: Final = "failed"

#: Lists of pages: ``FEED`` is any text for programs that is no sitemap.
SITEMAP: Final = "sitemap"
FEED: Final = "feed"

#: Redirects for good; with any other the page keeps its address.
PERMANENT: Final = (301, 308)

#: Outcomes of a page in a run: its content came as new, changed or unchanged; it came
#: and gave no document; it answered 404 or 410, or a redirect; it could not be judged.
OUTCOMES: Final = (NEW, CHANGED, UNCHANGED, DROPPED, GONE, REDIRECTED, FAILED)

#: The status of a page that was not sent again, with the same bytes, or not asked for.
NOT_MODIFIED: Final = 304

#: The content hash of a document that may be in an index, in any version.
UNKNOWN_CONTENT: Final = b""


class MemoryUnavailable(ValueError):
    """A memory that cannot be opened; the message is one line."""


@dataclass(eq=False)
class PageRow:
    """An address of a scope: its latest outcome, and its document in the index.

    ``request`` is how it was requested, as JSON, ``None`` for a plain GET request.
    ``requests`` are the numbers of the addresses that the page led to, ``None`` if they
    cannot be sent again. ``content_hash`` is that of its document, ``None`` without
    one; ``parent`` is the number of the page that the document came from, if another;
    ``size`` and ``title`` are the characters of that page and a hash of its title.
    ``body_hash`` is that of the page as it was sent, with its content type,
    ``config_hash`` that of the configuration and the request by which it came whole.
    ``canonical`` is the address that the page stepped back for, as a variant or a copy.
    ``verdict`` is the reason why its document should go.

    ``kind`` is that of a list of pages. ``lastmod`` is the page's date in a sitemap;
    with ``is_misdated`` it has become another though the page had not changed.

    ``requested_run``, ``start_run``, ``last_seen_run`` and ``document_run`` are the
    latest runs in which it was requested, was a start page, had an outcome and gave its
    document. Times are in seconds since 1970, ``interval`` in seconds.
    """

    id: int
    scope: int
    url: str
    request: str | None = None
    outcome: str | None = None
    reason: str | None = None
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    body_hash: bytes | None = None
    content_hash: bytes | None = None
    size: int | None = None
    title: bytes | None = None
    config_hash: bytes | None = None
    canonical: str | None = None
    redirect_to: str | None = None
    requests: bytes | None = None
    parent: int | None = None
    requested_run: int | None = None
    start_run: int | None = None
    last_seen_run: int | None = None
    document_run: int | None = None
    last_ok: float | None = None
    failures: int = 0
    interval: float | None = None
    next_visit: float | None = None
    kind: str | None = None
    lastmod: str | None = None
    is_misdated: int = False  # a number in databases
    verdict: str | None = None
    #: The values that the database has.
    stored: Row = field(default=(), init=False, repr=False)

    def forget_document(self) -> None:
        """Note that no index has the document of this address any more."""
        self.content_hash = self.document_run = self.parent = self.verdict = None


COLUMNS: Final = tuple(item.name for item in fields(PageRow))[:-1]
values_of = attrgetter(*COLUMNS)
_KINDS: Final = [get_type_hints(PageRow)[name] for name in COLUMNS]

#: The values of a page of which nothing is known.
DEFAULTS: Final[tuple[Any, ...]] = values_of(PageRow(0, 0, ""))


def load_object(text: Any) -> dict[str, Any] | None:
    """The object that a text in JSON is; ``None`` for any other value."""
    with suppress(ValueError, TypeError, AttributeError):
        return dict(json.loads(text).items())
    return None


def is_sound(row: PageRow) -> bool:
    """Whether a row has values of the kinds that were written: a disk may fail."""
    is_sent = row.request is None or load_object(row.request) is not None
    are_known = all(map(isinstance, values_of(row), _KINDS))
    return is_sent and are_known and not len(row.requests or b"") % 8


@dataclass
class Run:
    """A run of a scope: when, why it ended, and what it counted.

    ``ended`` and ``reason`` are ``None`` while it runs, and for one that was killed.
    ``complete`` says that every page of the scope was judged, and that nothing is known
    to be missing (else ``counts["missing"]``, by kind, if every page was judged).
    """

    id: int
    scope: int
    started: float
    ended: float | None = None
    reason: str | None = None
    complete: bool = False
    counts: dict[str, Any] = field(default_factory=dict)


def read_run(row: Row) -> Run:
    """Return the run of a row; one that cannot be read has ended long ago."""
    number, scope, start, end, reason, complete, counts = row
    if not all(map(isinstance, (start, end, reason), _RUN_KINDS)):
        start, end, reason = 0.0, 0.0, "unreadable"
    counted = load_object(counts) or {}
    return Run(number, scope, start, end, reason, bool(complete), counted)


_RUN_KINDS: Final = (float, float | None, str | None)
_TEXT_KINDS: Final = (
    *(int, str | None, float | None, str, int, int, bytes, int, bytes, bytes, bytes),
)


def is_sound_text(row: Row) -> bool:
    """Whether a row of the texts has values of the kinds that were written."""
    if not all(map(isinstance, row, _TEXT_KINDS)):
        return False
    *_, words, sketch, bands, subject = row
    return words > 0 and not (len(sketch) % 4 or len(bands) % 8 or len(subject) % 9)


def page_number(scope: int, url: str) -> int:
    """Return the number of an address in its scope: a hash, the same everywhere."""
    text = f"{scope} {url}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 1


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Return the numbers of pages as bytes, each once, in their order.

    >>> unpack_numbers(pack_numbers([2**62, 7, 8, 8]))
    [4611686018427387904, 7, 8]
    """
    found = list(dict.fromkeys(numbers))
    return pack(f"<{len(found)}Q", *found)


def unpack_numbers(packed: bytes) -> list[int]:
    """Return the numbers of :func:`pack_numbers`."""
    return [number for (number,) in iter_unpack("<Q", packed)]


# --- Tables -----------------------------------------------------------------------

#: The version of the tables. Those of another version are refused.
VERSION: Final = 7


class Change(NamedTuple):
    """A statement, and the values of each of its executions."""

    statement: str
    values: list[dict[str, Any]]


_NUMBERS: Final = (
    "id scope status size parent requested_run start_run last_seen_run document_run "
    "failures is_misdated"
).split()
_TIMES: Final = "last_ok interval next_visit".split()
_BYTES: Final = "body_hash content_hash title config_hash requests".split()

_TYPES: Final = {
    **dict.fromkeys(_NUMBERS, "bigint"),
    **dict.fromkeys(_TIMES, "double precision"),
    **dict.fromkeys(_BYTES, "{bytes}"),
    "id": "{number} PRIMARY KEY",
    **dict.fromkeys(("failures", "is_misdated"), "bigint DEFAULT 0"),
}

#: ``{number}`` is the type of a primary key, ``{bytes}`` that of binary values.
#: A text is found by its places: the bands of its signature, and its addresses.
TABLES: Final = (
    "CREATE TABLE facts (name text PRIMARY KEY, value text)",
    "CREATE TABLE scopes (id {number} PRIMARY KEY, name text UNIQUE)",
    "CREATE TABLE runs (id {number} PRIMARY KEY, scope bigint, started double "
    "precision, ended double precision, reason text, complete bigint, counts text, "
    "crawl text)",
    "CREATE TABLE pages ("
    + ", ".join(f"{name} {_TYPES.get(name, 'text')}" for name in COLUMNS)
    + ")",
    "CREATE TABLE texts (id {number} PRIMARY KEY, scope bigint, url text, own bigint, "
    "address bigint, digest {bytes}, words bigint, sketch {bytes}, bands {bytes}, "
    "subject {bytes}, run bigint, worker text, claimed_until double precision)",
    "CREATE TABLE places (scope bigint, place bigint, text bigint, "
    "PRIMARY KEY (scope, place, text))",
    "CREATE TABLE replaced (scope bigint, url text, worker text, "
    "PRIMARY KEY (scope, url))",
)

# --- Scopes, runs, facts ----------------------------------------------------------

FACT: Final = "SELECT value FROM facts WHERE name = :name"
FACTS: Final = (
    "SELECT name, value FROM facts WHERE substr(name, 1, length(:first)) = :first"
)
FORGET_FACT: Final = "DELETE FROM facts WHERE name = :name"
PUT_FACT: Final = (
    "INSERT INTO facts VALUES (:name, :value) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
SCOPES: Final = "SELECT id, name FROM scopes ORDER BY id"
PUT_SCOPE: Final = (
    "INSERT INTO scopes SELECT coalesce(max(id), 0) + 1, :name FROM scopes"
)
RUNS: Final = (
    "SELECT id, scope, started, ended, reason, complete, counts FROM runs "
    "WHERE scope = :scope ORDER BY id DESC LIMIT :most"
)
OPEN_RUN: Final = (
    "SELECT max(id) FROM runs WHERE scope = :scope AND crawl = :crawl AND ended IS NULL"
)
BEGIN_RUN: Final = (
    "INSERT INTO runs SELECT coalesce(max(id), 0) + 1, :scope, :started, NULL, NULL, "
    "0, '{}', :crawl FROM runs"
)
PUT_RUN: Final = (
    "UPDATE runs SET ended = :ended, reason = :reason, complete = :complete, "
    "counts = :counts WHERE id = :id"
)

# --- Pages ------------------------------------------------------------------------

PAGE: Final = "SELECT * FROM pages WHERE id = :id"

#: Documents *d*, each with the page *p* that it came from.
_DOCUMENTS: Final = (
    "FROM pages d JOIN pages p ON p.id = coalesce(d.parent, d.id) "
    "WHERE d.scope = :scope AND d.content_hash IS NOT NULL"
)
_UNSEEN: Final = f"{_DOCUMENTS} AND coalesce(p.last_seen_run, 0) <> :run"
COUNT_UNSEEN: Final = f"SELECT count(*) {_UNSEEN}"
UNSEEN_PAGES: Final = f"SELECT DISTINCT p.id {_UNSEEN}"
DOCUMENTS_TO_JUDGE: Final = (
    f"SELECT d.id, p.id {_DOCUMENTS} AND coalesce(d.document_run, 0) <> :run "
    f"AND p.last_seen_run = :run AND coalesce(p.status, 0) <> {NOT_MODIFIED}"
)

_HAS_LEFT: Final = (
    "coalesce(o.document_run, 0) <> :run AND (o.outcome IN ('gone', 'dropped') "
    f"OR o.outcome = 'redirected' AND o.status IN {PERMANENT})"
)
#: Copies that the last complete run has not met are no part of the site now.
_HAS_CHANGED: Final = (
    "o.outcome = 'changed' AND d.reason IN ('exact', 'near') "
    "AND d.last_seen_run >= :since"
)
STEPPED_BACK: Final = (
    "SELECT d.id FROM pages d JOIN pages o ON o.scope = d.scope AND "
    "o.url = d.canonical WHERE d.scope = :scope AND d.outcome = 'dropped' "
    "AND (o.content_hash IS NULL OR o.last_seen_run = :run AND "
    f"({_HAS_LEFT} OR {_HAS_CHANGED}))"
)


@cache
def put_page(changed: tuple[str, ...]) -> str:
    """Return the statement that writes these columns of a page."""
    named = ("id", "scope", "url", *changed)
    update = ", ".join(f"{name} = excluded.{name}" for name in changed)
    return (
        f"INSERT INTO pages ({', '.join(named)}) "
        f"VALUES ({', '.join(f':{name}' for name in named)}) ON CONFLICT (id) "
        + (f"DO UPDATE SET {update}" if changed else "DO NOTHING")
    )


# --- Texts ------------------------------------------------------------------------

_TEXT: Final = "url own address digest words sketch bands subject".split()
_OWNED: Final = ["run", "worker", "claimed_until"]
PUT_TEXT: Final = (
    "INSERT INTO texts VALUES (:id, :scope, "
    f"{', '.join(f':{name}' for name in (*_TEXT, *_OWNED))})"
)
PUT_PLACE: Final = "INSERT INTO places VALUES (:scope, :place, :text)"
_TEXTS: Final = f"SELECT id, worker, claimed_until, {', '.join(_TEXT)} FROM texts"
TEXT: Final = f"{_TEXTS} WHERE id = :id"
SETTLE_TEXT: Final = "UPDATE texts SET claimed_until = NULL WHERE id = :id"
TEXTS_AT_URL: Final = (
    f"{_TEXTS} WHERE own = :own AND id IN "
    "(SELECT text FROM places WHERE scope = :scope AND place = :own)"
)
FORGET_TEXT: Final = "DELETE FROM texts WHERE id = :id"
FORGET_PLACE: Final = (
    "DELETE FROM places WHERE scope = :scope AND place = :place AND text = :text"
)
COUNT_TEXTS: Final = (
    "SELECT count(*), max(id), max(CASE WHEN run <> :run THEN id END) FROM texts "
    "WHERE scope = :scope"
)
FORGET_TEXTS: Final = "DELETE FROM texts WHERE scope = :scope"
FORGET_PLACES: Final = "DELETE FROM places WHERE scope = :scope"
PUT_REPLACED: Final = (
    "INSERT INTO replaced VALUES (:scope, :url, :worker) "
    "ON CONFLICT (scope, url) DO UPDATE SET worker = excluded.worker"
)
FORGET_REPLACED: Final = "DELETE FROM replaced WHERE scope = :scope AND url = :url"
REPLACED: Final = "SELECT url, worker FROM replaced WHERE scope = :scope"


@cache
def numbers_near(places: int, most: int) -> str:
    """Return the query for the newest texts at so many places, ``:place0`` and on."""
    each = (
        f"SELECT * FROM (SELECT text FROM places WHERE scope = :scope AND "
        f"place = :place{n} ORDER BY text DESC LIMIT {most}) AS at{n}"
        for n in range(places)
    )
    return (
        f"SELECT text FROM ({' UNION ALL '.join(each)}) AS found "
        f"GROUP BY text ORDER BY count(*) DESC, text DESC LIMIT {most}"
    )


@cache
def texts_near(places: int, most: int) -> str:
    """Return the query for the rows of these texts, the newest first."""
    near = numbers_near(places, most)
    return f"{_TEXTS} WHERE id IN ({near}) ORDER BY id DESC"
