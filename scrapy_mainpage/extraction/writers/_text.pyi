import numpy as np
import numpy.typing as npt

def join_blocks(
    text: bytes,
    start: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
    chosen: npt.NDArray[np.int64],
    separator: npt.NDArray[np.uint8],
) -> str: ...
