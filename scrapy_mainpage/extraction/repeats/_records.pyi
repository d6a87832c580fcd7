import numpy as np
import numpy.typing as npt

from ..document.schema import Ints

def find_records(kind: Ints, parent: Ints, first_run: Ints, end_run: Ints) -> Ints: ...
def hash_ranges(text: bytes, start: Ints, end: Ints) -> npt.NDArray[np.uint64]: ...
