"""Workers, started when there are tasks for them and replaced when they die."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import weakref
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from .worker import Failure, WorkerDied, WorkerNotStarted, WorkerTimedOut, receive, send

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    Prepare = Callable[[Any], Callable[[Any], object]]

#: Its paths come as an argument: the package may stand where only the parent looks.
_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from scrapy_mainpage.processes.worker import main; main()"
)

MAX_START_SECONDS: Final = 120.0
"""Time for the imports of a worker, on a busy machine."""

_ATTEMPTS: Final = 2


@dataclass(frozen=True)
class Outcome:
    """An answer, and the ends of the workers that died of the task before."""

    answer: Any
    deaths: tuple[str, ...] = ()


class Pool:
    """At most so many processes, each with one task at a time.

    ``prepare(setup)`` is called once in each worker and returns the function that does
    the tasks; *prepare* is a function of a module, *setup*, tasks and answers can be
    pickled. A task may take *seconds*. ::

        with Pool(4, prepare, setup, seconds=60.0) as pool:
            futures = [pool.submit(task) for task in tasks]
            answers = [future.result().answer for future in futures]  # in order

    Workers start when there are tasks, and live until the pool is closed. A task whose
    worker died is given to another one once: the cause may have been another task, as
    where memory runs out. A task that took too long is not. The threads of
    the pool do not keep the program from ending; no worker outlives it.

    ``started`` and ``died`` count workers; those that were too slow have died, too.
    """

    def __init__(
        self, processes: int, prepare: Prepare, setup: object, seconds: float
    ) -> None:
        self.started = 0
        self.died = 0
        self._processes = processes
        self._arguments = prepare, setup, seconds
        self._tasks: SimpleQueue[tuple[Future[Outcome], object] | None] = SimpleQueue()
        self._lock = threading.Lock()  # for all of the following
        self._threads = 0
        self._unfinished = 0
        self._is_closed = False
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        # For a program that ends without closing the pool.
        weakref.finalize(self, _kill_all, self._workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def submit(self, task: object) -> Future[Outcome]:
        """Have a task done when its turn comes; safe in any thread.

        The future raises :exc:`.messages.TaskFailed` for an error of the task,
        :exc:`.messages.WorkerDied`, :exc:`.messages.WorkerTimedOut` or
        :exc:`.messages.WorkerNotStarted`. It is cancelled if the pool is closed.
        """
        future: Future[Outcome] = Future()
        with self._lock:
            if self._is_closed:
                future.cancel()
                return future
            self._unfinished += 1
            if self._threads < min(self._unfinished, self._processes):
                self._threads += 1
                # A thread of an executor would keep the program from ending.
                threading.Thread(target=self._serve, daemon=True).start()
            self._tasks.put((future, task))
        return future

    def close(self) -> None:
        """End all workers and take no more tasks."""
        with self._lock:
            self._is_closed = True
            _kill_all(self._workers)
            for _ in range(self._threads):
                self._tasks.put(None)

    # --- In the threads ----------------------------------------------------

    def _serve(self) -> None:
        while (item := self._tasks.get()) is not None:
            future, task = item
            if self._is_closed:
                future.cancel()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self._do(task))
                except BaseException as error:  # noqa: BLE001 - the future raises it
                    future.set_exception(error)
            with self._lock:
                self._unfinished -= 1
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        if idle is not None:
            self._dismiss(idle)

    def _do(self, task: object) -> Outcome:
        deaths: list[str] = []
        while True:
            worker = self._acquire()
            try:
                answer = worker.ask(task)
            except BaseException as error:
                self._dismiss(worker, died=True)
                deaths.append(str(error))
                if not isinstance(error, WorkerDied) or len(deaths) == _ATTEMPTS:
                    raise
            else:
                with self._lock:
                    self._idle.append(worker)
                if isinstance(answer, Failure):
                    answer.throw()
                return Outcome(answer, tuple(deaths))

    def _acquire(self) -> Worker:
        """Return an idle worker, or a new one."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return self._start_again()
            if worker.is_usable:
                return worker
            self._dismiss(worker)

    def _start_again(self) -> Worker:
        try:
            return self._start()
        except WorkerNotStarted:
            if self._is_closed:
                raise
            return self._start()

    def _start(self) -> Worker:
        worker = Worker()
        with self._lock:
            self.started += 1
            self._workers.add(worker)
            if self._is_closed:
                worker.kill()
        try:
            worker.prepare(*self._arguments)
        except BaseException:
            self._dismiss(worker)
            raise
        return worker

    def _dismiss(self, worker: Worker, *, died: bool = False) -> None:
        with self._lock:
            self._workers.discard(worker)
            self.died += died
        worker.stop()


class Worker:
    """One process that does tasks, once :meth:`prepare` was called.

    Raises :exc:`.messages.WorkerNotStarted` if the process cannot be started.
    """

    def __init__(self) -> None:
        self._is_late = False
        self._seconds = MAX_START_SECONDS
        self._process = _start_process()
        self._requests = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)

    def prepare(self, prepare: Prepare, setup: object, seconds: float) -> None:
        """Make the process ready for tasks, and wait until it is.

        The arguments are as for :class:`Pool`. Raises
        :exc:`.messages.WorkerNotStarted` if it does not get ready.
        """
        try:
            failure: Failure | None = self.ask((prepare, setup, seconds))
        except (WorkerDied, WorkerTimedOut) as error:
            raise WorkerNotStarted(f"{error.reason}: {error}") from None
        if failure is not None:
            self.stop()
            raise WorkerNotStarted(failure.details)
        self._seconds = seconds

    def ask(self, task: object) -> Any:
        """Have a task done; return its answer, or a :class:`.messages.Failure`.

        Raises :exc:`.messages.WorkerDied` or :exc:`.messages.WorkerTimedOut`; the
        worker cannot be used any more then.
        """
        alarm = threading.Timer(
            min(self._seconds, threading.TIMEOUT_MAX), self._stop_late
        )
        alarm.daemon = True
        alarm.start()
        try:
            send(self._requests, task)
            return receive(self._answers)
        except (EOFError, OSError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)  # for the exit code
            self.stop()
            if self._is_late:
                raise WorkerTimedOut(f"after {self._seconds:g} seconds") from None
            raise WorkerDied(f"exit code {self._process.returncode}") from None
        except BaseException:
            self.stop()  # The pipes may hold the rest of a message.
            raise
        finally:
            alarm.cancel()
            alarm.join()  # It may be running just now.

    def _stop_late(self) -> None:
        self._is_late = True
        self._process.kill()

    @property
    def is_usable(self) -> bool:
        """Whether it may be asked once more."""
        return not self._is_late and self._process.poll() is None

    def kill(self) -> None:
        """End the process at once; a thread that waits for its answer sees it die."""
        self._process.kill()

    def stop(self) -> None:
        """End the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # a message that was not written to its end
                pipe.close()


def _start_process() -> subprocess.Popen[bytes]:
    if not sys.executable or getattr(sys, "frozen", False):
        raise WorkerNotStarted("this program has no Python interpreter to start")
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # The keys that stop the parent do not stop the worker.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise WorkerNotStarted(str(error)) from error


def _kill_all(workers: Collection[Worker]) -> None:
    for worker in tuple(workers):
        worker.kill()
