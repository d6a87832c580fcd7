"""Features of the second model: how likely main content is what lies around a block.

The first model judges blocks one by one. Its probabilities, summed over the elements of the
page, show the container of the main content and how pure it is, so that a table or a
heading in the middle of a text is not lost for being unlike a text.
"""

from libc.stdint cimport int32_t, uint8_t

from ._templates cimport Likely, fill_templates, sum_in, sum_likely
from ._units cimport Units, block_weight
from ._view cimport LEVELS, View, at_least

from ...document.schema import Context
from ._templates import TEMPLATE_NAMES

cdef enum:
    N_SHARES = 5
    # The container whose composition is described.
    DESCRIBED = 1
    N_WINDOWS = 4
    # Blocks before and after, in which copies are counted.
    NEAR = 4
    N_CUTS = 4
    N_OWN_CONTEXT = 5
    N_CONTEXT_FLAGS = 13
    N_COMPOSITION = 12
    MISSING = -1

# Of the expected main words, in a container; falling, so that each lies in the last one.
cdef double[N_SHARES] SHARES = [0.95, 0.9, 0.8, 0.65, 0.51]
cdef int[N_WINDOWS] WINDOWS = [1, 2, 4, 8]
# Probabilities; blocks below them are counted.
cdef double[N_CUTS] CUTS = [0.1, 0.3, 0.5, 0.8]

_FLAGS = (
    "pre quote caption code list table navigation header footer aside main article form"
).split()
_COMPOSITION = (
    *(f"below{cut}" for cut in (10, 30, 50, 80)),
    *"low_blocks link_density pre table list blocks headings sentences".split(),
)

_CONTEXT = (
    *"odds words link_density heading copy".split(),
    *(f"in_{name}" for name in _FLAGS),
    *(
        f"up{level}_{name}"
        for level in range(LEVELS)
        for name in ("purity", "words", "share")
    ),
    *(
        f"container{share}_{name}"
        for share in (95, 90, 80, 65, 51)
        for name in ("inside", "purity", "page_share")
    ),
    *(f"branch_{name}" for name in ("purity", "words", "share")),
    *(f"container_{name}" for name in _COMPOSITION),
    *(f"unit_{name}" for name in ("purity", "odds", "blocks", "words", "kind")),
    *(f"{side}{width}" for width in (1, 2, 4, 8) for side in ("before", "after")),
    *"previous next copies_around".split(),
    *"section_purity section_words above page_words page_share".split(),
    *TEMPLATE_NAMES,
)
CONTEXT_NAMES = tuple(f"context_{name}" for name in _CONTEXT)

cdef int[N_CONTEXT_FLAGS] CONTEXT_FLAGS = [int(Context[name.upper()]) for name in _FLAGS]
cdef int IN_PRE = int(Context.PRE), IN_TABLE = int(Context.TABLE), IN_LIST = int(Context.LIST)


cdef int fill_context(
    View view, Units units, const double* odds, const uint8_t* copies, float* out
) except -1:
    cdef Likely likely = sum_likely(view, odds, copies)
    out = _fill_own(view, likely, out)
    out = _fill_levels(view, likely, out)
    out = _fill_shares(view, likely, out)
    out = _fill_units(view, likely, units, out)
    out = _fill_windows(view, likely, out)
    out = _fill_context_sections(view, likely, out)
    fill_templates(view, likely, out)


cdef float* _fill_own(View view, Likely likely, float* out) noexcept:
    cdef int i, k, n = view.n
    for i in range(n):
        out[i] = <float>likely.odds[i]
        out[n + i] = <float>view.weight[i]
        out[2 * n + i] = <float>view.density[i]
        out[3 * n + i] = view.heading[i]
        out[4 * n + i] = likely.copies[i] != 0
    out += N_OWN_CONTEXT * n
    for k in range(N_CONTEXT_FLAGS):
        for i in range(n):
            out[k * n + i] = view.flags[i] & CONTEXT_FLAGS[k] != 0
    return out + N_CONTEXT_FLAGS * n


cdef float* _fill_levels(View view, Likely likely, float* out) noexcept:
    """Per ancestor: share of main words in the rest of it, their number, of the page's."""
    cdef int i, level, element, n = view.n
    cdef double words, main, total = at_least(likely.main[n], 1e-9)
    for level in range(LEVELS):
        for i in range(n):
            element = view.ancestors[level * n + i]
            words = sum_in(view, likely.words, element) - view.weight[i]
            main = sum_in(view, likely.main, element) - view.weight[i] * likely.p[i]
            out[i] = <float>(main / words) if words > 0.01 else MISSING
            out[n + i] = <float>words
            out[2 * n + i] = <float>(main / total)
        out += 3 * n
    return out


cdef float* _fill_shares(View view, Likely likely, float* out) except NULL:
    """The smallest elements that hold given shares of the expected main words."""
    cdef int i, k, node = 0, described = 0, n = view.n
    cdef double words
    for k in range(N_SHARES):
        node = _container(view, likely, node, SHARES[k] * likely.main[n])
        words = sum_in(view, likely.words, node)
        for i in range(n):
            out[i] = view.first_block[node] <= i < view.end_block[node]
            out[n + i] = <float>(sum_in(view, likely.main, node) / at_least(words, 1))
            out[2 * n + i] = <float>(words / view.total)
        out += 3 * n
        if k == DESCRIBED:
            described = node
    _fill_branches(view, likely, described, out)
    _fill_composition(view, likely, described, out + 3 * n)
    return out + (3 + N_COMPOSITION) * n


cdef int _container(View view, Likely likely, int node, double wanted) noexcept:
    """The deepest element below *node* that still holds the *wanted* main words."""
    cdef int child = node + 1
    if wanted <= 0:
        return node
    while child < view.end[node]:
        if sum_in(view, likely.main, child) >= wanted:
            node, child = child, child + 1
        else:
            child = view.end[child]
    return node


cdef void _fill_branches(View view, Likely likely, int container, float* out) noexcept:
    """The child of the *container* that the block lies in."""
    cdef int i, n = view.n, child = container + 1
    cdef double words, main, whole = at_least(sum_in(view, likely.words, container), 1)
    cdef double total = at_least(likely.main[n], 1e-9)
    for i in range(3 * n):
        out[i] = MISSING
    while child < view.end[container]:
        for i in range(view.first_block[child], view.end_block[child]):
            words = sum_in(view, likely.words, child)
            main = sum_in(view, likely.main, child) - view.weight[i] * likely.p[i]
            if words > view.weight[i]:
                out[i] = <float>(main / (words - view.weight[i]))
            out[n + i], out[2 * n + i] = <float>(words / whole), <float>(main / total)
        child = view.end[child]


cdef void _fill_composition(View view, Likely likely, int container, float* out) noexcept:
    """What the *container* consists of, as shares of its words and blocks."""
    cdef int i, k, first = view.first_block[container], end = view.end_block[container]
    cdef double words = 0, own, linked = 0, known = 0, sentences = 0
    cdef double[N_CUTS] below
    cdef double[N_COMPOSITION] values
    cdef double pre = 0, table = 0, listed = 0, low = 0, headings = 0, count = max(end - first, 1)
    for k in range(N_CUTS):
        below[k] = 0
    for i in range(first, end):
        own = block_weight(view, i)
        words += own
        for k in range(N_CUTS):
            below[k] += own if likely.p[i] < CUTS[k] else 0
        low += likely.p[i] < CUTS[1]
        linked += view.linked[i]
        known += view.words[i]
        pre += own if view.flags[i] & IN_PRE else 0
        table += own if view.flags[i] & IN_TABLE else 0
        listed += own if view.flags[i] & IN_LIST else 0
        headings += view.heading[i] > 0
        sentences += view.sentences[i]
    words = at_least(words, 0.1)
    for k in range(N_CUTS):
        values[k] = below[k] / words
    values[4], values[5] = low / count, linked / at_least(known, 1)
    values[6], values[7], values[8] = pre / words, table / words, listed / words
    values[9], values[10], values[11] = count, headings / count, sentences / words
    for k in range(N_COMPOSITION):
        for i in range(view.n):
            out[k * view.n + i] = <float>values[k]


cdef float* _fill_units(View view, Likely likely, Units units, float* out) except NULL:
    cdef int i, unit, n = view.n
    cdef double* words = view.zero_doubles(view.n_elements)
    cdef double* main = view.zero_doubles(view.n_elements)
    cdef double* odds = view.zero_doubles(view.n_elements)
    cdef int32_t* count = view.zero_ints(view.n_elements)
    cdef double own
    for i in range(n):
        unit = units.element[i]
        if unit >= 0:
            own = block_weight(view, i)
            words[unit] += own
            main[unit] += own * likely.p[i]
            odds[unit] += own * likely.odds[i]
            count[unit] += 1
    for i in range(n):
        unit = units.element[i]
        if unit >= 0:
            out[i], out[n + i] = <float>(main[unit] / words[unit]), <float>(odds[unit] / words[unit])
            out[2 * n + i], out[3 * n + i] = count[unit], <float>words[unit]
        else:
            out[i], out[n + i] = <float>likely.p[i], <float>likely.odds[i]
            out[2 * n + i], out[3 * n + i] = 1, <float>view.weight[i]
        out[4 * n + i] = units.kind[i]
    return out + 5 * n


cdef float* _fill_windows(View view, Likely likely, float* out) noexcept:
    """The share of main words in so many blocks before and after, and in the next ones.

    And the share of copied words in the nearest blocks.
    """
    cdef int i, k, first, end, n = view.n
    cdef double words, copied
    for k in range(N_WINDOWS):
        for i in range(n):
            out[i] = _share_between(likely, max(i - WINDOWS[k], 0), i)
            out[n + i] = _share_between(likely, i + 1, min(i + WINDOWS[k] + 1, n))
        out += 2 * n
    for i in range(n):
        out[i] = <float>likely.p[i - 1] if i else 0
        out[n + i] = <float>likely.p[i + 1] if i + 1 < n else 0
        first, end = max(i - NEAR, 0), min(i + NEAR + 1, n)
        words = likely.words[end] - likely.words[first] - view.weight[i]
        copied = likely.copied[end] - likely.copied[first]
        copied -= likely.copied[i + 1] - likely.copied[i]
        out[2 * n + i] = <float>(copied / words) if words > 0.01 else MISSING
    return out + 3 * n


cdef inline float _share_between(Likely likely, int first, int end) noexcept:
    cdef double words = likely.words[end] - likely.words[first]
    return <float>((likely.main[end] - likely.main[first]) / words) if words > 0.01 else MISSING


cdef float* _fill_context_sections(View view, Likely likely, float* out) noexcept:
    """The text between two headings, which a block stands in or heads; and the page."""
    cdef int i, above = -1, first, end = 0, n = view.n
    cdef double own, words, main, expected = likely.main[n]
    for i in range(n):
        if view.heading[i]:
            above = i
        if i >= end or view.heading[i]:
            end = i + 1
            while end < n and not view.heading[end]:
                end += 1
        first = above + 1
        own = 0 if above == i else view.weight[i]
        words = likely.words[end] - likely.words[first]
        main = likely.main[end] - likely.main[first] - own * likely.p[i]
        out[i] = <float>(main / (words - own)) if words - own > 0.01 else MISSING
        out[n + i] = <float>words
        out[2 * n + i] = <float>likely.p[above] if above >= 0 else MISSING
        out[3 * n + i], out[4 * n + i] = <float>expected, <float>(expected / view.total)
    return out + 5 * n
