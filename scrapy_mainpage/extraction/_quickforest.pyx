"""Forests of small trees for many rows at once, without a branch per node.

After C. Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive
ensembles of regression trees", SIGIR 2015: a node that sends a row to the right crosses
out the leaves to its left; the first leaf that is left over is the row's. With at most
eight leaves a byte holds them, and with at most 255 thresholds a byte holds how many of
a feature's thresholds a value is above: compilers turn the loops into vector code.
"""

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define APART __restrict
    #else
    #define APART __restrict__
    #endif
    // Wider vectors where the processor has them, if it can be asked at run time.
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) \\
        && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
    #define WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define WIDE
    #endif

    WIDE static void count_above(
        const float* APART x, float threshold, unsigned char* APART above, int n
    ) {
        for (int i = 0; i < n; i++) above[i] += x[i] > threshold;
    }

    WIDE static void cross_out(
        const unsigned char* a, const unsigned char* b, const unsigned char* c,
        const unsigned char* rank, const unsigned char* rest,
        unsigned char* APART leaves, int n
    ) {
        const unsigned char i = rank[0], j = rank[1], k = rank[2];
        const unsigned char p = rest[0], q = rest[1], r = rest[2];
        for (int x = 0; x < n; x++)
            leaves[x] &= (a[x] > i ? p : 0xFF) & (b[x] > j ? q : 0xFF)
                & (c[x] > k ? r : 0xFF);
    }

    static void add_values(
        const unsigned char* APART leaves, const unsigned char* APART first,
        const float* APART value, double* APART total, int n
    ) {
        for (int i = 0; i < n; i++) total[i] += value[first[leaves[i]]];
    }
    """
    void count_above(const float* x, float threshold, uint8_t* above, int n) noexcept
    void cross_out(
        const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* rank,
        const uint8_t* rest, uint8_t* leaves, int n
    ) noexcept
    void add_values(
        const uint8_t* leaves, const uint8_t* first, const float* value, double* total, int n
    ) noexcept

cdef enum:
    MOST_LEAVES = 8
    MOST_THRESHOLDS = 255
    # Bytes.
    VECTOR = 32

# The lowest bit of each byte.
cdef uint8_t[256] FIRST
cdef int _k
for _k in range(1, 256):
    FIRST[_k] = (_k & -_k).bit_length() - 1


cdef class QuickForest:
    """The sum of the trees' values, for a matrix with a row per feature.

    *feature*, *threshold*, *left*, *value* and *roots* are a forest's flat arrays (see
    ``_trees.pyx``); *place* is the matrix' row of each feature. Raises ``ValueError``
    for trees with more than eight leaves or a feature with more than 255 thresholds.
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
        used = sorted(tables, key=place.__getitem__)
        tables = {name: sorted(tables[name]) for name in used}
        self.n_features, self.n_trees = len(used), len(roots)
        self._place = np.array([place[name] for name in used], np.int32)
        self._first = np.cumsum([0, *map(len, tables.values())], dtype=np.int32)
        self._threshold = np.array([x for each in tables.values() for x in each], np.float32)
        number = {name: k for k, name in enumerate(used)}
        rank = {(name, x): k for name in used for k, x in enumerate(tables[name])}
        nodes, first = [], [0]
        self._values = np.zeros((self.n_trees, MOST_LEAVES), np.float32)
        for tree, root in enumerate(roots.tolist()):
            leaves = _leaves_below(root, left)
            self._values[tree, : len(leaves)] = value[leaves]
            for node, begin, end in _inner_nodes(root, left):
                rest = 0xFF & ~((1 << end) - (1 << begin))
                nodes.append((number[names[node]], rank[names[node], values[node]], rest))
            # They are worked on by threes; one that no value is above does nothing.
            while len(nodes) % 3:
                nodes.append((0, 0xFF, 0xFF))
            first.append(len(nodes))
        columns = np.array(nodes, np.int32).reshape(-1, 3)
        self._node_feature = columns[:, 0].copy()
        self._node_rank = columns[:, 1].astype(np.uint8)
        self._node_rest = columns[:, 2].astype(np.uint8)
        self._tree_first = np.array(first, np.int32)

    def predict(self, const float[:, ::1] matrix):
        """The sum over all trees for each column of *matrix*."""
        cdef int n = matrix.shape[1]
        result = np.zeros(n)
        cdef double[::1] total = result
        cdef Counts counts
        if n:
            counts = self.begin(n)
            self.take(&counts, &matrix[0, 0], 0, <int>matrix.shape[0])
            self.finish(&counts, &total[0])
        return result

    cdef Counts begin(self, int n) except *:
        """Room for *n* columns, whose features are then taken; it must be finished."""
        cdef size_t wide = (<size_t>n + VECTOR - 1) // VECTOR * VECTOR
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
        cdef size_t n = counts.n, wide = counts.wide, begin
        cdef int j, k
        while counts.taken < self.n_features and place[counts.taken] < first_row + n_rows:
            k = counts.taken
            begin = (place[k] - first_row) * n
            # Whole vectors: what is read behind a row is the next one's, and not used.
            length = <int>wide if begin + wide <= n_rows * n else <int>n
            for j in range(first[k], first[k + 1]):
                count_above(rows + begin, threshold[j], counts.above + k * wide, length)
            counts.taken += 1
        return 0

    cdef int finish(self, Counts* counts, double* total) except -1:
        """Add the values of all trees to *total*."""
        cdef const int32_t[::1] feature = self._node_feature, first = self._tree_first
        cdef const uint8_t[::1] rank = self._node_rank, rest = self._node_rest
        cdef const float[:, ::1] values = self._values
        cdef size_t wide = counts.wide
        cdef uint8_t* above = counts.above
        cdef uint8_t* leaves = above + self.n_features * wide
        cdef int j, tree
        for tree in range(self.n_trees):
            memset(leaves, 0xFF, wide)
            for j in range(first[tree], first[tree + 1], 3):
                cross_out(
                    above + feature[j] * wide, above + feature[j + 1] * wide,
                    above + feature[j + 2] * wide, &rank[j], &rest[j], leaves, <int>wide,
                )
            add_values(leaves, FIRST, &values[tree, 0], total, counts.n)
        PyMem_Free(above)
        return 0


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
