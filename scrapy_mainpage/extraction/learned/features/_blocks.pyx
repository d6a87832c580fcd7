"""A block's own text, its place in the page, and the page as a whole."""

from libc.stdint cimport int32_t

from ...document._schema cimport RUN_BREAK, RUN_IMAGE, last_character
from ._view cimport LONG_BLOCK_WORDS, View, at_least

from ...document.schema import Context
from ...document.tags import CODES

cdef enum:
    MAX_HEADING_DISTANCE = 99
    H1_MISSING = -999
    N_BLOCK_TAGS = 18
    N_CONTEXTS = 16
    N_OWN_FEATURES = 18

_BLOCK_TAGS = (
    "p li td div span a h1 h2 h3 h4 dd dt pre button blockquote figcaption th section"
).split()
_CONTEXTS = (
    "hidden pre quote caption code list table navigation header footer aside main article"
    " form dialog noscript"
).split()

BLOCK_NAMES = (
    *(
        "words chars word_length link_density strong_density cjk_share sentences"
        " words_per_sentence commas_per_word digit_share capital_share ends_sentence"
        " ends_colon ends_ellipsis runs images breaks heading"
    ).split(),
    *(f"tag_{name}" for name in _BLOCK_TAGS),
    *(f"in_{name}" for name in _CONTEXTS),
)
POSITION_NAMES = (
    "depth rank rank_share rank_from_end words_before_share plain_before_share"
    " since_heading until_heading heading_level_above section_words section_plain from_h1"
    " gap_before gap_after"
).split()
_COUNTED = "article main p li img table time".split()
PAGE_NAMES = [
    f"page_{name}"
    for name in (
        "words blocks link_density long_share sentences_per_block cjk_share"
        " elements_per_word articles mains paragraphs items images tables headings times"
    ).split()
]


cdef int[N_BLOCK_TAGS] BLOCK_TAGS = [CODES[tag] for tag in _BLOCK_TAGS]
cdef int[N_CONTEXTS] CONTEXTS = [int(Context[name.upper()]) for name in _CONTEXTS]
cdef int[7] COUNTED = [CODES[tag] for tag in _COUNTED]


cdef int fill_blocks(View view, float* out) except -1:
    """Features of the block's own characters, links and tags."""
    cdef int i, k, n = view.n, end, tag
    cdef double words, some, chars, counted, sentences
    for i in range(n):
        words, chars = view.weight[i], max(view.chars[i], 1)
        some, counted = at_least(words, 1), max(view.words[i], 1)
        sentences = view.sentences[i]
        end = last_character(view.text, view.start[i], view.stop[i])
        out[i] = <float>words
        out[n + i] = <float>view.chars[i]
        out[2 * n + i] = <float>(view.chars[i] / some)
        out[3 * n + i] = <float>view.density[i]
        out[4 * n + i] = <float>(view.strong[i] / counted)
        out[5 * n + i] = <float>(view.cjk[i] / counted)
        out[6 * n + i] = <float>sentences
        out[7 * n + i] = <float>(words / at_least(sentences, 1))
        out[8 * n + i] = <float>(view.commas[i] / some)
        out[9 * n + i] = <float>(view.digits[i] / chars)
        out[10 * n + i] = <float>(view.capitals[i] / chars)
        out[11 * n + i] = end == 1
        out[12 * n + i] = end == 2
        out[13 * n + i] = end == 3
        out[14 * n + i] = view.end_run[i] - view.first_run[i]
        out[15 * n + i] = out[16 * n + i] = 0
        out[17 * n + i] = view.heading[i]
    for k in range(view.n_runs):
        if view.run_block[k] >= 0:
            if view.run_kind[k] == RUN_IMAGE:
                out[15 * n + view.run_block[k]] += 1
            elif view.run_kind[k] == RUN_BREAK:
                out[16 * n + view.run_block[k]] += 1
    out += N_OWN_FEATURES * n
    for i in range(n):
        tag = view.tag[view.element[i]]
        for k in range(N_BLOCK_TAGS):
            out[k * n + i] = tag == BLOCK_TAGS[k]
    out += N_BLOCK_TAGS * n
    for k in range(N_CONTEXTS):
        for i in range(n):
            out[k * n + i] = view.flags[i] & CONTEXTS[k] != 0


cdef int fill_positions(View view, float* out) except -1:
    """Where the block stands: in the order of blocks and words, and under a heading."""
    cdef int n = view.n, i, first_h1 = -1, above = -1, below = n, begin, end
    cdef double* before = view.doubles(n + 1)
    cdef double* plain = view.doubles(n + 1)
    cdef int32_t* following = view.ints(n)
    before[0] = plain[0] = 0
    for i in range(n):
        before[i + 1] = before[i] + view.weight[i]
        plain[i + 1] = plain[i] + view.weight[i] * (1 - view.density[i])
        if view.heading[i] == 1 and first_h1 < 0:
            first_h1 = i
    for i in range(n - 1, -1, -1):
        if view.heading[i] > 0:
            below = i
        following[i] = below
    for i in range(n):
        if view.heading[i] > 0:
            above = i
        begin, end = max(above, 0), i + 1 if following[i] <= i else following[i]
        out[i] = view.depth[view.element[i]]
        out[n + i] = i
        out[2 * n + i] = <float>(i / <double>n)
        out[3 * n + i] = n - i
        out[4 * n + i] = <float>(before[i] / at_least(before[n], 1))
        out[5 * n + i] = <float>(plain[i] / at_least(plain[n], 1))
        out[6 * n + i] = i - above if above >= 0 else MAX_HEADING_DISTANCE
        out[7 * n + i] = min(following[i] - i, MAX_HEADING_DISTANCE)
        out[8 * n + i] = view.heading[begin] if above >= 0 else 7
        out[9 * n + i] = <float>(before[end] - before[begin])
        out[10 * n + i] = <float>(plain[end] - plain[begin])
        out[11 * n + i] = i - first_h1 if first_h1 >= 0 else H1_MISSING
        # Tags and texts between a block and its neighbours.
        out[12 * n + i] = view.place[i] - view.end_place[i - 1] if i else 0
        out[13 * n + i] = view.place[i + 1] - view.end_place[i] if i + 1 < n else 0


cdef int fill_page(View view, float* out) except -1:
    """The page as a whole, the same for each of its blocks."""
    cdef int n = view.n, i, k, headings = 0
    cdef double linked = 0, words = 0, long_words = 0, sentences = 0, cjk = 0
    cdef double[15] values
    cdef int[7] counts
    for k in range(7):
        counts[k] = 0
    for i in range(view.n_elements):
        for k in range(7):
            counts[k] += view.tag[i] == COUNTED[k]
    for i in range(n):
        linked += view.linked[i]
        words += view.words[i]
        cjk += view.cjk[i]
        sentences += view.sentences[i]
        headings += view.heading[i] > 0
        if view.weight[i] > LONG_BLOCK_WORDS:
            long_words += view.weight[i]
    values[:] = [
        view.total, n, linked / at_least(words, 1), long_words / view.total,
        sentences / max(n, 1), cjk / at_least(words, 1), view.n_elements / view.total,
        counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], headings,
        counts[6],
    ]
    for k in range(15):
        for i in range(n):
            out[k * n + i] = <float>values[k]


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

cdef int[N_BESIDE] BESIDE = [BLOCK_NAMES.index(name) for name in _BESIDE]
cdef int[N_AROUND] AROUND = [BLOCK_NAMES.index(name) for name in _AROUND]
cdef int[N_RADII] RADII = _RADII


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
