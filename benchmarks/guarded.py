"""Calls of other people's code, in a process that may crash or hang."""

from __future__ import annotations

import logging
import multiprocessing
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import perf_counter

TIMEOUT_SECONDS = 60.0
Extract = Callable[[str, str], str]

_CONTEXT = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Answer:
    """The text and its seconds, or the error."""

    text: str = ""
    seconds: float = 0.0
    error: str = ""


class Guarded:
    """An extractor in a process of its own, restarted after a crash."""

    def __init__(self, extract: Extract, timeout: float = TIMEOUT_SECONDS):
        self._extract, self._timeout = extract, timeout
        self._process: multiprocessing.process.BaseProcess | None = None

    def __call__(self, html: str, language: str) -> Answer:
        """The text of a page, or an error after the timeout."""
        if self._process is None:
            self._start()
        try:
            self._pipe.send((html, language))
            if self._pipe.poll(self._timeout):
                return self._pipe.recv()
            error = f"no answer within {self._timeout:g} s"
        except (EOFError, OSError):
            self._process.join(self._timeout)
            error = f"the process died, exit code {self._process.exitcode}"
        self.end()
        return Answer(error=error)

    def _start(self) -> None:
        self._pipe, other = _CONTEXT.Pipe()
        arguments = (other, self._extract)
        self._process = _CONTEXT.Process(target=_answer, args=arguments, daemon=True)
        self._process.start()
        other.close()

    def end(self) -> None:
        """Kill the process, if one runs."""
        if self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process = None


@contextmanager
def guarded(extract: Extract, timeout: float = TIMEOUT_SECONDS) -> Iterator[Guarded]:
    call = Guarded(extract, timeout)
    try:
        yield call
    finally:
        call.end()


def _answer(pipe: Connection, extract: Extract) -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    while True:
        try:
            html, language = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_tried(extract, html, language))


def _tried(extract: Extract, html: str, language: str) -> Answer:
    started = perf_counter()
    try:
        text = extract(html, language)
    except Exception as error:  # noqa: BLE001 - a failure is a result here
        line = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return Answer(error=line[:300])
    return Answer(text, perf_counter() - started)
