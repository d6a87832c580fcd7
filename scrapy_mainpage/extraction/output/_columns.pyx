"""The columns of a document that signs in the text are found by, and what is found.

Signs are parts of the text that are not its words: permalinks, line numbers of code,
buttons and captions of code blocks, marks of footnotes, superscripts, labels of tabs.
All outputs read them from here. Each step looks at an element and a bounded number of
elements around it, so that the work is linear.
"""

from cpython.unicode cimport Py_UNICODE_ISALNUM
from libc.stdint cimport uint32_t
from libc.string cimport memcmp, strcmp, strstr

from ...text._chars cimport (
    character_at, is_ascii_blank, is_currency, is_letter_or_digit, next_character,
)
from ..document._schema cimport RUN_HEAD, RUN_IMAGE, RUN_MEDIA, RUN_TEXT, Tables, read_tables

cdef enum:
    MAX_NAME_BYTES = 32

# Superscripts of "0" to "9" and of some other characters.
cdef dict RAISED_CHARACTERS = dict(zip(
    "0123456789+-=()abcdefghijklmnoprstuvwxyz\u2212",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁻",
))


cdef inline bint is_invisible(uint32_t c) noexcept:
    return 0x200B <= c <= 0x200F or c == 0x2060 or c == 0xFEFF or c == 0xFE0E or c == 0xFE0F


cdef inline bint is_link_sign(uint32_t c) noexcept:
    """Pilcrow, section, hash, chain, anchor, arrows, and signs of icon fonts."""
    return (
        c in (0xB6, 0xA7, 0x23, 0x5E, 0x25C6, 0x25B2, 0x25B4, 0x23CE, 0x2934, 0x2935, 0x2693)
        or 0x2190 <= c <= 0x21FF
        or 0x2B05 <= c <= 0x2B07
        or 0xE000 <= c <= 0xF8FF
        or c == 0x1F517
        or c in (0x5B, 0x5D, 0x28, 0x29)
    )


cdef inline int hex_value(unsigned char c) noexcept:
    """The value of a hexadecimal digit, or -1."""
    if 48 <= c <= 57:
        return c - 48
    c |= 32
    return c - 87 if 97 <= c <= 102 else -1


cdef bytes raised(bytes text):
    """The superscript form of *text*; empty if there is none."""
    cdef list characters = [RAISED_CHARACTERS.get(c, "") for c in text.decode("utf-8", "replace")]
    return "".join(characters).encode() if all(characters) else b""


cdef class Columns:
    def __init__(self, document):
        cdef Tables t
        read_tables(document, &t)
        self.tables, self.tags = document.tables, document.tags
        self.output_budget = document.output_budget
        self.elements, self.blocks, self.runs = t.elements, t.blocks, t.runs
        self.attributes, self.tokens = t.attributes, t.tokens
        self.n_elements, self.n_blocks, self.n_runs = t.n_elements, t.n_blocks, t.n_runs
        self.n_attributes, self.n_tokens = t.n_attributes, t.n_tokens
        self.text_object, self.values_object = document.text, document.values
        self.text, self.values = self.text_object, self.values_object
        self.box_titles = []
        self.roles, self.markups = bytearray(self.n_runs), bytearray(self.n_elements)
        self.role, self.markup = <uint8_t*><char*>self.roles, <uint8_t*><char*>self.markups

    cdef int up(self, int i, int levels) noexcept:
        while i >= 0 and levels:
            i = self.elements.parent[i]
            levels -= 1
        return i

    # Attributes

    cdef int attributes_end(self, int i) noexcept:
        """The first attribute after those of the elements before `i`."""
        return self.elements.first_attribute[i] if i < self.n_elements else self.n_attributes

    cdef int find(self, int element, int name) noexcept:
        """The index of the attribute `name` of `element`, or -1."""
        cdef int k
        if element < 0:
            return -1
        for k in range(self.elements.first_attribute[element], self.attributes_end(element + 1)):
            if self.attributes.name[k] == name:
                return k
        return -1

    cdef int number(self, int element, int name, int default) noexcept:
        """The number that an attribute gives; `default` for anything but 1 to 9 digits."""
        cdef int k = self.find(element, name), value = 0, place
        if k < 0 or not 0 < self.attributes.end[k] - self.attributes.start[k] < 10:
            return default
        for place in range(self.attributes.start[k], self.attributes.end[k]):
            if not 48 <= self.values[place] <= 57:
                return default
            value = value * 10 + self.values[place] - 48
        return value

    cdef bytes value(self, int element, int name):
        """The value of an attribute; empty without it."""
        cdef int k = self.find(element, name)
        return self.values[self.attributes.start[k]:self.attributes.end[k]] if k >= 0 else b""

    cdef bint is_same(self, int k, int end, int id, int id_end) noexcept:
        """Whether a fragment, which may be percent-encoded, is an id."""
        cdef const unsigned char* s = self.values
        cdef unsigned char c
        if id_end - id > 13 and memcmp(s + id, b"user-content-", 13) == 0:
            id += 13
        while k < end and id < id_end:
            c = s[k]
            if c == b"%" and k + 2 < end and hex_value(s[k + 1]) >= 0 and hex_value(s[k + 2]) >= 0:
                c = 16 * hex_value(s[k + 1]) + hex_value(s[k + 2])
                k += 2
            if c != s[id]:
                return False
            k += 1
            id += 1
        return k == end and id == id_end

    # Names and words

    cdef bint has_name(self, int i, list parts, list tokens) except -1:
        """Whether a token of class, id or role has one of the parts, or is a token."""
        cdef char[MAX_NAME_BYTES + 1] plain
        cdef int k, place, n
        cdef unsigned char c
        cdef int end = self.elements.first_token[i + 1] if i + 1 < self.n_elements else self.n_tokens
        for k in range(self.elements.first_token[i], end):
            n = 0
            for place in range(self.tokens.start[k], self.tokens.end[k]):
                c = self.values[place]
                if c != b"-" and c != b"_" and n < MAX_NAME_BYTES:
                    plain[n] = c | 32 if 65 <= c <= 90 else c
                    n += 1
            plain[n] = 0
            for part in parts:
                if strstr(plain, <const char*>(<bytes>part)):
                    return True
            for token in tokens:
                if strcmp(plain, <const char*>(<bytes>token)) == 0:
                    return True
        return False

    cdef bint is_named(self, int i, int last, list parts, list tokens) except -1:
        """Whether `i` or an element around it, up to `last`, has a name."""
        for _ in range(MAX_LEVELS_UP):
            if i < 0 or self.has_name(i, parts, tokens):
                return i >= 0
            if i == last:
                break
            i = self.elements.parent[i]
        return False

    cdef int silence(self, int i) noexcept:
        """Write nothing of an element, if it is small."""
        cdef int k
        if self.elements.end_run[i] - self.elements.first_run[i] > MAX_SIGN_RUNS:
            return 0
        for k in range(self.elements.first_run[i], self.elements.end_run[i]):
            # A blank before an element has the number of a run in it.
            if self.runs.kind[k] != RUN_HEAD and self.runs.element[k] >= i:
                self.role[k] = SILENT

    cdef int silence_block(self, int block) noexcept:
        cdef int k
        for k in range(self.blocks.first_run[block], self.blocks.end_run[block]):
            self.role[k] = SILENT

    cdef bint parts(self, int k) noexcept:
        """Whether a word of a text goes on behind a blank that is in a silent text before it."""
        cdef int block = self.runs.block[k], start, end
        if k == 0 or self.role[k - 1] != SILENT or block < 0 or self.runs.block[k - 1] != block:
            return False
        start, end = self.runs.start[k - 1], self.runs.end[k - 1]
        return (
            self.blocks.start[block] < start < end and is_letter_or_digit(self.text[start - 1])
            and (is_ascii_blank(self.text[start]) or is_ascii_blank(self.text[end - 1]))
            and (
                is_currency(self.text + end)
                or Py_UNICODE_ISALNUM(character_at(self.text, end, self.runs.end[k]))
            )
        )

    cdef Wording wording(self, int i) noexcept:
        """The kinds of characters in an element, as far as its text is short."""
        cdef Wording w = Wording(0, 0, 0, True, False, 0, -1)
        cdef int k, place
        cdef uint32_t c
        if self.elements.end_run[i] - self.elements.first_run[i] > MAX_SIGN_RUNS:
            w.size = MAX_SIGN_BYTES + 1
            return w
        for k in range(self.elements.first_run[i], self.elements.end_run[i]):
            w.pictures |= self.runs.kind[k] == RUN_IMAGE or self.runs.kind[k] == RUN_MEDIA
            if self.runs.kind[k] != RUN_TEXT:
                continue
            if not w.runs:
                w.run = k
            w.runs += 1
            place = self.runs.start[k]
            while place < self.runs.end[k] and w.size <= MAX_SIGN_BYTES:
                c = character_at(self.text, place, self.runs.end[k])
                if not (c <= 32 or c == 0xA0 or is_invisible(c)):
                    w.size += 1
                    w.digits += 48 <= c <= 57
                    w.letters += not 48 <= c <= 57 and Py_UNICODE_ISALNUM(c)
                    w.signs &= is_link_sign(c)
                place = next_character(self.text, place, self.runs.end[k])
            if w.size > MAX_SIGN_BYTES:
                break
        return w
