import numpy as np
import numpy.typing as npt

from ..document.document import Document

_Ints = npt.NDArray[np.int32]
_Bits = npt.NDArray[np.uint64]

WORD_SLOTS: int

class NameTable:
    def __init__(
        self,
        entries: dict[tuple[int, str], tuple[int, int]],
        reading: npt.NDArray[np.uint8],
    ) -> None: ...

def name_bits(
    values: bytes,
    attribute: _Ints,
    element: _Ints,
    start: _Ints,
    end: _Ints,
    n_elements: int,
    table: NameTable,
) -> _Bits: ...
def bits_of_name(table: NameTable, attribute: int, name: bytes) -> int: ...
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
    main: npt.NDArray[np.uint8],
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
