"""The main program of a worker: tasks in through a pipe, one at a time, answers out."""

from __future__ import annotations

import faulthandler
import os
import signal
import traceback
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from .messages import Failure, load, receive_bytes, send

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_SECONDS: Final = 1e6
"""The longest timeout that faulthandler takes, or nearly."""


def main() -> None:
    """Do the tasks that come on the standard input until it ends.

    The first message is ``(prepare, setup, seconds)``. It is answered by ``None`` when
    ``prepare(setup)`` has returned the function that does tasks, else by a
    :class:`~.messages.Failure`. The process ends at once when its input does, whatever
    it is doing: the parent is done, or was killed.
    """
    _ignore_signals()
    requests, replies = _take_pipes()
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(requests, messages), daemon=True).start()
    ready = attempt(_prepare, messages.get())
    if isinstance(ready, Failure):
        send(replies, ready)
        return
    send(replies, None)
    function, seconds = ready
    while True:
        # Not kept in a variable: the task's memory is free while the worker waits.
        send(replies, _answer(function, messages.get(), seconds))


def attempt(function: Callable[..., Any], *arguments: object) -> Any:
    """Call the function; return an error that it raises as a :class:`Failure`."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - the parent counts and logs it
        return Failure(type(error).__name__, traceback.format_exc())


def _prepare(message: bytes) -> tuple[Callable[[Any], object], float]:
    prepare, setup, seconds = load(message)
    return prepare(setup), seconds


def _answer(
    function: Callable[[Any], object], message: bytes, seconds: float
) -> object:
    """Do one task; end the process if native code holds it for twice *seconds*.

    Then the listener cannot see that the parent is gone, and nothing else would.
    """
    faulthandler.dump_traceback_later(min(2 * seconds, _MAX_SECONDS), exit=True)
    try:
        return attempt(lambda: function(load(message)))
    finally:
        faulthandler.cancel_dump_traceback_later()


def _ignore_signals() -> None:
    """Leave it to the parent when this ends: it may want the answer when stopping."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


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
                messages.put(receive_bytes(requests))
    finally:
        os._exit(0)
