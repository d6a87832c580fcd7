"""Connections to a PostgreSQL server, and the meaning of its errors."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_plus

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from ..failures import IndexFailure
from ..fields import FieldTypeError
from .schema import DEFAULT_SCHEMA, UnusableSchemaError

Connection = AsyncConnection[tuple[Any, ...]]
Pool = AsyncConnectionPool[Connection]

#: Seconds to wait for a connection, unless the URL says ``connect_timeout``.
CONNECT_TIMEOUT: Final = 10

#: Concurrent calls; more wait for their turn.
MAX_CONNECTIONS: Final = 4

_POOL_NAME: Final = "mainpage-index"
MAX_NAME_BYTES: Final = 63

#: SQLSTATE or its beginning -> reason code.
_RETRYABLE: Final = {
    "08": "connection_lost",
    "25006": "read_only",  # a standby server, which may take over
    "40": "conflict",
    "53": "no_resources",
    "53100": "disk_full",
    "53300": "too_many_connections",
    "55P03": "locked",
    "57014": "timeout",
    "57P": "restarting",
    "58": "disk_error",
}
_FINAL: Final = {
    "28": "refused",
    "3D": "no_database",
    "3F": "no_tables",
    "42501": "no_permission",
    "42P01": "no_tables",
    "XX001": "corrupt",
    "XX002": "corrupt",
}
#: Errors of one document: of its values or its size.
_REJECTED: Final = {"22": "unsupported", "23": "unsupported", "54": "too_big"}
#: Messages of a server that refuses the connection; libpq gives no code with them.
_REFUSED: Final = ("authentication failed", "no pg_hba.conf entry", "does not exist")


@dataclass(frozen=True)
class Address:
    """The location of an index: libpq's parameters, and the schema of the tables."""

    parameters: dict[str, Any] = field(repr=False)  # with the password
    schema: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Parse ``postgresql://...?schema=NAME``; raise :exc:`.UnusableSchemaError`."""
        place, _, query = url.partition("?")
        options = query.split("&") if query else []
        names = [item[7:] for item in options if item.startswith("schema=")]
        others = "&".join(item for item in options if not item.startswith("schema="))
        parameters = _parameters(f"{place}?{others}" if others else place)
        parameters.setdefault("connect_timeout", CONNECT_TIMEOUT)
        parameters.setdefault("application_name", "scrapy-mainpage")
        parameters["client_encoding"] = "UTF8"
        return cls(parameters, _schema(names[-1] if names else DEFAULT_SCHEMA))

    @property
    def timeout(self) -> float:
        """Seconds to wait for a connection."""
        return max(float(self.parameters["connect_timeout"]), 2.0)

    async def connect(self) -> Connection:
        """Return a connection outside the pool, whose errors say the cause."""
        return await AsyncConnection.connect(**self.parameters)

    def pool(self, *, read_only: bool) -> Pool:
        """Return a pool that is not open yet.

        It connects on demand, and only while a caller waits for a connection; so it
        recovers as soon as its server does.
        """

        async def configure(connection: Connection) -> None:
            await connection.set_read_only(read_only)
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)

        _silence_pools()
        return AsyncConnectionPool(
            # Poolers in front of the server may not support prepared statements.
            kwargs={**self.parameters, "prepare_threshold": None},
            min_size=0,
            max_size=MAX_CONNECTIONS,
            open=False,
            configure=configure,
            check=AsyncConnectionPool.check_connection,
            name=_POOL_NAME,
            timeout=self.timeout,
            reconnect_timeout=self.timeout,
        )


def _parameters(url: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(url)
    except psycopg.ProgrammingError as exc:
        # libpq quotes the part that it cannot parse, which may be the password.
        message = str(exc) if "query parameter" in str(exc) else "libpq cannot read it"
        hint = "what is special in a URL is written %XX in user names and passwords"
        raise UnusableSchemaError(f"{message}; {hint}") from None


def _schema(name: str) -> str:
    name = unquote_plus(name)
    size = len(name.encode(errors="replace"))
    if not 0 < size <= MAX_NAME_BYTES or "\0" in name:
        raise UnusableSchemaError(
            f"the name of a schema has 1 to {MAX_NAME_BYTES} bytes"
        )
    return name


def _is_foreign(record: logging.LogRecord) -> bool:
    """Whether it is not of a failed connection of our pools: callers get an error."""
    return record.levelno > logging.WARNING or _POOL_NAME not in str(record.args)


def _silence_pools() -> None:
    logger = logging.getLogger("psycopg.pool")
    if _is_foreign not in logger.filters:
        logger.addFilter(_is_foreign)


def failure_of(exc: psycopg.Error) -> IndexFailure:
    """Return the failure of a whole call."""
    message = message_of(exc)
    if isinstance(exc, PoolClosed):
        return IndexFailure("closed", "the index is closed")
    if isinstance(exc, PoolTimeout):
        return IndexFailure("unreachable", message, retryable=True)
    state = exc.sqlstate
    if state is None and isinstance(exc, psycopg.OperationalError):
        if any(part in message for part in _REFUSED):
            return IndexFailure("refused", message)
        return IndexFailure("connection_lost", message, retryable=True)
    if reason := _reason(_RETRYABLE, state):
        return IndexFailure(reason, message, retryable=True)
    return IndexFailure(_reason(_FINAL, state) or "database_error", message)


def rejection_reason(exc: psycopg.Error | FieldTypeError) -> str | None:
    """Return the reason code of an error of one document, else ``None``."""
    if isinstance(exc, FieldTypeError):
        return "field_type"
    if exc.sqlstate is None:  # the client's own, before anything was sent
        is_document = isinstance(exc, (psycopg.DataError, psycopg.ProgrammingError))
        return "unsupported" if is_document else None
    return _reason(_REJECTED, exc.sqlstate)


def message_of(exc: BaseException) -> str:
    """Return the message of the error on one line."""
    return " ".join(str(exc).split()) or type(exc).__name__


def _reason(reasons: dict[str, str], state: str | None) -> str | None:
    """Return the reason of the state, or of its longest known beginning."""
    beginnings = ((state or "")[:length] for length in (5, 3, 2))
    return next((reasons[part] for part in beginnings if part in reasons), None)
