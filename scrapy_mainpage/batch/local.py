"""Conversion of files by the processes of this machine, each file a task."""

from __future__ import annotations

import logging
import signal
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..processes.pool import Pool
from ..processes.worker import TaskFailed, WorkerDied, WorkerNotStarted
from .batch_errors import BatchError
from .convert import Conversion, Result, Watcher, try_convert
from .locations import Location

if TYPE_CHECKING:
    from typing_extensions import Self

logger = logging.getLogger(__name__)

MAX_PASSED_OVER: Final = 10
"""Pages of a file that may end their process; with one more the file is given up."""

_MAX_SECONDS: Final = 1e6
"""Seconds for a file: pages have a limit of their own."""

_TICK_SECONDS: Final = 0.1

_TIMED_OUT: Final = f"exit code {-getattr(signal, 'SIGALRM', 0)}"
"""Message of a process that ended itself as a page took too long."""


class Mark(NamedTuple):
    """Place of a worker in a file; *is_busy* while it extracts the page."""

    number: int = 0
    share: float = 0.0
    is_busy: bool = False


_MARK: Final = struct.Struct("<qd?")


@dataclass(frozen=True)
class Task:
    """A file to convert; *mark* is the file where the worker notes its place.

    *errors* are those of pages that are passed over, by their number.
    """

    path: str
    mark: Path
    errors: Mapping[int, dict[str, Any]] = field(default_factory=dict)

    def read_mark(self) -> Mark:
        """The worker's place."""
        return Mark(*_MARK.unpack(self.mark.read_bytes()))


class _PageWatcher(Watcher):
    """Notes each page of a task, and ends the process if one takes too long."""

    def __init__(self, task: Task, seconds: float) -> None:
        self._errors = task.errors
        self._seconds = min(seconds, _MAX_SECONDS)
        self._mark = task.mark.open("r+b", buffering=0)
        self._place = Mark()

    def begin(self, number: int, share: float) -> dict[str, Any] | None:
        """As :meth:`Watcher.begin`."""
        self._note(Mark(number, share, is_busy=True))
        if hasattr(signal, "setitimer"):
            # Unhandled, the signal ends the process even within native code.
            signal.setitimer(signal.ITIMER_REAL, self._seconds)
        return self._errors.get(number)

    def end(self) -> None:
        """As :meth:`Watcher.end`."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        self._note(self._place._replace(is_busy=False))

    def _note(self, place: Mark) -> None:
        self._place = place
        self._mark.seek(0)
        self._mark.write(_MARK.pack(*place))

    def close(self) -> None:
        """Close the file of the mark."""
        self._mark.close()


def prepare(setup: tuple[Conversion, float]) -> Callable[[Task], Result]:
    """The function that does tasks in a worker; *setup* has the limit for a page."""
    conversion, seconds = setup
    from .extract import BatchExtractor

    BatchExtractor(conversion.extraction)  # an impossible one is an error at once

    def do(task: Task) -> Result:
        watcher = _PageWatcher(task, seconds)
        try:
            return try_convert(task.path, conversion, watcher)
        finally:
            watcher.close()

    return do


class LocalRun:
    """A run on so many processes; a context manager that ends them.

    A page may take *seconds*. A page that ends its process twice, or takes longer, is
    an error and is passed over; the file is converted again for it.
    """

    def __init__(self, conversion: Conversion, processes: int, seconds: float) -> None:
        self._seconds = seconds
        self._folder = tempfile.TemporaryDirectory(prefix="mainpage-batch-")
        self._pool = Pool(processes, prepare, (conversion, seconds), _MAX_SECONDS)
        self._tasks: dict[str, Task] = {}
        self._results: dict[str, Future[Result]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._pool.close()
        wait(self._results.values())
        self._folder.cleanup()

    @property
    def deaths(self) -> int:
        """Processes that died or were too slow."""
        return self._pool.died

    def places(self) -> dict[str, Mark]:
        """The places in the files that are being converted, or wait for their turn."""
        return {
            path: task.read_mark()
            for path, task in self._tasks.items()
            if path in self._results
        }

    def convert(self, sources: Sequence[Location]) -> Iterator[Result | None]:
        """Convert files; yield their results in order, and ``None`` now and then.

        Raises :exc:`.BatchError` if no process can be started.
        """
        for number, source in enumerate(sources):
            mark = Path(self._folder.name, str(number))
            mark.write_bytes(_MARK.pack(*Mark()))
            self._results[source.name] = Future()
            self._submit(Task(source.name, mark))
        for source in sources:
            result = self._results[source.name]
            while not wait([result], _TICK_SECONDS).done:
                yield None
            del self._results[source.name]
            yield result.result()

    def _submit(self, task: Task) -> None:
        self._tasks[task.path] = task
        future = self._pool.submit(task)
        future.add_done_callback(partial(self._finish, task, self._results[task.path]))

    def _finish(self, task: Task, result: Future[Result], future: Future[Any]) -> None:
        """Set the result of a file, or convert it again; in a thread of the pool."""
        try:
            result.set_result(future.result().answer)
        except WorkerDied as error:
            place = task.read_mark()
            if place.is_busy and len(task.errors) < MAX_PASSED_OVER:
                self._submit(self._pass_over(task, place.number, str(error)))
            else:
                problem = f"the process that converted it died: {error}"
                result.set_result(Result(task.path, problem=problem))
        except TaskFailed as error:
            result.set_result(Result(task.path, problem=str(error)))
        except WorkerNotStarted as error:
            problem = f"no process can be started: {error}"
            result.set_exception(BatchError(problem))
        except CancelledError:
            # The end of a run waits for results; a cancelled future would be none.
            result.set_result(Result(task.path, problem="the run was stopped"))

    def _pass_over(self, task: Task, number: int, problem: str) -> Task:
        """The task without the page of that number."""
        code = "WorkerDied"
        if problem == _TIMED_OUT:
            code, problem = "WorkerTimedOut", f"after {self._seconds:g} seconds"
        logger.warning(
            "A process ended (%s: %s) at page %d of %s",
            *(code, problem, number, task.path),
        )
        message = f"the process that had the page ended: {problem}"
        row = {"error": code, "error_message": message}
        return replace(task, errors={**task.errors, number: row})
