import numpy as np
import numpy.typing as npt
from lxml.etree import _Element

BUILT_FOR_LXML: str
BUILT_FOR_LIBXML: str

_Ints = npt.NDArray[np.int32]

def walk(
    root: _Element,
    all_attributes: bool = ...,
) -> tuple[
    _Ints,
    _Ints,
    _Ints,
    _Ints,
    _Ints,
    _Ints,
    bytes,
    bytes,
    tuple[str, ...],
    bool,
]: ...
def element_size() -> int: ...
def last_characters(text: bytes, start: _Ints, end: _Ints) -> npt.NDArray[np.uint8]: ...
