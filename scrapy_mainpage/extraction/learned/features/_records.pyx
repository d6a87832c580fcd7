"""Records (like elements side by side), and signals of published systems."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from ...algorithms.segmentation._lines cimport LINE_WIDTH, Wrapped, wrap
from ...document._schema cimport HIDDEN, RUN_TEXT
from ._containers cimport IMAGES, LINKS, N_KINDS, TIMES
from ._view cimport Groups, View, at_least

cdef enum:
    MIN_RECORDS = 3
    # Blocks per record, from which on it counts as a wide one.
    MIN_WIDE_BLOCKS = 2
    # Features of a group of records, and of a block in its record.
    N_MEANS = 12
    N_IN_RECORD = 9

cdef uint64_t RECORD_PARENT_SALT = 0x9E3779B97F4A7C15ull
cdef uint64_t RECORD_PLACE_SALT = 0xD6E8FEB86659FD93ull

RECORD_NAMES = [
    f"{kind}_{name}"
    for kind in ("record", "wide_record")
    for name in (
        "count words spread blocks link_density page_share links filled headings"
        " linked_headings images times index index_share place own_words word_share up"
        " field distinct own_link_density"
    ).split()
]


cdef struct Held:
    # Sums over the blocks, or the elements, before a place.
    double words
    double linked
    int32_t headings
    int32_t linked_headings


cdef struct Siblings:
    Groups groups
    Held* held              # of the blocks before each
    int32_t* blocks         # of each group
    double* words
    float* means            # a record of N_MEANS for each group


cdef int fill_records(View view, float* out) except -1:
    """Features of the nearest record, and of the nearest wide one, around a block.

    Their number and average contents; the block's place in its record;
    how many records have a block at its place, and how many of these texts differ.
    """
    cdef Siblings siblings = _find_siblings(view)
    cdef int i, group, count
    cdef int32_t* near = view.ints(view.n_elements)
    cdef int32_t* wide = view.ints(view.n_elements)
    for i in range(view.n_elements):
        group = siblings.groups.group[i]
        count = siblings.groups.size[group]
        near[i] = wide[i] = i
        if count < MIN_RECORDS or view.end_block[i] == view.first_block[i]:
            near[i] = wide[i] = -1
        elif siblings.blocks[group] < MIN_WIDE_BLOCKS * count:
            wide[i] = -1
        if view.parent[i] >= 0:
            near[i] = near[view.parent[i]] if near[i] < 0 else i
            wide[i] = wide[view.parent[i]] if wide[i] < 0 else i
    _fill_record(view, &siblings, near, out)
    _fill_record(view, &siblings, wide, out + (N_MEANS + N_IN_RECORD) * view.n)


cdef Siblings _find_siblings(View view) except *:
    """Groups of like elements with one parent, and their contents."""
    cdef int i, n = view.n_elements
    cdef Siblings siblings
    cdef uint64_t* keys = view.keys(n)
    # With the parent: elements that are alike elsewhere are other groups.
    for i in range(n):
        keys[i] = view.own[i] ^ (<uint64_t><int64_t>view.parent[i] * RECORD_PARENT_SALT)
    siblings.groups = view.number(keys, n)
    siblings.held = _sum_blocks(view)
    siblings.blocks = view.zero_ints(siblings.groups.count)
    siblings.words = view.doubles(n)
    siblings.means = <float*>view.take(siblings.groups.count * N_MEANS * sizeof(float))
    _average_groups(view, &siblings)
    return siblings


cdef Held* _sum_blocks(View view) except NULL:
    cdef int i
    cdef Held* held = <Held*>view.take((view.n + 1) * sizeof(Held))
    cdef bint heading
    held[0] = Held(0, 0, 0, 0)
    for i in range(view.n):
        heading = view.heading[i] > 0
        held[i + 1] = held[i]
        held[i + 1].words += view.weight[i]
        held[i + 1].linked += view.linked[i]
        held[i + 1].headings += heading
        held[i + 1].linked_headings += heading and view.linked[i] * 2 > view.words[i]
    return held


cdef int _average_groups(View view, Siblings* siblings) except -1:
    """Average contents of the elements of each group."""
    cdef int i, g, k, n = view.n_elements, n_groups = siblings.groups.count
    cdef double* square = view.zero_doubles(n_groups)
    cdef double* words = view.zero_doubles(n_groups)
    cdef double* linked = view.zero_doubles(n_groups)
    # Per group links, and records that hold some: blocks, headings, images, ...
    cdef int32_t* some = view.zero_ints(n_groups * 6)
    cdef const int32_t* kinds = view.kinds
    cdef const int32_t* low
    cdef const int32_t* high
    cdef Held* first
    cdef Held* end
    cdef double own, count, mean
    cdef float* out
    for i in range(n):
        g = siblings.groups.group[i]
        first, end = siblings.held + view.first_block[i], siblings.held + view.end_block[i]
        low, high = kinds + i * N_KINDS, kinds + view.end[i] * N_KINDS
        own = end.words - first.words
        siblings.words[i] = own
        siblings.blocks[g] += view.end_block[i] - view.first_block[i]
        words[g] += own
        square[g] += own * own
        linked[g] += end.linked - first.linked
        some[6 * g] += high[LINKS] - low[LINKS]
        some[6 * g + 1] += view.end_block[i] > view.first_block[i]
        some[6 * g + 2] += end.headings > first.headings
        some[6 * g + 3] += end.linked_headings > first.linked_headings
        some[6 * g + 4] += high[IMAGES] > low[IMAGES]
        some[6 * g + 5] += high[TIMES] > low[TIMES]
    for g in range(n_groups):
        if siblings.groups.size[g] < MIN_RECORDS:
            continue
        count, out = siblings.groups.size[g], siblings.means + g * N_MEANS
        mean = words[g] / count
        out[0] = <float>count
        out[1] = <float>mean
        out[2] = <float>(
            sqrt(at_least(square[g] / count - mean * mean, 0)) / at_least(mean, 1)
        )
        out[3] = <float>(siblings.blocks[g] / count)
        out[4] = <float>(linked[g] / at_least(words[g], 1))
        out[5] = <float>(words[g] / view.total)
        for k in range(6):
            out[6 + k] = <float>(some[6 * g + k] / count)


cdef int _fill_record(View view, Siblings* siblings, const int32_t* near, float* out) except -1:
    cdef int i, k, n = view.n, record, group, blocks
    cdef double count, words
    cdef const float* means
    cdef Held* held = siblings.held
    for i in range(n):
        record = near[view.element[i]]
        if record < 0:
            for k in range(N_MEANS + N_IN_RECORD):
                out[k * n + i] = -1
            continue
        group = siblings.groups.group[record]
        means = siblings.means + group * N_MEANS
        for k in range(N_MEANS):
            out[k * n + i] = means[k]
        count = siblings.groups.size[group]
        blocks = view.end_block[record] - view.first_block[record]
        words = at_least(siblings.words[record], 1)
        out[12 * n + i] = siblings.groups.rank[record]
        out[13 * n + i] = <float>(siblings.groups.rank[record] / count)
        out[14 * n + i] = <float>((i - view.first_block[record]) / <double>max(blocks, 1))
        out[15 * n + i] = <float>siblings.words[record]
        out[16 * n + i] = <float>(view.weight[i] / words)
        out[17 * n + i] = view.depth[view.element[i]] - view.depth[record]
        out[20 * n + i] = <float>(
            (held[view.end_block[record]].linked - held[view.first_block[record]].linked) / words
        )
    _fill_fields(view, siblings, near, out + (N_MEANS + 6) * n)


cdef int _fill_fields(View view, Siblings* siblings, const int32_t* near, float* out) except -1:
    """How many records have a block at this one's place, and how many texts differ."""
    cdef int i, n = view.n, record, place, size
    cdef uint64_t* keys = view.keys(n)
    for i in range(n):
        record = near[view.element[i]]
        # Outside of all records, every block is a field of its own.
        place = siblings.groups.group[record] if record >= 0 else -1 - i
        keys[i] = view.two[view.element[i]] ^ (<uint64_t><int64_t>place * RECORD_PLACE_SALT)
    cdef Groups fields = view.number(keys, n)
    for i in range(n):
        keys[i] = <uint64_t>fields.group[i] << 32 | <uint64_t>view.texts.group[i]
    cdef Groups pairs = view.number(keys, n)
    cdef int32_t* distinct = view.zero_ints(fields.count)
    for i in range(n):
        if pairs.rank[i] == 0:
            distinct[fields.group[i]] += 1
    for i in range(n):
        record = near[view.element[i]]
        if record >= 0:
            size = fields.size[fields.group[i]]
            out[i] = <float>(size / <double>siblings.groups.size[siblings.groups.group[record]])
            out[n + i] = <float>(distinct[fields.group[i]] / <double>size)


cdef enum:
    # Lines; DANAg's paragraphs belong together while no more lie between them.
    MAX_GAP_LINES = 20

SYSTEM_NAMES = (
    "danag_share danag_wide_share danag_chosen word_density word_density_before"
    " word_density_after"
).split()


cdef int fill_systems(View view, float* out) except -1:
    """Three columns of DANAg's, three of word densities."""
    _fill_danag(view, out)
    _fill_density(view, out + 3 * view.n)


cdef int _fill_danag(View view, float* out) except -1:
    cdef int i, line, n = view.n, size = view.n_lines
    # With a line of nothing on both sides.
    cdef int64_t* text = <int64_t*>view.keys(size + 2) + 1
    cdef int64_t* content = <int64_t*>view.keys(size + 2) + 1
    cdef int64_t* code = <int64_t*>view.keys(size + 2) + 1
    cdef int64_t wide, wide_code
    cdef int begin = 0, end = 0
    (text - 1)[0] = text[size] = (content - 1)[0] = content[size] = 0
    (code - 1)[0] = code[size] = 0
    for i in range(size):
        text[i] = view.line_text[i]
    for i in range(n):
        # Hidden text does not count.
        if view.flags[i] & HIDDEN:
            text[view.line[i]] = 0
    for i in range(size):
        content[i] = text[i - 1] + text[i] + text[i + 1]
        code[i] = view.line_code[i]
        code[i] += view.line_code[i - 1] if i else 0
        code[i] += view.line_code[i + 1] if i + 1 < size else 0
    _choose_lines(text, content, code, size, &begin, &end)
    for i in range(n):
        line = view.line[i]
        wide = content[line - 1] + content[line] + content[line + 1]
        wide_code = code[line - 1] + code[line] + code[line + 1]
        out[i] = <float>(content[line] / at_least(content[line] + code[line], 1))
        out[n + i] = <float>(wide / at_least(wide + wide_code, 1))
        out[2 * n + i] = begin <= line < end


cdef void _choose_lines(
    const int64_t* text, const int64_t* content, const int64_t* code, int size,
    int* begin, int* end,
) noexcept:
    """The lines of the main content: from *begin* on, up to *end*.

    Runs of lines with more content than code that are near each other make an area; the
    one of the run with the most text is chosen, of the first such run on ties.
    """
    cdef int i = 0, start, area = 0, last = -1
    cdef int64_t held, most = -1
    cdef bint chosen = False
    while i < size:
        if content[i] <= code[i]:
            i += 1
            continue
        start, held = i, 0
        while i < size and content[i] > code[i]:
            held += text[i]
            i += 1
        if last < 0 or start - last > MAX_GAP_LINES:
            area, chosen = start, False
        last = i
        if held > most:
            most, chosen = held, True
            begin[0] = area
        if chosen:
            end[0] = i


cdef int _fill_density(View view, float* out) except -1:
    cdef int i, k, first, last, n = view.n
    cdef Wrapped found
    cdef double density
    for i in range(n):
        first = last = -1
        for k in range(view.first_run[i], view.end_run[i]):
            if view.run_kind[k] == RUN_TEXT and _is_seen(view, k):
                first, last = k if first < 0 else first, k
        density = 0
        if first >= 0:
            found = wrap(view.text, view.run_start[first], view.run_end[last], LINE_WIDTH)
            if found.lines > 1:
                density = (found.words - found.last_words) / <double>(found.lines - 1)
            else:
                density = found.words
        out[i] = <float>density
        if i + 1 < n:
            out[n + i + 1] = <float>density
        if i > 0:
            out[2 * n + i - 1] = <float>density
    if n:
        out[n] = out[2 * n + n - 1] = 0


cdef bint _is_seen(View view, int run) noexcept:
    """Whether a run of text is more than blanks."""
    cdef int k
    for k in range(view.run_start[run], view.run_end[run]):
        if view.text[k] > b" ":
            return True
    return False
