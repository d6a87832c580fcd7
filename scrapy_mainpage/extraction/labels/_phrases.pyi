import numpy as np
import numpy.typing as npt

from ..document.schema import Bits, Bytes, Ints, Shorts

WORD_SLOTS: int

def word_hashes(text: str) -> list[int]: ...
def step_key(state: int, word: int) -> int: ...
def count_phrases(
    text: bytes,
    start: Ints,
    end: Ints,
    keys: Bits,
    following: Ints,
    topic: npt.NDArray[np.uint32],
    n_topics: int,
    weights: npt.NDArray[np.int8],
    main: Bytes,
) -> tuple[
    Ints,
    npt.NDArray[np.uint32],
    Ints,
    Ints,
    Ints,
    Shorts,
    Ints,
]: ...
def word_slots(text: bytes, start: Ints, end: Ints) -> Ints: ...
