# Signals of published systems.
#
# DANAg's smoothed density and choice (danag.py), Kim's word density
# around the block (text_segments.py).

cdef enum:
    # Lines; DANAg's paragraphs belong together while no more lie between them.
    MAX_GAP_LINES = 20

SYSTEM_NAMES = (
    "danag_share danag_wide_share danag_chosen word_density word_density_before"
    " word_density_after"
).split()
N_SYSTEMS = len(SYSTEM_NAMES)


cdef int fill_systems(View view, float* out) except -1:
    """Three columns of DANAg's, three of word densities."""
    _fill_danag(view, out)
    _fill_density(view, out + 3 * view.n)
    return 0


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
    return 0


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
            found = wrap_kinds(
                view.text, &view.byte_kinds, view.run_start[first], view.run_end[last], LINE_WIDTH
            )
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
    return 0


cdef bint _is_seen(View view, int run) noexcept:
    """Whether a run of text is more than blanks."""
    cdef int k
    for k in range(view.run_start[run], view.run_end[run]):
        if view.text[k] > b" ":
            return True
    return False
