"""Parts that the commands share: imports, progress, log, signals, plain text."""

from __future__ import annotations

import io
import logging
import signal
import threading
from collections.abc import Callable

import pytest

from scrapy_mainpage.commands import cli
from scrapy_mainpage.commands.cli import Progress, interruptible, to_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_a_line_with_the_time_that_is_left() -> None:
    stream = Terminal()
    with Progress(stream) as progress:
        progress.show("5 items", 0.5)
        assert stream.getvalue().endswith("\r5 items (50%, 0:00:00 left)")
        logging.getLogger("scrapy_mainpage.owls").warning("a line that stays")
        assert stream.getvalue().endswith("\ra line that stays\n")
        progress.show("many items" * 100)
        assert len(stream.getvalue().rpartition("\r")[2]) < 100
    assert stream.getvalue().endswith("\r")


def test_a_file_has_lines() -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.show("5 items", 0.5)
        progress.show("6 items")
    assert stream.getvalue() == "5 items (50%, 0:00:00 left)\n6 items\n"


def test_progress_is_due_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_FILE_PAUSE_SECONDS", 0.0)
    assert not Progress(Terminal()).is_due
    assert Progress(io.StringIO()).is_due


def test_the_log_shows_warnings() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("scrapy_mainpage.owls")
    with Progress(stream):
        logger.info("no")
        logger.warning("yes: %s", 1)
    logger.warning("too late")
    assert stream.getvalue() == "yes: 1\n"


def interrupted(number: signal.Signals, then: Callable[[], object]) -> None:
    try:
        signal.raise_signal(number)
    finally:
        then()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_interrupt_as_ctrl_c_does(number: signal.Signals) -> None:
    former = signal.getsignal(number)
    for then in (str, threading.Lock().release):  # as a wait ends that is interrupted
        with pytest.raises(KeyboardInterrupt), interruptible():
            interrupted(number, then)
        assert signal.getsignal(number) is former


def test_text_of_pages_cannot_control_a_terminal() -> None:
    assert to_line("\x1b]0;owl\x07 a\n\x9bb\u2028c") == "]0;owl a b c"
