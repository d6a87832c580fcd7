import numpy as np
import numpy.typing as npt

from ...document.document import Document
from .._learned import QuickForest

_Ints = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]

FAMILIES: dict[str, tuple[str, ...]]
NAMES: tuple[str, ...]
CONTEXT_NAMES: tuple[str, ...]
SLOTS: int

def compute(
    document: Document, weights: _Floats | None = None, families: int = ...
) -> _Floats: ...
def mean_features(
    document: Document, weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]: ...
def evaluate(
    document: Document,
    weights: _Floats | None,
    forest: QuickForest,
    slope: float,
    offset: float,
    context: QuickForest | None,
) -> npt.NDArray[np.float64]: ...
def compute_context(
    document: Document,
    odds: npt.NDArray[np.float64],
    copies: npt.NDArray[np.uint8],
) -> _Floats: ...
def settle_odds(
    document: Document,
    odds: npt.NDArray[np.float64],
    copies: npt.NDArray[np.uint8],
) -> npt.NDArray[np.float64]: ...
def page_slots(document: Document) -> _Ints: ...
def block_slots(document: Document) -> tuple[_Ints, _Ints]: ...
