"""Contents of the elements around a block, and the heaviest of them."""

from libc.stdint cimport int32_t

from ...document._schema cimport find_larger
from ._view cimport LEVELS, LONG_BLOCK_WORDS, View, at_least

from ...document.tags import CODES

cdef int N_KNOWN_TAGS = len(CODES)
cdef int TAG_P = CODES["p"]

cdef enum:
    # Features per ancestor: contents of its blocks; kinds of elements in it per block.
    N_HELD = 10
    N_UP = N_HELD + N_KINDS + 1
    PLACE = 9
    N_HEAVIEST = 6
    # Sums over blocks.
    WORDS = 0
    PLAIN = 1
    LONG_WORDS = 2
    P_WORDS = 3
    HEADINGS = 4
    SENTENCES = 5
    LINKED_HEADINGS = 6
    N_SUMS = 7

# A container is gone into while its heaviest child holds this much of it.
cdef double MIN_HEAVIEST_SHARE = 0.6

_CONTAINER_HELD = (
    "blocks words share link_density words_per_block p_share long_share headings"
    " elements_per_word place"
).split()
_KIND_TAGS = {
    "links": ("a",),
    "images": ("img",),
    "times": ("time",),
    "buttons": ("button", "input"),
}
_MEASURES = "plain long_words p_words sentences".split()
_HEAVIEST = "inside distance place link_density share depth".split()

CONTAINER_NAMES = (
    *(f"up{level}_{name}" for level in range(LEVELS) for name in _CONTAINER_HELD),
    *(
        f"up{level}_{name}"
        for level in range(LEVELS)
        for name in (*_KIND_TAGS, "linked_headings")
    ),
    *(f"{measure}_{name}" for measure in _MEASURES for name in _HEAVIEST),
)

cdef int[4] MEASURES = [PLAIN, LONG_WORDS, P_WORDS, SENTENCES]
# The kind of each tag; tags of no kind, and those only a document knows, are -1.
cdef int[256] TAG_KINDS
for _code in range(256):
    TAG_KINDS[_code] = -1
for _k, _tags in enumerate(_KIND_TAGS.values()):
    for _tag in _tags:
        TAG_KINDS[<int>CODES[_tag]] = _k


cdef int find_ancestors(View view) except -1:
    """A row per level: each block's element, then the next that adds a block."""
    cdef int i, p, level, n = view.n
    cdef int32_t* up = view.ints(view.n_elements)
    cdef int32_t* rows = view.ints(n * LEVELS)
    find_larger(view.parent, view.first_block, view.end_block, view.n_elements, up)
    for i in range(n):
        rows[i] = view.element[i]
    for level in range(1, LEVELS):
        for i in range(n):
            p = rows[(level - 1) * n + i]
            # The top ancestor, which holds all blocks, is repeated.
            rows[level * n + i] = up[p] if up[p] >= 0 else p
    view.ancestors = rows


cdef int fill_containers(View view, float* out) except -1:
    """The contents of the next ancestors, and the place in the heaviest containers."""
    cdef double* sums = _prefix_sums(view)
    cdef int level, n = view.n
    for level in range(LEVELS):
        _fill_level(
            view, sums, view.kinds, view.ancestors + level * n, out + level * N_HELD * n,
            out + (LEVELS * N_HELD + level * (N_KINDS + 1)) * n,
        )
    out += LEVELS * N_UP * n
    for level in range(4):
        _fill_heaviest(view, sums, MEASURES[level], out + level * N_HEAVIEST * n)


cdef double* _prefix_sums(View view) except NULL:
    """Records of sums over each block and all before it, the first one of nothing."""
    cdef int i, k
    cdef double* sums = view.doubles((view.n + 1) * N_SUMS)
    cdef double* own
    cdef double words
    cdef bint few_links
    for k in range(N_SUMS):
        sums[k] = 0
    for i in range(view.n):
        own = sums + (i + 1) * N_SUMS
        for k in range(N_SUMS):
            own[k] = own[k - N_SUMS]
        words, few_links = view.weight[i], view.density[i] < 0.5
        own[WORDS] += words
        own[PLAIN] += words * (1 - view.density[i])
        if words > LONG_BLOCK_WORDS and few_links:
            own[LONG_WORDS] += words
        if view.tag[view.element[i]] == TAG_P:
            own[P_WORDS] += words
        if few_links:
            own[SENTENCES] += view.sentences[i]
        if view.heading[i] > 0:
            own[HEADINGS] += 1
            own[LINKED_HEADINGS] += <float>view.density[i] > <float>0.5
    return sums


cdef int count_kinds(View view) except -1:
    """Records of the counts of each kind among all elements before each one."""
    cdef int i, k, kind
    cdef int32_t* kinds = view.ints(<size_t>(view.n_elements + 1) * N_KINDS)
    for k in range(N_KINDS):
        kinds[k] = 0
    for i in range(view.n_elements):
        for k in range(N_KINDS):
            kinds[(i + 1) * N_KINDS + k] = kinds[i * N_KINDS + k]
        kind = TAG_KINDS[view.tag[i]] if view.tag[i] < N_KNOWN_TAGS else -1
        if kind >= 0:
            kinds[(i + 1) * N_KINDS + kind] += 1
    view.kinds = kinds


cdef void _fill_level(
    View view, const double* sums, const int32_t* kinds, const int32_t* ancestor,
    float* held, float* of_kinds,
) noexcept:
    cdef int i, k, element = -1, first = 0, end = 0, n = view.n
    cdef const double* low
    cdef const double* high
    cdef double words, count = 1, some
    cdef float[N_UP] row
    for i in range(n):
        # Blocks side by side mostly have the same ancestors.
        if ancestor[i] != element:
            element = ancestor[i]
            first, end = view.first_block[element], view.end_block[element]
            low, high = sums + first * N_SUMS, sums + end * N_SUMS
            count, words = max(end - first, 1), high[WORDS] - low[WORDS]
            some = at_least(words, 1)
            row[0] = end - first
            row[1] = <float>words
            row[2] = <float>(words / view.total)
            row[3] = <float>(1 - (high[PLAIN] - low[PLAIN]) / some)
            row[4] = <float>(words / count)
            row[5] = <float>((high[P_WORDS] - low[P_WORDS]) / some)
            row[6] = <float>((high[LONG_WORDS] - low[LONG_WORDS]) / some)
            row[7] = <float>(high[HEADINGS] - low[HEADINGS])
            row[8] = <float>((view.end[element] - element) / some)
            for k in range(N_KINDS):
                row[N_HELD + k] = <float>(
                    (kinds[view.end[element] * N_KINDS + k] - kinds[element * N_KINDS + k]) / count
                )
            row[N_HELD + N_KINDS] = <float>(high[LINKED_HEADINGS] - low[LINKED_HEADINGS])
        row[PLACE] = <float>((i - first) / count)
        for k in range(N_HELD):
            held[k * n + i] = row[k]
        for k in range(N_KINDS + 1):
            of_kinds[k * n + i] = row[N_HELD + k]


cdef void _fill_heaviest(View view, const double* sums, int measure, float* out) noexcept:
    """How the block lies to the container that holds most by one *measure*."""
    cdef int n = view.n, i, node = _heaviest(view, sums, measure)
    cdef int first = view.first_block[node], end = view.end_block[node]
    cdef double weight = _sum_in(view, sums, measure, node)
    cdef double words = _sum_in(view, sums, WORDS, node)
    cdef float density = <float>(1 - _sum_in(view, sums, PLAIN, node) / at_least(words, 1))
    cdef float share = <float>(weight / at_least(_sum_in(view, sums, measure, 0), 1))
    cdef double size = max(end - first, 1)
    cdef bint inside
    for i in range(n):
        inside = first <= i < end
        out[i] = inside
        out[n + i] = i - first if i < first else max(i - end + 1, 0)
        out[2 * n + i] = <float>((i - first) / size) if inside else -1
        out[3 * n + i] = density
        out[4 * n + i] = share
        out[5 * n + i] = view.depth[view.element[i]] - view.depth[node] if inside else -1


cdef int _heaviest(View view, const double* sums, int measure) noexcept:
    """The end of the way from the root to the heaviest child, while that keeps its share."""
    cdef int node = 0, child, best
    cdef double weight = _sum_in(view, sums, measure, 0), own, most
    while True:
        child, best, most = node + 1, -1, 0
        while child < view.end[node]:
            own = _sum_in(view, sums, measure, child)
            if own > most:
                best, most = child, own
            child = view.end[child]
        if best < 0 or most < MIN_HEAVIEST_SHARE * weight:
            return node
        node, weight = best, most


cdef inline double _sum_in(View view, const double* sums, int measure, int element) noexcept:
    return (
        sums[view.end_block[element] * N_SUMS + measure]
        - sums[view.first_block[element] * N_SUMS + measure]
    )
