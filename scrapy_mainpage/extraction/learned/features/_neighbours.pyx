"""The features of the blocks before and after."""

from ._view cimport View

from ._blocks import BLOCK_NAMES

cdef enum:
    N_BESIDE = 10
    N_AROUND = 6
    DISTANCE = 2
    N_RADII = 3

_BESIDE = (
    "words link_density sentences ends_sentence heading tag_p tag_li digit_share"
    " capital_share word_length"
).split()
_AROUND = "words link_density sentences ends_sentence tag_p heading".split()
_RADII = (1, 3, 6)

NEIGHBOUR_NAMES = (
    *(
        f"{name}_{sign}{offset}"
        for name in _BESIDE
        for offset in range(1, DISTANCE + 1)
        for sign in "-+"
    ),
    *(f"{name}_mean{radius}" for name in _AROUND for radius in _RADII),
)
N_NEIGHBOURS = len(NEIGHBOUR_NAMES)

cdef int[N_BESIDE] BESIDE
cdef int[N_AROUND] AROUND
cdef int[N_RADII] RADII
cdef int _k
for _k in range(N_BESIDE):
    BESIDE[_k] = BLOCK_NAMES.index(_BESIDE[_k])
for _k in range(N_AROUND):
    AROUND[_k] = BLOCK_NAMES.index(_AROUND[_k])
for _k in range(N_RADII):
    RADII[_k] = _RADII[_k]


cdef int fill_neighbours(View view, float* out) except -1:
    """Two blocks to each side, and means over windows; 0 outside of the page.

    The blocks' own features, the first ones of all, must be there.
    """
    cdef int n = view.n, i, k, r, offset, low, high, radius
    cdef const float* column
    cdef double* total = view.doubles(n + 1)
    total[0] = 0
    for k in range(N_BESIDE):
        column = view.features + BESIDE[k] * n
        for offset in range(1, DISTANCE + 1):
            for i in range(n):
                out[i] = column[i - offset] if i >= offset else 0
            out += n
            for i in range(n):
                out[i] = column[i + offset] if i + offset < n else 0
            out += n
    for k in range(N_AROUND):
        column = view.features + AROUND[k] * n
        for i in range(n):
            total[i + 1] = total[i] + column[i]
        for r in range(N_RADII):
            radius = RADII[r]
            for i in range(n):
                low, high = max(i - radius, 0), min(i + radius + 1, n)
                out[i] = <float>((total[high] - total[low]) / (high - low))
            out += n
    return 0
