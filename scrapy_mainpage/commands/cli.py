"""Common parts of the commands: exit codes, output, progress, signals, index names.

Imported at every call of ``scrapy``: imports that take long are in the functions.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TextIO, TypeVar

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from socketserver import BaseServer

    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from scrapy_mainpage.settings import Settings

INCOMPLETE: Final = 1
NOT_POSSIBLE: Final = 2
INTERRUPTED: Final = 130

_TERMINAL_PAUSE_SECONDS: Final = 0.1
_FILE_PAUSE_SECONDS: Final = 10.0
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
#: An engine and a colon, libpq's keyword form, or a user with a password.
_FOR_SERVER: Final = re.compile(
    r"(?:sqlite|postgres|opensearch|elasticsearch)[\w+]*:"
    r"|\s*(?:host|hostaddr|port|dbname|user|password|service|sslmode)\s*="
    r"|[^/\\:]*:[^/\\@]*@",
    re.IGNORECASE,
)

Entry = TypeVar("Entry")


class BaseCommand(ScrapyCommand):
    """A command with its help as class attributes."""

    arguments = ""
    summary = ""
    description = ""

    def syntax(self) -> str:
        """The arguments, for the usage line."""
        return self.arguments

    def short_desc(self) -> str:
        """The line in the list of commands."""
        return self.summary

    def long_desc(self) -> str:
        """The help text."""
        return self.description

    def end(self, exitcode: int, message: str) -> None:
        """Set the exit code, and print the message on standard error."""
        self.exitcode = exitcode
        self.warn(message)

    def warn(self, message: str) -> None:
        """Print the message on standard error, behind the name of the command."""
        name = type(self).__module__.rpartition(".")[2].replace("_", "-")
        print(f"scrapy {name}: {to_line(message)}", file=sys.stderr)

    def end_without(self, extra: str, error: ModuleNotFoundError) -> None:
        """Say that a package is missing, and which extra installs it."""
        hint = f"pip install 'scrapy-mainpage[{extra}]'"
        name = (error.name or "").partition(".")[0]
        self.end(NOT_POSSIBLE, f"{name} is not installed: {hint}")


class ToolCommand(BaseCommand):
    """A command that crawls nothing, and needs no project."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def read_settings(self) -> Settings:
        """The settings of the plugin, of the project or by ``-s``."""
        assert self.settings is not None
        return read_settings(self.settings)


def read_settings(settings: BaseSettings) -> Settings:
    """The plugin's settings; names that do not exist are printed on standard error."""
    from scrapy_mainpage.settings import Settings, find_unknown

    checked = Settings.from_settings(settings)
    for unknown in find_unknown(settings):
        print(unknown, file=sys.stderr)
    return checked


class NoPageError(Exception):
    """There is no page to show; the message says why."""


def write(text: str, output: str | None = None) -> None:
    """Write the text to a file in UTF-8, or to standard output.

    Raises :exc:`NoPageError` if the file cannot be written.
    """
    data = text.rstrip("\n").encode("utf-8", "replace") + b"\n"
    try:
        if output:
            Path(output).write_bytes(data)
        else:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        _close_output()
    except OSError as error:
        raise NoPageError(f"{output}: {error.strerror or error}") from None


def show(text: str) -> None:
    """Print the text, with ``?`` for characters that standard output cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except BrokenPipeError:
        _close_output()


def _close_output() -> None:
    """Write nothing more: the reader, such as head, is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def to_line(text: str) -> str:
    """The text on one line, without the control characters that a terminal obeys.

    >>> to_line("Owls\\x1b[2J\\n at noon")
    'Owls [2J at noon'
    """
    return " ".join(_CONTROLS.sub(" ", text).split())


def index_url(name: str) -> str:
    """The URL of an index: of a file (SQLite), or *name* itself.

    Names that are plainly meant for a server stay as they are, and are refused later.

    >>> index_url("site.db")
    'sqlite:///site.db'
    """
    if "://" in name or _FOR_SERVER.match(name):
        return name
    return f"sqlite:///{name}"


class Progress:
    """Progress on standard error: a bar on a terminal, else a line now and then."""

    def __init__(self, stream: TextIO) -> None:
        from tqdm import tqdm

        self._stream = stream
        is_terminal = stream.isatty()
        self._pause = _TERMINAL_PAUSE_SECONDS if is_terminal else _FILE_PAUSE_SECONDS
        self._started = self._shown = time.monotonic()
        self._bar = tqdm(
            total=1.0,
            file=stream,
            leave=False,
            dynamic_ncols=True,
            disable=not is_terminal,
            bar_format="{percentage:3.0f}% |{bar:20}| {remaining} left, {desc}",
        )

    @property
    def seconds(self) -> float:
        """Time since the beginning."""
        return time.monotonic() - self._started

    @property
    def is_due(self) -> bool:
        """Whether :meth:`show` should be called."""
        return time.monotonic() - self._shown >= self._pause

    def show(self, text: str, share: float | None = None) -> None:
        """Show the text, and the part that is done, 0 to 1."""
        self._shown = time.monotonic()
        if self._bar.disable:
            done = "" if share is None else f" ({share:.0%})"
            print(f"{text}{done}", file=self._stream, flush=True)
            return
        self._bar.n = share or 0.0
        self._bar.set_description_str(text)

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._bar.write(text, file=self._stream)

    def close(self) -> None:
        """Remove the bar."""
        self._bar.close()


class _ProgressLog(logging.Handler):
    def __init__(self, progress: Progress) -> None:
        super().__init__(logging.WARNING)
        self._progress = progress

    def emit(self, record: logging.LogRecord) -> None:
        self._progress.say(self.format(record))


@contextmanager
def show_log(progress: Progress) -> Iterator[None]:
    """Print the warnings of the package's log between the progress."""
    log, handler = logging.getLogger("scrapy_mainpage"), _ProgressLog(progress)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


class Stop:
    """Handles SIGINT and SIGTERM within a ``with`` block of the main thread.

    The first one ends :meth:`read`, also while it waits for input; it ``is_set`` then.
    The second one is ``is_urgent`` and raises :exc:`KeyboardInterrupt`.
    """

    def __init__(self) -> None:
        self.is_set = self.is_urgent = False
        self._is_reading = False
        self._former: dict[int, Any] = {}

    def read(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries until the first signal."""
        iterator = iter(entries)
        while not self.is_set:
            try:
                self._is_reading = True
                entry = next(iterator)
            except (StopIteration, KeyboardInterrupt):
                return
            finally:
                self._is_reading = False
            yield entry

    def _handle(self, *_: object) -> None:
        self.is_urgent, self.is_set = self.is_set, True
        if self.is_urgent or self._is_reading:
            self._is_reading = False
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._former[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)


@contextmanager
def interrupt_on_sigterm() -> Iterator[None]:
    """Have SIGTERM end the block as Ctrl-C does."""
    former = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def serve(server: BaseServer, url: str, *, opens_browser: bool) -> None:
    """Serve until the server is shut down, or Ctrl-C."""
    if opens_browser:
        import webbrowser

        webbrowser.open(url)
    # Scrapy's own handlers are still there after a download.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with interrupt_on_sigterm(), server:
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, former)
