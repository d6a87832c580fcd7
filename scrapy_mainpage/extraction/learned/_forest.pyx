"""Boosted trees for many rows at once, without a branch per node.

After C. Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015: a node that sends a row to the right crosses
out the leaves to its left; the first leaf that is left over is the row's. With at most
eight leaves a byte holds them, and with at most 255 thresholds a byte holds how many of
a feature's thresholds a value is above: the loops are vector code (_leaf_sums.h). Leaf
values are whole multiples of a small step, so that their sum is exact in any order.
"""

from math import frexp, ldexp

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport rint
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memset

cdef extern from "_leaf_sums.h":
    ctypedef struct Trees "mainpage_trees":
        const int32_t *feature
        const int32_t *first
        const uint8_t *rank
        const uint8_t *crossed
        const int16_t *value
        int n_trees
    bint has_avx2 "mainpage_has_avx2"() noexcept
    void count_thresholds "mainpage_count_thresholds"(
        const float* x, int n, const float* threshold, int count, uint8_t* above
    ) noexcept
    void sum_leaves "mainpage_sum_leaves"(
        const Trees* trees, const uint8_t* above, size_t stride, int32_t* sums, bint use_avx2
    ) noexcept
    void number_leaves_of "mainpage_number_leaves"(
        const Trees* trees, const uint8_t* above, size_t stride, uint8_t* places, bint use_avx2
    ) noexcept
    void sum_vectors "mainpage_sum_vectors"(
        const int16_t* vectors, int n_trees, const uint8_t* places, int16_t* sums
    ) noexcept

cdef enum:
    # Rows that are evaluated together.
    N_LANES = 32
    MAX_LEAVES = 8
    # Numbers of a leaf, if there are several outputs.
    VECTOR = 16
    MAX_THRESHOLDS = 255
    # The sum of so many trees' values has 32 bits, whatever the values are.
    MAX_TREES = 1 << 15
    MAX_STEPS = 1 << 14

cdef double MAX_VALUE = 1e30


cdef struct Branches:
    # Of one tree: its leaves from left to right, its inner nodes, and the leaves to the left
    # of each of these, as bits.
    int32_t[MAX_LEAVES] leaves
    int32_t[MAX_LEAVES] nodes
    uint8_t[MAX_LEAVES] crossed
    int n_leaves, n_nodes


def predict_trees(
    const float[:, ::1] rows,
    const int16_t[::1] feature,
    const float[::1] threshold,
    const int32_t[::1] left,
    const float[::1] value,
    const int32_t[::1] roots,
    const uint8_t[::1] equals=None,
):
    """The sum over all trees of the *value* of the leaf that each of the *rows* ends in.

    Trees of any size, by a walk from their *roots*. A node sends a row to ``left`` if its
    feature is at most the threshold (or, where *equals* is set, equal to it), else to the
    node after ``left``; a leaf's ``left`` is -1.
    """
    cdef int n = rows.shape[0], n_trees = roots.shape[0], i, tree, node
    cdef double total
    cdef bint some_equal = equals is not None
    cdef float x
    result = np.empty(n, np.float64)
    cdef double[::1] out = result
    for i in range(n):
        total = 0
        for tree in range(n_trees):
            node = roots[tree]
            while left[node] >= 0:
                x = rows[i, feature[node]]
                if some_equal and equals[node]:
                    node = left[node] + (x != threshold[node])
                else:
                    node = left[node] + (x > threshold[node])
            total += value[node]
        out[i] = total
    return result


def value_step(value):
    """The power of two whose multiples the *value* of leaves (float32) is rounded to.

    No value is more than 16,384 of them. Rounded values have the same step. The step of
    values beyond all reason is 1.
    """
    most = float(np.abs(value).max(initial=0))
    if not 0 < most < MAX_VALUE:
        return 1.0
    step = ldexp(1, frexp(most)[1] - 14)
    return step if most / step < MAX_STEPS - 0.5 else 2 * step


def round_values(value):
    """The *value* of leaves rounded to whole steps; unchanged if it is beyond reason."""
    step = value_step(value)
    if step == 1 and not np.abs(value).max(initial=0) <= MAX_STEPS:
        return value
    return (np.rint(np.asarray(value, np.float64) / step) * step).astype(np.float32)


cdef class QuickForest:
    """The sum of the trees' values, for a matrix with a row per feature.

    *feature*, *threshold*, *left*, *value* and *roots* are a forest's flat arrays (see
    :func:`predict_trees`), *value* as :func:`round_values` gives it; *place* is the matrix' row of
    each feature. Raises ``ValueError`` for trees with more than eight leaves, a feature
    with more than 255 thresholds, or very many trees. ``use_avx2`` may be cleared; that
    changes the time alone.
    """

    def __init__(self, feature, threshold, left, value, roots, place):
        if len(roots) > MAX_TREES:
            raise ValueError(f"there are more than {MAX_TREES} trees")
        self._step = value_step(value)
        if not np.abs(value).max(initial=0) <= MAX_STEPS * self._step:
            raise ValueError("the values of leaves are beyond all reason")
        self.use_avx2 = has_avx2()
        self.n_trees = len(roots)
        self._read_trees(left, value, roots, *self._rank_thresholds(feature, threshold, left, place))

    def _rank_thresholds(self, feature, threshold, left, place):
        """The number of each node's feature, and the rank of its threshold."""
        inner = np.flatnonzero(left >= 0)
        values = threshold[inner].astype(np.float32)
        rows, number = np.unique(np.asarray(place)[feature[inner]], return_inverse=True)
        order = np.lexsort((values, number))
        values, ordered = values[order], number[order]
        is_new = np.ones(len(order), bool)
        is_new[1:] = (np.diff(ordered) != 0) | (np.diff(values) != 0)
        first = np.searchsorted(ordered[is_new], np.arange(len(rows) + 1))
        if np.diff(first).max(initial=0) > MAX_THRESHOLDS:
            raise ValueError(f"a feature has more than {MAX_THRESHOLDS} thresholds")
        self.n_features = len(rows)
        self._place, self._first = rows.astype(np.int32), first.astype(np.int32)
        self._threshold = values[is_new]
        numbers, ranks = np.zeros(len(left), np.int32), np.zeros(len(left), np.uint8)
        numbers[inner] = number
        ranks[inner[order]] = np.cumsum(is_new) - 1 - first[ordered]
        return numbers, ranks

    def _read_trees(
        self, const int32_t[::1] left, const float[::1] value, const int32_t[::1] roots,
        const int32_t[::1] number, const uint8_t[::1] rank,
    ):
        """Set the arrays of nodes and leaves from each node's feature and rank."""
        # One more node, so that the arrays are not empty.
        size = self.n_trees * (MAX_LEAVES - 1) + 1
        cdef int32_t[::1] feature = np.zeros(size, np.int32)
        cdef uint8_t[::1] ranks = np.zeros(size, np.uint8), crossed = np.zeros(size, np.uint8)
        cdef int32_t[::1] first = np.zeros(self.n_trees + 1, np.int32)
        cdef int16_t[:, ::1] values = np.zeros((self.n_trees, MAX_LEAVES), np.int16)
        cdef Branches branches
        cdef int tree, k, added = 0
        for tree in range(self.n_trees):
            branches.n_leaves = branches.n_nodes = 0
            number_leaves(&branches, &left[0], roots[tree])
            for k in range(branches.n_leaves):
                values[tree, k] = <int16_t>rint(value[branches.leaves[k]] / self._step)
            for k in range(branches.n_nodes):
                feature[added] = number[branches.nodes[k]]
                ranks[added] = rank[branches.nodes[k]]
                crossed[added] = branches.crossed[k]
                added += 1
            first[tree + 1] = added
        self._node_feature, self._node_rank, self._node_crossed = feature, ranks, crossed
        self._tree_first, self._values = first, values

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

    def sum_vectors(self, const float[:, ::1] matrix, const int16_t[:, :, ::1] vectors):
        """The sum over all trees of the leaves' *vectors*, a row for each column of *matrix*.

        *vectors* has 16 numbers for each leaf, from left to right, of each tree. Sums have
        16 bits, as these.
        """
        cdef int n = matrix.shape[1], begin
        cdef size_t wide = (<size_t>n + N_LANES - 1) // N_LANES * N_LANES
        sums = np.zeros((wide, VECTOR), np.int16)
        cdef int16_t[:, ::1] out = sums
        if (vectors.shape[0], vectors.shape[1], vectors.shape[2]) != (self.n_trees, MAX_LEAVES, VECTOR):
            raise ValueError("not a vector for each leaf")
        if not n or not self.n_trees:
            return sums[:n]
        cdef uint8_t[:, ::1] place = np.empty((self.n_trees, N_LANES), np.uint8)
        cdef Trees trees = trees_of(self)
        cdef Counts counts = self.begin(n)
        try:
            self.take(&counts, &matrix[0, 0], 0, <int>matrix.shape[0])
            for begin in range(0, n, N_LANES):
                number_leaves_of(&trees, counts.above + begin, wide, &place[0, 0], self.use_avx2)
                sum_vectors(&vectors[0, 0, 0], self.n_trees, &place[0, 0], &out[begin, 0])
        finally:
            self.end(&counts)
        return sums[:n]

    cdef Counts begin(self, int n) except *:
        """Room for *n* columns, whose features are then taken; it must be ended."""
        cdef size_t wide = (<size_t>n + N_LANES - 1) // N_LANES * N_LANES
        cdef Counts counts = Counts(NULL, wide, n, 0)
        counts.above = <uint8_t*>PyMem_Calloc(self.n_features + 1, wide)
        if not counts.above:
            raise MemoryError
        return counts

    cdef int take(
        self, Counts* counts, const float* rows, int first_row, int n_rows
    ) except -1:
        """Take in *rows*: those of the matrix from the first one on, in their order."""
        cdef const int32_t* place = &self._place[0] if self.n_features else NULL
        cdef const int32_t* first = &self._first[0]
        cdef int k
        while counts.taken < self.n_features and place[counts.taken] < first_row + n_rows:
            k = counts.taken
            count_thresholds(
                rows + <size_t>(place[k] - first_row) * counts.n, counts.n,
                &self._threshold[first[k]], first[k + 1] - first[k],
                counts.above + k * counts.wide,
            )
            counts.taken += 1

    cdef int finish(self, Counts* counts, double* total) except -1:
        """The values of all trees in *total*."""
        cdef int32_t[N_LANES] sums
        cdef int i, begin
        if not self.n_trees:
            memset(total, 0, counts.n * sizeof(double))
            return 0
        cdef Trees trees = trees_of(self)
        for begin in range(0, counts.n, N_LANES):
            sum_leaves(&trees, counts.above + begin, counts.wide, sums, self.use_avx2)
            for i in range(min(<int>N_LANES, counts.n - begin)):
                total[begin + i] = sums[i] * self._step

    cdef void end(self, Counts* counts) noexcept:
        """Free the memory of *begin*."""
        PyMem_Free(counts.above)


cdef int number_leaves(Branches* tree, const int32_t* left, int node) except -1:
    """Take in the leaves and inner nodes from *node* on."""
    cdef int k = tree.n_nodes, begin = tree.n_leaves
    # A tree has one more leaf than inner nodes.
    if begin >= MAX_LEAVES or k >= MAX_LEAVES:
        raise ValueError(f"a tree has more than {MAX_LEAVES} leaves")
    if left[node] < 0:
        tree.leaves[begin] = node
        tree.n_leaves += 1
        return 0
    tree.nodes[k] = node
    tree.n_nodes += 1
    number_leaves(tree, left, left[node])
    tree.crossed[k] = <uint8_t>((1 << tree.n_leaves) - (1 << begin))
    return number_leaves(tree, left, left[node] + 1)


cdef Trees trees_of(QuickForest forest) noexcept:
    """The arrays of the trees; there is one tree at least."""
    return Trees(
        &forest._node_feature[0], &forest._tree_first[0], &forest._node_rank[0],
        &forest._node_crossed[0], &forest._values[0, 0], forest.n_trees
    )
