"""Classes, ids and tags on the way to a block: hashed features, summed by learned weights."""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from ._places cimport number_tokens
from ._slots cimport (
    MAX_ELEMENT_SLOTS, MAX_TOKEN_BYTES, SLOT_BITS, hash_token, salted_slot, tag_pair_slot,
)
from ._view cimport Groups, View

from ...document.tags import ATTRIBUTE_CODES, CODES

cdef enum:
    # At least as many as there are known tags, and one.
    MAX_TAGS = 256
    # Slots of the element itself, of its parent and of tags are hashed once more.
    OWN_SALT = 0x85EBCA6B
    PARENT_SALT = 0xC2B2AE35
    TAG_SALT = 0x27D4EB2F

SLOTS = 1 << SLOT_BITS

cdef int N_KNOWN_TAGS = len(CODES)
cdef int ATTR_ID = ATTRIBUTE_CODES["id"]


cdef struct SlotWeights:
    # Of a slot on the way, of the element itself, and of its parent.
    float way, own, parent


cdef struct PageSlots:
    # The distinct slots of a page, numbered from 0.
    int32_t* value
    int count
    int32_t* number         # of the slots of all tokens, one after another; then of all tags
    int32_t* first          # of each token
    int32_t* end
    int32_t[MAX_TAGS] of_tag
    # Slots of all elements, each once in an element.
    int32_t* in_element
    int32_t* element_first
    int32_t* element_end


cdef struct Way:
    # Sums on the way to an element.
    double total
    int count


cdef inline int _known_tag(View view, int element) noexcept:
    return min(view.tag[element], N_KNOWN_TAGS)


cdef int _read_slots(View view, PageSlots* slots) except -1:
    """Number the slots of all tokens and tags."""
    cdef int i, k, size, used = 0
    cdef int64_t room = N_KNOWN_TAGS + 1
    for i in range(view.token_count):
        k = view.one_token[i]
        size = min(view.token_end[k] - view.token_start[k], MAX_TOKEN_BYTES)
        room += min(2 * size + 1, MAX_ELEMENT_SLOTS)
    cdef int32_t* found = <int32_t*>view.take(room * sizeof(int32_t))
    slots.first, slots.end = view.ints(view.token_count), view.ints(view.token_count)
    for i in range(view.token_count):
        k = view.one_token[i]
        size = min(view.token_end[k] - view.token_start[k], MAX_TOKEN_BYTES)
        slots.first[i] = used
        used += hash_token(
            view.values + view.token_start[k], size, view.token_attribute[k] == ATTR_ID,
            found + used,
        )
        slots.end[i] = used
    for k in range(N_KNOWN_TAGS + 1):
        found[used + k] = salted_slot(k, TAG_SALT)
    used += N_KNOWN_TAGS + 1
    cdef uint64_t* keys = view.keys(used)
    for i in range(used):
        keys[i] = found[i]
    cdef Groups groups = view.number(keys, used)
    slots.number, slots.count = groups.group, groups.count
    slots.value = view.ints(groups.count)
    for i in range(used):
        slots.value[groups.group[i]] = found[i]
    for i in range(N_KNOWN_TAGS + 1):
        slots.of_tag[i] = groups.group[used - N_KNOWN_TAGS - 1 + i]


cdef int _read_elements(View view, PageSlots* slots, bint without_blocks) except -1:
    """Collect the slots of each element's tokens, each once, at most MAX_ELEMENT_SLOTS.

    Elements with nothing but the same class attribute share theirs. Elements that hold
    no text block have slots only if those *without_blocks* are wanted.
    """
    cdef int i = 0, end, own, same, count, used = 0, n = view.n_tokens
    cdef int64_t room = 0
    for i in range(n):
        room += slots.end[view.token_group[i]] - slots.first[view.token_group[i]]
    slots.in_element = <int32_t*>view.take((room + 1) * sizeof(int32_t))
    slots.element_first = view.zero_ints(view.n_elements)
    slots.element_end = view.zero_ints(view.n_elements)
    # The last element with the slot, from 1.
    cdef int32_t* last = view.zero_ints(slots.count)
    # By the first of some tokens: how many there were, and the element that has them.
    cdef int32_t* counts = view.zero_ints(n)
    cdef int32_t* owners = view.ints(n)
    i = 0
    while i < n:
        own, same, end = view.token_element[i], view.same_token[i], i + 1
        while end < n and view.token_element[end] == own:
            end += 1
        count = end - i
        if view.first_block[own] == view.end_block[own] and not without_blocks:
            pass
        elif view.same_token[end - 1] - same != count - 1:
            _read_element(view, slots, own, i, end, last, &used)
        elif counts[same] == count:
            slots.element_first[own] = slots.element_first[owners[same]]
            slots.element_end[own] = slots.element_end[owners[same]]
        else:
            _read_element(view, slots, own, i, end, last, &used)
            counts[same], owners[same] = count, own
        i = end


cdef void _read_element(
    View view, PageSlots* slots, int own, int i, int end, int32_t* last, int* used
) noexcept:
    """Append the slots of the tokens *i* to *end* of the element *own*."""
    cdef int k, token, number, begin = used[0], at = used[0]
    for i in range(i, end):
        token = view.token_group[i]
        for k in range(slots.first[token], slots.end[token]):
            # Without a branch: written in any case, and kept if it is new.
            number = slots.number[k]
            slots.in_element[at] = number
            at += (last[number] != own + 1) & (at - begin < MAX_ELEMENT_SLOTS)
            last[number] = own + 1
    slots.element_first[own] = begin
    slots.element_end[own] = used[0] = at


def page_slots(document):
    """The distinct slots of all class and id tokens of a page (int32)."""
    cdef View view = View(document)
    number_tokens(view)
    return slots_of_page(view)


cdef object slots_of_page(View view):
    """The same of a *view* whose tokens are numbered."""
    cdef PageSlots slots
    cdef int i, k, count = 0
    cdef int32_t[::1] out
    if not view.n_tokens:
        return np.zeros(0, np.int32)
    _read_slots(view, &slots)
    _read_elements(view, &slots, True)
    cdef char* used = <char*>view.zeros(slots.count)
    result = np.empty(slots.count, np.int32)
    out = result
    for i in range(view.n_elements):
        for k in range(slots.element_first[i], slots.element_end[i]):
            used[slots.in_element[k]] = True
    for k in range(slots.count):
        out[count] = slots.value[k]
        count += used[k]
    return result[:count]


def block_slots(document):
    """The slots of all blocks in a row, and the place where each block's begin (int32).

    Per block: those of the elements on the way from its own to the root, each once, with
    their tags; then once more, salted, those of its element and of the parent; and the
    pair of their tags.
    """
    cdef View view = View(document)
    cdef PageSlots slots
    cdef int i, j, k, up, number, parent, used = 0
    cdef int64_t room = 0
    number_tokens(view)
    _read_slots(view, &slots)
    _read_elements(view, &slots, False)
    cdef int32_t* on_way = view.zero_ints(slots.count)
    cdef int64_t* way = <int64_t*>view.keys(view.n_elements)
    for i in range(view.n_elements):
        way[i] = slots.element_end[i] - slots.element_first[i] + 1
        way[i] += way[view.parent[i]] if view.parent[i] >= 0 else 0
    for j in range(view.n):
        room += 2 * way[view.element[j]] + 1
    result, starts = np.empty(room, np.int32), np.empty(view.n + 1, np.int32)
    cdef int32_t[::1] out = result
    cdef int32_t[::1] begin = starts
    for j in range(view.n):
        begin[j] = used
        up = i = view.element[j]
        while up >= 0:
            for k in range(slots.element_first[up], slots.element_end[up] + 1):
                number = (
                    slots.in_element[k] if k < slots.element_end[up]
                    else slots.of_tag[_known_tag(view, up)]
                )
                # Marked with the block, from 1.
                if on_way[number] != j + 1:
                    on_way[number] = j + 1
                    out[used] = slots.value[number]
                    used += 1
            up = view.parent[up]
        parent = view.parent[i]
        for k in range(slots.element_first[i], slots.element_end[i]):
            out[used] = salted_slot(slots.value[slots.in_element[k]], OWN_SALT)
            used += 1
        if parent >= 0:
            for k in range(slots.element_first[parent], slots.element_end[parent]):
                out[used] = salted_slot(slots.value[slots.in_element[k]], PARENT_SALT)
                used += 1
        out[used] = tag_pair_slot(
            _known_tag(view, parent) if parent >= 0 else -1, _known_tag(view, i)
        )
        used += 1
    begin[view.n] = used
    return result[:used], starts


cdef int fill_markup(View view, const float* weights, float* out) except -1:
    """Per block the sum of the *weights* of its slots, over the root of their number.

    The same slots as :func:`block_slots` gives; the view's tokens must be numbered.
    """
    cdef int i = 0, k, top = -1, n = view.n_elements
    cdef char* owns = <char*>view.zeros(n)
    cdef float* sums = <float*>view.take(n * sizeof(float))
    cdef PageSlots slots
    cdef SlotWeights* known
    for k in range(view.n):
        owns[view.element[k]] = 1
    _read_slots(view, &slots)
    _read_elements(view, &slots, False)
    known = <SlotWeights*>view.take(slots.count * sizeof(SlotWeights))
    for k in range(slots.count):
        known[k].way = weights[slots.value[k]]
        known[k].own = weights[salted_slot(slots.value[k], OWN_SALT)]
        known[k].parent = weights[salted_slot(slots.value[k], PARENT_SALT)]
    cdef int32_t* on_way = view.zero_ints(slots.count)
    cdef int32_t* stack = view.ints(n)
    cdef Way* ways = <Way*>view.take(n * sizeof(Way))
    while i < n:
        # Subtrees without a block add nothing.
        if view.first_block[i] == view.end_block[i]:
            i = view.end[i]
            continue
        while top >= 0 and stack[top] != view.parent[i]:
            for k in range(slots.element_first[stack[top]], slots.element_end[stack[top]]):
                on_way[slots.in_element[k]] -= 1
            on_way[slots.of_tag[_known_tag(view, stack[top])]] -= 1
            top -= 1
        ways[i] = ways[stack[top]] if top >= 0 else Way(0, 0)
        for k in range(slots.element_first[i], slots.element_end[i]):
            _enter_slot(known, slots.in_element[k], on_way, &ways[i])
        _enter_slot(known, slots.of_tag[_known_tag(view, i)], on_way, &ways[i])
        top += 1
        stack[top] = i
        if owns[i]:
            sums[i] = _sum_slots(view, &slots, known, weights, i, ways[i])
        i += 1
    for k in range(view.n):
        out[k] = sums[view.element[k]]


cdef inline void _enter_slot(
    const SlotWeights* known, int number, int32_t* on_way, Way* way
) noexcept:
    # Without a branch, as it would be mispredicted.
    cdef bint new = on_way[number] == 0
    way.total += known[number].way if new else 0
    way.count += new
    on_way[number] += 1


cdef inline float _sum_slots(
    View view, const PageSlots* slots, const SlotWeights* known, const float* weights, int i,
    Way way,
) noexcept:
    cdef int k, parent = view.parent[i], above = -1
    for k in range(slots.element_first[i], slots.element_end[i]):
        way.total += known[slots.in_element[k]].own
        way.count += 1
    if parent >= 0:
        above = _known_tag(view, parent)
        for k in range(slots.element_first[parent], slots.element_end[parent]):
            way.total += known[slots.in_element[k]].parent
            way.count += 1
    way.total += weights[tag_pair_slot(above, _known_tag(view, i))]
    return <float>(way.total / sqrt(way.count + 1))
