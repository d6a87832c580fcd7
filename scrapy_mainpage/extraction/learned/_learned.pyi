import numpy as np
import numpy.typing as npt

from ..document.document import Document

_Ints = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Scores = npt.NDArray[np.float32]

def predict_trees(
    rows: npt.NDArray[np.float32],
    feature: npt.NDArray[np.int16],
    threshold: npt.NDArray[np.float32],
    left: npt.NDArray[np.int32],
    value: npt.NDArray[np.float32],
    roots: npt.NDArray[np.int32],
    equals: npt.NDArray[np.uint8] | None = None,
) -> _Floats: ...
def value_step(value: npt.NDArray[np.float32]) -> float: ...
def round_values(value: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...

class QuickForest:
    use_avx2: bool
    def __init__(
        self,
        feature: npt.NDArray[np.int16],
        threshold: npt.NDArray[np.float32],
        left: npt.NDArray[np.int32],
        value: npt.NDArray[np.float32],
        roots: npt.NDArray[np.int32],
        place: npt.NDArray[np.int32],
    ) -> None: ...
    def predict(self, matrix: npt.NDArray[np.float32]) -> _Floats: ...
    def sum_vectors(
        self, matrix: npt.NDArray[np.float32], vectors: npt.NDArray[np.int16]
    ) -> npt.NDArray[np.int16]: ...

MIN_COPY_WORDS: int

def calibrate(document: Document, odds: _Floats) -> _Scores: ...
def select_blocks(
    document: Document,
    scores: _Scores,
    beta: float,
    min_words: float,
) -> tuple[npt.NDArray[np.bool_], float]: ...
def keep_copies(
    text: bytes, start: _Ints, end: _Ints, chosen: npt.NDArray[np.uint8]
) -> None: ...
