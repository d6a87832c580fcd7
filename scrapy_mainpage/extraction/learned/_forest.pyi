from ..document.schema import Bytes, Doubles, Floats, Ints, Shorts

def predict_trees(
    rows: Floats,
    feature: Shorts,
    threshold: Floats,
    left: Ints,
    value: Floats,
    roots: Ints,
    equals: Bytes | None = None,
) -> Doubles: ...
def value_step(value: Floats) -> float: ...
def round_values(value: Floats) -> Floats: ...

class QuickForest:
    use_avx2: bool
    def __init__(
        self,
        feature: Shorts,
        threshold: Floats,
        left: Ints,
        value: Floats,
        roots: Ints,
        place: Ints,
    ) -> None: ...
    def predict(self, matrix: Floats) -> Doubles: ...
    def sum_vectors(self, matrix: Floats, vectors: Shorts) -> Shorts: ...
