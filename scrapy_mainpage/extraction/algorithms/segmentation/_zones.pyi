import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int32]
_Flags = npt.NDArray[np.uint8]
_Floats = npt.NDArray[np.float32]
_Boxes = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

def build_zones(
    body: int,
    end: int,
    parent: _Ints,
    first_run: _Ints,
    breaks: _Flags,
    significant: _Flags,
    is_block: _Flags,
    is_line_break: _Flags,
    box: _Floats,
    run_box: _Floats,
    run_element: _Ints,
    run_is_text: _Flags,
) -> tuple[_Ints, _Ints, _Boxes, _Ints]: ...
def build_columns(
    parent: _Ints, box: _Boxes, tolerance: float
) -> tuple[_Ints, _Ints, _Boxes]: ...
def collapse_columns(
    parent: _Ints, box: _Boxes, tolerance: float
) -> tuple[_Mask, _Ints]: ...
def add_up(parent: _Ints, values: npt.NDArray[np.float64]) -> None: ...
def within(parent: _Ints, top: int) -> _Mask: ...
def count_sentences(
    text: bytes,
    start: _Ints,
    end: _Ints,
    block: _Ints,
    zone: _Ints,
    n_zones: int,
    verbs: frozenset[bytes] | None,
    least_words: int,
) -> _Ints: ...
def wrap_words(
    text: bytes, start: _Ints, end: _Ints, width: int
) -> tuple[_Ints, _Ints, _Ints]: ...
def spread_words(
    parent: _Ints, element: _Ints, words: _Ints, farthest: int
) -> npt.NDArray[np.float64]: ...
