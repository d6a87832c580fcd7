"""How processor time grows with size, on a machine that others use too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

TURNS = 5
MAX_GROWTH = 2.0
"""Time of the large against that of the small, for each time that it is larger."""


def by_turns(measure: Callable[[int], float], *sizes: int) -> Iterator[list[float]]:
    """The least seconds of each size so far: others slow some runs down, hardly all."""
    least = [float("inf")] * len(sizes)
    for _ in range(TURNS):
        least = [min(measure(n), known) for n, known in zip(sizes, least, strict=True)]
        yield least


def grows_linearly(measure: Callable[[int], float], small: int, large: int) -> bool:
    """Whether *measure*, seconds for a size, grows no faster than the size."""
    most = MAX_GROWTH * large / small
    return any(b <= most * a for a, b in by_turns(measure, small, large))
