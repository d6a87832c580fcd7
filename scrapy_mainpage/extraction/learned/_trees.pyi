import numpy as np
import numpy.typing as npt

def predict_tree(
    rows: npt.NDArray[np.float32],
    feature: npt.NDArray[np.int16],
    threshold: npt.NDArray[np.float32],
    equals: npt.NDArray[np.uint8],
    left: npt.NDArray[np.int32],
    value: npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]: ...
def predict_forest(
    rows: npt.NDArray[np.float32],
    feature: npt.NDArray[np.int16],
    threshold: npt.NDArray[np.float32],
    left: npt.NDArray[np.int32],
    value: npt.NDArray[np.float32],
    roots: npt.NDArray[np.int32],
) -> npt.NDArray[np.float64]: ...
