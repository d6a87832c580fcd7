from typing import Final

import numpy as np
import numpy.typing as npt

from ..document.document import Document

OPENS: Final[int]

def read_events(
    document: Document,
    main: npt.NDArray[np.bool_],
    kept: npt.NDArray[np.uint8],
) -> npt.NDArray[np.int32]: ...
