"""What runs in a worker: pages in, one at a time, and their extractions out."""

from __future__ import annotations

import faulthandler
import os
import signal
import traceback
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO

from .messages import receive, send
from .tasks import Answer, Failure, Setup, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.http import HtmlResponse

    from ..extraction.extractor import Extractor
    from ..page import Page
    from ..rendering.detection.need import Judgement

_FOREVER = 1e6


def main() -> None:
    """Extract the pages that come; the setup is a :class:`~.tasks.Setup`."""
    serve(_extraction)


def _extraction(setup: Setup) -> Callable[[Task], Answer]:
    return partial(_guarded_answer, extractor=_extractor(setup), setup=setup)


def serve(prepare: Callable[[Any], Callable[[Any], object]]) -> None:
    """Answer what comes on the standard input until it ends.

    The first message is the setup, from which *prepare* makes what answers the others;
    it is answered itself by ``None`` or a :class:`~.tasks.Failure`. The worker ends at
    once when its input does, whatever it is doing: who asked is done, or was killed.
    """
    _ignore_signals()
    requests, replies = _taken_pipes()
    messages: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(requests, messages), daemon=True).start()
    answer = _tried(prepare, messages.get())
    ready = not isinstance(answer, Failure)
    send(replies, None if ready else answer)
    while ready:
        # What a page took is free while there is none.
        send(replies, answer(messages.get()))


def _ignore_signals() -> None:
    """Leave it to the crawl when this ends: it may want the page even when stopping."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _taken_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the standard input and output: what else is printed goes to the log."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _listen(requests: BinaryIO, messages: SimpleQueue[Any]) -> None:
    try:
        with suppress(EOFError):
            while True:
                messages.put(receive(requests))
    finally:
        os._exit(0)


def _extractor(setup: Setup) -> Extractor:
    from ..extraction.extractor import Extractor

    return Extractor(
        setup.algorithm,
        setup.options,
        structured_data=setup.structured_data,
        limits=setup.limits,
    )


def _guarded_answer(task: Task, extractor: Extractor, setup: Setup) -> Answer:
    with ended_after(2 * setup.limit):
        return _answer(task, extractor, setup.attributes)


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Native code that hangs may keep the listener from seeing that nobody waits.

    Then nothing else would end this process.
    """
    faulthandler.dump_traceback_later(min(seconds, _FOREVER), exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _answer(task: Task, extractor: Extractor, attributes: Sequence[str]) -> Answer:
    from ..crawl.pages import make_page

    started = perf_counter()
    response = task.response()
    page = _tried(make_page, response, extractor)
    if isinstance(page, Failure):
        return Answer(page)
    judgement = _tried(_judged, response, page) if task.judging else None
    tried = {name: _tried(getattr, page, name) for name in attributes}
    # Who asks for one that failed will see why.
    made = {k: value for k, value in tried.items() if not isinstance(value, Failure)}
    return Answer(page, made, judgement, perf_counter() - started)


def _judged(response: HtmlResponse, page: Page) -> Judgement | None:
    from ..crawl.pages import shared_tree
    from ..rendering.detection.need import judge

    root = shared_tree(response, page)
    return None if root is None else judge(root, page)


def _tried(call: Callable[..., Any], *arguments: object) -> Any:
    try:
        return call(*arguments)
    except Exception as error:  # noqa: BLE001 - the crawl counts and logs it
        details = traceback.format_exc()
        return Failure(type(error).__name__, details)
