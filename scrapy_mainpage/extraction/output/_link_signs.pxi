# Permalinks, links of headings to themselves, marks of footnotes, superscripts, icons,
# buttons of headings.

cdef enum:
    MAX_NOTE_BYTES = 8
    MAX_RAISED_BYTES = 12
    MAX_NEAR_ELEMENTS = 24   # in a heading, searched for its anchor
    MAX_SIBLINGS = 8
    MIN_ICON_BYTES = 14      # of the name of an icon font

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


cdef bytes raised(bytes text):
    """The superscript form of *text*; empty if there is none."""
    cdef list characters = [RAISED_CHARACTERS.get(c, "") for c in text.decode("utf-8", "replace")]
    return "".join(characters).encode() if all(characters) else b""


cdef class LinkSigns(Columns):
    """Finds the signs that are links to places of the page, and superscripts."""

    cdef int read_links(self) except -1:
        cdef int k, start
        cdef const void* found
        for k in range(self.n_attributes):
            if self.name[k] == HREF and self.value_end[k] > self.value_start[k] + 1:
                start = self.value_start[k]
                found = memchr(self.values + start, b"#", self.value_end[k] - start)
                if found and self.tag[self.holder[k]] == TAG_A:
                    start = <int>(<const unsigned char*>found - self.values) + 1
                    if start < self.value_end[k]:
                        self.read_link(self.holder[k], start, self.value_end[k])

    cdef int read_icons(self) except -1:
        """Silence the names of icons, which a font draws: ``home``, ``chevron_right``.

        One that is all of a table's cell says something: ``check``, ``close``.
        """
        cdef int k, last = -1, size
        for k in range(self.n_tokens):
            size = self.token_end[k] - self.token_start[k]
            if size >= MIN_ICON_BYTES and self.token_element[k] != last and (
                memcmp(self.values + self.token_start[k], b"material-icons", 14) == 0
                or memcmp(self.values + self.token_start[k], b"material-symbols", 16) == 0
            ):
                last = self.token_element[k]
                if self.is_icon_name(last) and not self.fills_cell(last):
                    self.silence(last)

    cdef int read_controls(self) except -1:
        """Silence buttons beside the words of a heading or a term: "Copy", "Show all"."""
        cdef int i, term
        for i in range(self.n_elements):
            if self.tag[i] == TAG_BUTTON:
                term = self.term_of(i)
                if term >= 0 and self.says_more(term, i):
                    self.silence(i)

    cdef bint fills_cell(self, int i) noexcept:
        cdef int cell = self.cell[i]
        return cell >= 0 and self.end_run[cell] - self.first_run[cell] == self.end_run[i] - self.first_run[i]

    cdef bint is_icon_name(self, int i) noexcept:
        """Whether an element has one word of small letters, digits and underscores."""
        cdef int k = self.first_run[i], place
        if self.end_run[i] - k != 1 or self.run_kind[k] != RUN_TEXT:
            return False
        for place in range(self.starts[k], self.ends[k]):
            if not (97 <= self.text[place] <= 122 or 48 <= self.text[place] <= 57 or self.text[place] in b"_ "):
                return False
        return True

    cdef int read_link(self, int a, int start, int end) except -1:
        """Judge a link to the fragment at `start` of the values."""
        cdef Wording w = self.wording(a)
        cdef int term
        if self.repeats_heading(a, start, end):
            self.element[a] = NO_MARK
            self.silence(a)
            return 0
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
            # A link around whole blocks was not closed: the text is that of the page.
            if self.first_block[a] == self.end_block[a] and (
                self.has_name(a, PERMALINK_NAMES, []) and self.says_more(term, a)
            ):
                self.silence(a)

    cdef bint repeats_heading(self, int a, int start, int end) except -1:
        """Whether a link says the heading before it, whose anchor it is: "Section titled ..."."""
        cdef int k = self.parent[a] + 1, sibling, heading = -1
        for sibling in range(MAX_SIBLINGS):
            if k >= a:
                break
            heading = k
            k = self.end[k]
        if k != a or heading < 0 or self.tag[heading] >= IS_TERM.shape[0] or not IS_TERM[self.tag[heading]]:
            return False
        if not self.is_target(heading, min(self.end[heading], heading + MAX_NEAR_ELEMENTS), start, end):
            return False
        own, words = self.text_of(heading), self.text_of(a)
        return 0 < len(own) <= len(words) <= len(own) + MAX_SIGN_BYTES and own in words

    cdef bytes text_of(self, int i):
        cdef int first = self.first_run[i], last = self.end_run[i] - 1
        return self.text_object[self.starts[first]:self.ends[last]].strip() if first <= last else b""

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
