"""Times of several things that are done to the same pages, taken in turn.

Every page is read once by each in every run, as in a crawl, so that nothing is warm but
what a crawl keeps warm. What is done to a page first changes with a fixed seed. Times
are the processor's, of this process: what else runs on the machine counts less.
"""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import process_time

import numpy as np
from tqdm import tqdm

from .contenders import Contender
from .quiet import quiet
from .speedpages import SpeedPage
from .steps import (
    BEFORE,
    NEEDED,
    ON_DEMAND,
    STEPS,
    WITHOUT_RESPONSE,
    Step,
    Work,
    begin,
    extract,
    untouched,
)

SEED = 7
#: Of what a response and its selector cost, and what the extraction adds to it.
PARSE, ADDED = "parse", "added"
STEP, DEMAND, ALONE = "step: ", "on demand: ", "without a response: "

Seconds = dict[str, float]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Subject:
    """Something to measure: *read* a page and return the seconds of its parts.

    It is done to each *every*-th page only.
    """

    label: str
    read: Callable[[SpeedPage], Seconds]
    every: int = 1


@dataclass
class Times:
    """Of each part the seconds by run and page, NaN where it was not measured."""

    pages: Sequence[SpeedPage]
    runs: int
    seconds: dict[str, np.ndarray] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)

    def add(self, run: int, page: int, seconds: Seconds) -> None:
        for part, value in seconds.items():
            if part not in self.seconds:
                self.seconds[part] = np.full((self.runs, len(self.pages)), np.nan)
            self.seconds[part][run, page] = value


def measure(
    pages: Sequence[SpeedPage], subjects: Sequence[Subject], runs: int
) -> Times:
    """Do all *subjects* to all pages, in turn, so many times."""
    times = Times(pages, runs)
    choose = random.Random(SEED)
    with quiet(), tqdm(total=runs * len(pages), unit="page", disable=None) as bar:
        _warm(pages, subjects)
        for run in range(runs):
            for k, page in enumerate(pages):
                turn = [each for each in subjects if k % each.every == 0]
                for subject in choose.sample(turn, len(turn)):
                    # What another one has left behind is not paid by this one.
                    gc.collect()
                    times.add(run, k, _tried(subject, page, times))
                bar.update()
    gc.unfreeze()
    return times


def _warm(pages: Sequence[SpeedPage], subjects: Sequence[Subject]) -> None:
    """Load models and modules, and keep them out of the collections of garbage."""
    ignored = Times(pages, 1)
    for subject in subjects:
        for page in pages[:3]:
            _tried(subject, page, ignored)
    gc.collect()
    gc.freeze()


def _tried(subject: Subject, page: SpeedPage, times: Times) -> Seconds:
    started = process_time()
    try:
        return subject.read(page)
    except Exception:  # noqa: BLE001 - a failure of other people's code is a result
        times.failed[subject.label] += 1
        return {subject.label: process_time() - started}


def whole(contender: Contender) -> Subject:
    """From the bytes to the text."""

    def read(page: SpeedPage) -> Seconds:
        started = process_time()
        contender.call(page.body)
        return {contender.label: process_time() - started}

    return Subject(contender.label, read, contender.every)


def parsed() -> Subject:
    """What a response costs that is parsed, and what is added to that."""

    def read(page: SpeedPage) -> Seconds:
        work = begin(page)
        started = process_time()
        for step in BEFORE.values():
            step(work)
        between = process_time()
        extract(work)
        return {PARSE: between - started, ADDED: process_time() - between}

    return Subject(PARSE, read)


def stepwise() -> Subject:
    """All steps that every page goes through."""

    def read(page: SpeedPage) -> Seconds:
        work = begin(page)
        return {
            **_each(WITHOUT_RESPONSE, ALONE, work),
            **_each(BEFORE | STEPS, STEP, work),
        }

    return Subject("steps", read)


def _each(steps: dict[str, Step], prefix: str, work: Work) -> Seconds:
    seconds = {}
    for name, step in steps.items():
        if name in NEEDED:
            NEEDED[name](work)
        started = process_time()
        step(work)
        seconds[prefix + name] = process_time() - started
    return seconds


def demanded(every: int) -> Subject:
    """What is made when it is asked for, each from a page that has nothing of it."""

    def read(page: SpeedPage) -> Seconds:
        work, seconds = _parsed(page), {}
        for name, make in ON_DEMAND.items():
            fresh = untouched(work)
            started = process_time()
            make(fresh)
            seconds[DEMAND + name] = process_time() - started
        return seconds

    return Subject("on demand", read, every)


def _parsed(page: SpeedPage) -> Work:
    work = begin(page)
    for step in BEFORE.values():
        step(work)
    return work
