import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

def best_prefix(
    probability: _Floats, words: _Floats, order: npt.NDArray[np.int64], beta: float
) -> tuple[int, float]: ...
def keep_copies(
    text: bytes,
    start: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
    chosen: npt.NDArray[np.bool_],
) -> None: ...
