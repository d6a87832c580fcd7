"""Common parts of the commands: exit codes, output, progress, signals, index names.

Imported at every call of ``scrapy``: imports that take long are in the functions.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import sys
import time
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TextIO

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from socketserver import BaseServer

    from typing_extensions import Self

    from scrapy_mainpage.indexes.embedders import Embedder
    from scrapy_mainpage.settings import Settings

INCOMPLETE: Final = 1
NOT_POSSIBLE: Final = 2
INTERRUPTED: Final = 130

#: Packages that a command may need, and the extra that installs each.
_EXTRAS: Final = {
    **dict.fromkeys(("fastwarc", "fsspec", "pyarrow"), "batch"),
    "jinja2": "report",
    "pyspark": "spark",
    "ray": "ray",
}
TERMINAL_PAUSE_SECONDS: Final = 0.1
"""Time between updates of the progress on a terminal."""

_FILE_PAUSE_SECONDS: Final = 10.0
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
_ESCAPES: Final = {
    ord(c): f"\\u{ord(c):04x}" for c in map(chr, range(0x206A)) if _CONTROLS.match(c)
} | {ord(c): c for c in "\t\n"}
#: A scheme, keywords of libpq, a user: no file has such a sign before its folders.
_FOR_SERVER: Final = re.compile(r"(?![a-zA-Z]:[/\\])[^/\\]*[:=@]")
_PACKAGE: Final = __name__.partition(".")[0]


class CommandError(Exception):
    """What was asked for is not possible; the message says why."""


class BaseCommand(ScrapyCommand):
    """A command with its help as class attributes.

    Of options with a value, ``values`` has name, value and help, ``lists`` those that
    may be given several times, ``flags`` name and help of those without.
    """

    arguments = ""
    summary = ""
    description = ""
    values: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    lists: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    flags: ClassVar[tuple[tuple[str, str], ...]] = ()

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        for name, value, text in self.values:
            add(name, metavar=value, help=text)
        for name, value, text in self.lists:
            more = f"{text}; may be given several times"
            add(name, metavar=value, action="append", default=[], help=more)
        for name, text in self.flags:
            add(name, action="store_true", help=text)

    def syntax(self) -> str:
        """The arguments, for the usage line."""
        return self.arguments

    def short_desc(self) -> str:
        """The line in the list of commands."""
        return self.summary

    def long_desc(self) -> str:
        """The help text."""
        return self.description

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command does; what is not possible is one line, and code 2.

        The messages of the package's own errors are for the user, and the system's.
        """
        try:
            self.work(args, opts)
        except Exception as error:
            if (message := _explain(error)) is None:
                raise
            self.end(NOT_POSSIBLE, message)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """What :meth:`run` runs."""
        raise NotImplementedError

    def read_settings(self) -> Settings:
        """The settings of the plugin; unknown names are printed on standard error."""
        from scrapy_mainpage.settings import Settings, find_unknown

        assert self.settings is not None
        checked = Settings.from_settings(self.settings)
        for unknown in find_unknown(self.settings):
            print(unknown, file=sys.stderr)
        return checked

    def end(self, exitcode: int, message: str) -> None:
        """Set the exit code, and print the message on standard error."""
        self.exitcode = exitcode
        self.warn(message)

    def warn(self, message: str) -> None:
        """Print the message on standard error, behind the name of the command."""
        name = type(self).__module__.rpartition(".")[2].replace("_", "-")
        print(f"scrapy {name}: {to_line(message)}", file=sys.stderr)


def _explain(error: Exception) -> str | None:
    """The message of an error that is the user's; ``None`` for one of the program."""
    name = (getattr(error, "name", None) or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and name in _EXTRAS:
        hint = f"pip install 'scrapy-mainpage[{_EXTRAS[name]}]'"
        return f"{name} is not installed: {hint}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    is_own = type(error).__module__.startswith(f"{_PACKAGE}.")
    return str(error) if is_own or isinstance(error, OSError) else None


class ToolCommand(BaseCommand):
    """A command that crawls nothing, and needs no project."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}


def make_embedder(settings: Settings) -> Embedder | None:
    """The model of the settings, if any; raises a settings error for a bad one."""
    from scrapy_mainpage.indexes.embedders import EmbedderError, embedder_of
    from scrapy_mainpage.settings import SettingsError

    try:
        return embedder_of(settings)
    except EmbedderError as error:
        name = "MAINPAGE_EMBEDDER"
        raise SettingsError(name, settings.embedder, str(error)) from None


def write(text: str, output: str | None = None) -> None:
    """Write the text to a file in UTF-8, or to standard output.

    Raises ``OSError`` if the file cannot be written.
    """
    if output:
        Path(output).write_bytes((text.rstrip("\n") + "\n").encode("utf-8", "replace"))
    else:
        show(text.rstrip("\n"), "utf-8")


def show(text: str, encoding: str = "", *, is_clean: bool = False) -> None:
    """Print the text, escaped if not *is_clean*, with ``?`` for what has no code."""
    text = text if is_clean else printable(text)
    data = f"{text}\n".encode(encoding or sys.stdout.encoding, "replace")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader, such as head, is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """The text with what a terminal obeys, or turns around by, in escapes of JSON."""
    return text.translate(_ESCAPES)


def to_line(text: str) -> str:
    """The text on one line, without the control characters that a terminal obeys.

    >>> to_line("Owls\\x1b[2J\\n at noon")
    'Owls [2J at noon'
    """
    return " ".join(_CONTROLS.sub(" ", text).split())


def index_url(name: str) -> str:
    """The URL of an index: of a file (SQLite), or *name* itself.

    Names that may be meant for a server stay as they are, and are refused later.

    >>> index_url("site.db")
    'sqlite:///site.db'
    """
    if "://" in name or _FOR_SERVER.match(name):
        return name
    return f"sqlite:///{name}"


class Progress(logging.Handler):
    """Progress on standard error, and the warnings of the log: a context manager.

    On a terminal it is a line that changes, else a new line now and then.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(logging.WARNING)
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._started = self._shown = time.monotonic()

    @property
    def seconds(self) -> float:
        """Time since the beginning."""
        return time.monotonic() - self._started

    @property
    def is_due(self) -> bool:
        """Whether :meth:`show` should be called."""
        pause = TERMINAL_PAUSE_SECONDS if self._is_terminal else _FILE_PAUSE_SECONDS
        return time.monotonic() - self._shown >= pause

    def show(self, text: str, share: float | None = None) -> None:
        """Show the text, and the part that is done, 0 to 1."""
        self._shown = time.monotonic()
        if share:
            left = timedelta(seconds=round(self.seconds * (1 - share) / share))
            text += f" ({share:.0%}, {left} left)"
        self._erase()
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(text[:width] if self._is_terminal else f"{text}\n")
        self._stream.flush()

    def _erase(self) -> None:
        if self._is_terminal:
            blanks = " " * (shutil.get_terminal_size().columns - 1)
            self._stream.write(f"\r{blanks}\r")

    def emit(self, record: logging.LogRecord) -> None:
        """Print a line of the log, which stays."""
        self._erase()
        self._stream.write(f"{printable(self.format(record))}\n")

    def __enter__(self) -> Self:
        logging.getLogger("scrapy_mainpage").addHandler(self)
        return self

    def __exit__(self, *exc: object) -> None:
        logging.getLogger("scrapy_mainpage").removeHandler(self)
        self._erase()


@contextmanager
def interruptible() -> Iterator[None]:
    """Have SIGINT and SIGTERM raise :exc:`KeyboardInterrupt` within the block."""
    former = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    except RuntimeError as error:  # of a lock whose wait was interrupted
        if isinstance(error.__context__, KeyboardInterrupt):
            raise error.__context__ from None
        raise
    finally:
        for number, each in former.items():
            signal.signal(number, each)


def serve(server: BaseServer, url: str, *, opens_browser: bool) -> None:
    """Serve until the server is shut down, or Ctrl-C."""
    if opens_browser:
        import webbrowser

        webbrowser.open(url)
    with suppress(KeyboardInterrupt), interruptible(), server:
        server.serve_forever(poll_interval=0.2)
