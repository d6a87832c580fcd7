"""Blocks at like places: the same tags and classes on the way, or the same text.

Classes that a page has only once or twice, as those that name a single post, do not
tell places apart, except where all classes of a whole path count.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from ....text._hashing cimport fnv_start, fnv_step, bytes_hash, folded_hash, mixed
from ._view cimport LEVELS, MAX_BLOCK_DISTANCE, Groups, Mark, View, at_least

from ...document.tags import ATTRIBUTE_CODES

cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"]

cdef enum:
    # A class is a usual one from so many times on a page.
    MIN_CLASS_USES = 3
    # Words; blocks with more count for the choice of the body.
    MIN_PROSE_WORDS = 8
    # Words; blocks of the body with no more do not mark where it lies.
    MAX_SHORT_WORDS = 3

_HELD = "count block_share word_share mean_words".split()
REPETITION_NAMES = (
    *(f"path_{name}" for name in _HELD),
    *(f"class_path_{name}" for name in _HELD),
    "same_text",
    "copy_number",
    "copy_distance",
)
GROUP_NAMES = [
    f"group{levels}_{name}"
    for levels in (2, 4)
    for name in "count word_share mean_words link_density".split()
]
BODY_NAMES = [
    f"body_{name}"
    for name in "is since until beyond share count before up in1 in2 in3 in4".split()
]


cdef int number_tokens(View view) except -1:
    """Equal tokens of equally named attributes have the same number.

    A repeated class attribute shares the tokens of the first: they stand in the values
    before the last new token, and are known by their place.
    """
    cdef int i, k, start, last = -1, new = 0, n = view.n_tokens
    view.same_token, view.token_group = view.ints(n), view.ints(n)
    view.token_times, view.one_token = view.ints(n), view.ints(n)
    cdef Mark mark = view.mark()
    cdef uint64_t* hashes = view.keys(n)
    cdef int32_t* news = view.ints(n)
    # At the start of each token the first one that stands there; else anything.
    cdef int32_t* at = view.ints(view.n_values + 1)
    for i in range(n):
        start = view.token_start[i]
        if start <= last:
            view.same_token[i] = at[start]
            continue
        view.same_token[i] = at[start] = i
        last = start
        hashes[new] = bytes_hash(
            view.values + start, view.token_end[i] - start, view.token_attribute[i]
        )
        news[new] = i
        new += 1
    cdef Groups groups = view.number(hashes, new)
    view.token_count = groups.count
    memset(view.token_times, 0, groups.count * sizeof(int32_t))
    for k in range(new):
        view.token_group[news[k]] = groups.group[k]
        view.one_token[groups.group[k]] = news[k]
    for i in range(n):
        k = view.token_group[view.same_token[i]]
        view.token_group[i] = k
        view.token_times[k] += 1
    view.release(mark)


cdef int read_keys(View view) except -1:
    """Hashes per element: of its tag and classes, and of paths that end in it.

    Letter case and digits in classes do not count.
    """
    cdef int i, k, n = view.n_elements, n_tokens = view.token_count
    cdef uint64_t key
    cdef uint64_t* every = view.zero_keys(n_tokens)
    cdef uint64_t* usual = view.zero_keys(n_tokens)
    view.every, view.own = view.keys(n), view.keys(n)
    view.two, view.three, view.four = view.keys(n), view.keys(n), view.keys(n)
    _read_classes(view, every, usual)
    for i in range(n):
        view.every[i] = view.own[i] = mixed(<uint64_t>(view.tag[i] + 1))
    for i in range(view.n_tokens):
        k = view.token_group[i]
        view.every[view.token_element[i]] += every[k]
        view.own[view.token_element[i]] += usual[k]
    for i in range(n):
        key = mixed(view.own[i]) * 3
        view.two[i] = key + (view.own[view.parent[i]] if view.parent[i] >= 0 else 1)
        view.three[i] = key + (view.two[view.parent[i]] if view.parent[i] >= 0 else 1)
        view.four[i] = key + (view.three[view.parent[i]] if view.parent[i] >= 0 else 1)


cdef int _read_classes(View view, uint64_t* every, uint64_t* usual) except -1:
    """Keys of the tokens of class attributes, and of those that are usual; else 0."""
    cdef int i, k, count = view.token_count
    cdef uint64_t* folded = view.zero_keys(count)
    for i in range(count):
        k = view.one_token[i]
        if view.token_attribute[k] == ATTR_CLASS:
            folded[i] = folded_hash(
                view.values, view.token_start[k], view.token_end[k], view.room_for_text
            )
    cdef Groups names = view.number(folded, count)
    cdef int32_t* often = view.zero_ints(names.count)
    for i in range(count):
        often[names.group[i]] += view.token_times[i]
    for i in range(count):
        if folded[i]:
            every[i] = mixed(folded[i])
            usual[i] = every[i] if often[names.group[i]] >= MIN_CLASS_USES else 0


cdef int number_texts(View view) except -1:
    """Equal texts, letter case, digits and blanks apart, have the same number."""
    cdef int i
    cdef uint64_t* hashes = view.keys(view.n)
    for i in range(view.n):
        hashes[i] = folded_hash(view.text, view.start[i], view.stop[i], view.room_for_text)
    view.texts = view.number(hashes, view.n)


cdef int fill_repetition(View view, float* out) except -1:
    """How many blocks share a block's path or text, and how many words they hold."""
    cdef int i, n = view.n
    cdef uint64_t above
    cdef uint64_t* tags = view.keys(view.n_elements)
    cdef uint64_t* both = view.keys(view.n_elements)
    for i in range(view.n_elements):
        above = tags[view.parent[i]] if view.parent[i] >= 0 else fnv_start()
        tags[i] = fnv_step(above, <uint64_t>(view.tag[i] + 1))
        above = both[view.parent[i]] if view.parent[i] >= 0 else fnv_start()
        both[i] = fnv_step(fnv_step(above, <uint64_t>(view.tag[i] + 1)), view.every[i])
    _fill_paths(view, tags, out)
    _fill_paths(view, both, out + 4 * n)
    out += 8 * n
    cdef int32_t* first = view.ints(view.texts.count)
    for i in range(n):
        if view.texts.rank[i] == 0:
            first[view.texts.group[i]] = i
        out[i] = view.texts.size[view.texts.group[i]]
        out[n + i] = view.texts.rank[i]
        out[2 * n + i] = i - first[view.texts.group[i]]


cdef Groups _of_blocks(View view, const uint64_t* of_elements) except *:
    """The blocks in groups by the keys of their elements."""
    cdef int i
    cdef uint64_t* keys = view.keys(view.n)
    for i in range(view.n):
        keys[i] = of_elements[view.element[i]]
    return view.number(keys, view.n)


cdef int _fill_paths(View view, const uint64_t* of_elements, float* out) except -1:
    cdef int i, g, n = view.n
    cdef Groups groups = _of_blocks(view, of_elements)
    cdef double* words = view.zero_doubles(groups.count)
    for i in range(n):
        words[groups.group[i]] += view.weight[i]
    for i in range(n):
        g = groups.group[i]
        out[i] = groups.size[g]
        out[n + i] = <float>(groups.size[g] / <double>n)
        out[2 * n + i] = <float>(words[g] / view.total)
        out[3 * n + i] = <float>(words[g] / groups.size[g])


cdef int fill_groups(View view, float* out) except -1:
    """The number of blocks at like places, and their contents together."""
    _fill_group(view, view.two, out)
    _fill_group(view, view.four, out + 4 * view.n)


cdef int _fill_group(View view, const uint64_t* of_elements, float* out) except -1:
    cdef int i, g, n = view.n
    cdef Groups groups = _of_blocks(view, of_elements)
    cdef double* weight = view.zero_doubles(groups.count)
    cdef double* words = view.zero_doubles(groups.count)
    cdef double* linked = view.zero_doubles(groups.count)
    for i in range(n):
        g = groups.group[i]
        weight[g] += view.weight[i]
        words[g] += view.words[i]
        linked[g] += view.linked[i]
    for i in range(n):
        g = groups.group[i]
        out[i] = groups.size[g]
        out[n + i] = <float>(weight[g] / view.total)
        out[2 * n + i] = <float>(weight[g] / groups.size[g])
        out[3 * n + i] = <float>(linked[g] / at_least(words[g], 1))


cdef int fill_body(View view, float* out) except -1:
    """The group of blocks with the most prose: where it lies from each block.

    How far it is to the group, how much of it came before, which container holds it.
    """
    cdef int i, n = view.n, first = -1, last = -1, near
    cdef double share = 0
    cdef double* words = view.doubles(n + 1)
    cdef int32_t* count = view.ints(n + 1)
    words[0], count[0] = 0, 0
    _mark_body(view, out, &share)
    for i in range(n):
        words[i + 1] = words[i] + (view.weight[i] if out[i] else 0)
        count[i + 1] = count[i] + (out[i] != 0)
        if out[i]:
            first = i if first < 0 else first
            last = i
    cdef double total = at_least(words[n], 1)
    near = -1
    for i in range(n):
        near = i if out[i] else near
        out[n + i] = min(i - near, MAX_BLOCK_DISTANCE) if near >= 0 else MAX_BLOCK_DISTANCE
        out[3 * n + i] = max(i - last, 0) + min(i - first, 0) if first >= 0 else 0
        out[4 * n + i] = <float>share
        out[5 * n + i] = count[n]
        out[6 * n + i] = <float>(words[i] / total)
    near = n
    for i in range(n - 1, -1, -1):
        near = i if out[i] else near
        out[2 * n + i] = min(near - i, MAX_BLOCK_DISTANCE) if near < n else MAX_BLOCK_DISTANCE
    _fill_around(view, words, count, total, out + 7 * n)


cdef int _mark_body(View view, float* out, double* share) except -1:
    """1 for the blocks of the group; and the page's share of words that is its prose."""
    cdef int i, best = 0, n = view.n
    cdef Groups groups = _of_blocks(view, view.three)
    cdef double* prose = view.zero_doubles(groups.count)
    for i in range(n):
        if view.weight[i] > MIN_PROSE_WORDS:
            prose[groups.group[i]] += view.weight[i] * (1 - view.density[i])
    for i in range(1, groups.count):
        best = i if prose[i] > prose[best] else best
    cdef bint found = groups.count > 0 and prose[best] > 0
    for i in range(n):
        out[i] = found and groups.group[i] == best and view.weight[i] > MAX_SHORT_WORDS
    share[0] = prose[best] / view.total if found else 0


cdef void _fill_around(
    View view, const double* words, const int32_t* count, double total, float* out
) noexcept:
    """The first level that holds some of the body, and how much levels 1 to 4 hold."""
    cdef int i, level, element, n = view.n, up
    for i in range(n):
        up = LEVELS
        for level in range(LEVELS):
            element = view.ancestors[level * n + i]
            if up == LEVELS and count[view.end_block[element]] > count[view.first_block[element]]:
                up = level
            if 1 <= level <= 4:
                out[level * n + i] = <float>(
                    (words[view.end_block[element]] - words[view.first_block[element]]) / total
                )
        out[i] = up
