"""Workers, started when there are pages for them and replaced when they die."""

from __future__ import annotations

import threading
import weakref
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from .errors import WorkerDied, WorkerNotStarted
from .workers import Worker

if TYPE_CHECKING:
    from collections.abc import Collection

    from .tasks import Answer, Setup, Task

_ATTEMPTS: Final = 2


@dataclass(frozen=True)
class Outcome:
    """An answer, and why it took more than one worker."""

    answer: Answer
    deaths: tuple[str, ...] = ()


class Pool:
    """At most so many workers, each with one page at a time.

    A page whose worker died is given to another one once: what killed it may have been
    meant for others, as where memory runs out. A page that took too long is not.

    ``started`` and ``died`` count workers; those that were too slow have died, too.
    """

    def __init__(self, processes: int, setup: Setup):
        self.started = 0
        self.died = 0
        self._processes = processes
        self._setup = setup
        self._tasks: SimpleQueue[tuple[Future[Outcome], Task] | None] = SimpleQueue()
        self._lock = threading.Lock()  # for all of the following
        self._threads = 0
        self._unfinished = 0
        self._is_closed = False
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        # Where a program ends before the crawl does.
        weakref.finalize(self, _kill_all, self._workers)

    def submit(self, task: Task) -> Future[Outcome]:
        """Have a page extracted, when its turn comes.

        The future is cancelled if the pool is closed. Its errors are those of
        :mod:`.errors`, but for :exc:`.errors.PageFailed`.
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
        """End all workers and take no more pages."""
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
                    future.set_result(self._outcome(task))
                except BaseException as error:  # noqa: BLE001 - who waits will hear it
                    future.set_exception(error)
            with self._lock:
                self._unfinished -= 1
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        if idle is not None:
            self._dismiss(idle)

    def _outcome(self, task: Task) -> Outcome:
        deaths: list[str] = []
        while True:
            worker = self._hired()
            try:
                answer: Answer = worker.ask(task, self._setup.limit)
            except BaseException as error:
                self._dismiss(worker, died=True)
                deaths.append(str(error))
                if not isinstance(error, WorkerDied) or len(deaths) == _ATTEMPTS:
                    raise
            else:
                with self._lock:
                    self._idle.append(worker)
                return Outcome(answer, tuple(deaths))

    def _hired(self) -> Worker:
        """Return a worker that waits for a page, or a new one."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return self._hired_anew()
            if worker.is_usable:
                return worker
            self._dismiss(worker)

    def _hired_anew(self) -> Worker:
        try:
            return self._started()
        except WorkerNotStarted:
            if self._is_closed:
                raise
            return self._started()

    def _started(self) -> Worker:
        worker = Worker()
        with self._lock:
            self.started += 1
            self._workers.add(worker)
            if self._is_closed:
                worker.kill()
        try:
            worker.prepare(self._setup)
        except BaseException:
            self._dismiss(worker)
            raise
        return worker

    def _dismiss(self, worker: Worker, *, died: bool = False) -> None:
        with self._lock:
            self._workers.discard(worker)
            self.died += died
        worker.stop()


def _kill_all(workers: Collection[Worker]) -> None:
    for worker in tuple(workers):
        worker.kill()
