"""Messages through a pipe, and the errors of a task that another process had."""

from __future__ import annotations

import copyreg
import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, BinaryIO, Final, NoReturn

_COUNT: Final = struct.Struct("<I")

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
    """Leaves arrays out of the pickle, and reduces types by :data:`REDUCERS`."""

    def __init__(self, file: BinaryIO, buffers: list[pickle.PickleBuffer]):
        super().__init__(file, 5, buffer_callback=buffers.append)
        self.dispatch_table = {**copyreg.dispatch_table, **REDUCERS}


def send(file: BinaryIO, message: object) -> None:
    """Write a message. Raises :exc:`OSError`, or an error of pickle."""
    buffers: list[pickle.PickleBuffer] = []
    stream = BytesIO()
    _Pickler(stream, buffers).dump(message)
    parts = [stream.getbuffer(), *(buffer.raw() for buffer in buffers)]
    sizes = struct.pack(f"<{len(parts)}Q", *(part.nbytes for part in parts))
    file.writelines((_COUNT.pack(len(parts)), sizes, *parts))
    file.flush()


def receive_parts(file: BinaryIO) -> list[bytearray]:
    """Wait for a message and return its parts, for :func:`load`.

    Raises :exc:`EOFError` at the end of the pipe, :exc:`OSError` if it is broken.
    """
    (count,) = _COUNT.unpack(_read(file, _COUNT.size))
    sizes = struct.unpack(f"<{count}Q", _read(file, 8 * count))
    return [_read(file, size) for size in sizes]


def load(parts: list[bytearray]) -> Any:
    """Return the message of the parts."""
    head, *buffers = parts
    return pickle.loads(head, buffers=buffers)


def receive(file: BinaryIO) -> Any:
    """Wait for a message and return it. Raises as :func:`receive_parts` does."""
    return load(receive_parts(file))


def _read(file: BinaryIO, size: int) -> bytearray:
    data = bytearray(size)
    if file.readinto(data) < size:  # type: ignore[attr-defined]
        raise EOFError
    return data
