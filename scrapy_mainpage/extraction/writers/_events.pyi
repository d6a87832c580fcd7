from typing import Final

import numpy as np
import numpy.typing as npt

from ..document import Document

NAMES: Final[tuple[str, ...]]
COLUMNS: Final[tuple[str, ...]]
OPENS: Final[int]
TEXTS: Final[int]

def text_holders(document: Document) -> npt.NDArray[np.int32]: ...
def main_runs(
    document: Document, main: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint8]: ...
def read_events(
    document: Document,
    main: npt.NDArray[np.bool_],
    kept: npt.NDArray[np.uint8],
) -> npt.NDArray[np.int32]: ...
