"""All features of all text blocks of a page, computed in one go.

They are rows of a matrix with a column per block, so that what computes or reads a
feature walks through memory in order.
"""

import numpy as np

from ._blocks cimport N_BLOCKS, N_PAGE, N_POSITIONS, fill_blocks, fill_page, fill_positions
from ._containers cimport N_CONTAINERS, fill_containers, find_ancestors
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
    cdef int n = len(document.blocks.start), rows = len(NAMES)
    cdef View view
    cdef float[:, ::1] out
    matrix = np.empty((rows + (weights is not None), n), np.float32)
    if n:
        view, out = View(document), matrix
        _fill(view, &out[0, 0])
        if weights is not None:
            fill_markup(view, &weights[0], &out[rows, 0])
    return matrix


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


cdef int _fill(View view, float* out) except -1:
    cdef int k
    cdef Mark mark
    view.features = out
    find_ancestors(view)
    number_tokens(view)
    read_keys(view)
    number_texts(view)
    view.title_match = <float*>view.take(view.n * sizeof(float))
    for k in range(N_PARTS):
        mark = view.mark()
        FILLS[k](view, out)
        view.release(mark)
        out += <size_t>ROWS[k] * view.n
    return 0
