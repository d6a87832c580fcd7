import numpy as np
import numpy.typing as npt

from ..document import Document

_Floats = npt.NDArray[np.float32]

NAMES: tuple[str, ...]

def compute(document: Document, weights: _Floats | None = None) -> _Floats: ...
def markup_sums(document: Document, weights: _Floats) -> _Floats: ...
