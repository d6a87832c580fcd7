import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

def separators_of(
    chosen: npt.NDArray[np.int64],
    item: Ints,
    cell: Ints,
    parent: Ints,
    tag: Ints,
    element_item: Ints,
) -> npt.NDArray[np.uint8]: ...
def join_blocks(
    text: bytes,
    start: Ints,
    end: Ints,
    chosen: npt.NDArray[np.int64],
    separator: npt.NDArray[np.uint8],
) -> str: ...
