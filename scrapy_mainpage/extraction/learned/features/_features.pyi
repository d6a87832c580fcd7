import numpy as np
import numpy.typing as npt

from ...document.document import Document
from .._learned import QuickForest

_Ints = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]

NAMES: tuple[str, ...]
SLOTS: int

def compute(document: Document, weights: _Floats | None = None) -> _Floats: ...
def evaluate(
    document: Document, weights: _Floats | None, forest: QuickForest
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]: ...
def page_slots(document: Document) -> _Ints: ...
def block_slots(document: Document) -> tuple[_Ints, _Ints]: ...
