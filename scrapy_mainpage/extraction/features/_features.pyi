import numpy as np
import numpy.typing as npt

from ..document import Document

_Floats = npt.NDArray[np.float32]

NAMES: tuple[str, ...]

def compute(document: Document, weights: _Floats | None = None) -> _Floats: ...
def markup_sums(document: Document, weights: _Floats) -> _Floats: ...
def number_texts_of(
    document: Document,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
