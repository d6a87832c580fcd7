import numpy as np
import numpy.typing as npt

from ..document.document import Document
from .phrases import PhraseMatches

NAMES: tuple[str, ...]

def role_features(
    document: Document,
    bits: npt.NDArray[np.uint64],
    phrases: PhraseMatches,
    main: npt.NDArray[np.uint8],
    wanted: npt.NDArray[np.int32],
    title: int,
    forum: bool,
) -> npt.NDArray[np.float32]: ...
