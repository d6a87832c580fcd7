import numpy as np
import numpy.typing as npt

from ..document.document import Document

def assemble(
    document: Document,
    events: npt.NDArray[np.int32],
    links: dict[int, bytes],
    sources: dict[int, bytes],
    languages: dict[int, bytes],
) -> str: ...
