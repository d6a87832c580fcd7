from ...document.document import Document
from ...document.schema import Doubles, Floats, Ints
from .._forest import QuickForest

FAMILIES: dict[str, tuple[str, ...]]
FEATURE_NAMES: tuple[str, ...]

def compute(document: Document, weights: Floats | None = None) -> Floats: ...
def mean_features(document: Document, weights: Doubles) -> Doubles: ...
def evaluate(
    document: Document,
    weights: Floats | None,
    forest: QuickForest,
    slope: float,
    offset: float,
) -> tuple[Doubles, Ints]: ...
def settle_odds(document: Document, odds: Doubles) -> Doubles: ...
