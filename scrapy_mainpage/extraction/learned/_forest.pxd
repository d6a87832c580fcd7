from libc.stdint cimport int16_t, int32_t, uint8_t


cdef struct Counts:
    # Per used feature and column: how many thresholds the value is above. Rows have
    # a length of whole vectors.
    uint8_t* above
    size_t wide
    int n, taken


cdef class QuickForest:
    cdef int n_features, n_trees
    # Per feature its row and thresholds; per node feature, rank and leaves; per tree values.
    cdef const int32_t[::1] _place, _first, _node_feature, _tree_first
    cdef const float[::1] _threshold
    cdef const uint8_t[::1] _node_rank, _node_crossed
    cdef const int16_t[:, ::1] _values
    cdef double _step
    cdef public bint use_avx2
    cdef Counts begin(self, int n) except *
    cdef int take(self, Counts* counts, const float* rows, int first_row, int n_rows) except -1
    cdef int finish(self, Counts* counts, double* total) except -1
    cdef void end(self, Counts* counts) noexcept
