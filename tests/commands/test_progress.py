"""What is shown of the progress, on a terminal and elsewhere."""

from __future__ import annotations

import io
import logging

import pytest

from scrapy_mainpage.commands.progress import Progress, ProgressLog

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_terminal_has_a_bar_and_the_time_that_is_left(clock: Clock) -> None:
    stream = Terminal()
    progress = Progress(stream, clock)
    clock.now += 65
    progress.show("5 items", 0.5)
    progress.show("6 items", 0.6)
    bars = "[##########..........]  50% 1:05 left, 5 items", "[############........]"
    assert stream.getvalue().startswith(CLEAR + bars[0] + CLEAR + bars[1])


def test_terminal_has_no_bar_where_the_end_is_not_known(clock: Clock) -> None:
    stream = Terminal()
    Progress(stream, clock).show("5 items")
    assert stream.getvalue() == CLEAR + "5 items"


def test_line_of_a_terminal_is_not_broken(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    Progress(stream, clock).show("5 items " * 10)
    assert stream.getvalue() == CLEAR + "5 items 5 items 5 i"


def test_file_has_lines(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress(stream, clock)
    progress.show("5 items", 0.5)
    progress.show("6 items")
    progress.clear()
    assert stream.getvalue() == "5 items (50%)\n6 items\n"


@pytest.mark.parametrize(("stream", "pause"), [(Terminal(), 0.1), (io.StringIO(), 10)])
def test_is_due_now_and_then(stream: io.StringIO, pause: float, clock: Clock) -> None:
    progress = Progress(stream, clock)
    due = []
    for _ in range(5):
        clock.now += pause * 0.6
        due.append(progress.is_due)
        if progress.is_due:
            progress.show("")
    assert due == [False, True, False, True, False]


def test_line_that_stays_does_not_stand_behind_the_bar(clock: Clock) -> None:
    stream = Terminal()
    progress = Progress(stream, clock)
    progress.say("first")
    progress.show("5 items")
    progress.say("second")
    progress.clear()
    assert stream.getvalue() == f"first\n{CLEAR}5 items{CLEAR}second\n"


def test_log_shows_warnings_only() -> None:
    stream = io.StringIO()
    handler = ProgressLog(Progress(stream))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    logger.info("no")
    logger.warning("yes: %s", 1)
    assert stream.getvalue() == "yes: 1\n"


def test_stream_gets_only_what_it_can_write() -> None:
    data = io.BytesIO()
    progress = Progress(io.TextIOWrapper(data, "ascii"))
    progress.say("owl 猫头鹰")
    assert data.getvalue().split() == [b"owl", b"???"]
