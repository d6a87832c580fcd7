"""All features of all text blocks of a page, computed in one go.

They are rows of a matrix with a column per block, so that what computes or reads a
feature walks through memory in order.
"""

import numpy as np

from libc.stdint cimport uint8_t

from .._forest cimport Counts, QuickForest
from ._blocks cimport N_BLOCKS, N_PAGE, N_POSITIONS, fill_blocks, fill_page, fill_positions
from ._containers cimport N_CONTAINERS, count_kinds, fill_containers, find_ancestors
from ._declared cimport N_DECLARED, N_SECTIONS, fill_declared, fill_sections
from ._markup cimport fill_markup
from ._neighbours cimport N_NEIGHBOURS, fill_neighbours
from ._places cimport (
    N_BODY, N_GROUPS, N_REPETITION, fill_body, fill_groups, fill_repetition, number_texts,
    number_tokens, read_keys,
)
from ._records cimport N_RECORDS, fill_records
from ._systems cimport N_SYSTEMS, fill_systems
from ._view cimport Mark, View

from . import _blocks, _containers, _declared, _neighbours, _places, _records, _systems

NAMES = (
    *_blocks.BLOCK_NAMES,
    *_neighbours.NEIGHBOUR_NAMES,
    *_blocks.POSITION_NAMES,
    *_containers.CONTAINER_NAMES,
    *_places.REPETITION_NAMES,
    *_systems.SYSTEM_NAMES,
    *_declared.DECLARED_NAMES,
    *_declared.SECTION_NAMES,
    *_places.GROUP_NAMES,
    *_places.BODY_NAMES,
    *_records.RECORD_NAMES,
    *_blocks.PAGE_NAMES,
)


def compute(document, const float[::1] weights=None):
    """A matrix (float32) with a row per feature of ``NAMES``, a column per text block.

    With the *weights* of all slots of the markup there is one more: their sums.
    """
    cdef int n = len(document.blocks.start)
    cdef float[:, ::1] out
    matrix = np.empty((len(NAMES) + (weights is not None), n), np.float32)
    if n:
        out = matrix
        _fill(View(document), weights, &out[0, 0], None, NULL)
    return matrix


def judge(document, const float[::1] weights, QuickForest forest not None):
    """The sum over the trees of *forest* per text block, without a matrix in between.

    The second array is 1 for the blocks whose text the page has more than once, digits
    apart. The forest's rows are those of :func:`compute`.
    """
    cdef int n = len(document.blocks.start), i
    cdef View view
    cdef Counts counts
    sums, copied = np.zeros(n), np.zeros(n, np.uint8)
    cdef double[::1] total = sums
    cdef uint8_t[::1] copies = copied
    if n:
        view = View(document)
        counts = forest.begin(n)
        try:
            _fill(view, weights, NULL, forest, &counts)
            forest.finish(&counts, &total[0])
        finally:
            forest.end(&counts)
        for i in range(n):
            copies[i] = view.texts.size[view.texts.group[i]] > 1
    return sums, copied


def markup_sums(document, const float[::1] weights):
    """Per text block the sum of the *weights* of its slots, as a feature has it."""
    cdef int n = len(document.blocks.start)
    sums = np.empty(n, np.float32)
    cdef float[::1] out = sums
    cdef View view
    if n:
        view = View(document)
        number_tokens(view)
        fill_markup(view, &weights[0], &out[0])
    return sums


ctypedef int (*Fill)(View view, float* out) except -1

cdef enum:
    N_PARTS = 12

cdef Fill[N_PARTS] FILLS = [
    fill_blocks, fill_neighbours, fill_positions, fill_containers, fill_repetition,
    fill_systems, fill_declared, fill_sections, fill_groups, fill_body, fill_records,
    fill_page,
]
cdef int[N_PARTS] ROWS = [
    N_BLOCKS, N_NEIGHBOURS, N_POSITIONS, N_CONTAINERS, N_REPETITION, N_SYSTEMS, N_DECLARED,
    N_SECTIONS, N_GROUPS, N_BODY, N_RECORDS, N_PAGE,
]


cdef int _fill(
    View view, const float[::1] weights, float* matrix, QuickForest forest, Counts* counts
) except -1:
    """Fill the *matrix*, or let the *forest* take in what there is, part by part."""
    cdef int k, row = 0
    cdef Mark mark
    cdef float* out
    find_ancestors(view)
    count_kinds(view)
    number_tokens(view)
    read_keys(view)
    number_texts(view)
    view.title_match = <float*>view.take(view.n * sizeof(float))
    # The blocks' own features are there until those of their neighbours are.
    view.features = matrix if matrix else view.columns(N_BLOCKS)
    for k in range(N_PARTS):
        mark = view.mark()
        out = view.features
        if k:
            out = matrix + <size_t>row * view.n if matrix else view.columns(ROWS[k])
        FILLS[k](view, out)
        if not matrix:
            forest.take(counts, out, row, ROWS[k])
        view.release(mark)
        row += ROWS[k]
    if weights is not None:
        out = matrix + <size_t>row * view.n if matrix else view.columns(1)
        fill_markup(view, &weights[0], out)
        if not matrix:
            forest.take(counts, out, row, 1)
    return 0
