"""Labels as numbers, for arrays of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...page import Label
from .states import State

if TYPE_CHECKING:
    import numpy.typing as npt

    Codes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]

LABELS: Final = tuple(Label)
"""A label's code is its place here."""

CODE: Final = {label: code for code, label in enumerate(LABELS)}

_LABEL_OF: Final = {
    State.ACCOUNT: Label.FORM,
    State.BRAND: Label.HEADER,
    State.NONE: Label.OTHER,
    State.OVERLAY: Label.OTHER,
    State.CONTENT: Label.OTHER,
}
CODE_OF_STATE: Final = np.array(
    [CODE[_LABEL_OF.get(state) or Label(state.name.lower())] for state in State],
    np.uint8,
)
"""The code of a block's label in each state."""
