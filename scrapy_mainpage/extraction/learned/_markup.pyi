import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int32]

SLOTS: int

def element_slots(
    values: bytes,
    attribute: _Ints,
    element: _Ints,
    start: _Ints,
    end: _Ints,
    id_attribute: int,
    n_elements: int,
) -> tuple[_Ints, _Ints]: ...
def slots_of(
    wanted: _Ints, parent: _Ints, tag: _Ints, n_tags: int, slots: _Ints, first: _Ints
) -> tuple[_Ints, _Ints]: ...
