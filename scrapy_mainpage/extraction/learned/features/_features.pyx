"""All features of all text blocks of a page, computed in one go.

They are rows of a matrix with a column per block, so that computing and reading a feature
walk through memory in order. Each family of features has its file; all share one view.
"""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from .._forest cimport Counts, QuickForest
from ._blocks cimport fill_blocks, fill_neighbours, fill_page, fill_positions
from ._containers cimport count_kinds, fill_containers, find_ancestors
from ._declared cimport fill_declared, fill_sections
from ._markup cimport fill_markup, slots_of_page
from ._places cimport (
    fill_body, fill_groups, fill_repetition, number_texts, number_tokens, read_keys,
)
from ._records cimport fill_records, fill_systems
from ._templates cimport join_members
from ._units cimport find_units, level_units, lower_copies
from ._view cimport Mark, View

from .._selection import MIN_COPY_WORDS, keep_copies
from ._blocks import BLOCK_NAMES, NEIGHBOUR_NAMES, PAGE_NAMES, POSITION_NAMES
from ._containers import CONTAINER_NAMES
from ._declared import DECLARED_NAMES, SECTION_NAMES
from ._places import BODY_NAMES, GROUP_NAMES, REPETITION_NAMES
from ._records import RECORD_NAMES, SYSTEM_NAMES

cdef int MIN_COPY = MIN_COPY_WORDS

cdef enum:
    N_FAMILIES = 12
    # Of a feature, each with other weights of the blocks.
    N_WEIGHTED_MEANS = 3

FAMILIES = {
    "blocks": BLOCK_NAMES, "neighbours": NEIGHBOUR_NAMES, "positions": POSITION_NAMES,
    "containers": CONTAINER_NAMES, "repetition": REPETITION_NAMES, "systems": SYSTEM_NAMES,
    "declared": DECLARED_NAMES, "sections": SECTION_NAMES, "groups": GROUP_NAMES,
    "body": BODY_NAMES, "records": RECORD_NAMES, "page": PAGE_NAMES,
}
FEATURE_NAMES = tuple(name for names in FAMILIES.values() for name in names)

ctypedef int (*Fill)(View view, float* out) except -1

# In the order of FAMILIES.
cdef Fill[N_FAMILIES] FILLS = [
    fill_blocks, fill_neighbours, fill_positions, fill_containers, fill_repetition,
    fill_systems, fill_declared, fill_sections, fill_groups, fill_body, fill_records,
    fill_page,
]
cdef int[N_FAMILIES] ROWS = [len(names) for names in FAMILIES.values()]
# Rows of the largest family; the blocks' own features and their neighbours' are one.
cdef int MAX_ROWS = max(ROWS[0] + ROWS[1], *ROWS)


cdef struct Means:
    # Per block its weights, and per feature the sums with these.
    const double* weights
    double* sums


def compute(document, const float[::1] weights=None):
    """A matrix (float32) with a row per feature of ``FEATURE_NAMES``, a column per text block.

    With the *weights* of all slots of the markup their sums are one more row.
    """
    cdef int n = document.n_blocks, rows = len(FEATURE_NAMES) + (weights is not None)
    cdef float[:, ::1] out
    matrix = np.empty((rows, n), np.float32)
    if matrix.size:
        out = matrix
        _fill(View(document), weights, &out[0, 0], None, NULL, NULL)
    return matrix


def mean_features(document, const double[:, ::1] weights not None):
    """Three means over the text blocks for each feature of ``FEATURE_NAMES``, one row for each.

    *weights* has a row per block with its weight in each
    mean; there is one block at least.
    """
    cdef View view
    cdef double[:, ::1] sums
    cdef Means means
    if not 0 < weights.shape[0] == document.n_blocks or weights.shape[1] != N_WEIGHTED_MEANS:
        raise ValueError("three weights for each block")
    result = np.zeros((len(FEATURE_NAMES), N_WEIGHTED_MEANS))
    view, sums = View(document), result
    means = Means(&weights[0, 0], &sums[0, 0])
    _fill(view, None, NULL, None, NULL, &means)
    return result


def evaluate(document, const float[::1] weights, QuickForest forest not None,
             double slope, double offset):
    """The log odds of main content per text block, and the distinct slots of the page.

    The sum of the trees of *forest*, whose rows are those of :func:`compute`, times
    *slope* plus *offset*, after :func:`settle_odds`.
    """
    cdef int n = document.n_blocks, i
    cdef View view
    cdef Counts counts
    sums = np.zeros(n)
    cdef double[::1] total = sums
    if not n:
        return sums, np.zeros(0, np.int32)
    view = View(document)
    counts = forest.begin(n)
    try:
        _fill(view, weights, NULL, forest, &counts, NULL)
        forest.finish(&counts, &total[0])
    finally:
        forest.end(&counts)
    for i in range(n):
        total[i] = slope * total[i] + offset
    _settle(document, view, &total[0])
    return sums, slots_of_page(view)


def settle_odds(document, const double[::1] odds):
    """The log odds, with one mean for all blocks of a table, list or piece of code.

    Blocks in records are drawn to those of the others (:file:`_templates.pyx`). A second
    copy of the content, of longer texts that the page had before, gets low ones.
    """
    cdef View view
    cdef double[::1] out
    settled = np.array(odds)
    if odds.shape[0]:
        out = settled
        view = View(document)
        number_texts(view)
        _settle(document, view, &out[0])
    return settled


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


cdef int _settle(document, View view, double* odds) except -1:
    """Let the log *odds* of what belongs together agree: units, templates, records."""
    cdef const int32_t* units = find_units(view)
    copies = np.zeros(view.n, np.uint8)
    cdef uint8_t[::1] copy = copies
    if _mark_repeats(view, copy):
        keep_copies(document.text, document.blocks.start, document.blocks.end, copies)
    level_units(view, units, odds)
    join_members(view, odds)
    level_units(view, units, odds)
    return lower_copies(view, &copy[0], odds)


cdef int _fill(
    View view, const float[::1] weights, float* matrix, QuickForest forest, Counts* counts,
    const Means* means,
) except -1:
    """Fill the *matrix*, or hand the features on, family by family.

    They go to the *forest* with its *counts*, or else into *means*.
    """
    cdef int k, row = 0
    cdef Mark mark
    cdef float* out
    find_ancestors(view)
    count_kinds(view)
    number_tokens(view)
    read_keys(view)
    number_texts(view)
    view.title_match = <float*>view.take(view.n * sizeof(float))
    view.features = matrix if matrix else view.columns(MAX_ROWS)
    for k in range(N_FAMILIES):
        mark = view.mark()
        # Without a matrix each family takes the place of the last one. The blocks' own
        # features stay until those of their neighbours are computed.
        out = view.features + <size_t>(row if matrix or k == 1 else 0) * view.n
        FILLS[k](view, out)
        if means:
            _add_means(out, view.n, ROWS[k], means.weights, means.sums + row * N_WEIGHTED_MEANS)
        elif not matrix:
            forest.take(counts, out, row, ROWS[k])
        view.release(mark)
        row += ROWS[k]
    if weights is not None:
        out = view.features + <size_t>(row if matrix else 0) * view.n
        fill_markup(view, &weights[0], out)
        if not matrix:
            forest.take(counts, out, row, 1)


cdef void _add_means(
    const float* rows, int n, int n_rows, const double* weights, double* sums
) noexcept:
    cdef int i, k, row
    cdef double[N_WEIGHTED_MEANS] sum
    for row in range(n_rows):
        for k in range(N_WEIGHTED_MEANS):
            sum[k] = 0
        for i in range(n):
            for k in range(N_WEIGHTED_MEANS):
                sum[k] += weights[i * N_WEIGHTED_MEANS + k] * rows[<size_t>row * n + i]
        for k in range(N_WEIGHTED_MEANS):
            sums[row * N_WEIGHTED_MEANS + k] = sum[k]
