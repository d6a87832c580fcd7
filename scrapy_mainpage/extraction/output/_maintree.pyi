import numpy as np
import numpy.typing as npt

from ..document.document import Document

def text_holders(document: Document) -> npt.NDArray[np.int32]: ...
def main_runs(
    document: Document, main: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint8]: ...
