import numpy as np
import numpy.typing as npt

def step_of(value: npt.NDArray[np.float32]) -> float: ...
def rounded(value: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...

class QuickForest:
    wide: bool
    def __init__(
        self,
        feature: npt.NDArray[np.int16],
        threshold: npt.NDArray[np.float32],
        left: npt.NDArray[np.int32],
        value: npt.NDArray[np.float32],
        roots: npt.NDArray[np.int32],
        place: npt.NDArray[np.int32],
    ) -> None: ...
    def predict(self, matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]: ...
