"""All features of all text blocks of a page, computed in one go.

They are rows of a matrix with a column per block, so that computing and reading a feature
walk through memory in order. Each family of features has its file; all share one view.
"""

import numpy as np

from libc.math cimport exp, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from cpython.mem cimport PyMem_Free, PyMem_Malloc

from ...algorithms.segmentation._lines cimport LINE_WIDTH, Wrapped, wrap_kinds
from ...document._bytekinds cimport Kinds, next_one, next_zero, read_kinds
from ...document._schema cimport (
    HEADING_SHIFT, HIDDEN, RUN_BREAK, RUN_HEAD, RUN_IMAGE, RUN_TEXT,
    Column, Tables, read_tables,
)
from ...document._structure cimport in_word, last_character, word_hash
from ....text._hashing cimport FNV_OFFSET, FNV_PRIME, bytes_hash, folded_hash, mixed
from .._learned cimport Counts, QuickForest

from .._learned import MIN_COPY_WORDS, keep_copies

from ...document.schema import Context
from ...document.tags import ATTRIBUTE_CODES, CODES

cdef int MIN_COPY = MIN_COPY_WORDS
cdef int N_KNOWN_TAGS = len(CODES)
cdef int TAG_P = CODES["p"], TAG_TITLE = CODES["title"]
cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"], ATTR_ID = ATTRIBUTE_CODES["id"]
cdef int ATTR_PROPERTY = ATTRIBUTE_CODES["property"], ATTR_NAME = ATTRIBUTE_CODES["name"]
cdef int ATTR_CONTENT = ATTRIBUTE_CODES["content"], ATTR_ITEMTYPE = ATTRIBUTE_CODES["itemtype"]

cdef enum:
    # Ancestors of a block that features look at: each holds more blocks than the one below.
    LEVELS = 7
    # A block with more words is likely a sentence or more.
    LONG_BLOCK_WORDS = 15
    # Blocks; distances are cut off there.
    MAX_BLOCK_DISTANCE = 300

include "view.pxi"
include "blocks.pxi"
include "containers.pxi"
include "places.pxi"
include "systems.pxi"
include "declared.pxi"
include "records.pxi"
include "markup.pxi"
include "units.pxi"
include "context.pxi"

NAMES = (
    *BLOCK_NAMES, *NEIGHBOUR_NAMES, *POSITION_NAMES, *CONTAINER_NAMES, *REPETITION_NAMES,
    *SYSTEM_NAMES, *DECLARED_NAMES, *SECTION_NAMES, *GROUP_NAMES, *BODY_NAMES, *RECORD_NAMES,
    *PAGE_NAMES,
)

ctypedef int (*Fill)(View view, float* out) except -1

cdef enum:
    N_FAMILIES = 12

# In the order of NAMES.
cdef Fill[N_FAMILIES] FILLS = [
    fill_blocks, fill_neighbours, fill_positions, fill_containers, fill_repetition,
    fill_systems, fill_declared, fill_sections, fill_groups, fill_body, fill_records,
    fill_page,
]
cdef int[N_FAMILIES] ROWS = [
    N_BLOCKS, N_NEIGHBOURS, N_POSITIONS, N_CONTAINERS, N_REPETITION, N_SYSTEMS, N_DECLARED,
    N_SECTIONS, N_GROUPS, N_BODY, N_RECORDS, N_PAGE,
]


def compute(document, const float[::1] weights=None):
    """A matrix (float32) with a row per feature of ``NAMES``, a column per text block.

    With the *weights* of all slots of the markup their sums are one more row.
    """
    cdef int n = document.n_blocks
    cdef float[:, ::1] out
    matrix = np.empty((len(NAMES) + (weights is not None), n), np.float32)
    if n:
        out = matrix
        _fill(View(document), weights, &out[0, 0], None, NULL)
    return matrix


def evaluate(document, const float[::1] weights, QuickForest forest not None,
             double slope, double offset, QuickForest context):
    """The log odds of main content per text block, without a matrix in between.

    Those of *forest*, whose sum is scaled by *slope* and *offset*; with a *context* forest
    the sum of its trees, which see the first log odds of all blocks, after
    :func:`settle_odds`. The rows of the forests are those of
    :func:`compute` and :func:`compute_context`.
    """
    cdef int n = document.n_blocks, i
    cdef View view
    cdef Counts counts
    sums, copies = np.zeros(n), np.zeros(n, np.uint8)
    cdef double[::1] total = sums
    cdef uint8_t[::1] copy = copies
    if not n:
        return sums
    view = View(document)
    counts = forest.begin(n)
    try:
        _fill(view, weights, NULL, forest, &counts)
        forest.finish(&counts, &total[0])
    finally:
        forest.end(&counts)
    for i in range(n):
        total[i] = slope * total[i] + offset
    if context is not None:
        if _mark_repeats(view, copy):
            keep_copies(document.text, document.blocks.start, document.blocks.end, copies)
        _evaluate_context(view, context, copy, total)
    return sums


cdef bint _mark_repeats(View view, uint8_t[::1] copy) noexcept:
    """Mark longer texts that, digits apart, the page has more than once."""
    cdef bint found = False
    cdef int i
    for i in range(view.n):
        copy[i] = (
            view.texts.size[view.texts.group[i]] > 1 and view.weight[i] >= MIN_COPY
        )
        found |= copy[i]
    return found


cdef int _evaluate_context(
    View view, QuickForest context, const uint8_t[::1] copy, double[::1] odds
) except -1:
    """Replace the log *odds* by the sums of the *context* forest."""
    cdef Units units = find_units(view)
    cdef float* rows = view.columns(N_CONTEXT)
    cdef Counts counts = context.begin(view.n)
    try:
        fill_context(view, units, &odds[0], &copy[0], rows)
        context.take(&counts, rows, 0, N_CONTEXT)
        context.finish(&counts, &odds[0])
    finally:
        context.end(&counts)
    level_units(view, units, &odds[0])
    return lower_copies(view, units, &copy[0], &odds[0])


cdef int _fill(
    View view, const float[::1] weights, float* matrix, QuickForest forest, Counts* counts
) except -1:
    """Fill the *matrix*, or hand the features to the *forest*, family by family."""
    cdef int k, row = 0
    cdef Mark mark
    cdef float* out
    find_ancestors(view)
    count_kinds(view)
    number_tokens(view)
    read_keys(view)
    number_texts(view)
    view.title_match = <float*>view.take(view.n * sizeof(float))
    # The blocks' own features stay until those of their neighbours are computed.
    view.features = matrix if matrix else view.columns(N_BLOCKS)
    for k in range(N_FAMILIES):
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
