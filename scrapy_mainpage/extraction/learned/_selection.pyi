import numpy as np
import numpy.typing as npt

from ..document.document import Document

_Ints = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Scores = npt.NDArray[np.float32]

LONG_TEXT: int

def scores_of(total: _Floats, slope: float, offset: float, flags: _Ints) -> _Scores: ...
def choose(
    document: Document,
    scores: _Scores,
    copied: npt.NDArray[np.uint8],
    beta: float,
    least: float,
) -> tuple[npt.NDArray[np.bool_], float]: ...
def best_prefix(
    probability: _Floats, words: _Floats, order: npt.NDArray[np.int64], beta: float
) -> tuple[int, float]: ...
def keep_copies(
    text: bytes, start: _Ints, end: _Ints, chosen: npt.NDArray[np.uint8]
) -> None: ...
