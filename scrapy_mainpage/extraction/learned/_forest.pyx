"""Forests of small trees for many rows at once, without a branch per node.

After C. Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015: a node that sends a row to the right crosses
out the leaves to its left; the first leaf that is left over is the row's. With at most
eight leaves a byte holds them, and with at most 255 thresholds a byte holds how many of
a feature's thresholds a value is above: the loops are vector code. The values of leaves
are whole multiples of a small step: their sum is exact, in whatever order.
"""

from math import frexp, ldexp

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int16_t, int32_t, uint8_t

from ._leafsums cimport MOST_LEAVES, ROWS, Trees, is_wide, leaf_sums, ranks

cdef enum:
    MOST_THRESHOLDS = 255
    # Their sum is one of 32 bits, whatever the values are.
    MOST_TREES = 1 << 15
    MOST_STEPS = 1 << 14

cdef double MOST_VALUE = 1e30

cdef bint HAS_WIDE_VECTORS = is_wide()


def step_of(value):
    """The power of two whose multiples the *value* of leaves (float32) is rounded to.

    No value is more than 16,384 of them. Rounded ones have the same step. Values that
    are beyond all reason have none but 1.
    """
    most = float(np.abs(value).max(initial=0))
    if not 0 < most < MOST_VALUE:
        return 1.0
    step = ldexp(1, frexp(most)[1] - 14)
    return step if most / step < MOST_STEPS - 0.5 else 2 * step


def rounded(value):
    """The *value* of leaves as they are added up; as it is, if it is beyond reason."""
    step = step_of(value)
    if step == 1 and not np.abs(value).max(initial=0) <= MOST_STEPS:
        return value
    return (np.rint(np.asarray(value, np.float64) / step) * step).astype(np.float32)


cdef class QuickForest:
    """The sum of the trees' values, for a matrix with a row per feature.

    *feature*, *threshold*, *left*, *value* and *roots* are a forest's flat arrays (see
    ``_trees.pyx``), *value* as :func:`rounded` gives it; *place* is the matrix' row of
    each feature. Raises ``ValueError`` for trees with more than eight leaves, a feature
    with more than 255 thresholds, or very many trees. ``wide`` says whether it works with
    vectors that not every processor has; that changes nothing but the time.
    """

    def __init__(self, feature, threshold, left, value, roots, place):
        left, place = left.tolist(), np.asarray(place).tolist()
        inner = [k for k in range(len(left)) if left[k] >= 0]
        values, names = threshold.tolist(), feature.tolist()
        tables = {}
        for k in inner:
            tables.setdefault(names[k], set()).add(values[k])
        if any(len(table) > MOST_THRESHOLDS for table in tables.values()):
            raise ValueError(f"a feature has more than {MOST_THRESHOLDS} thresholds")
        if len(roots) > MOST_TREES:
            raise ValueError(f"there are more than {MOST_TREES} trees")
        self._step = step_of(value)
        if not np.abs(value).max(initial=0) <= MOST_STEPS * self._step:
            raise ValueError("the values of leaves are beyond all reason")
        used = sorted(tables, key=place.__getitem__)
        tables = {name: sorted(tables[name]) for name in used}
        self.n_features, self.n_trees = len(used), len(roots)
        self._place = np.array([place[name] for name in used], np.int32)
        self._first = np.cumsum([0, *map(len, tables.values())], dtype=np.int32)
        self._threshold = np.array([x for each in tables.values() for x in each], np.float32)
        number = {name: k for k, name in enumerate(used)}
        rank = {(name, x): k for name in used for k, x in enumerate(tables[name])}
        nodes, first = [], [0]
        self.wide = HAS_WIDE_VECTORS
        self._values = np.zeros((self.n_trees, MOST_LEAVES), np.int16)
        for tree, root in enumerate(roots.tolist()):
            leaves = _leaves_below(root, left)
            self._values[tree, : len(leaves)] = np.rint(value[leaves].astype(np.float64) / self._step)
            for node, begin, end in _inner_nodes(root, left):
                crossed = (1 << end) - (1 << begin)
                nodes.append((number[names[node]], rank[names[node], values[node]], crossed))
            first.append(len(nodes))
        # With one more, so that there is one.
        columns = np.array([*nodes, (0, 0, 0)], np.int32)
        self._node_feature = columns[:, 0].copy()
        self._node_rank = columns[:, 1].astype(np.uint8)
        self._node_crossed = columns[:, 2].astype(np.uint8)
        self._tree_first = np.array(first, np.int32)

    def predict(self, const float[:, ::1] matrix):
        """The sum over all trees for each column of *matrix*."""
        cdef int n = matrix.shape[1]
        result = np.zeros(n)
        cdef double[::1] total = result
        cdef Counts counts
        if n:
            counts = self.begin(n)
            try:
                self.take(&counts, &matrix[0, 0], 0, <int>matrix.shape[0])
                self.finish(&counts, &total[0])
            finally:
                self.end(&counts)
        return result

    cdef Counts begin(self, int n) except *:
        """Room for *n* columns, whose features are then taken; it must be ended."""
        cdef size_t wide = (<size_t>n + ROWS - 1) // ROWS * ROWS
        cdef Counts counts = Counts(NULL, wide, n, 0)
        counts.above = <uint8_t*>PyMem_Calloc(self.n_features + 1, wide)
        if not counts.above:
            raise MemoryError
        return counts

    cdef int take(
        self, Counts* counts, const float* rows, int first_row, int n_rows
    ) except -1:
        """Take in *rows*: those of the matrix from the first one on, in their order."""
        cdef const int32_t[::1] place = self._place, first = self._first
        cdef const float[::1] threshold = self._threshold
        cdef int k
        while counts.taken < self.n_features and place[counts.taken] < first_row + n_rows:
            k = counts.taken
            ranks(
                rows + <size_t>(place[k] - first_row) * counts.n, counts.n,
                &threshold[first[k]], first[k + 1] - first[k],
                counts.above + k * counts.wide, self.wide,
            )
            counts.taken += 1
        return 0

    cdef int finish(self, Counts* counts, double* total) except -1:
        """The values of all trees in *total*."""
        cdef const int32_t[::1] feature = self._node_feature, first = self._tree_first
        cdef const uint8_t[::1] rank = self._node_rank, crossed = self._node_crossed
        cdef const int16_t[:, ::1] values = self._values
        cdef int32_t[ROWS] sums
        cdef Trees trees
        cdef int i, begin
        if not self.n_trees:
            return 0
        trees = Trees(
            &feature[0], &first[0], &rank[0], &crossed[0], &values[0, 0], self.n_trees,
        )
        for begin in range(0, counts.n, ROWS):
            leaf_sums(&trees, counts.above + begin, counts.wide, sums, self.wide)
            for i in range(min(<int>ROWS, counts.n - begin)):
                total[begin + i] = sums[i] * self._step
        return 0

    cdef void end(self, Counts* counts) noexcept:
        """Free what *begin* has taken."""
        PyMem_Free(counts.above)


def _leaves_below(root, left):
    """The leaves below a node, from left to right."""
    leaves, open_ = [], [root]
    while open_:
        node = open_.pop()
        if left[node] < 0:
            leaves.append(node)
        else:
            open_ += [left[node] + 1, left[node]]
        if len(leaves) + len(open_) > MOST_LEAVES:
            raise ValueError(f"a tree has more than {MOST_LEAVES} leaves")
    return leaves


def _inner_nodes(root, left, begin=0):
    """Each inner node below *root* with the range of leaves to its left."""
    if left[root] < 0:
        return []
    child = left[root]
    middle = begin + len(_leaves_below(child, left))
    return [
        (root, begin, middle),
        *_inner_nodes(child, left, begin),
        *_inner_nodes(child + 1, left, middle),
    ]
