"""What the classes, ids and tags on the way to a block say: a sum of learned weights."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from .._markup cimport (
    BITS, LONGEST_TOKEN, MOST_SLOTS, OWN_SALT, PARENT_SALT, TAG_SALT, Own, add_token,
    begin_own, salted, tag_pair,
)
from ._view cimport Groups, View

from ...document.tags import ATTRIBUTE_CODES, TAGS

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define FETCH(address) __builtin_prefetch(address)
    #else
    #define FETCH(address) ((void)0)
    #endif
    """
    void FETCH(const void* address) noexcept

cdef enum:
    MOST_TAGS = 256

cdef int N_TAGS = len(TAGS), ATTR_ID = ATTRIBUTE_CODES["id"]


cdef struct Weights:
    # Of a slot on the way, of the element itself, and of its parent.
    float way, own, parent


cdef struct Slots:
    # The page's slots by numbers of their own, from 0.
    Weights* weights
    int32_t* number         # of all tokens, one after another; then of all tags
    int32_t* first          # of each token
    int32_t* end
    int count
    int32_t[MOST_TAGS] of_tag


cdef struct Way:
    # Sums on the way to an element.
    double total
    int count


cdef struct Elements:
    int32_t* number         # the slots of all elements, each once in an element
    int32_t* first
    int32_t* end


cdef int fill_markup(View view, const float* weights, float* out) except -1:
    """Per block the weights of what is known of its element, summed and scaled.

    Each slot on the way from the root counts once, tags as well; those of the element
    and of its parent count once more for standing there. The sum is over the square
    root of how many there are. The view's tokens must have been numbered.
    """
    cdef int i = 0, k, top = -1, n = view.n_elements
    cdef char* owns = <char*>view.zeros(n)
    cdef float* sums = <float*>view.take(n * sizeof(float))
    cdef Slots slots
    cdef Elements elements
    for k in range(view.n):
        owns[view.element[k]] = 1
    _read_slots(view, weights, &slots)
    _read_elements(view, &slots, &elements)
    cdef int32_t* on_way = view.zero_ints(slots.count)
    cdef int32_t* stack = view.ints(n)
    cdef Way* ways = <Way*>view.take(n * sizeof(Way))
    while i < n:
        # Without a block there is no one to tell.
        if view.first_block[i] == view.end_block[i]:
            i = view.end[i]
            continue
        while top >= 0 and stack[top] != view.parent[i]:
            for k in range(elements.first[stack[top]], elements.end[stack[top]]):
                on_way[elements.number[k]] -= 1
            on_way[slots.of_tag[_tag(view, stack[top])]] -= 1
            top -= 1
        ways[i] = ways[stack[top]] if top >= 0 else Way(0, 0)
        for k in range(elements.first[i], elements.end[i]):
            _enter(&slots, elements.number[k], on_way, &ways[i])
        _enter(&slots, slots.of_tag[_tag(view, i)], on_way, &ways[i])
        top += 1
        stack[top] = i
        if owns[i]:
            sums[i] = _sum(view, &slots, &elements, weights, i, ways[i])
        i += 1
    for k in range(view.n):
        out[k] = sums[view.element[k]]
    return 0


cdef inline int _tag(View view, int element) noexcept:
    return min(view.tag[element], N_TAGS)


cdef int _read_slots(View view, const float* weights, Slots* slots) except -1:
    """The slots of all tokens and tags, numbered, and the weights of each."""
    cdef int i, k, used = 0
    cdef int64_t room = N_TAGS + 1
    cdef Own own
    for i in range(view.token_count):
        k = view.one_token[i]
        room += min(2 * min(view.token_end[k] - view.token_start[k], LONGEST_TOKEN) + 1, MOST_SLOTS)
    cdef int32_t* found = <int32_t*>view.take(room * sizeof(int32_t))
    slots.first, slots.end = view.ints(view.token_count), view.ints(view.token_count)
    for i in range(view.token_count):
        k = view.one_token[i]
        begin_own(&own, found + used)
        add_token(
            &own,
            view.values + view.token_start[k],
            min(view.token_end[k] - view.token_start[k], LONGEST_TOKEN),
            view.token_attribute[k] == ATTR_ID,
        )
        slots.first[i] = used
        used += own.count
        slots.end[i] = used
    for k in range(N_TAGS + 1):
        found[used + k] = salted(k, TAG_SALT)
    used += N_TAGS + 1
    _weigh(view, weights, found, used, slots)
    return 0


cdef int _weigh(View view, const float* weights, int32_t* found, int n, Slots* slots) except -1:
    """Number the slots that were found and look up their weights."""
    cdef int i
    cdef uint64_t* keys = view.keys(n)
    for i in range(n):
        keys[i] = found[i]
        # They are on their way to us while the slots are numbered.
        FETCH(weights + found[i])
    cdef Groups groups = view.number(keys, n)
    cdef Weights* own
    slots.number, slots.count = groups.group, groups.count
    slots.weights = <Weights*>view.take(groups.count * sizeof(Weights))
    for i in range(n):
        if groups.rank[i] == 0:
            FETCH(weights + salted(found[i], OWN_SALT))
            FETCH(weights + salted(found[i], PARENT_SALT))
    for i in range(n):
        if groups.rank[i] == 0:
            own = slots.weights + groups.group[i]
            own.way = weights[found[i]]
            own.own = weights[salted(found[i], OWN_SALT)]
            own.parent = weights[salted(found[i], PARENT_SALT)]
    for i in range(N_TAGS + 1):
        slots.of_tag[i] = groups.group[n - N_TAGS - 1 + i]
    return 0


cdef int _read_elements(View view, const Slots* slots, Elements* elements) except -1:
    """The slots of each element's tokens, each once, and at most so many.

    Elements with nothing but the same class attribute share what they have.
    """
    cdef int i = 0, end, own, same, count, used = 0, n = view.n_tokens
    cdef int64_t room = 0
    for i in range(n):
        room += slots.end[view.token_group[i]] - slots.first[view.token_group[i]]
    elements.number = <int32_t*>view.take((room + 1) * sizeof(int32_t))
    elements.first, elements.end = view.zero_ints(view.n_elements), view.zero_ints(view.n_elements)
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
        if view.first_block[own] == view.end_block[own]:
            pass
        elif view.same_token[end - 1] - same != count - 1:
            _read_element(view, slots, elements, own, i, end, last, &used)
        elif counts[same] == count:
            elements.first[own] = elements.first[owners[same]]
            elements.end[own] = elements.end[owners[same]]
        else:
            _read_element(view, slots, elements, own, i, end, last, &used)
            counts[same], owners[same] = count, own
        i = end
    return 0


cdef void _read_element(
    View view, const Slots* slots, Elements* elements, int own, int i, int end,
    int32_t* last, int* used,
) noexcept:
    """The slots of the tokens of the element *own*, behind the *used* ones."""
    cdef int k, token, number, begin = used[0], at = used[0]
    for i in range(i, end):
        token = view.token_group[i]
        for k in range(slots.first[token], slots.end[token]):
            # Without a branch: written in any case, and kept if it is new.
            number = slots.number[k]
            elements.number[at] = number
            at += (last[number] != own + 1) & (at - begin < MOST_SLOTS)
            last[number] = own + 1
    elements.first[own] = begin
    elements.end[own] = used[0] = at


cdef inline void _enter(const Slots* slots, int number, int32_t* on_way, Way* way) noexcept:
    # Without a branch, which nobody could foresee.
    cdef bint new = on_way[number] == 0
    way.total += slots.weights[number].way if new else 0
    way.count += new
    on_way[number] += 1


cdef inline float _sum(
    View view, const Slots* slots, const Elements* elements, const float* weights, int i,
    Way way,
) noexcept:
    cdef int k, parent = view.parent[i], above = -1
    for k in range(elements.first[i], elements.end[i]):
        way.total += slots.weights[elements.number[k]].own
        way.count += 1
    if parent >= 0:
        above = _tag(view, parent)
        for k in range(elements.first[parent], elements.end[parent]):
            way.total += slots.weights[elements.number[k]].parent
            way.count += 1
    way.total += weights[tag_pair(above, _tag(view, i))]
    return <float>(way.total / sqrt(way.count + 1))
