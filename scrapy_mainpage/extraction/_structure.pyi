from collections.abc import Callable

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]

def next_larger(parent: _Ints, first_block: _Ints, end_block: _Ints) -> _Ints: ...
def inherit(parent: _Ints, bits: _Hashes) -> None: ...
def token_bits(
    values: bytes,
    attribute: _Ints,
    element: _Ints,
    start: _Ints,
    end: _Ints,
    class_attribute: int,
    n_elements: int,
    known: dict[bytes, int],
    classify: Callable[[bytes], int],
) -> tuple[_Hashes, _Hashes]: ...
def path_hashes(
    parent: _Ints, tag: _Ints, classes: _Hashes
) -> tuple[_Hashes, _Hashes]: ...
def text_hashes(text: bytes, start: _Ints, end: _Ints) -> _Hashes: ...
def heaviest_path(
    parent: _Ints, weight: npt.NDArray[np.float64], share: float
) -> list[int]: ...
def last_characters(text: bytes, start: _Ints, end: _Ints) -> npt.NDArray[np.uint8]: ...
def shared_words(
    text: bytes, start: _Ints, end: _Ints, title: bytes
) -> tuple[_Ints, _Ints, int]: ...
