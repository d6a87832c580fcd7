"""The tables of the memory, and the statements on them, for SQLite and PostgreSQL."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from .records import COLUMNS, NOT_MODIFIED, PERMANENT

#: The version of the tables. Those of another version are refused.
VERSION: Final = 5

Row = tuple[Any, ...]


class Change(NamedTuple):
    """A statement, and the values of each of its executions."""

    statement: str
    values: list[dict[str, Any]]


_NUMBERS: Final = (
    "id scope status parent requested_run start_run last_seen_run document_run "
    "failures words is_sitemap"
).split()
_TIMES: Final = "last_ok interval next_visit".split()
_BYTES: Final = "body_hash content_hash config_hash requests".split()

_TYPES: Final = {
    **dict.fromkeys(_NUMBERS, "bigint"),
    **dict.fromkeys(_TIMES, "double precision"),
    **dict.fromkeys(_BYTES, "{bytes}"),
    "id": "{number} PRIMARY KEY",
    **dict.fromkeys(("failures", "is_sitemap"), "bigint DEFAULT 0"),
}

#: ``{number}`` is the type of a primary key, ``{bytes}`` that of binary values.
#: A text is found by its places: the bands of its signature, and its addresses.
TABLES: Final = (
    "CREATE TABLE facts (name text PRIMARY KEY, value text)",
    "CREATE TABLE scopes (id {number} PRIMARY KEY, name text UNIQUE)",
    "CREATE TABLE runs (id {number} PRIMARY KEY, scope bigint, started double "
    "precision, ended double precision, reason text, complete bigint, counts text, "
    "crawl text)",
    "CREATE TABLE sites (scope bigint, host text, place bigint, counts text, "
    "PRIMARY KEY (scope, host))",
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

# --- Scopes, runs, facts, sites ---------------------------------------------------

FACT: Final = "SELECT value FROM facts WHERE name = :name"
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
SITES: Final = "SELECT host, counts FROM sites WHERE scope = :scope ORDER BY place"
FORGET_SITES: Final = "DELETE FROM sites WHERE scope = :scope"
PUT_SITE: Final = "INSERT INTO sites VALUES (:scope, :host, :place, :counts)"

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
    "SELECT DISTINCT t.id FROM places p JOIN texts t ON t.id = p.text "
    "WHERE p.scope = :scope AND p.place = :own AND t.own = :own"
)
FORGET_TEXT: Final = "DELETE FROM texts WHERE id = :id"
FORGET_PLACE: Final = (
    "DELETE FROM places WHERE scope = :scope AND place = :place AND text = :text"
)
COUNT_TEXTS: Final = (
    "SELECT count(*), max(id), max(CASE WHEN run <> :run THEN id END) FROM texts "
    "WHERE scope = :scope"
)
OLDEST_TEXTS: Final = (
    "SELECT id FROM texts WHERE scope = :scope AND claimed_until IS NULL "
    "ORDER BY id LIMIT :most"
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
