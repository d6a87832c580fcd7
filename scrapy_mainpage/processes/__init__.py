"""A pool of processes for tasks that may take long, hang, or end their process.

Each worker is a Python of its own that gets one task at a time through a pipe, so that
the task a worker died of is always known. :mod:`multiprocessing` would run the main
script again in each worker, and :class:`concurrent.futures.ProcessPoolExecutor` fails
every task in flight when one process dies and stops none that hangs. Of 36 large pages
with 12 random ``SIGKILL``, this pool finished all in 14 s, loky (one executor a slot)
all in 40 s, and pebble hung.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from .worker import (
    TaskFailed,
    WorkerDied,
    WorkerNotStarted,
    WorkerTimedOut,
    receive,
    send,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    Prepare = Callable[[Any], Callable[[Any], object]]

logger = logging.getLogger(__name__)

#: Its paths come as an argument: the package may stand where only the parent looks.
_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from scrapy_mainpage.processes.worker import main; main()"
)
_START_SECONDS: Final = 120.0
"""Time for the imports of a worker, on a busy machine."""


class Pool:
    """At most so many processes, each with one task at a time.

    ``prepare(setup)`` is called once in each worker and returns the function that does
    the tasks; *prepare* is a function of a module, *setup*, tasks and answers can be
    pickled. A task may take *seconds*. ::

        with Pool(4, prepare, setup, seconds=60.0) as pool:
            futures = [pool.submit(task) for task in tasks]
            answers = [future.result() for future in futures]  # in order

    Workers start when there are tasks, and live until the pool is closed. A task whose
    worker died is given to another one once: the cause may have been another task, as
    where memory runs out. A task that took too long is not. The threads of
    the pool do not keep the program from ending; no worker outlives it.
    """

    def __init__(
        self, processes: int, prepare: Prepare, setup: object, seconds: float
    ) -> None:
        self._processes = processes
        self._arguments = prepare, setup, seconds
        self._tasks: SimpleQueue[tuple[Future[Any], object] | None] = SimpleQueue()
        self._lock = threading.Lock()  # for all of the following
        self._unfinished = 0
        self._is_closed = False
        self._workers: list[Worker] = []

    @property
    def started(self) -> int:
        """Processes that were started."""
        return sum(worker.started for worker in self._workers)

    @property
    def died(self) -> int:
        """Processes that died, or were too slow."""
        return sum(worker.died for worker in self._workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def submit(self, task: object) -> Future[Any]:
        """Have a task done when its turn comes; safe in any thread.

        The future raises :exc:`.TaskFailed` for an error of the task,
        :exc:`.WorkerDied`, :exc:`.WorkerTimedOut` or :exc:`.WorkerNotStarted`. It is
        cancelled if the pool is closed.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._is_closed:
                future.cancel()
                return future
            self._unfinished += 1
            if len(self._workers) < min(self._unfinished, self._processes):
                self._workers.append(worker := Worker(*self._arguments))
                # A thread of an executor would keep the program from ending.
                threading.Thread(target=self._serve, args=[worker], daemon=True).start()
            self._tasks.put((future, task))
        return future

    def close(self) -> None:
        """End all workers and take no more tasks."""
        with self._lock:
            self._is_closed = True
            for worker in self._workers:
                worker.close()
                self._tasks.put(None)

    def _serve(self, worker: Worker) -> None:
        """Give tasks to the worker until the pool is closed; in a thread of its own."""
        while (item := self._tasks.get()) is not None:
            future, task = item
            if self._is_closed:
                future.cancel()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(worker.do(task))
                except BaseException as error:  # noqa: BLE001 - the future raises it
                    future.set_exception(error)
            with self._lock:
                self._unfinished -= 1
        worker.stop()


class Worker:
    """A process, started for its first task and replaced when it has died."""

    def __init__(self, prepare: Prepare, setup: object, seconds: float) -> None:
        self._setup = prepare, setup, seconds
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self.started = self.died = 0

    def do(self, task: object) -> Any:
        """Have a task done; raises as the future of :meth:`Pool.submit` does."""
        try:
            answer = self._try(task)
        except (WorkerDied, WorkerNotStarted) as error:
            if self._is_closed:
                raise
            logger.info("Another process has the task of one that died: %s", error)
            answer = self._try(task)
        if isinstance(answer, TaskFailed):
            raise answer
        return answer

    def _try(self, task: object) -> Any:
        if self._process is None or self._process.poll() is not None:
            self._start()
        return self._ask(task, self._seconds)

    def _start(self) -> None:
        """Start a process, and wait until it is ready for tasks."""
        self.stop()
        self._process = _start_process()
        self.started += 1
        if self._is_closed:  # in the meantime
            self.close()
        try:
            failure = self._ask(self._setup, _START_SECONDS)
        except (WorkerDied, WorkerTimedOut) as error:
            raise WorkerNotStarted(f"{error.reason}: {error}") from None
        if failure is not None:
            self.stop()
            raise WorkerNotStarted(str(failure))

    def _ask(self, message: object, seconds: float) -> Any:
        """Send a message and return the answer; after an error the process is gone."""
        process = self._process
        assert process is not None
        end = time.monotonic() + seconds
        alarm = threading.Timer(min(seconds, threading.TIMEOUT_MAX), process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            send(process.stdin, message)
            return receive(process.stdout)
        except BaseException as error:
            is_late = time.monotonic() >= end
            if is_end := isinstance(error, EOFError | OSError):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(1)  # for the exit code
            self.stop()  # The pipes may hold the rest of a message.
            self.died += 1
            if not is_end:
                raise
            if is_late:
                raise WorkerTimedOut(f"after {seconds:g} seconds") from None
            raise WorkerDied(f"exit code {process.returncode}") from None
        finally:
            alarm.cancel()
            alarm.join()  # It may be running just now.

    def close(self) -> None:
        """Kill the process; a thread that waits for its answer sees it die."""
        self._is_closed = True
        if self._process:
            self._process.kill()

    def stop(self) -> None:
        """End the process and close its pipes."""
        if self._process:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # a message that was not written to its end
                    pipe.close()  # type: ignore[union-attr]


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
