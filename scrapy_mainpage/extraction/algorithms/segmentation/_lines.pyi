import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int32]

def wrap_words(
    text: bytes, start: _Ints, end: _Ints, width: int
) -> tuple[_Ints, _Ints, _Ints]: ...
