"""A worker: tasks in through a pipe, one at a time, answers out, and their errors."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final

_SIZE_BYTES: Final = 8
"""Bytes before each message, which say its size."""


class ProcessError(Exception):
    """A task that another process did not do; ``reason`` is the code of why."""

    @property
    def reason(self) -> str:
        """The code for statistics and warnings."""
        return type(self).__name__


class TaskFailed(ProcessError):
    """The task raised an error: its type is the ``reason``, its traceback the text."""

    def __init__(self, name: str, details: str):
        super().__init__(name, details)

    def __str__(self) -> str:
        return str(self.args[1])

    @property
    def reason(self) -> str:
        """The type of the error."""
        return str(self.args[0])


class WorkerDied(ProcessError):
    """The process ended while it had the task, and so did the next one."""


class WorkerTimedOut(ProcessError):
    """The process took too long for the task and was killed."""


class WorkerNotStarted(ProcessError):
    """No process can be started, or none gets ready for tasks."""


def send(file: Any, message: object) -> None:
    """Write a message. Raises :exc:`OSError`, or an error of pickle."""
    data = pickle.dumps(message, 5)
    file.writelines((len(data).to_bytes(_SIZE_BYTES, "little"), data))
    file.flush()


def receive(file: Any) -> Any:
    """Wait for a message and return it.

    Raises :exc:`EOFError` at the end of the pipe, :exc:`OSError` if it is broken.
    """
    return pickle.loads(_receive_bytes(file))


def _receive_bytes(file: BinaryIO) -> bytes:
    size = int.from_bytes(file.read(_SIZE_BYTES), "little")
    data = file.read(size)
    if not size or len(data) != size:
        raise EOFError
    return data


def attempt(function: Callable[..., Any], *arguments: object) -> Any:
    """Call the function; return an error that it raises as a :class:`TaskFailed`."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - the parent counts and logs it
        return TaskFailed(type(error).__name__, traceback.format_exc())


def main() -> None:
    """Do the tasks that come on the standard input until it ends.

    The first message is ``(prepare, setup, seconds)``. It is answered by ``None`` when
    ``prepare(setup)`` has returned the function that does tasks, else by a
    :class:`TaskFailed`. The process ends at once when its input does, whatever it is
    doing: the parent is done, or was killed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        # The parent ends this when it stops: it may want the answer before.
        signal.signal(number, signal.SIG_IGN)
    requests, replies = _take_pipes()
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(requests, messages), daemon=True).start()
    ready = attempt(_prepare, messages.get())
    is_failure = isinstance(ready, TaskFailed)
    send(replies, ready if is_failure else None)
    while not is_failure:
        # Not kept in a variable: the task's memory is free while the worker waits.
        send(replies, _answer(messages.get(), *ready))


def _prepare(message: bytes) -> tuple[Callable[[Any], object], float]:
    prepare, setup, seconds = pickle.loads(message)
    return prepare(setup), seconds


def _answer(
    message: bytes, function: Callable[[Any], object], seconds: float
) -> object:
    """Do one task; end the process if native code holds it for twice *seconds*.

    Then the listener cannot see that the parent is gone, and nothing else would.
    """
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        return attempt(lambda: function(pickle.loads(message)))
    finally:
        faulthandler.cancel_dump_traceback_later()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the standard input and output; prints of tasks go to standard error."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _listen(requests: BinaryIO, messages: SimpleQueue[bytes]) -> None:
    try:
        with suppress(EOFError):
            while True:
                messages.put(_receive_bytes(requests))
    finally:
        os._exit(0)
