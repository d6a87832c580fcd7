"""What PostgreSQL and its client say went wrong, as the errors of an index."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from ..errors import IndexFailure

_RETRYABLE: Final = {
    "08": "connection_lost",
    "25006": "read_only",  # a stand-by server, which may take over
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
#: What is wrong with one document: what it holds, how large it is.
_UNFIT: Final = {"22": "unsupported", "23": "unsupported", "54": "too_big"}
#: What a server says that lets nobody in; libpq gives no code with it.
_REFUSED: Final = ("authentication failed", "no pg_hba.conf entry", "does not exist")


def failure_of(exc: psycopg.Error) -> IndexFailure:
    """The error of a whole call."""
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


def unfit_reason(exc: psycopg.Error) -> str | None:
    """The reason code where a document is what is wrong, else ``None``."""
    if exc.sqlstate is None:  # the client's own, before anything was sent
        is_unfit = isinstance(exc, (psycopg.DataError, psycopg.ProgrammingError))
        return "unsupported" if is_unfit else None
    return _reason(_UNFIT, exc.sqlstate)


def message_of(exc: BaseException) -> str:
    """What the error says, on one line."""
    return " ".join(str(exc).split()) or type(exc).__name__


def _reason(reasons: dict[str, str], state: str | None) -> str | None:
    """The reason of the state itself, or of the longest beginning of it."""
    beginnings = ((state or "")[:length] for length in (5, 3, 2))
    return next((reasons[part] for part in beginnings if part in reasons), None)
