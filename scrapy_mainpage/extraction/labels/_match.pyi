from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..document.document import Document

_Ints = npt.NDArray[np.int32]
_Bits = npt.NDArray[np.uint64]

WORD_SLOTS: int

def name_bits(
    values: bytes,
    attribute: _Ints,
    element: _Ints,
    start: _Ints,
    end: _Ints,
    n_elements: int,
    known: list[dict[bytes, int] | None],
    classify: Callable[[int, bytes], int],
) -> _Bits: ...
def find_kinds(document: Document, names: _Bits) -> npt.NDArray[np.uint8]: ...
def find_larger(parent: _Ints, first_block: _Ints, end_block: _Ints) -> _Ints: ...
def word_hashes(text: str) -> list[int]: ...
def step_key(state: int, word: int) -> int: ...
def count_phrases(
    text: bytes,
    start: _Ints,
    end: _Ints,
    keys: _Bits,
    following: _Ints,
    topic: npt.NDArray[np.uint32],
    n_topics: int,
    weights: npt.NDArray[np.int8],
) -> tuple[
    _Ints,
    npt.NDArray[np.uint32],
    _Ints,
    _Ints,
    _Ints,
    npt.NDArray[np.int16],
    _Ints,
]: ...
def word_slots(text: bytes, start: _Ints, end: _Ints) -> _Ints: ...
