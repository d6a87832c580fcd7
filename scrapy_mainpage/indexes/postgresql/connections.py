"""Connections to a PostgreSQL server: from an index's URL to a pool of them."""

from __future__ import annotations

import logging
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_plus

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from .schema import DEFAULT_SCHEMA, UnusableSchemaError

Connection = AsyncConnection[tuple[Any, ...]]
Pool = AsyncConnectionPool[Connection]

#: Seconds to wait for a connection, unless the URL says ``connect_timeout``.
CONNECT_TIMEOUT: Final = 10

#: Calls that are at work at once; more wait for their turn.
MAX_CONNECTIONS: Final = 4

#: To compile a search takes longer than the search itself; and the planner takes a
#: look at every document for cheap, as it does not count that vectors are compressed.
_TURNED_OFF: Final = ("jit", "enable_seqscan")

_POOL_NAME: Final = "mainpage-index"
_MAX_NAME_BYTES: Final = 63


class Address(NamedTuple):
    """Where an index is: what libpq is told, and the schema of its tables."""

    parameters: dict[str, Any]
    schema: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Read ``postgresql://...?schema=NAME``.

        Raises :exc:`.UnusableSchemaError`.
        """
        place, mark, query = url.partition("?")
        options = query.split("&") if query else []
        names = [item[7:] for item in options if item.startswith("schema=")]
        others = "&".join(item for item in options if not item.startswith("schema="))
        parameters = _parameters(f"{place}{mark if others else ''}{others}")
        parameters.setdefault("connect_timeout", CONNECT_TIMEOUT)
        parameters.setdefault("application_name", "scrapy-mainpage")
        parameters["client_encoding"] = "UTF8"
        return cls(parameters, _schema(names[-1] if names else DEFAULT_SCHEMA))

    @property
    def timeout(self) -> float:
        """Seconds to wait for a connection."""
        return max(float(self.parameters["connect_timeout"]), 2.0)

    async def connect(self) -> Connection:
        """A connection that is not the pool's: it says at once what is wrong."""
        return await AsyncConnection.connect(**self.parameters)

    def pool(self, *, read_only: bool) -> Pool:
        """A pool that is not open yet.

        It connects when a connection is asked for, and no longer than somebody waits
        for one; so it is back as soon as its server is.
        """

        async def configure(connection: Connection) -> None:
            await connection.set_read_only(read_only)
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            for name in _TURNED_OFF:
                await connection.execute("SELECT set_config(%s, 'off', false)", [name])
            await connection.commit()

        _silence_pools()
        return AsyncConnectionPool(
            # Poolers between here and the server may not know prepared statements.
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
        # libpq quotes what it cannot read, and that may be the password.
        message = str(exc) if "query parameter" in str(exc) else "libpq cannot read it"
        hint = "what is special in a URL is written %XX in user names and passwords"
        raise UnusableSchemaError(f"{message}; {hint}") from None


def _schema(name: str) -> str:
    name = unquote_plus(name)
    size = len(name.encode(errors="replace"))
    if not 0 < size <= _MAX_NAME_BYTES or "\0" in name:
        raise UnusableSchemaError(
            f"the name of a schema has 1 to {_MAX_NAME_BYTES} bytes"
        )
    return name


def _is_foreign(record: logging.LogRecord) -> bool:
    """Whether the record is not one of our pools' about a connection that failed.

    The same comes as an error to whoever waits for the connection.
    """
    return record.levelno > logging.WARNING or _POOL_NAME not in str(record.args)


def _silence_pools() -> None:
    logger = logging.getLogger("psycopg.pool")
    if _is_foreign not in logger.filters:
        logger.addFilter(_is_foreign)
