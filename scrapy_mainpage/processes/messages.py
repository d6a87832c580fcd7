"""Messages through a pipe, and the errors of a task that another process had."""

from __future__ import annotations

import copyreg
import pickle
import struct
from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, BinaryIO, Final, NoReturn

_SIZE: Final = struct.Struct("<Q")

REDUCERS: Final[dict[type, Callable[[Any], Any]]] = {}
"""Ways to pickle a type for a pipe where its usual one is slow, as it saves space."""


class ProcessError(Exception):
    """A task that another process did not do; ``reason`` is the code of why."""

    @property
    def reason(self) -> str:
        """The code for statistics and warnings."""
        return type(self).__name__


class TaskFailed(ProcessError):
    """The task raised an error of the type *name*; *details* are its traceback."""

    def __init__(self, name: str, details: str):
        super().__init__(details)
        self._name = name

    @property
    def reason(self) -> str:
        """The type of the error."""
        return self._name


class WorkerDied(ProcessError):
    """The process ended while it had the task, and so did the next one."""


class WorkerTimedOut(ProcessError):
    """The process took too long for the task and was killed."""


class WorkerNotStarted(ProcessError):
    """No process can be started, or none gets ready for tasks."""


@dataclass(frozen=True)
class Failure:
    """An error of the type *name*, sent by a worker; *details* are its traceback."""

    name: str
    details: str

    def throw(self) -> NoReturn:
        """Raise the error as :exc:`TaskFailed`."""
        raise TaskFailed(self.name, self.details)


class _Pickler(pickle.Pickler):
    dispatch_table = ChainMap(
        REDUCERS,
        copyreg.dispatch_table,  # type: ignore[arg-type]
    )


def send(file: BinaryIO, message: object) -> None:
    """Write a message. Raises :exc:`OSError`, or an error of pickle."""
    stream = BytesIO()
    _Pickler(stream, 5).dump(message)
    file.writelines((_SIZE.pack(stream.tell()), stream.getbuffer()))
    file.flush()


def receive_bytes(file: BinaryIO) -> bytes:
    """Wait for a message and return it as bytes, for :func:`load`.

    Raises :exc:`EOFError` at the end of the pipe, :exc:`OSError` if it is broken.
    """
    (size,) = _SIZE.unpack(_read(file, _SIZE.size))
    return _read(file, size)


def load(message: bytes) -> Any:
    """Return the message of the bytes."""
    return pickle.loads(message)


def receive(file: BinaryIO) -> Any:
    """Wait for a message and return it. Raises as :func:`receive_bytes` does."""
    return load(receive_bytes(file))


def _read(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data
