import numpy as np
import numpy.typing as npt

def hash_words(
    text: str, between_blanks: bool
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]: ...
