from lxml.etree import _Element

from .schema import Ints

BUILT_FOR_LXML: str
BUILT_FOR_LIBXML: str

def walk(
    root: _Element,
    all_attributes: bool = ...,
) -> tuple[
    tuple[Ints, ...],
    bytes,
    bytes,
    frozenset[int],
    tuple[str, ...],
    bool,
    int,
    tuple[int, int],
]: ...
def element_size() -> int: ...
