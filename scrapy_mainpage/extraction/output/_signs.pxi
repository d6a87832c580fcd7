# Signs in a page's text that are no words of it: permalinks, line numbers of code,
# buttons and captions of code blocks, marks of footnotes, superscripts.
#
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
    MAX_NOTE_BYTES = 8
    MAX_RAISED_BYTES = 12
    MAX_LANGUAGE_BYTES = 24
    MAX_NEAR_ELEMENTS = 24   # in a heading, searched for its anchor
    MAX_LEVELS_UP = 6
    MAX_SIBLINGS = 8
    MAX_FRAME_LEVELS = 3     # around a code block
    MAX_FRAME_BLOCKS = 3     # beside the code
    MAX_NAME_BYTES = 32

cdef int HREF = ATTRIBUTE_CODES["href"], ID = ATTRIBUTE_CODES["id"], NAME = ATTRIBUTE_CODES["name"]
cdef int TAG_A = CODES["a"], TAG_SUP = CODES["sup"], TAG_PRE = CODES["pre"], TAG_TABLE = CODES["table"]
cdef int TAG_BUTTON = CODES["button"], TAG_BODY = CODES["body"]

# Elements that a permalink belongs to.
cdef uint8_t[::1] IS_TERM = np.zeros(len(TAGS) + 1, np.uint8)
for _name in "h1 h2 h3 h4 h5 h6 dt caption figcaption summary legend th".split():
    IS_TERM[CODES[_name]] = 1

# Parts of class names, in lower case and without hyphens.
cdef list PERMALINK_NAMES = [
    b"headerlink", b"permalink", b"hashlink", b"anchor", b"selflink", b"headinglink",
    b"idlink", b"sectionlink", b"titlelink",
]
cdef list NOTE_NAMES = [b"footnote", b"noteref", b"fnref"]
cdef list BACK_NAMES = [b"backref", b"backlink", b"footnoteback", b"fnback", b"reversefootnote"]
cdef list NUMBER_NAMES = [b"lineno", b"linenum", b"gutter", b"blobnum", b"crayonnum", b"hljsln"]
cdef list NUMBER_TOKENS = [b"ln", b"lnt"]
cdef list CODE_NAMES = [b"code", b"source"]
cdef list LANGUAGE_NAMES = [b"language", b"codelang"]
cdef list LANGUAGE_TOKENS = [b"lang"]

# Superscripts of "0" to "9" and of some other characters.
cdef dict RAISED_CHARACTERS = dict(zip(
    "0123456789+-=()abcdefghijklmnoprstuvwxyz\u2212",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁻",
))


cdef inline int hex_value(unsigned char c) noexcept:
    """The value of a hexadecimal digit, or -1."""
    if 48 <= c <= 57:
        return c - 48
    c |= 32
    return c - 87 if 97 <= c <= 102 else -1


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


cdef bytes raised(bytes text):
    """The superscript form of *text*; empty if there is none."""
    cdef list characters = [RAISED_CHARACTERS.get(c, "") for c in text.decode("utf-8", "replace")]
    return "".join(characters).encode() if all(characters) else b""


cdef class Signs:
    """What is written of each run, elements that are no marks, and regions of code.

    ``run`` holds what is written of the runs, ``element`` marks links and superscripts
    that are not written as such, and tables of code; ``block`` is 1 for blocks that are
    not written as they are, 2 for those not written at all. ``code`` gives an element
    inside code the outermost of it, if the page has code.
    """

    cdef const int32_t[::1] tag, parent, end, flags, cell, first_run, end_run, link
    cdef const int32_t[::1] first_block, end_block, first_attribute, first_token
    cdef const int32_t[::1] run_kind, run_element, run_block, starts, ends
    cdef const int32_t[::1] name, holder, value_start, value_end, token_start, token_end
    cdef const int32_t[::1] block_element, block_start, block_end, block_cell, block_run, block_end_run
    cdef bytes text_object, values_object
    cdef const unsigned char* text
    cdef const unsigned char* values
    cdef int n_elements, n_blocks
    cdef uint8_t[::1] run, element, block
    cdef int32_t[::1] code
    cdef bint has_code
    cdef readonly object silent_blocks

    def __init__(self, document):
        elements, runs, blocks = document.elements, document.runs, document.blocks
        self.tag, self.parent, self.end, self.flags = elements.tag, elements.parent, elements.end, elements.flags
        self.cell, self.link = elements.cell, elements.link
        self.first_run, self.end_run = elements.first_run, elements.end_run
        self.first_block, self.end_block = elements.first_block, elements.end_block
        self.first_attribute, self.first_token = elements.first_attribute, elements.first_token
        self.run_kind, self.run_element, self.run_block = runs.kind, runs.element, runs.block
        self.starts, self.ends = runs.start, runs.end
        attributes, tokens = document.attributes, document.tokens
        self.name, self.holder = attributes.name, attributes.element
        self.value_start, self.value_end = attributes.start, attributes.end
        self.token_start, self.token_end = tokens.start, tokens.end
        self.block_element, self.block_cell = blocks.element, blocks.cell
        self.block_start, self.block_end = blocks.start, blocks.end
        self.block_run, self.block_end_run = blocks.first_run, blocks.end_run
        self.text_object, self.values_object = document.text, document.values
        self.text, self.values = self.text_object, self.values_object
        self.n_elements, self.n_blocks = self.tag.shape[0], self.block_start.shape[0]
        self.run = np.zeros(self.run_kind.shape[0], np.uint8)
        self.element = np.zeros(self.n_elements, np.uint8)
        self.silent_blocks = np.zeros(self.n_blocks, np.uint8)
        self.block = self.silent_blocks
        self.read_links()
        self.read_superscripts()
        self.read_code()
        self.mark_blocks()
        self.silent_blocks = self.silent_blocks == 2

    # Elements

    cdef int up(self, int i, int levels) noexcept:
        while i >= 0 and levels:
            i = self.parent[i]
            levels -= 1
        return i

    cdef int attributes_end(self, int i) noexcept:
        """The first attribute after those of the elements before `i`."""
        return self.first_attribute[i] if i < self.n_elements else <int>self.name.shape[0]

    cdef bint has_name(self, int i, list parts, list tokens) except -1:
        """Whether a token of class, id or role has one of the parts, or is a token."""
        cdef char[MAX_NAME_BYTES + 1] plain
        cdef int k, place, n
        cdef unsigned char c
        cdef int end = self.first_token[i + 1] if i + 1 < self.n_elements else <int>self.token_start.shape[0]
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

    # Links inside the page

    cdef int read_links(self) except -1:
        cdef int k, start
        cdef const void* found
        for k in range(self.name.shape[0]):
            if self.name[k] == HREF and self.value_end[k] > self.value_start[k] + 1:
                start = self.value_start[k]
                found = memchr(self.values + start, b"#", self.value_end[k] - start)
                if found and self.tag[self.holder[k]] == TAG_A:
                    start = <int>(<const unsigned char*>found - self.values) + 1
                    if start < self.value_end[k]:
                        self.read_link(self.holder[k], start, self.value_end[k])

    cdef int read_link(self, int a, int start, int end) except -1:
        """Judge a link to the fragment at `start` of the values."""
        cdef Wording w = self.wording(a)
        cdef int term
        if w.size > MAX_SIGN_BYTES:
            return 0
        if w.size and w.size <= MAX_NOTE_BYTES and self.read_note(a, &w):
            return 0
        term = self.term_of(a)
        if not w.letters and not w.digits:
            if w.size and w.signs or (term >= 0 or self.is_own(a, term, start, end)) and (
                not w.size or self.says_more(term, a) or self.has_name(a, PERMALINK_NAMES, [])
            ):
                self.element[a] = NO_MARK
                self.silence(a)
        elif term >= 0 and self.is_own(a, term, start, end):
            self.element[a] = NO_MARK
            if self.has_name(a, PERMALINK_NAMES, []) and self.says_more(term, a):
                self.silence(a)

    cdef int term_of(self, int a) noexcept:
        """The heading, term or caption around a link, or -1."""
        cdef int levels
        for levels in range(MAX_LEVELS_UP):
            a = self.parent[a]
            if a < 0:
                break
            if self.tag[a] < IS_TERM.shape[0] and IS_TERM[self.tag[a]]:
                return a
        return -1

    cdef bint says_more(self, int term, int a) noexcept:
        """Whether a heading has letters beside those of a link in it."""
        cdef int k, place
        if term < 0:
            return False
        for k in range(self.first_run[term], min(self.end_run[term], self.first_run[term] + MAX_SIGN_RUNS)):
            if self.run_kind[k] != RUN_TEXT or self.first_run[a] <= k < self.end_run[a]:
                continue
            place = self.starts[k]
            while place < self.ends[k]:
                if Py_UNICODE_ISALPHA(character_at(self.text, place, self.ends[k])):
                    return True
                place = next_character(self.text, place, self.ends[k])
        return False

    cdef bint is_own(self, int a, int term, int start, int end) noexcept:
        """Whether a fragment leads to the element that the link stands in or beside."""
        cdef int i, levels, sibling
        if term >= 0 and self.is_target(term, min(self.end[term], term + MAX_NEAR_ELEMENTS), start, end):
            return True
        i = a
        for levels in range(MAX_LEVELS_UP):
            if i < 0 or self.tag[i] == TAG_BODY:
                break
            if self.is_target(i, i + 1, start, end):
                return True
            i = self.parent[i]
        i = self.parent[a]
        if i < 0:
            return False
        sibling = i + 1
        for levels in range(MAX_SIBLINGS):
            if sibling >= self.end[i]:
                break
            if self.tag[sibling] < IS_TERM.shape[0] and IS_TERM[self.tag[sibling]]:
                if self.is_target(sibling, sibling + 1, start, end):
                    return True
            sibling = self.end[sibling]
        return False

    cdef bint is_target(self, int i, int last, int start, int end) noexcept:
        """Whether an element from `i` to `last` has the fragment as its id or name."""
        cdef int k
        for k in range(self.first_attribute[i], self.attributes_end(last)):
            if self.name[k] == ID or self.name[k] == NAME:
                if self.is_same(start, end, self.value_start[k], self.value_end[k]):
                    return True
        return False

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

    cdef bint read_note(self, int a, Wording* w) except -1:
        """Judge a short link as the mark of a footnote or the way back to it."""
        cdef int i, k, levels
        if self.is_named(a, self.up(a, 3), BACK_NAMES, []):
            self.element[a] = NO_MARK
            if w.digits and not w.letters:  # the number of the note
                return True
            i = a
            for levels in range(3):
                if self.parent[i] >= 0 and self.has_name(self.parent[i], BACK_NAMES, []):
                    i = self.parent[i]
            self.silence(i)
            return True
        i = self.superscript_of(a)
        if i < 0 and not self.has_name(a, NOTE_NAMES, []):
            return False
        self.element[a] = NO_MARK
        if i >= 0:
            self.element[i] = NO_MARK
        k = w.run
        if w.runs == 1 and self.text[self.starts[k]] != b"[" and not (
            self.starts[k] and self.text[self.starts[k] - 1] == b"["
        ):
            self.run[k] = AS_NOTE
        return True

    cdef int superscript_of(self, int a) noexcept:
        """The superscript around a link, or the one that is all of it; or -1."""
        cdef int i = a, levels
        for levels in range(3):
            i = self.parent[i]
            if i < 0:
                break
            if self.tag[i] == TAG_SUP:
                return i
        for i in range(a + 1, min(self.end[a], a + 3)):
            if self.tag[i] == TAG_SUP:
                return i
        return -1

    # Superscripts

    cdef int read_superscripts(self) except -1:
        cdef int i
        cdef Wording w
        for i in range(self.n_elements):
            if self.tag[i] == TAG_SUP and not self.element[i]:
                w = self.wording(i)
                if w.runs == 1 and w.size and not w.pictures and not self.run[w.run]:
                    self.raise_run(i, w.run, &w)

    cdef int raise_run(self, int i, int k, Wording* w) except -1:
        cdef int start = self.starts[k], end = self.ends[k]
        cdef bint after_digit = start > 0 and 48 <= self.text[start - 1] <= 57
        if end - start > MAX_RAISED_BYTES or memchr(self.text + start, b" ", end - start):
            return 0
        if w.letters == w.size and (w.size > 1 or after_digit):
            return 0  # 1st, Mme
        if not w.letters and not w.digits:
            return 0  # a registered trademark, a star
        if raised(self.text[start:end]):
            self.run[k] = RAISED
            self.element[i] = NO_MARK
        else:
            self.run[k] = AFTER_CARET

    # Code

    cdef int read_code(self) except -1:
        cdef int i, k
        for i in range(self.n_elements):
            if self.tag[i] == TAG_PRE:
                self.has_code = True
                if self.parent[i] < 0 or not self.flags[self.parent[i]] & PRE_FLAG:
                    self.read_lines(i)
        for k in range(self.n_blocks):
            if self.block_cell[k] >= 0 and 48 <= self.text[self.block_start[k]] <= 57:
                self.read_gutter(k)
        if not self.has_code:
            return 0
        self.code = np.full(self.n_elements, -1, np.int32)
        for i in range(self.n_elements):
            k = self.parent[i]
            if k >= 0 and self.code[k] >= 0:
                self.code[i] = self.code[k]
            elif self.tag[i] == TAG_PRE or self.element[i] == CODE_TABLE:
                self.code[i] = i
                self.read_frame(i)

    cdef int read_lines(self, int pre) except -1:
        """Silence the numbers of lines inside of preformatted code."""
        cdef int k
        for k in range(self.first_run[pre], self.end_run[pre]):
            if self.run_kind[k] == RUN_TEXT and self.is_number(self.starts[k], self.ends[k]):
                if self.is_named(self.run_element[k], pre, NUMBER_NAMES, NUMBER_TOKENS):
                    self.run[k] = SILENT

    cdef bint is_number(self, int start, int end) noexcept:
        """Whether a text is one number, with blanks around it."""
        cdef int k, digits = 0
        if end - start > MAX_RAISED_BYTES:
            return False
        for k in range(start, end):
            if 48 <= self.text[k] <= 57:
                digits += 1
            elif not is_blank(self.text[k]):
                return False
        return digits > 0

    cdef int count_up(self, int block) noexcept:
        """The count of a block's numbers, if each is the one before plus one; else 0."""
        cdef int k = self.block_start[block], end = self.block_end[block]
        cdef int number, last = -1, count = 0
        while k < end:
            if not 48 <= self.text[k] <= 57:
                return 0
            number = 0
            while k < end and 48 <= self.text[k] <= 57 and number < 100000000:
                number = 10 * number + self.text[k] - 48
                k += 1
            if (last >= 0 and number != last + 1) or (k < end and not is_blank(self.text[k])):
                return 0
            last = number
            count += 1
            while k < end and is_blank(self.text[k]):
                k += 1
        return count

    cdef int read_gutter(self, int block) except -1:
        """Silence a cell of numbers that count the lines of code in the next cell."""
        cdef int count = self.count_up(block), cell = self.block_cell[block], k
        cdef int row = self.parent[cell], table = row
        cdef bint named
        if not count or row < 0 or self.end[cell] >= self.end[row]:
            return 0
        named = self.is_named(self.run_element[self.block_run[block]], cell, NUMBER_NAMES, NUMBER_TOKENS)
        k = self.end_block[cell]
        if k >= self.end_block[row] or (count < 2 and not named):
            return 0
        if self.flags[self.block_element[k]] & PRE_FLAG or (
            named and self.is_named(self.block_element[k], self.block_cell[k], CODE_NAMES, [])
        ):
            self.silence_block(block)
            while table >= 0 and self.tag[table] != TAG_TABLE:
                table = self.parent[table]
            if table >= 0:
                self.element[table] = CODE_TABLE
                self.has_code = True

    cdef int silence_block(self, int block) noexcept:
        cdef int k
        for k in range(self.block_run[block], self.block_end_run[block]):
            self.run[k] = SILENT
        return 0

    cdef int read_frame(self, int code) except -1:
        """Silence buttons, line numbers and the language's name beside code."""
        cdef int inside = code, around, level, k
        for level in range(MAX_FRAME_LEVELS):
            around = self.parent[inside]
            if around < 0 or self.tag[around] == TAG_BODY or (
                self.end_block[around] - self.first_block[around]
                - self.end_block[code] + self.first_block[code] > MAX_FRAME_BLOCKS
            ):
                return 0
            for k in range(self.first_block[around], self.end_block[around]):
                if not self.first_block[inside] <= k < self.end_block[inside]:
                    self.read_beside(k, around)
            inside = around

    cdef int read_beside(self, int block, int frame) except -1:
        cdef int i = self.run_element[self.block_run[block]]
        cdef int size = self.block_end[block] - self.block_start[block], k, level
        cdef int below = i
        for level in range(MAX_LEVELS_UP):
            if below < 0 or self.parent[below] == frame or below == frame:
                break
            if self.tag[below] == TAG_BUTTON:
                break
            below = self.parent[below]
        if below < 0 or below == frame:
            return 0
        if (
            self.tag[below] == TAG_BUTTON
            or self.count_up(block) > 1
            or (self.count_up(block) and self.is_named(i, below, NUMBER_NAMES, NUMBER_TOKENS))
            or (
                size <= MAX_LANGUAGE_BYTES
                and not memchr(self.text + self.block_start[block], b" ", size)
                and self.is_named(i, below, LANGUAGE_NAMES, LANGUAGE_TOKENS)
            )
        ):
            self.silence_block(block)

    cdef int mark_blocks(self) noexcept:
        cdef int k, i, block
        for k in range(self.run.shape[0]):
            block = self.run_block[k]
            if self.run[k] and block >= 0 and not self.block[block]:
                self.block[block] = 2
                for i in range(self.block_run[block], self.block_end_run[block]):
                    if self.run_kind[i] == RUN_TEXT and self.run[i] != SILENT:
                        self.block[block] = 1
                        break
        return 0


def find_signs(document):
    """The :class:`Signs` of a document."""
    return Signs(document)


def unmarked_elements(Signs signs):
    """Per element 1 for the links that are signs, not links."""
    return np.asarray(signs.element) == NO_MARK
