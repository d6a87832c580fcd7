"""What is chosen with the blocks it belongs to: headings, code, lists, answers, prices.

All change a mask of *chosen* blocks in place. What is unlikely by its scores is left.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint8_t

from ...text._chars cimport has_amount
from ..document._schema cimport (
    Column, HEADING_SHIFT, HIDDEN, PRE, Tables, last_character,
)

from ..document.tags import CODES

# Probability of a heading that is taken because its text is, and of code because the texts
# around it are.
cdef double MIN_JOINED = 0.2

# Mean probability of a list whose introduction is taken; of that whose list is; and the
# highest one of an answer whose question is taken; of a price near what is taken.
cdef double MIN_LIST = 0.12, MIN_INTRODUCTION = 0.1, MIN_ANSWER = 0.05, MIN_PRICE = 0.05

# Probability of a definition and of code among what is chosen; the share of words that is.
cdef double MIN_FRAMED = 0.15, MIN_DEFINITIONS = 0.4, MIN_FRAME_SHARE = 0.75
# Mean probability of a table of facts.
cdef double MIN_FACTS = 0.25

cdef enum:
    COLON = 2
    # Words around code, and the ancestors in which they are sought.
    MIN_FRAME_WORDS = 300
    MAX_LEVELS = 20
    # Words of an introduction, of a question and, at least, of an answer.
    MAX_INTRODUCTION_WORDS = 40
    MAX_QUESTION_WORDS = 25
    MIN_ANSWER_WORDS = 5
    # Blocks of an answer; questions of a template.
    MAX_ANSWER_BLOCKS = 5
    MIN_QUESTIONS = 3
    # Cells of a table of facts; words of its name; blocks from it to the chosen one above.
    MIN_FACT_CELLS = 6
    MAX_NAME_WORDS = 8
    MAX_FACT_DISTANCE = 2
    # Words of a price; blocks from it to the chosen one above.
    MAX_PRICE_WORDS = 8
    MAX_PRICE_DISTANCE = 3

cdef int TAG_UL = CODES["ul"], TAG_OL = CODES["ol"], TAG_DL = CODES["dl"]
cdef int TAG_TABLE = CODES["table"], TAG_PRE = CODES["pre"]
cdef int TAG_TH = CODES["th"], TAG_TD = CODES["td"]


cdef int keep_headings(
    const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose each heading of whose text something is *chosen* (a mask, changed in place).

    Headings that are unlikely by their *scores* are left: those of teasers.

    The text of a heading is what follows it in the same element, or the nearest one that
    has more to come, up to the next heading of its level or a higher one.
    """
    cdef Column flags = t.blocks.flags, element = t.blocks.element
    cdef Column parent = t.elements.parent, end_block = t.elements.end_block
    cdef int n = t.n_blocks, i, level, at, end, next_chosen = n
    cdef int[8] following
    for level in range(8):
        following[level] = n
    for i in range(n - 1, -1, -1):
        level = flags[i] >> HEADING_SHIFT
        if level and not flags[i] & HIDDEN:
            at = element[i]
            while at >= 0 and end_block[at] <= i + 1:
                at = parent[at]
            end = end_block[at] if at >= 0 else n
            for at in range(1, level + 1):
                end = min(end, following[at])
            chosen[i] |= next_chosen < end and scores[i] >= MIN_JOINED
            following[level] = i
        if chosen[i]:
            next_chosen = i


cdef int keep_code(const Tables* t, const float* scores, uint8_t* chosen) except -1:
    """Choose code between two *chosen* blocks (a mask, changed in place).

    Unlikely code, by its *scores*, is left, and then all other of its row. Line numbers
    below the code in an element of its own are passed over.
    """
    cdef Column flags = t.blocks.flags, element = t.blocks.element
    cdef Column parent = t.elements.parent
    cdef Column first_block = t.elements.first_block, end_block = t.elements.end_block
    cdef int n = t.n_blocks, i, k, above, first = 0, end = 0, before = -1
    cdef float least = 1
    for i in range(n):
        if flags[i] & PRE and not flags[i] & HIDDEN:
            least = min(least, scores[i])
            above = parent[element[i]]
            end = end_block[above] if above >= 0 else 0
            if above < 0 or end > i + 2 or first_block[above] < i - 1:
                end = 0  # more than code, its language and its line numbers
            elif first == i and first_block[above] == i - 1 and not chosen[before]:
                before = i - 2
            continue
        if first < i < end and not chosen[i]:
            continue
        if 0 <= before < first < i and least >= MIN_JOINED and chosen[before] and chosen[i]:
            for k in range(first, i):
                chosen[k] |= (flags[k] & PRE) != 0
        first, least, end, before = i + 1, 1, 0, i


cdef int keep_lists(
    document, const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose a list, a table or code that a chosen line with a colon introduces.

    And the line with a colon directly before one that is chosen for the most part.
    """
    cdef const unsigned char* text = document.text
    cdef int i, before, first, end, count, until = 0
    cdef int32_t* taken = <int32_t*>PyMem_Calloc(t.n_blocks + 1, sizeof(int32_t))
    cdef double* score = <double*>PyMem_Calloc(t.n_blocks + 1, sizeof(double))
    if not taken or not score:
        PyMem_Free(taken)
        PyMem_Free(score)
        raise MemoryError
    for i in range(t.n_blocks):
        taken[i + 1] = taken[i] + chosen[i]
        score[i + 1] = score[i] + scores[i]
    for i in range(t.n_elements):
        first, end = t.elements.first_block[i], t.elements.end_block[i]
        before, count = first - 1, end - first
        if first < until or before < 0 or not count or not _is_list(t.elements.tag[i]):
            continue
        if last_character(text, t.blocks.start[before], t.blocks.end[before]) != COLON:
            continue
        if chosen[before] and taken[end] == taken[first]:
            if score[end] - score[first] >= MIN_LIST * count:
                for before in range(first, end):
                    chosen[before] = 1
                until = end
        elif (taken[end] - taken[first]) * 2 >= count and _is_introduction(t, before):
            chosen[before] |= scores[before] >= MIN_INTRODUCTION
    PyMem_Free(taken)
    PyMem_Free(score)


cdef int keep_frame(const Tables* t, const float* scores, uint8_t* chosen) except -1:
    """Choose definitions beside chosen ones, tables of facts, and code in a chosen container.

    A list of definitions is chosen with two fifths of its words; a ``pre`` with three
    quarters of the words around it, in the smallest container with enough of them.
    """
    cdef int i, k, at, level, first, n = t.n_blocks
    cdef double words, main
    cdef double* sums = <double*>PyMem_Calloc(2 * (n + 1), sizeof(double))
    cdef double* of_main = sums + n + 1
    if not sums:
        raise MemoryError
    for i in range(n):
        sums[i + 1] = sums[i] + t.blocks.words[i]
        of_main[i + 1] = of_main[i] + (t.blocks.words[i] if chosen[i] else 0)
    for i in range(t.n_elements):
        if t.elements.tag[i] == TAG_DL:
            words, main = _sum_in(t, sums, i), _sum_in(t, of_main, i)
            if MIN_DEFINITIONS * words <= main < words:
                for k in range(t.elements.first_block[i], t.elements.end_block[i]):
                    chosen[k] |= _is_likely(t, scores, k)
        elif t.elements.tag[i] == TAG_TABLE and _is_of_facts(t, scores, i, chosen):
            first = t.elements.first_block[i]
            # Its name, such as "Technical data".
            if t.blocks.words[first - 1] <= MAX_NAME_WORDS:
                chosen[first - 1] |= _is_likely(t, scores, first - 1)
            for k in range(first, t.elements.end_block[i]):
                chosen[k] = 1
    for i in range(n):
        if chosen[i] or not t.blocks.flags[i] & PRE or not _is_likely(t, scores, i):
            continue
        at, level, words = t.blocks.element[i], 0, 0
        while at >= 0 and level < MAX_LEVELS and words < MIN_FRAME_WORDS:
            words = _sum_in(t, sums, at) - t.blocks.words[i]
            main = _sum_in(t, of_main, at)
            at, level = t.elements.parent[at], level + 1
        chosen[i] |= words >= MIN_FRAME_WORDS and main >= MIN_FRAME_SHARE * words
    PyMem_Free(sums)


cdef bint _is_of_facts(
    const Tables* t, const float* scores, int table, const uint8_t* chosen
) noexcept:
    """Whether a *table* of labels and values stands just below what is chosen.

    Each ``th`` has one ``td`` behind it, as in the technical data of a product.
    """
    cdef int i, first = t.elements.first_block[table], end = t.elements.end_block[table]
    cdef double score = 0, linked = 0, words = 0
    if end - first < MIN_FACT_CELLS or (end - first) % 2:
        return False
    for i in range(first, end):
        if t.elements.tag[t.blocks.element[i]] != (TAG_TH if (i - first) % 2 == 0 else TAG_TD):
            return False
        score += scores[i]
        words += t.blocks.words[i]
        linked += t.blocks.linked_words[i]
    if score < MIN_FACTS * (end - first) or linked * 2 > words:
        return False
    for i in range(max(first - MAX_FACT_DISTANCE, 0), first):
        if chosen[i]:
            return True
    return False


cdef inline double _sum_in(const Tables* t, const double* sums, int element) noexcept:
    return sums[t.elements.end_block[element]] - sums[t.elements.first_block[element]]


cdef inline bint _is_likely(const Tables* t, const float* scores, int i) noexcept:
    """Whether a block is no link, seen, and not too unlikely to be chosen with others."""
    return (
        scores[i] >= MIN_FRAMED and not t.blocks.flags[i] & HIDDEN
        and t.blocks.linked_words[i] * 2 <= t.blocks.words[i]
    )


cdef inline bint _is_list(int tag) noexcept:
    return tag == TAG_UL or tag == TAG_OL or tag == TAG_DL or tag == TAG_TABLE or tag == TAG_PRE


cdef bint _is_introduction(const Tables* t, int block) noexcept:
    cdef int words = t.blocks.words[block]
    return words <= MAX_INTRODUCTION_WORDS and t.blocks.linked_words[block] * 2 <= words


cdef int keep_answers(
    document, const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose the blocks between a chosen question and the next one of its template.

    Questions are three or more, as on pages of frequently asked ones, whose answers are
    often hidden until a click.
    """
    cdef const unsigned char* text = document.text
    cdef const int32_t[::1] templates
    cdef int i, k, found = 0, like = -1, n = t.n_blocks
    for i in range(n):
        found += _is_question(t, text, i)
    if found < MIN_QUESTIONS:
        return 0
    templates = document.templates
    cdef int32_t* count = <int32_t*>PyMem_Calloc(t.n_elements, sizeof(int32_t))
    if not count:
        raise MemoryError
    for i in range(n):
        count[templates[t.blocks.element[i]]] += _is_question(t, text, i)
    for i in range(n):
        if chosen[i] and _is_question(t, text, i):
            k = templates[t.blocks.element[i]]
            if count[k] >= MIN_QUESTIONS:
                like = _keep_answer(t, &templates[0], scores, i, like, chosen)
    PyMem_Free(count)


cdef int _keep_answer(
    const Tables* t, const int32_t* templates, const float* scores, int question, int like,
    uint8_t* chosen,
) noexcept:
    """Choose the answer to a *question*; return the template of its first block, or *like*.

    The last answer has no question below it: it is blocks of the template *like*.
    """
    cdef int k, i = question + 1, own = templates[t.blocks.element[question]], words = 0
    cdef int end = min(question + 1 + MAX_ANSWER_BLOCKS, t.n_blocks)
    cdef float best = 0
    while i < end and templates[t.blocks.element[i]] != own:
        i += 1
    if i == end and (i == t.n_blocks or templates[t.blocks.element[i]] != own):
        i = question + 1
        while i < end and templates[t.blocks.element[i]] == like:
            i += 1
    if i == question + 1:
        return like
    like = templates[t.blocks.element[question + 1]]
    for k in range(question + 1, i):
        if chosen[k]:
            return like
        words += t.blocks.words[k]
        best = max(best, scores[k])
    if words >= MIN_ANSWER_WORDS and best >= MIN_ANSWER:
        for k in range(question + 1, i):
            chosen[k] = 1
    return like


cdef bint _is_question(const Tables* t, const unsigned char* text, int block) noexcept:
    """Whether a short block ends with a question mark and is no link."""
    cdef int end = t.blocks.end[block], words = t.blocks.words[block]
    if words > MAX_QUESTION_WORDS or t.blocks.linked_words[block] * 2 > words or not words:
        return False
    if text[end - 1] == b"?":
        return True
    # Full-width and Arabic.
    if end - t.blocks.start[block] < 3:
        return False
    return (
        text[end - 1] == 0x9F and text[end - 2] == 0xBC and text[end - 3] == 0xEF
        or text[end - 1] == 0x9F and text[end - 2] == 0xD8
    )


cdef int keep_prices(
    document, const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose a short amount of money a few blocks below a chosen block.

    A heading of the first level counts as chosen: the title is found only later.
    """
    cdef const unsigned char* text = document.text
    cdef int i, last = -1 - MAX_PRICE_DISTANCE
    for i in range(t.n_blocks):
        if chosen[i] or (t.blocks.flags[i] >> HEADING_SHIFT == 1 and scores[i] >= MIN_JOINED):
            last = i
        elif i - last <= MAX_PRICE_DISTANCE and t.blocks.words[i] <= MAX_PRICE_WORDS:
            if scores[i] >= MIN_PRICE and not t.blocks.flags[i] & HIDDEN:
                chosen[i] = has_amount(text, t.blocks.start[i], t.blocks.end[i])
