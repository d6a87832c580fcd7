"""What trimming has to know of tags, in a table by their names."""

from libc.stdint cimport uint64_t

from ..document.tags import BLOCK_TAGS, OPAQUE_TAGS


cdef uint64_t _hash(const unsigned char* s, Py_ssize_t size) noexcept:
    """The number of a name, the same for capitals."""
    cdef uint64_t value = 14695981039346656037u
    cdef Py_ssize_t k
    for k in range(size):
        value = (value ^ (s[k] | 0x20 if b"A" <= s[k] <= b"Z" else s[k])) * 1099511628211u
    return value ^ value >> 29


cdef dict _kinds():
    names = dict.fromkeys(BLOCK_TAGS, BLOCK)
    for flag, tags in (
        (VOID, "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"),
        (OPAQUE, " ".join(OPAQUE_TAGS)),
        (ROOM, "div section article main center blockquote form fieldset"),
        (BLOCK, "br hr"),
        (SINGLE, "html head body"),
        (RAW, "xmp noembed plaintext"),
        (LINE, "br"),
        (BODY, "body"),
        (LASTING, "dt dd optgroup thead tfoot bgsound embed keygen source track wbr"),
    ):
        for name in tags.split():
            names[name] = names.get(name, 0) | flag
    names["frame"] = VOID
    # Nothing says where one of these ends, and it holds no more than a bracket.
    names["rp"] = 0
    return names


RANKS = {"p": 1, "div": 3, "td": 4, "th": 4, "tr": 5, "thead": 6, "tbody": 6, "tfoot": 6, "table": 7}

GROUPS = {
    "p": PARAGRAPHS, "li": 2, "dt": 3, "dd": 3, "option": 4, "optgroup": 5,
    "td": CELLS, "th": CELLS, "tr": ROWS, "thead": 10, "tbody": 10, "tfoot": 10,
}

cdef enum:
    N_KNOWN = 1024

cdef uint64_t[N_KNOWN] KNOWN
cdef int[N_KNOWN] KIND
cdef int[N_KNOWN] RANK
cdef int[N_KNOWN] GROUP


cdef int _slot(uint64_t name) noexcept:
    cdef int slot = <int>(name & (N_KNOWN - 1))
    while KNOWN[slot] and KNOWN[slot] != name:
        slot = (slot + 1) & (N_KNOWN - 1)
    return slot


def _fill():
    for text, kind in _kinds().items():
        name = text.encode()
        slot = _slot(_hash(name, len(name)))
        KNOWN[slot] = _hash(name, len(name))
        KIND[slot] = kind
        RANK[slot] = RANKS.get(text, 2)
        GROUP[slot] = GROUPS.get(text, 0)


_fill()

cdef Known known(const unsigned char* s, Py_ssize_t size) noexcept:
    """What the tag with the name at *s* is."""
    cdef uint64_t name = _hash(s, size)
    cdef int slot = _slot(name)
    if not KNOWN[slot]:
        return Known(name, 0, 2, 0)
    return Known(name, KIND[slot], RANK[slot], GROUP[slot])
