"""LightGBM's trees as flat arrays, as the compiled prediction reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..evaluation.rounding import rounded_down

if TYPE_CHECKING:
    import numpy.typing as npt


def flatten(
    trees: list[dict[str, Any]],
) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int32]]:
    """Nodes by the name of their array, and the roots, of LightGBM's dumped *trees*.

    The second child of a node follows the first.
    """
    nodes: list[tuple[int, float, int, float]] = []
    roots = []
    for tree in trees:
        start = len(nodes)
        roots.append(start)
        queue = [tree]
        for node in queue:  # grows while it is read: breadth first
            if "left_child" in node:
                first = start + len(queue)
                nodes.append((node["split_feature"], node["threshold"], first, 0.0))
                queue += [node["left_child"], node["right_child"]]
            else:
                nodes.append((0, 0.0, -1, node["leaf_value"]))
    feature, threshold, left, value = zip(*nodes, strict=True)
    return {
        "feature": np.array(feature, np.int16),
        "threshold": rounded_down(np.array(threshold)),
        "left": np.array(left, np.int32),
        "value": np.array(value, np.float32),
    }, np.array(roots, np.int32)
