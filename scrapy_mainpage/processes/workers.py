"""A process that extracts pages, as the crawl sees it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO, Final, cast

from .errors import WorkerDied, WorkerNotStarted, WorkerTimedOut
from .messages import receive, send
from .tasks import Failure

#: Its paths come as an argument: the package may stand where only the crawl looks.
_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from importlib import import_module; import_module(sys.argv[2]).main()"
)

_PAGES: Final = "scrapy_mainpage.processes.worker"

_START_LIMIT: Final = 120.0
"""Seconds that the imports of a worker may take, on a machine that is busy."""


class Worker:
    """A process that extracts pages one by one, once :meth:`prepare` was called.

    It runs *main* of the *module*, which may take other tasks than pages. Raises
    :exc:`.errors.WorkerNotStarted` if there can be no process.
    """

    def __init__(self, module: str = _PAGES) -> None:
        self._is_late = False
        self._process = _started(module)
        self._requests = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)

    def prepare(self, setup: object) -> None:
        """Say what pages are extracted with, and wait until the process is ready.

        Raises :exc:`.errors.WorkerNotStarted` if it does not come to that.
        """
        try:
            failure: Failure | None = self._exchanged(setup, _START_LIMIT)
        except (WorkerDied, WorkerTimedOut) as error:
            raise WorkerNotStarted(f"{error.reason}: {error}") from None
        if failure is not None:
            self.stop()
            raise WorkerNotStarted(failure.details)

    def ask(self, task: object, limit: float) -> Any:
        """Have a task done in *limit* seconds, such as a page extracted.

        Raises :exc:`.errors.WorkerDied` or :exc:`.errors.WorkerTimedOut`; the worker
        is of no use then.
        """
        return self._exchanged(task, limit)

    def _exchanged(self, message: object, limit: float) -> Any:
        alarm = threading.Timer(min(limit, threading.TIMEOUT_MAX), self._stop_late)
        alarm.daemon = True
        alarm.start()
        try:
            send(self._requests, message)
            return receive(self._answers)
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)  # It is about to say what it died of.
            self.stop()
            if self._is_late:
                raise WorkerTimedOut(f"after {limit:g} seconds") from None
            raise WorkerDied(f"exit code {self._process.returncode}") from None
        except BaseException:
            self.stop()  # Nobody knows what the pipes still hold.
            raise
        finally:
            alarm.cancel()
            alarm.join()  # It may be at it just now.

    def _stop_late(self) -> None:
        self._is_late = True
        self._process.kill()

    @property
    def is_usable(self) -> bool:
        """Whether it may be asked once more."""
        return not self._is_late and self._process.poll() is None

    def kill(self) -> None:
        """End the process at once; who waits for its answer hears that it died."""
        self._process.kill()

    def stop(self) -> None:
        """End the process, and free what it takes here."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # what was not written any more
                pipe.close()


def _started(module: str) -> subprocess.Popen[bytes]:
    if not sys.executable or getattr(sys, "frozen", False):
        raise WorkerNotStarted("this program has no Python interpreter to start")
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, json.dumps(sys.path), module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # The keys that stop a crawl are no business of a worker's.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise WorkerNotStarted(str(error)) from error
