"""The processes of one machine, that share the parts of files among them."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..processes.messages import (
    Failure,
    ProcessError,
    WorkerDied,
    WorkerNotStarted,
    WorkerTimedOut,
)
from ..processes.pool import Worker
from .errors import BatchError
from .extracting import to_batch
from .reading import ROWS
from .worker import Answer, Setup, Task, prepare

if TYPE_CHECKING:
    # typing.Self requires Python 3.11
    from typing_extensions import Self

logger = logging.getLogger(__name__)

_AHEAD: Final = 3
"""For each process so many parts are begun before the first of them is written."""

_TICK: Final = 0.1


@dataclass(frozen=True)
class Part:
    """A part of a file, from one position to another; ``exact`` is as of a task.

    The ``whole`` file goes to that position.
    """

    path: Path
    start: int
    end: int
    exact: bool = False
    is_last: bool = False
    whole: int = 0


class Told(NamedTuple):
    """What came of a part so far: rows, or why there are none; or nothing new."""

    part: Part | None = None
    answer: Answer | Failure | None = None


class Interrupted(Exception):
    """The work was ended from outside."""


class LocalPool:
    """So many processes that work parts off; a context manager that ends them.

    ``deaths`` counts processes that died or were too slow.
    """

    def __init__(self, processes: int, setup: Setup) -> None:
        self.deaths = 0
        self._setup = setup
        self._processes = processes
        self._todo: SimpleQueue[_Turn | None] = SimpleQueue()
        self._told: SimpleQueue[tuple[_Turn, Any]] = SimpleQueue()
        self._lock = threading.Lock()  # for the following
        self._workers: set[Worker] = set()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._serve, daemon=True) for _ in range(processes)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._is_closed = True
            for worker in self._workers:
                worker.kill()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def work(self, parts: Iterable[Part]) -> Iterator[Told]:
        """Work the parts off, and tell what came of them in their order.

        Every so often there is nothing to tell. Raises :exc:`.BatchError` if there can
        be no processes.
        """
        turns: deque[_Turn] = deque()
        waiting = iter(parts)
        stop: dict[Path, int] = {}
        while True:
            self._fill(turns, waiting)
            if not turns:
                return
            turn = turns[0]
            if not turn.told:
                yield from self._listen()
                continue
            answer = turn.told[0]
            if isinstance(answer, Answer) and self._is_apart(turn, answer, stop):
                # What the part before has ended with lies in this one.
                turns[0] = self._begun(
                    replace(turn.part, start=stop[turn.part.path], exact=True)
                )
                continue
            turn.told.popleft()
            turn.is_known = True
            yield Told(turn.part, answer)
            if isinstance(answer, Failure) or answer.is_done:
                turns.popleft()
                stop[turn.part.path] = turn.stop

    def _fill(self, turns: deque[_Turn], waiting: Iterator[Part]) -> None:
        while len(turns) < _AHEAD * self._processes:
            part = next(waiting, None)
            if part is None:
                return
            turns.append(self._begun(part))

    def _begun(self, part: Part) -> _Turn:
        turn = _Turn(part)
        self._todo.put(turn)
        return turn

    def _is_apart(self, turn: _Turn, answer: Answer, stop: dict[Path, int]) -> bool:
        """Whether it does not begin where the part before it has ended.

        That is so where what looks like the beginning of a record is within another,
        and where it is broken just there.
        """
        if turn.is_known or turn.part.exact:
            return False
        before = stop.get(turn.part.path, 0)
        return before >= turn.part.start and before != answer.first

    def _listen(self) -> Iterator[Told]:
        try:
            turn, answer = self._told.get(timeout=_TICK)
        except Empty:
            yield Told()
            return
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Answer):
            turn.stop = max(turn.stop, answer.next)
        turn.told.append(answer)

    # --- In the threads ----------------------------------------------------

    def _serve(self) -> None:
        hand = _Hand(self._setup, self._hired, self._dismissed)
        while (turn := self._todo.get()) is not None and not self._is_closed:
            self._work_off(turn, hand)
        hand.rest()

    def _work_off(self, turn: _Turn, hand: _Hand) -> None:
        try:
            for answer in hand.worked(turn.part):
                self._told.put((turn, answer))
        except BaseException as error:  # noqa: BLE001 - who listens will raise it
            self._told.put((turn, error))

    def _hired(self) -> Worker:
        worker = Worker()
        with self._lock:
            if self._is_closed:
                worker.stop()
                raise Interrupted
            self._workers.add(worker)
        try:
            worker.prepare(prepare, self._setup, self._setup.limit)
        except WorkerNotStarted as error:
            self._dismissed(worker, died=False)
            raise BatchError(f"no process can be started: {error}") from None
        return worker

    def _dismissed(self, worker: Worker, *, died: bool) -> None:
        with self._lock:
            self._workers.discard(worker)
            self.deaths += died and not self._is_closed
            is_closed = self._is_closed
        worker.stop()
        if died and is_closed:
            raise Interrupted


@dataclass(eq=False)
class _Turn:
    """A part that is worked off: what was told of it and not taken yet."""

    part: Part
    told: deque[Answer | Failure] = field(default_factory=deque)
    stop: int = 0
    is_known: bool = False


class _Hand:
    """Works parts off by one process, or another if that dies."""

    def __init__(self, setup: Setup, hire: Any, dismiss: Any) -> None:
        self._setup, self._hire, self._dismiss = setup, hire, dismiss
        self._worker: Worker | None = None

    def rest(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._dismiss(self._worker, died=False)
            self._worker = None

    def worked(self, part: Part) -> Iterator[Answer | Failure]:
        """Yield what comes of the part, until it is done or has failed.

        The rows that a process died of come one by one then: of one that kills again
        it is said that it does, and it is passed over.
        """
        task = Task(part.path, part.start, part.end, part.exact, ROWS)
        careful = 0
        while True:
            task = replace(task, rows=1 if careful else ROWS)
            try:
                answer = self._asked(task)
            except (WorkerDied, WorkerTimedOut) as error:
                if not careful:
                    careful = ROWS
                    continue
                answer = self._without(task, error)
            yield answer
            if isinstance(answer, Failure) or answer.is_done:
                return
            careful = max(careful - 1, 0)
            task = replace(task, start=answer.next, exact=answer.exact)

    def _asked(self, task: Task) -> Answer | Failure:
        if self._worker is None:
            self._worker = self._hire()
        try:
            answer: Answer | Failure = self._worker.ask(task)
        except ProcessError as error:
            worker, self._worker = self._worker, None
            logger.warning(
                "A process ended (%s: %s) at %s, from %d on",
                *(error.reason, error, task.path, task.start),
            )
            self._dismiss(worker, died=True)
            raise
        return answer

    def _without(self, task: Task, error: ProcessError) -> Answer | Failure:
        """The row that a process died of twice, not extracted."""
        verdict = (error.reason, f"the process that had the page ended: {error}")
        try:
            return self._asked(replace(task, verdict=verdict))
        except (WorkerDied, WorkerTimedOut):  # to read it is enough
            return self._unread(task, verdict)

    def _unread(self, task: Task, verdict: tuple[str, str]) -> Answer:
        code, message = verdict
        row = {"error": code, "error_message": f"at {task.start:,}: {message}"}
        batch = to_batch([row], self._setup.extraction.schema)
        return Answer(batch, task.start, task.start + 1, exact=False)
