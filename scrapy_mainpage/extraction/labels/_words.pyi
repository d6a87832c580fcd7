import numpy as np
import numpy.typing as npt

from ..document.schema import Bits, Ints, Shorts

WORD_SLOTS: int

class WordTable:
    def __init__(self, rows: dict[str, int]) -> None: ...
    def bits_of(self, name: bytes, is_id: bool = False) -> int: ...
    def add_bits(
        self,
        values: bytes,
        reading: Bits,
        attribute: Ints,
        element: Ints,
        start: Ints,
        end: Ints,
        bits: Bits,
    ) -> None: ...
    def count(
        self, text: bytes, start: Ints, end: Ints, n_topics: int
    ) -> tuple[Ints, npt.NDArray[np.uint32], Ints, Ints]: ...

def word_hashes(text: str) -> list[int]: ...
def sum_weights(
    wanted: Ints, slots: Ints, weights: npt.NDArray[np.int8]
) -> tuple[Shorts, Ints]: ...
