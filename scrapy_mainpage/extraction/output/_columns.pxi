# The columns of a document that signs in the text are found by, and what is found.
#
# Signs are parts of the text that are no words of it: permalinks, line numbers of code,
# buttons and captions of code blocks, marks of footnotes, superscripts, labels of tabs.
# All outputs read them from here. Each step looks at an element and a bounded number of
# elements around it, so that the work is linear.

# What is written of a run.
cdef enum:
    AS_IS, SILENT, RAISED, AFTER_CARET, AS_NOTE

# What an element is not, or is.
cdef enum:
    NO_MARK = 1
    CODE_TABLE = 2

cdef enum:
    MAX_SIGN_BYTES = 64      # of the text of a permalink
    MAX_SIGN_RUNS = 40
    MAX_LEVELS_UP = 6
    MAX_NAME_BYTES = 32

cdef int HREF = ATTRIBUTE_CODES["href"], ID = ATTRIBUTE_CODES["id"], NAME = ATTRIBUTE_CODES["name"]
cdef int TAG_A = CODES["a"], TAG_SUP = CODES["sup"], TAG_PRE = CODES["pre"], TAG_TABLE = CODES["table"]
cdef int TAG_BUTTON = CODES["button"], TAG_BODY = CODES["body"]

cdef struct Wording:
    int size, letters, digits   # size without blanks and invisible characters
    bint signs                  # nothing but signs of permalinks and back links
    bint pictures
    int runs                    # of text
    int run                     # the first of them


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


cdef class Columns:
    """Columns of a document, and what is written of its runs.

    ``run`` holds what is written of the runs, ``element`` marks links and superscripts
    that are not written as such, and tables of code.
    """

    cdef object document    # it keeps the columns
    cdef Column tag, parent, end, flags, cell, first_run, end_run, link
    cdef Column first_block, end_block, first_attribute, first_token
    cdef Column run_kind, run_element, run_block, starts, ends
    cdef Column name, holder, value_start, value_end
    cdef Column token_start, token_end, token_element
    cdef Column block_element, block_start, block_end, block_cell, block_run, block_end_run
    cdef bytes text_object, values_object
    cdef const unsigned char* text
    cdef const unsigned char* values
    cdef int n_elements, n_blocks, n_runs, n_attributes, n_tokens
    cdef uint8_t[::1] run, element

    def __init__(self, document):
        cdef Tables t
        read_tables(document, &t)
        self.document = document
        self.tag, self.parent, self.end = t.elements.tag, t.elements.parent, t.elements.end
        self.flags, self.cell, self.link = t.elements.flags, t.elements.cell, t.elements.link
        self.first_run, self.end_run = t.elements.first_run, t.elements.end_run
        self.first_block, self.end_block = t.elements.first_block, t.elements.end_block
        self.first_attribute, self.first_token = t.elements.first_attribute, t.elements.first_token
        self.run_kind, self.run_element, self.run_block = t.runs.kind, t.runs.element, t.runs.block
        self.starts, self.ends = t.runs.start, t.runs.end
        self.name, self.holder = t.attributes.name, t.attributes.element
        self.value_start, self.value_end = t.attributes.start, t.attributes.end
        self.token_start, self.token_end = t.tokens.start, t.tokens.end
        self.token_element = t.tokens.element
        self.block_element, self.block_cell = t.blocks.element, t.blocks.cell
        self.block_start, self.block_end = t.blocks.start, t.blocks.end
        self.block_run, self.block_end_run = t.blocks.first_run, t.blocks.end_run
        self.text_object, self.values_object = document.text, document.values
        self.text, self.values = self.text_object, self.values_object
        self.n_elements, self.n_blocks, self.n_runs = t.n_elements, t.n_blocks, t.n_runs
        self.n_attributes, self.n_tokens = t.n_attributes, t.n_tokens
        self.run = np.zeros(self.n_runs, np.uint8)
        self.element = np.zeros(self.n_elements, np.uint8)

    cdef int up(self, int i, int levels) noexcept:
        while i >= 0 and levels:
            i = self.parent[i]
            levels -= 1
        return i

    cdef int attributes_end(self, int i) noexcept:
        """The first attribute after those of the elements before `i`."""
        return self.first_attribute[i] if i < self.n_elements else self.n_attributes

    cdef bint has_name(self, int i, list parts, list tokens) except -1:
        """Whether a token of class, id or role has one of the parts, or is a token."""
        cdef char[MAX_NAME_BYTES + 1] plain
        cdef int k, place, n
        cdef unsigned char c
        cdef int end = self.first_token[i + 1] if i + 1 < self.n_elements else self.n_tokens
        for k in range(self.first_token[i], end):
            n = 0
            for place in range(self.token_start[k], self.token_end[k]):
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
        cdef int level
        for level in range(MAX_LEVELS_UP):
            if i < 0 or self.has_name(i, parts, tokens):
                return i >= 0
            if i == last:
                break
            i = self.parent[i]
        return False

    cdef int silence(self, int i) noexcept:
        """Write nothing of an element, if it is small."""
        cdef int k
        if self.end_run[i] - self.first_run[i] > MAX_SIGN_RUNS:
            return 0
        for k in range(self.first_run[i], self.end_run[i]):
            if self.run_kind[k] != RUN_HEAD:
                self.run[k] = SILENT
        return 0

    cdef Wording wording(self, int i) noexcept:
        """The kinds of characters in an element, as far as its text is short."""
        cdef Wording w = Wording(0, 0, 0, True, False, 0, -1)
        cdef int k, place
        cdef uint32_t c
        if self.end_run[i] - self.first_run[i] > MAX_SIGN_RUNS:
            w.size = MAX_SIGN_BYTES + 1
            return w
        for k in range(self.first_run[i], self.end_run[i]):
            w.pictures |= self.run_kind[k] == RUN_IMAGE or self.run_kind[k] == RUN_MEDIA
            if self.run_kind[k] != RUN_TEXT:
                continue
            if not w.runs:
                w.run = k
            w.runs += 1
            place = self.starts[k]
            while place < self.ends[k] and w.size <= MAX_SIGN_BYTES:
                c = character_at(self.text, place, self.ends[k])
                if not (c <= 32 or c == 0xA0 or is_invisible(c)):
                    w.size += 1
                    w.digits += 48 <= c <= 57
                    w.letters += not 48 <= c <= 57 and Py_UNICODE_ISALNUM(c)
                    w.signs &= is_link_sign(c)
                place = next_character(self.text, place, self.ends[k])
            if w.size > MAX_SIGN_BYTES:
                break
        return w
