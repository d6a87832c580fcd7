"""Parts that the commands share: imports, progress, log, signals, plain text."""

from __future__ import annotations

import io
import logging
import signal
import subprocess
import sys

import pytest

from scrapy_mainpage.commands import cli
from scrapy_mainpage.commands.cli import Progress, Stop, show_log, to_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_commands_are_imported_without_what_only_their_runs_need() -> None:
    code = (
        "import sys\n"
        "from importlib.metadata import entry_points\n"
        "for each in entry_points(group='scrapy.commands'): each.load()\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "scrapy_mainpage.commands.mainpage_batch" in loaded
    assert not loaded & {"pyarrow", "fastwarc", "rich", "tqdm", "jinja2", "numpy"}
    assert not {name for name in loaded if name.startswith("scrapy_mainpage.indexes")}


def test_a_terminal_has_a_bar_with_the_time_that_is_left() -> None:
    stream = Terminal()
    progress = Progress(stream)
    progress.show("5 items", 0.5)
    assert "50% |" in stream.getvalue()
    assert "left, 5 items" in stream.getvalue()
    progress.say("a line that stays")
    assert "a line that stays\n" in stream.getvalue()
    progress.close()
    assert stream.getvalue().endswith("\r")


def test_a_file_has_lines() -> None:
    stream = io.StringIO()
    progress = Progress(stream)
    progress.show("5 items", 0.5)
    progress.show("6 items")
    progress.close()
    assert stream.getvalue() == "5 items (50%)\n6 items\n"


def test_progress_is_due_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_FILE_PAUSE_SECONDS", 0.0)
    assert not Progress(Terminal()).is_due
    assert Progress(io.StringIO()).is_due


def test_the_log_shows_warnings() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("scrapy_mainpage.owls")
    with show_log(Progress(stream)):
        logger.info("no")
        logger.warning("yes: %s", 1)
    logger.warning("too late")
    assert stream.getvalue() == "yes: 1\n"


def test_a_signal_ends_reading_and_nothing_else() -> None:
    with Stop() as stop:
        read = []
        for number in stop.read(range(5)):
            read.append(number)
            if number == 2:
                signal.raise_signal(signal.SIGTERM)
    assert (read, stop.is_set, stop.is_urgent) == ([0, 1, 2], True, False)


def test_text_of_pages_cannot_control_a_terminal() -> None:
    assert to_line("\x1b]0;owl\x07 a\n\x9bb\u2028c") == "]0;owl a b c"
