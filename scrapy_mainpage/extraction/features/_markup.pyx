"""What the classes, ids and tags on the way to a block say: a sum of learned weights."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t

from .._markup cimport (
    BITS, LONGEST_TOKEN, MOST_SLOTS, OWN_SALT, PARENT_SALT, TAG_SALT, Own, add_token,
    begin_own, salted, tag_pair,
)
from ._view cimport View

from ..tags import ATTRIBUTE_CODES, TAGS

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define FETCH(address) __builtin_prefetch(address)
    #else
    #define FETCH(address) ((void)0)
    #endif
    """
    void FETCH(const void* address) noexcept

cdef int N_TAGS = len(TAGS), ATTR_ID = ATTRIBUTE_CODES["id"]

# How often each slot occurs on the way to the element at hand; all 0 between calls.
cdef int32_t[1 << BITS] on_way


cdef struct Way:
    # Sums on the way to an element.
    double total
    int count


cdef struct Slots:
    int32_t* slot           # of all elements, one after another
    int32_t* first          # of each element; its last one is the tag's
    int32_t* end


cdef int fill_markup(View view, const float* weights, float* out) except -1:
    """Per block the weights of what is known of its element, summed and scaled.

    Each slot on the way from the root counts once, tags as well; those of the element
    and of its parent count once more for standing there. The sum is over the square
    root of how many there are.
    """
    cdef int i = 0, k, top = -1, n = view.n_elements
    cdef Slots slots = _slots(view, weights)
    cdef int32_t* stack = view.ints(n)
    cdef Way* ways = <Way*>view.take(n * sizeof(Way))
    cdef float* sums = <float*>view.take(n * sizeof(float))
    cdef char* owns = <char*>view.take(n)
    for k in range(view.n):
        owns[view.element[k]] = 1
    while i < n:
        # Without a block there is no one to tell.
        if view.first_block[i] == view.end_block[i]:
            i = view.end[i]
            continue
        while top >= 0 and stack[top] != view.parent[i]:
            for k in range(slots.first[stack[top]], slots.end[stack[top]]):
                on_way[slots.slot[k]] -= 1
            top -= 1
        if top >= 0:
            ways[i] = ways[stack[top]]
        _enter(&slots, i, weights, &ways[i])
        top += 1
        stack[top] = i
        if owns[i]:
            sums[i] = _sum(view, &slots, i, weights, ways[i])
        i += 1
    while top >= 0:
        for k in range(slots.first[stack[top]], slots.end[stack[top]]):
            on_way[slots.slot[k]] -= 1
        top -= 1
    for k in range(view.n):
        out[k] = sums[view.element[k]]
    return 0


cdef Slots _slots(View view, const float* weights) except *:
    """The slots of the elements with blocks; their weights are on their way to us."""
    cdef int i = 0, k, at = 0, used = 0, n = view.n_elements, size
    cdef int64_t room = n
    cdef bint is_id
    cdef Own own
    cdef Slots slots
    for k in range(view.n_tokens):
        size = view.token_end[k] - view.token_start[k]
        room += min(2 * min(size, LONGEST_TOKEN) + 1, MOST_SLOTS)
    slots.slot = <int32_t*>view.take(room * sizeof(int32_t))
    slots.first, slots.end = view.ints(n), view.ints(n)
    while i < n:
        if view.first_block[i] == view.end_block[i]:
            i = view.end[i]
            continue
        slots.first[i] = used
        while at < view.n_tokens and view.token_element[at] < i:
            at += 1
        if at < view.n_tokens and view.token_element[at] == i:
            begin_own(&own, slots.slot + used)
            while at < view.n_tokens and view.token_element[at] == i:
                size = min(view.token_end[at] - view.token_start[at], LONGEST_TOKEN)
                is_id = view.token_attribute[at] == ATTR_ID
                add_token(&own, view.values + view.token_start[at], size, is_id)
                at += 1
            used += own.count
        slots.slot[used] = salted(min(view.tag[i], N_TAGS), TAG_SALT)
        used += 1
        slots.end[i] = used
        for k in range(slots.first[i], used):
            FETCH(weights + slots.slot[k])
            FETCH(on_way + slots.slot[k])
        i += 1
    return slots


cdef inline void _enter(const Slots* slots, int i, const float* weights, Way* way) noexcept:
    cdef int k
    cdef int32_t slot
    for k in range(slots.first[i], slots.end[i]):
        slot = slots.slot[k]
        if on_way[slot] == 0:
            way.total += weights[slot]
            way.count += 1
        on_way[slot] += 1


cdef inline float _sum(View view, const Slots* slots, int i, const float* weights, Way way) noexcept:
    cdef int k, parent = view.parent[i]
    for k in range(slots.first[i], slots.end[i] - 1):
        way.total += weights[salted(slots.slot[k], OWN_SALT)]
        way.count += 1
    if parent >= 0:
        for k in range(slots.first[parent], slots.end[parent] - 1):
            way.total += weights[salted(slots.slot[k], PARENT_SALT)]
            way.count += 1
    way.total += weights[
        tag_pair(min(view.tag[parent], N_TAGS) if parent >= 0 else -1, min(view.tag[i], N_TAGS))
    ]
    return <float>(way.total / sqrt(way.count + 1))
