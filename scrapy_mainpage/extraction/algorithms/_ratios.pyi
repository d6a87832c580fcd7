import numpy as np
import numpy.typing as npt

def spread_words(
    parent: npt.NDArray[np.int32],
    element: npt.NDArray[np.int32],
    words: npt.NDArray[np.int32],
    farthest: int,
) -> npt.NDArray[np.float64]: ...
