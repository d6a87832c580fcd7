import numpy as np
import numpy.typing as npt
from lxml.etree import _Element

BUILT_FOR_LXML: str
BUILT_FOR_LIBXML: str

_Array = npt.NDArray[np.int32]

def walk(
    root: _Element,
) -> tuple[
    _Array,
    _Array,
    _Array,
    _Array,
    _Array,
    _Array,
    bytes,
    bytes,
    tuple[str, ...],
    bool,
]: ...
def element_size() -> int: ...
