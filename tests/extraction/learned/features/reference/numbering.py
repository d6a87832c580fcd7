"""Groups of equal things, numbered as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.extraction.learned.features.reference.basics import number_groups

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]


def numbered(keys: Iterable[Hashable]) -> tuple[Ints, Ints, Ints]:
    """The group of each key, its place in it, and how many each group has."""
    group, rank, size = (np.array(ints, np.int32) for ints in number_groups(keys))
    return group, rank, size


def of_blocks(
    keys: list[Hashable], element: npt.NDArray[np.int32]
) -> tuple[Ints, Ints, Ints]:
    """The same for blocks, by the keys of their elements."""
    return numbered(keys[i] for i in element.tolist())
