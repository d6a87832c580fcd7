"""Processes forked from one that has imported Scrapy and the plugin already.

A crawl of a few pages takes a fraction of the time that its imports take. Each process
is still one of its own, with the environment of the test that starts it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from subprocess import CompletedProcess, TimeoutExpired, run
from threading import Thread
from typing import Any

from .waiting import PATIENCE


class ForkedProcess:
    """A process that runs a function; with the names of ``subprocess.Popen``."""

    def __init__(
        self, run: Callable[[Any], None], job: object, *, folder: Path, group: bool
    ):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.preloaded"])
        read, write = os.pipe()
        writer = Connection(write, readable=False)
        arguments = (run, job, writer, dict(os.environ), str(folder), group)
        self._process = context.Process(target=run_job, args=arguments)
        self._process.start()
        writer.close()
        self._pipe: TextIOWrapper = open(read, encoding="utf-8")  # noqa: SIM115
        self.stderr = _Lines()
        self._log = ""
        self._reading = Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[None, str]:
        """Wait for the end of the process; return nothing and its standard error."""
        self._reading.join(timeout)
        if self._reading.is_alive():
            raise TimeoutExpired("crawl", timeout or 0)
        self._process.join()
        self._pipe.close()
        return None, self._log

    def _read(self) -> None:
        for line in self._pipe:
            self._log += line
            self.stderr.put(line)
        self.stderr.put("")


class _Lines(SimpleQueue[str]):
    """The lines of a running process, for one that waits for some of them."""

    def readline(self) -> str:
        return self.get()

    def __iter__(self) -> Iterator[str]:
        return iter(self.get, "")


def start_scrapy(arguments: list[str], folder: Path) -> ForkedProcess:
    """Start a command of Scrapy in a folder; its log is standard output, too."""
    return ForkedProcess(_run_scrapy, (arguments, None), folder=folder, group=False)


def run_scrapy(
    *arguments: object, cwd: Path, stdin: str = "", check: bool = False
) -> CompletedProcess[str]:
    """Run a command of Scrapy in a folder, as ``subprocess.run`` does."""
    command = list(map(str, arguments))
    if "forkserver" not in multiprocessing.get_all_start_methods():
        given = {"input": stdin, "capture_output": True, "encoding": "utf-8"}
        real = [sys.executable, "-m", "scrapy", *command]
        return run(real, cwd=cwd, timeout=PATIENCE, check=check, **given)  # type: ignore[call-overload,no-any-return]
    with tempfile.TemporaryDirectory() as folder:
        streams = Path(folder, "in"), Path(folder, "out")
        streams[0].write_text(stdin, "utf-8")
        job = (command, streams)
        process = ForkedProcess(_run_scrapy, job, folder=cwd, group=False)
        _, log = process.communicate(PATIENCE)
        code = process.returncode or 0
        done = CompletedProcess(command, code, streams[1].read_text("utf-8"), log)
    if check:
        done.check_returncode()
    return done


def _run_scrapy(job: tuple[list[str], tuple[Path, Path] | None]) -> None:
    from scrapy.cmdline import execute

    arguments, streams = job
    if streams is None:
        os.dup2(2, 1)
    else:
        for number, path in enumerate(streams):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.path.insert(0, os.getcwd())
    sys.dont_write_bytecode = True
    execute(["scrapy", *arguments])


def run_job(
    run: Callable[[Any], None],
    job: object,
    writer: Connection,
    environment: dict[str, str],
    folder: str,
    group: bool,
) -> None:
    """Run the function in the new process."""
    if group:
        os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # of the environment of whoever loaded it first
    os.chdir(folder)
    os.dup2(writer.fileno(), 2)
    writer.close()
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    code: object = 0
    try:
        run(job)
    except SystemExit as ended:
        code = ended.code
    gc.collect()  # Errors that nobody has handled are logged at the end.
    sys.exit(code)
