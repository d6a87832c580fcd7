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
    tuple[_Ints, ...],
    bytes,
    bytes,
    frozenset[int],
    tuple[str, ...],
    bool,
    int,
    tuple[int, int],
]: ...
def element_size() -> int: ...
def find_headings(flags: _Ints) -> list[tuple[int, int]]: ...
def count_siblings(parent: _Ints, kind: _Ints) -> _Ints: ...
def write_paths(
    parent: _Ints,
    tag: _Ints,
    numbers: _Ints,
    names: list[bytes | None],
    wanted: _Ints,
    budget: int,
) -> list[str]: ...
