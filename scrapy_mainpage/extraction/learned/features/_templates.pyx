"""What the elements of a template have in common: a decision together.

The posts of a thread, the cards of a list and the answers to questions come from one
piece of markup each (document/_templates.pyx), and are main content together or not at
all, as in the data records of Liu, Grossman and Zhai (2003): what repeats is found by its
markup, and a probability of the whole corrects those of its members.
"""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t

from ._units cimport block_weight
from ._view cimport View

cdef enum:
    # Members of a template that are decided together; parents that they lie in.
    MIN_MEMBERS = 3

# Of the way to their mean log odds, for blocks of one template, and blocks in records.
cdef double MEMBER_STEP = 0.8, RECORD_STEP = 0.5

# Share of main words in records, and of the records that are mostly main.
cdef double MIN_RECORD_PURITY = 0.6, MIN_RECORD_SHARE = 0.5

# Blocks of a record, in the mean: paragraphs of one text are none.
cdef double MIN_RECORD_BLOCKS = 1.5

# Share of words in links: blocks with more are parts of records that may differ.
cdef double MAX_LINK_DENSITY = 0.5

# Log odds; what is as unlikely as this stays so.
cdef double MIN_ODDS = -5

cdef struct Template:
    # Sums over its elements with text: words, main words, log odds by words; how many
    # they are, and how many are mostly main.
    double words, main, held
    int32_t count, pure, all_blocks
    # Sums over its own blocks, and the parents that these lie in.
    double own_words, own_held
    int32_t parents, parent


cdef Template* _sum_templates(View view, const double* odds) except NULL:
    cdef int i, parent
    cdef double words, main, weight
    cdef Template* found = <Template*>view.zeros(view.n_templates * sizeof(Template))
    cdef Template* own
    # Before each block, and after the last one.
    cdef double* words_before = view.doubles(view.n + 1)
    cdef double* main_before = view.doubles(view.n + 1)
    cdef double* held_before = view.doubles(view.n + 1)
    words_before[0] = main_before[0] = held_before[0] = 0
    for i in range(view.n):
        weight = view.weight[i]
        words_before[i + 1] = words_before[i] + weight
        main_before[i + 1] = main_before[i] + weight / (1 + exp(-odds[i]))
        held_before[i + 1] = held_before[i] + weight * odds[i]
    for i in range(view.n_elements):
        if view.end_block[i] > view.first_block[i]:
            own = found + view.template[i]
            words, main = _sum_in(view, words_before, i), _sum_in(view, main_before, i)
            own.words += words
            own.main += main
            own.held += _sum_in(view, held_before, i)
            own.count += 1
            own.all_blocks += view.end_block[i] - view.first_block[i]
            own.pure += main * 2 > words
    for i in range(view.n):
        own = found + view.template[view.element[i]]
        weight = block_weight(view, i)
        own.own_words += weight
        own.own_held += weight * odds[i]
        # The blocks of a parent come one after the other: paths of a template are equal.
        parent = view.parent[view.element[i]] + 2
        own.parents += parent != own.parent
        own.parent = parent
    return found


cdef inline double _sum_in(View view, const double* sums, int element) noexcept:
    return sums[view.end_block[element]] - sums[view.first_block[element]]


cdef int join_members(View view, double* odds) except -1:
    """Raise the log *odds* of what lies where the others of its template are main.

    First blocks of one template in several parents, towards their mean: the paragraphs of
    posts. Then texts in records that are mostly main, towards the mean of these: the list
    in one of the posts.
    """
    cdef int i, n = view.n
    cdef double mean
    cdef Template* templates = _sum_templates(view, odds)
    cdef Template* own
    for i in range(n):
        own = templates + view.template[view.element[i]]
        mean = own.own_held / own.own_words
        if own.parents >= MIN_MEMBERS and MIN_ODDS < odds[i] < mean:
            odds[i] += MEMBER_STEP * (mean - odds[i])
    cdef double* best = _record_odds(view, odds)
    for i in range(n):
        mean = best[view.element[i]]
        if not MIN_ODDS < odds[i] < mean or view.density[i] > MAX_LINK_DENSITY:
            continue
        # Not what every record says, its buttons and captions. Prices differ by digits.
        if view.digits[i] or view.texts.size[view.texts.group[i]] < MIN_MEMBERS:
            odds[i] += RECORD_STEP * (mean - odds[i])


cdef double* _record_odds(View view, const double* odds) except NULL:
    """The highest mean log odds of the main records around each element."""
    cdef int i
    cdef double* best = view.doubles(view.n_elements)
    cdef Template* templates = _sum_templates(view, odds)
    cdef Template* own
    for i in range(view.n_elements):
        own = templates + view.template[i]
        best[i] = best[view.parent[i]] if view.parent[i] >= 0 else -INFINITY
        if (
            own.count >= MIN_MEMBERS
            and own.main >= MIN_RECORD_PURITY * own.words
            and own.pure >= MIN_RECORD_SHARE * own.count
            and own.words > 0
            and own.all_blocks >= MIN_RECORD_BLOCKS * own.count
        ):
            best[i] = max(best[i], own.held / own.words)
    return best
