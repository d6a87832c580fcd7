import numpy as np
import numpy.typing as npt

from ...document.document import Document
from .._forest import QuickForest

_Floats = npt.NDArray[np.float32]

NAMES: tuple[str, ...]

def compute(document: Document, weights: _Floats | None = None) -> _Floats: ...
def judge(
    document: Document, weights: _Floats | None, forest: QuickForest
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]: ...
def markup_sums(document: Document, weights: _Floats) -> _Floats: ...
