"""How processor time grows with size, on a machine that others use too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

TURNS = 5
MAX_GROWTH = 2.0
"""Time of the large against that of the small, for each time that it is larger."""


def by_turns(*runs: Callable[[], float]) -> Iterator[list[float]]:
    """The least seconds of each run so far: others slow some down, hardly all."""
    least = [float("inf")] * len(runs)
    for _ in range(TURNS):
        least = [min(run(), known) for run, known in zip(runs, least, strict=True)]
        yield least


def grows_linearly(measure: Callable[[int], float], small: int, large: int) -> bool:
    """Whether *measure*, seconds for a size, grows no faster than the size."""
    most = MAX_GROWTH * large / small
    turns = by_turns(partial(measure, small), partial(measure, large))
    return any(long <= most * short for short, long in turns)
