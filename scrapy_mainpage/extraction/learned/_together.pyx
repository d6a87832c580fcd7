"""What is chosen with what it belongs to: headings with their text, units with their frame.

A unit is what a reader takes as one thing: a list, a table, code, a caption, a question
with its answer behind a button. Both change a mask of *chosen* blocks in place. What is
unlikely by its scores is left.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint8_t

from ...text._chars cimport has_amount
from ..document._schema cimport Column, HEADING_SHIFT, HIDDEN, Tables, last_character

from ..document.tags import CODES, TAGS

# Probability of a heading that is taken because something of its text is, or the beginning
# of it; and of a caption or price near what is taken. By cross-validation the lower one
# finds 1% more of the headings of wcxb-dev, and .5% more of those found are wrong.
cdef double MIN_JOINED = 0.2, MIN_BEGUN = 0.1, MIN_NEAR = 0.05

# Mean probability of a unit that is taken because the text around it is. The form of code,
# of names with values, of a panel below its button and of a list behind a colon says what
# they are: without panels 32 of 680 pages change.
cdef double MIN_UNIT = 0.25, MIN_SURE_UNIT = 0.15

# Share of the text around a unit that is chosen, in the smallest container with enough.
cdef double MIN_FRAME_SHARE = 0.75

# Share of the words of a page in one unit: it is the page's listing, links or not. Of 546
# pages two have one that is chosen for this; a reader misses the names of their records.
cdef double MIN_PAGE_SHARE = 0.5

cdef enum:
    # With none asked for, lists below their heading are lost: the heading is not chosen yet.
    MIN_FRAME_WORDS = 40
    # Blocks of a question and its answer.
    MAX_ANSWER_BLOCKS = 12
    MIN_QUESTION_WORDS = 3
    # Words of a price; blocks from it to the chosen one above.
    MAX_PRICE_WORDS = 8
    MAX_PRICE_DISTANCE = 3

    COLON = 2
    PLAIN = 0
    SURE = 1
    PANEL = 2
    FACTS = 3
    CAPTION = 4
    # Words of the name of a table of facts.
    MAX_NAME_WORDS = 8

# By tag.
cdef bytearray UNITS = bytearray(len(TAGS) + 1)
for _name in "ul ol dl table".split():
    UNITS[CODES[_name]] = PLAIN + 1
UNITS[CODES["figcaption"]] = CAPTION + 1
UNITS[CODES["pre"]] = SURE + 1
UNITS[CODES["button"]] = UNITS[CODES["summary"]] = PANEL + 1
cdef const uint8_t* KINDS = <const uint8_t*><char*>UNITS
cdef int N_TAGS = len(TAGS), TAG_TABLE = CODES["table"]
cdef int TAG_TH = CODES["th"], TAG_TD = CODES["td"]


cdef int keep_headings(
    const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose each heading of whose text something is *chosen* (a mask, changed in place).

    Headings that are unlikely by their *scores* are left: those of teasers.

    The text of a heading is what follows it in the same element, or the nearest one that
    has more to come, up to the next heading of its level or a higher one. For the title,
    below which all of the page may be, the beginning of it says nothing.
    """
    cdef Column flags = t.blocks.flags, element = t.blocks.element
    cdef Column parent = t.elements.parent, end_block = t.elements.end_block
    cdef int n = t.n_blocks, i, level, at, end, next_chosen = n, next_text = n
    cdef bint is_begun
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
            is_begun = level > 1 and next_text < end and chosen[next_text]
            chosen[i] |= next_chosen < end and scores[i] >= (MIN_BEGUN if is_begun else MIN_JOINED)
            following[level] = i
        elif t.blocks.words[i] and not flags[i] & HIDDEN:
            next_text = i
        if chosen[i]:
            next_chosen = i


cdef struct Unit:
    # By its first block; the end of none is 0.
    int element, end, kind


cdef struct Sums:
    # Before each block: words, those times the score, linked words; words of the text that
    # stands around units, and those of it that are chosen.
    double words, scored, linked, around, chosen


cdef int keep_units(
    document, const Tables* t, const float* scores, uint8_t* chosen
) except -1:
    """Choose each unit that stands in a *chosen* frame, or below its name or a colon.

    The frame is the text around it without units that are left out, so that one does not
    speak against the next. Of what is hidden, only panels with a question are chosen.
    """
    cdef int n = t.n_blocks, i = 0, k, first
    cdef bint is_introduced, is_page, is_named
    cdef const unsigned char* text = document.text
    cdef double words, least
    cdef Unit* units = <Unit*>PyMem_Calloc(n + 1, sizeof(Unit))
    cdef Sums* sums = <Sums*>PyMem_Calloc(n + 1, sizeof(Sums))
    try:
        if not units or not sums:
            raise MemoryError
        _find_units(t, units)
        _sum_up(t, scores, chosen, units, sums)
        while i < n:
            first = i
            i = max(units[first].end, first + 1)
            words = max(sums[i].words - sums[first].words, 1)
            is_introduced = first and chosen[first - 1] and last_character(
                text, t.blocks.start[first - 1], t.blocks.end[first - 1]
            ) == COLON
            is_named = units[first].kind == FACTS and first > 1 and chosen[first - 2] and (
                t.blocks.words[first - 1] <= MAX_NAME_WORDS
            )
            is_page = words >= MIN_PAGE_SHARE * sums[n].words
            least = MIN_SURE_UNIT if is_introduced or is_page or units[first].kind else MIN_UNIT
            least = MIN_NEAR if units[first].kind == CAPTION else least
            if (
                units[first].end
                and sums[i].scored - sums[first].scored >= least * words
                and (is_page or 2 * (sums[i].linked - sums[first].linked) <= words)
                and (is_introduced or is_named or _is_framed(t, sums, units[first].element, first, i))
            ):
                if is_named:
                    chosen[first - 1] |= scores[first - 1] >= MIN_SURE_UNIT
                for k in range(first, i):
                    chosen[k] |= units[first].kind == PANEL or not t.blocks.flags[k] & HIDDEN
    finally:
        PyMem_Free(units)
        PyMem_Free(sums)


cdef int _find_units(const Tables* t, Unit* units) noexcept:
    """The outermost units. A table that holds lists lays out the page, and is none."""
    cdef int i, at, first, until = 0, outer = -1
    for i in range(t.n_elements):
        first = t.elements.first_block[i]
        if t.elements.tag[i] >= N_TAGS or not KINDS[t.elements.tag[i]] or t.elements.end_block[i] <= first:
            continue
        if first < until:
            if t.elements.tag[outer] != TAG_TABLE or t.elements.tag[i] == TAG_TABLE:
                continue
            units[t.elements.first_block[outer]].end = 0
        at = i
        if KINDS[t.elements.tag[i]] == PANEL + 1:
            at = _panel_of(t, i)
        if at >= 0:
            outer, until = at, t.elements.end_block[at]
            units[first] = Unit(at, until, KINDS[t.elements.tag[i]] - 1)
            if t.elements.tag[i] == TAG_TABLE and _has_pairs(t, first, until):
                units[first].kind = FACTS


cdef bint _has_pairs(const Tables* t, int first, int end) noexcept:
    """Whether each ``th`` has one ``td`` behind it, as in the data of a product."""
    cdef int i
    for i in range(first, end):
        if t.elements.tag[t.blocks.element[i]] != (TAG_TH if (i - first) % 2 == 0 else TAG_TD):
            return False
    return (end - first) % 2 == 0


cdef int _panel_of(const Tables* t, int control) noexcept:
    """The smallest element that begins with a question and holds its answer, or -1.

    The question is the words of a *control* that opens the panel.
    """
    cdef int first = t.elements.first_block[control], at = control
    if t.blocks.words[first] < MIN_QUESTION_WORDS:
        return -1
    while at >= 0 and t.elements.end_block[at] <= first + 1:
        at = t.elements.parent[at]
    if at < 0 or t.elements.first_block[at] != first:
        return -1
    return at if t.elements.end_block[at] - first <= MAX_ANSWER_BLOCKS else -1


cdef int _sum_up(
    const Tables* t, const float* scores, const uint8_t* chosen, const Unit* units, Sums* sums
) noexcept:
    cdef int i, until = 0
    cdef double words
    for i in range(t.n_blocks):
        until = max(until, units[i].end)
        words = t.blocks.words[i]
        sums[i + 1] = sums[i]
        sums[i + 1].words += words
        sums[i + 1].scored += words * scores[i]
        sums[i + 1].linked += t.blocks.linked_words[i]
        if chosen[i] or i >= until and 2 * t.blocks.linked_words[i] <= words:
            sums[i + 1].around += words
            sums[i + 1].chosen += words if chosen[i] else 0


cdef bint _is_framed(const Tables* t, const Sums* sums, int at, int first, int end) noexcept:
    """Whether most of the text around the blocks of a unit is chosen."""
    cdef int low, high
    cdef double words = 0, main = 0
    at = t.elements.parent[at]
    while at >= 0:
        low, high = t.elements.first_block[at], t.elements.end_block[at]
        words = sums[high].around - sums[low].around - sums[end].around + sums[first].around
        main = sums[high].chosen - sums[low].chosen - sums[end].chosen + sums[first].chosen
        if words >= MIN_FRAME_WORDS:
            break
        at = t.elements.parent[at]
    return words > 0 and main >= MIN_FRAME_SHARE * words


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
            if scores[i] >= MIN_NEAR and not t.blocks.flags[i] & HIDDEN:
                chosen[i] = has_amount(text, t.blocks.start[i], t.blocks.end[i])
