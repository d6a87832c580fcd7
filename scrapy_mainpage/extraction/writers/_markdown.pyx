"""Writes an event stream as CommonMark with tables.

Two parts: the lines (prefixes of quotes and lists, blank lines between blocks, tables),
and the inside of one paragraph. A paragraph is gathered as segments of text with their
set of marks first, because what stands around a mark decides whether it may stand there.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t
from libc.string cimport memset

from ._buffer cimport (
    Buffer, as_text, is_blank, next_character, previous_character, put, put_bytes,
    put_number, put_string, release,
)
from ._events cimport (
    BLANK, BREAK, CLOSE, IMAGE, K_A, K_B, K_BLOCKQUOTE, K_CAPTION, K_CODE, K_DEL, K_DT, K_EM, K_H1,
    K_H6, K_I, K_KBD, K_LI, K_NONE, K_OL, K_P, K_PRE, K_S, K_SAMP, K_STRONG, K_SUB, K_SUMMARY,
    K_SUP, K_TABLE, K_TD, K_TH, K_TIGHT, K_TR, K_UL, MEDIA, OPEN, RULE, TEXT,
)

from ._escaping cimport IN_CELL, IN_HEADING, IN_PARAGRAPH, line_markup, needs_escape
from ._marks cimport (
    Line, M_CODE, M_DELIMITED, N_MARKS, S_BLANK, S_BREAK, S_EDGE, S_IMAGE, S_MEDIA, S_TEXT,
    Segment, Segments, add_segment, is_edge, is_space_kind,
)

from ..tags import ATTRIBUTE_CODES

cdef int ALT = ATTRIBUTE_CODES["alt"], TITLE = ATTRIBUTE_CODES["title"]
cdef int START = ATTRIBUTE_CODES["start"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]

cdef enum:
    MOST_COLUMNS = 64
    WIDEST_CELL = 24
    DEEPEST = 80

cdef const char** OPENERS = ["~~", "**", "_", "<sup>", "<sub>", "*"]
cdef const char** CLOSERS = ["~~", "**", "_", "</sup>", "</sub>", "*"]


cdef struct Container:
    int kind
    Py_ssize_t first_size   # the prefixes' sizes before it was opened
    Py_ssize_t rest_size
    bint filled
    bint loose
    int items
    int number
    unsigned char marker
    int last_list           # the kind of the list that was closed last in it
    unsigned char last_marker


cdef struct Cell:
    Py_ssize_t start
    Py_ssize_t end
    int column
    int columns
    int rows
    bint begins_row


cdef class _Markdown:
    cdef object document
    cdef const int32_t[::1] attribute_names, attribute_starts, attribute_ends, first_attribute
    cdef bytes text_object, values_object
    cdef const unsigned char* text
    cdef const unsigned char* values
    cdef dict links, sources, languages
    cdef Buffer out, cells, code, first, rest
    cdef Buffer* to
    cdef Segments raw, split
    cdef Line line
    # Lines
    cdef Container[DEEPEST] stack
    cdef int depth
    cdef int gap                # line breaks that are due before the next block
    cdef bint last_tight
    # The paragraph that is gathered
    cdef int text_kind, marks_on, link, pre, language_of
    cdef int[N_MARKS + 1] mark_count
    cdef int context
    cdef bint line_start
    # The table that is gathered
    cdef Cell* table
    cdef int n_cells, cells_room, table_depth, cell_depth
    cdef bint row_begins

    def __dealloc__(self):
        release(&self.out)
        release(&self.cells)
        release(&self.code)
        release(&self.first)
        release(&self.rest)
        PyMem_Free(self.raw.items)
        PyMem_Free(self.split.items)
        PyMem_Free(self.table)

    def __init__(self, document, dict links, dict sources, dict languages):
        self.attribute_names = document.attributes.name
        self.attribute_starts = document.attributes.start
        self.attribute_ends = document.attributes.end
        self.first_attribute = document.elements.first_attribute
        self.text_object, self.values_object = document.text, document.values
        self.text, self.values = self.text_object, self.values_object
        self.links, self.sources, self.languages = links, sources, languages
        self.line = Line()
        self.line.text = self.text
        self.link = self.pre = -1
        self.depth = 1
        memset(&self.stack[0], 0, sizeof(Container))

    cdef int write(self, const int32_t[:, ::1] events) except -1:
        cdef int k, operation, kind
        for k in range(events.shape[0]):
            operation, kind = events[k, 0], events[k, 1]
            if operation == OPEN:
                if kind > K_TIGHT:
                    self.open_mark(kind, events[k, 2])
                else:
                    self.open(kind, events[k, 2])
            elif operation == CLOSE:
                if kind > K_TIGHT:
                    self.close_mark(kind)
                else:
                    self.close(kind)
            elif operation == TEXT:
                self.add_text(events[k, 2], events[k, 3])
            elif operation == RULE:
                self.add_rule()
            elif self.pre >= 0:
                if operation == BREAK:
                    put(&self.code, b"\n")
            elif operation == BREAK:
                add_segment(&self.raw, S_BREAK, 0, 0, self.marks_on, self.link)
            elif operation == BLANK:
                add_segment(&self.raw, S_BLANK, 0, 0, self.marks_on, self.link)
            elif operation == IMAGE:
                add_segment(&self.raw, S_IMAGE, events[k, 2], 0, self.marks_on & ~M_CODE, self.link)
            else:
                add_segment(&self.raw, S_MEDIA, events[k, 2], 0, self.marks_on & ~M_CODE, self.link)
        return 0

    # Lines

    cdef inline Container* top(self) noexcept:
        return &self.stack[self.depth - 1]

    cdef int open(self, int kind, int element) except -1:
        if kind == K_TABLE:
            self.table_depth += 1
            self.row_begins = True
        elif kind == K_TR:
            self.row_begins = self.row_begins or self.table_depth == 1
        elif kind == K_TD or kind == K_TH:
            self.cell_depth += 1
            if self.cell_depth == 1:
                self.open_cell(element)
        elif kind == K_PRE and not self.table_depth:
            self.pre = self.language_of = element
            self.code.size = 0
        elif kind >= K_H1:
            self.text_kind = kind
            if kind == K_DT or kind == K_SUMMARY:
                self.open_mark(K_STRONG, -1)
        elif self.table_depth:
            pass
        elif kind == K_BLOCKQUOTE:
            self.begin_block(False)
            self.push(kind)
            self.add_prefix(b"> ", b"> ")
        elif kind == K_UL or kind == K_OL:
            self.open_list(kind, element)
        elif kind == K_LI:
            self.open_item()
        return 0

    cdef int close(self, int kind) except -1:
        if kind == K_TABLE:
            self.table_depth -= 1
            if not self.table_depth:
                self.write_table()
        elif kind == K_TD or kind == K_TH:
            self.cell_depth -= 1
            if not self.cell_depth:
                self.table[self.n_cells - 1].end = self.cells.size
        elif kind == K_PRE and self.pre >= 0:
            self.write_code_block()
            self.pre = -1
        elif kind >= K_H1:
            self.flush()
            if kind == K_DT or kind == K_SUMMARY:
                self.close_mark(K_STRONG)
        elif not self.table_depth and kind in (K_BLOCKQUOTE, K_UL, K_OL, K_LI):
            self.pop()
        return 0

    cdef int push(self, int kind) except -1:
        cdef Container* container = &self.stack[self.depth]
        if self.depth == DEEPEST:
            raise ValueError("the events nest too deep")
        memset(container, 0, sizeof(Container))
        container.kind = kind
        container.first_size = self.first.size
        container.rest_size = self.rest.size
        self.depth += 1
        return 0

    cdef int pop(self) except -1:
        cdef Container* container = self.top()
        self.depth -= 1
        self.first.size = min(container.first_size, self.first.size)
        self.rest.size = container.rest_size
        if container.kind == K_UL or container.kind == K_OL:
            self.top().last_list = container.kind
            self.top().last_marker = container.marker
        self.gap = 2
        return 0

    cdef int add_prefix(self, const char* first, const char* rest) except -1:
        put_string(&self.first, first)
        put_string(&self.rest, rest)
        return 0

    cdef int begin_block(self, bint is_list) except -1:
        """Break the line as it is due before a block."""
        cdef Container* container = self.top()
        if container.kind == K_LI and container.filled:
            if not is_list:
                self.stack[self.depth - 2].loose = True
            elif self.last_tight:
                self.gap = min(self.gap, 1)
        self.break_lines()
        container.filled = True
        self.last_tight = False
        if not is_list:
            container.last_list = K_NONE
        return 0

    cdef int break_lines(self) except -1:
        if self.gap:
            put(&self.out, b"\n")
        if self.gap == 2:
            self.put_bare_prefix()
            put(&self.out, b"\n")
        self.gap = 0
        return 0

    cdef int put_bare_prefix(self) except -1:
        """The prefix of a blank line."""
        cdef Py_ssize_t size = self.rest.size
        while size and self.rest.bytes[size - 1] == b" ":
            size -= 1
        return put_bytes(&self.out, self.rest.bytes, size)

    cdef int put_prefix(self) except -1:
        """The prefix of a line; list markers stand in the first line alone."""
        put_bytes(&self.out, self.first.bytes, self.first.size)
        self.first.size = 0
        return put_bytes(&self.first, self.rest.bytes, self.rest.size)

    cdef int open_list(self, int kind, int element) except -1:
        cdef int number = self.number(element, START, 1, 0, 999000000) if kind == K_OL else 1
        cdef Container* outer = self.top()
        cdef unsigned char marker
        # Only a list that begins with 1 may follow text without a blank line.
        if number != 1:
            self.last_tight = False
        self.begin_block(True)
        if kind == K_UL:
            marker = b"*" if outer.last_list == kind and outer.last_marker == b"-" else b"-"
        else:
            marker = b")" if outer.last_list == kind and outer.last_marker == b"." else b"."
        self.push(kind)
        self.top().marker = marker
        self.top().number = number
        return 0

    cdef int open_item(self) except -1:
        cdef Container* container = self.top()
        cdef Py_ssize_t size
        if container.items:
            self.gap = 2 if container.loose else 1
        self.break_lines()
        container.items += 1
        self.push(K_LI)
        size = self.first.size
        if container.kind == K_OL:
            put_number(&self.first, container.number)
            container.number = min(container.number + 1, 999999999)
        put(&self.first, container.marker)
        put(&self.first, b" ")
        for _ in range(self.first.size - size):
            put(&self.rest, b" ")
        return 0

    cdef int add_rule(self) except -1:
        if self.table_depth:
            return 0
        self.begin_block(False)
        self.put_prefix()
        put_string(&self.out, b"---")
        self.gap = 2
        return 0

    cdef int write_code_block(self) except -1:
        cdef Py_ssize_t k = 0, fence = self.longest_run(&self.code, b"`") + 1, line
        fence = max(fence, 3)
        self.begin_block(False)
        self.put_prefix()
        self.put_repeated(&self.out, b"`", fence)
        if self.language_of in self.languages:
            language = <bytes>self.languages[self.language_of]
            put_bytes(&self.out, language, len(language))
        while k < self.code.size:
            line = k
            while k < self.code.size and self.code.bytes[k] != b"\n":
                k += 1
            put(&self.out, b"\n")
            if k == line:
                self.put_bare_prefix()
            else:
                self.put_prefix()
                put_bytes(&self.out, self.code.bytes + line, k - line)
            k += 1
        put(&self.out, b"\n")
        self.put_prefix()
        self.put_repeated(&self.out, b"`", fence)
        self.gap = 2
        return 0

    cdef int put_repeated(self, Buffer* buffer, unsigned char c, Py_ssize_t count) except -1:
        cdef Py_ssize_t k
        for k in range(count):
            put(buffer, c)
        return 0

    cdef Py_ssize_t longest_run(self, Buffer* buffer, unsigned char c) noexcept:
        cdef Py_ssize_t k, run = 0, longest = 0
        for k in range(buffer.size):
            run = run + 1 if buffer.bytes[k] == c else 0
            longest = max(longest, run)
        return longest

    # Tables

    cdef int open_cell(self, int element) except -1:
        cdef void* larger
        cdef Cell* cell
        if self.n_cells == self.cells_room:
            larger = PyMem_Realloc(self.table, (2 * self.cells_room + 16) * sizeof(Cell))
            if not larger:
                raise MemoryError
            self.table = <Cell*>larger
            self.cells_room = 2 * self.cells_room + 16
        cell = &self.table[self.n_cells]
        cell.start = cell.end = self.cells.size
        cell.columns = self.number(element, COLSPAN, 1, 1, WIDEST_CELL)
        cell.rows = self.number(element, ROWSPAN, 1, 1, 65534)
        cell.begins_row = self.row_begins
        self.row_begins = False
        self.n_cells += 1
        return 0

    cdef int place_cells(self) noexcept:
        """Give each cell its column, beside those that reach down; the columns' count."""
        cdef int[MOST_COLUMNS] busy
        cdef int k, column = 0, columns = 0, c
        memset(busy, 0, sizeof(busy))
        for k in range(self.n_cells):
            if self.table[k].begins_row:
                if k:
                    for c in range(column, MOST_COLUMNS):
                        busy[c] -= busy[c] > 0
                column = 0
            while column < MOST_COLUMNS and busy[column]:
                busy[column] -= 1
                column += 1
            self.table[k].column = column
            for c in range(column, min(column + self.table[k].columns, <int>MOST_COLUMNS)):
                busy[c] = self.table[k].rows - 1
            column += self.table[k].columns
            columns = max(columns, column)
        return columns

    cdef int write_table(self) except -1:
        cdef int k, columns = self.place_cells(), column = 0, row = 0
        if not self.n_cells:
            return 0
        self.begin_block(False)
        for k in range(self.n_cells + 1):
            if k == self.n_cells or self.table[k].begins_row:
                if k:
                    self.end_row(row, column, columns)
                    row += 1
                if k == self.n_cells:
                    break
                if k:
                    put(&self.out, b"\n")
                self.put_prefix()
                put(&self.out, b"|")
                column = 0
            while column < self.table[k].column:
                put_string(&self.out, b"  |")
                column += 1
            self.put_cell(&self.table[k])
            column += 1
        self.n_cells = 0
        self.cells.size = 0
        self.gap = 2
        return 0

    cdef int end_row(self, int row, int column, int columns) except -1:
        if row:
            return 0
        while column < columns:
            put_string(&self.out, b"  |")
            column += 1
        put(&self.out, b"\n")
        self.put_prefix()
        put(&self.out, b"|")
        for column in range(columns):
            put_string(&self.out, b" --- |")
        return 0

    cdef int put_cell(self, Cell* cell) except -1:
        put(&self.out, b" ")
        put_bytes(&self.out, self.cells.bytes + cell.start, cell.end - cell.start)
        return put_string(&self.out, b" |")

    # Marks and segments

    cdef int mark_of(self, int kind) noexcept:
        """The number of the mark that a kind stands for, or -1."""
        if kind == K_STRONG or kind == K_B:
            return 1
        if kind == K_EM or kind == K_I:
            return 2
        if kind == K_DEL or kind == K_S:
            return 0
        if kind == K_SUP:
            return 3
        if kind == K_SUB:
            return 4
        if kind == K_CODE or kind == K_KBD or kind == K_SAMP:
            return N_MARKS
        return -1

    cdef int open_mark(self, int kind, int element) except -1:
        cdef int mark = self.mark_of(kind)
        if kind == K_A:
            self.link = element if element in self.links else -1
        # Inside code there are no other marks.
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] += 1
            self.marks_on |= 1 << mark
        return 0

    cdef int close_mark(self, int kind) except -1:
        cdef int mark = self.mark_of(kind)
        if kind == K_A:
            self.link = -1
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] -= 1
            if not self.mark_count[mark]:
                self.marks_on &= ~(1 << mark)
        return 0

    cdef int add_text(self, int start, int end) except -1:
        cdef Segment* last
        if self.pre >= 0:
            return put_bytes(&self.code, self.text + start, end - start)
        if self.raw.size:
            last = &self.raw.items[self.raw.size - 1]
            if last.kind == S_TEXT and last.end == start and (
                last.marks == self.marks_on and last.link == self.link
            ):
                last.end = end
                return 0
        return add_segment(&self.raw, S_TEXT, start, end, self.marks_on, self.link)

    cdef int flush(self) except -1:
        """Write the text that was gathered."""
        cdef int k
        cdef Segment* s
        self.split.size = 0
        for k in range(self.raw.size):
            s = &self.raw.items[k]
            if s.kind == S_TEXT:
                self.split_text(s)
            else:
                add_segment(&self.split, s.kind, s.start, s.end, s.marks, s.link)
        self.raw.size = 0
        if self.table_depth and self.cell_depth:
            self.context = IN_CELL
        else:
            self.context = IN_HEADING if K_H1 <= self.text_kind <= K_H6 else IN_PARAGRAPH
        self.write_lines()
        return 0

    cdef int split_text(self, Segment* s) except -1:
        """Split text so that its blanks, and punctuation at a mark's edge, stand alone."""
        cdef int start = s.start, end = s.end
        cdef bint edges = s.marks & M_DELIMITED and not s.marks & M_CODE
        start = self.split_edge(s, start, end, edges)
        while end > start and self._splits(previous_character(self.text, end, start), end, edges):
            end = <int>previous_character(self.text, end, start)
        if end > start:
            add_segment(&self.split, S_TEXT, start, end, s.marks, s.link)
        self.split_edge(s, end, s.end, edges)
        return 0

    cdef bint _splits(self, Py_ssize_t k, Py_ssize_t end, bint edges) except -1:
        return is_blank(self.text[k]) or (edges and is_edge(self.text, k, end))

    cdef int split_edge(self, Segment* s, int k, int end, bint edges) except -1:
        """Add the blanks and the punctuation from `k` on; where other text begins."""
        cdef int start
        while k < end and self._splits(k, end, edges):
            start = k
            if is_blank(self.text[k]):
                while k < end and is_blank(self.text[k]):
                    k += 1
                add_segment(&self.split, S_BLANK, start, k, s.marks, s.link)
            else:
                while k < end and not is_blank(self.text[k]) and is_edge(self.text, k, end):
                    k = <int>next_character(self.text, k, end)
                add_segment(&self.split, S_EDGE, start, k, s.marks, s.link)
        return k

    cdef int write_lines(self) except -1:
        """Join blanks, and write each paragraph: two line breaks begin another one."""
        cdef int k, breaks = 0, marks = -1, link = -1
        cdef bint blank = False, same_link = True
        cdef Segment* s
        cdef Segment* last
        self.line.size = 0
        for k in range(self.split.size):
            s = &self.split.items[k]
            if is_space_kind(s.kind):
                breaks += s.kind == S_BREAK
                blank = True
                marks &= s.marks
                same_link = same_link and self.line.size > 0 and (
                    s.link == self.line.items[self.line.size - 1].link
                )
                continue
            if self.line.size and breaks > 1 and self.context == IN_PARAGRAPH:
                self.write_paragraph()
            elif self.line.size and blank:
                last = &self.line.items[self.line.size - 1]
                link = s.link if same_link and s.link == last.link else -1
                marks &= last.marks & s.marks
                if link != s.link or link != last.link:
                    marks &= ~M_CODE
                self.line.add(S_BREAK if breaks else S_BLANK, 0, 0, marks, link)
            self.line.add(s.kind, s.start, s.end, s.marks, s.link)
            breaks, marks, blank, same_link = 0, -1, False, True
        if self.line.size:
            self.write_paragraph()
        return 0

    cdef int write_paragraph(self) except -1:
        self.line.settle_marks()
        self.line.merge()
        self.line.number_links()
        self.line.number_marks()
        if self.context == IN_CELL:
            self.to = &self.cells
            if self.cells.size > self.table[self.n_cells - 1].start:
                put_string(&self.cells, b"<br>")
        else:
            self.to = &self.out
            self.begin_block(False)
            self.put_prefix()
            if self.context == IN_HEADING:
                self.put_repeated(&self.out, b"#", self.text_kind - K_H1 + 1)
                put(&self.out, b" ")
            self.gap = 2
            self.last_tight = self.text_kind == K_TIGHT
        self.line_start = self.context == IN_PARAGRAPH
        self.write_segments()
        self.line.size = 0
        return 0

    # The text of one paragraph

    cdef int write_segments(self) except -1:
        cdef Segment* s = self.line.items
        cdef int[N_MARKS + 1] stack
        cdef int depth = 0, keep, k = 0, n = self.line.size, link = -1, code_end, mark
        while k < n:
            keep = self.line.still_open(&s[k], stack, depth, link)
            while depth > keep:
                depth -= 1
                if stack[depth] == N_MARKS:
                    self.close_link(link)
                    link = -1
                else:
                    put_string(self.to, CLOSERS[stack[depth]])
            while True:
                mark = self.line.next_mark(&s[k], stack, depth, link)
                if mark < 0:
                    break
                self.write_opener(mark)
                if mark == N_MARKS:
                    link = s[k].link
                stack[depth] = mark
                depth += 1
            if s[k].marks & M_CODE and not s[k].kind > S_BREAK:
                code_end = k + 1
                while code_end < n and s[code_end].marks == s[k].marks and s[code_end].link == link:
                    code_end += 1
                self.write_code(k, code_end)
                k = code_end
            else:
                self.write_segment(&s[k], k + 1 == n)
                k += 1
        while depth:
            depth -= 1
            if stack[depth] == N_MARKS:
                self.close_link(link)
            else:
                put_string(self.to, CLOSERS[stack[depth]])
        return 0

    cdef int write_opener(self, int mark) except -1:
        self.line_start = False
        if mark == N_MARKS:
            return self.open_link()
        return put_string(self.to, OPENERS[mark])

    cdef int open_link(self) except -1:
        if self.to.size and self.to.bytes[self.to.size - 1] == b"!":
            # Not an image.
            self.to.bytes[self.to.size - 1] = b"\\"
            put(self.to, b"!")
        return put(self.to, b"[")

    cdef int close_link(self, int element) except -1:
        put_string(self.to, b"](")
        self.put_address(self.links[element])
        return put(self.to, b")")

    cdef int put_address(self, bytes address) except -1:
        """Write a link's destination: parentheses must be balanced or escaped."""
        cdef int level = 0
        cdef bint balanced = True
        cdef unsigned char c
        for c in address:
            level += (c == b"(") - (c == b")")
            balanced = balanced and 0 <= level < 30
        balanced = balanced and level == 0
        for c in address:
            if (c == b"(" or c == b")") and not balanced:
                put(self.to, b"\\")
            if c == b"&" and b";" in address:
                put_string(self.to, b"&amp;")  # "&copy;" would be read as a character
            else:
                put(self.to, c)
        return 0

    cdef int write_segment(self, Segment* s, bint is_last) except -1:
        if s.kind == S_BLANK or (s.kind == S_BREAK and self.context == IN_HEADING):
            put(self.to, b" ")
        elif s.kind == S_BREAK:
            if self.context == IN_CELL:
                put_string(self.to, b"<br>")
            else:
                put_string(self.to, b"\\\n")
                self.put_prefix()
                self.line_start = True
            return 0
        elif s.kind == S_IMAGE:
            put_string(self.to, b"![")
            self.put_value(s.start, ALT)
            put_string(self.to, b"](")
            self.put_address(self.sources[s.start])
            put(self.to, b")")
        elif s.kind == S_MEDIA:
            self.write_media(s)
        else:
            self.write_text(self.text, s.start, s.end, s.link >= 0, is_last)
        self.line_start = False
        return 0

    cdef int write_media(self, Segment* s) except -1:
        cdef bytes source = self.sources[s.start]
        if s.link < 0:
            self.open_link()
        if self.find(s.start, TITLE) >= 0:
            self.put_value(s.start, TITLE)
        else:
            self.write_text(source, 0, <int>len(source), True, False)
        if s.link < 0:
            put_string(self.to, b"](")
            self.put_address(source)
            put(self.to, b")")
        return 0

    cdef int put_value(self, int element, int name) except -1:
        """Write an attribute's value inside the brackets of a link or an image."""
        cdef int k = self.find(element, name), start, end
        if k < 0:
            return 0
        start, end = self.attribute_starts[k], self.attribute_ends[k]
        while start < end and is_blank(self.values[start]):
            start += 1
        while start < end and is_blank(self.values[end - 1]):
            end -= 1
        self.line_start = False
        return self.write_text(self.values, start, end, True, False)

    cdef int write_code(self, int k, int end) except -1:
        """Write the segments from `k` to `end` as one code span."""
        cdef Buffer code
        cdef bint in_link = self.line.items[k].link >= 0
        memset(&code, 0, sizeof(Buffer))
        try:
            while k < end:
                self.gather_code(&code, &self.line.items[k])
                k += 1
            if in_link and self.looks_like_definition(&code):
                self.write_text(code.bytes, 0, <int>code.size, True, False)
            else:
                self.put_code_span(&code)
        finally:
            release(&code)
        self.line_start = False
        return 0

    cdef int gather_code(self, Buffer* code, Segment* s) except -1:
        cdef int k
        if is_space_kind(s.kind):
            return put(code, b" ")
        for k in range(s.start, s.end):
            if not is_blank(self.text[k]):
                put(code, self.text[k])
            elif code.bytes[code.size - 1] != b" ":
                put(code, b" ")
        return 0

    cdef bint looks_like_definition(self, Buffer* code) noexcept:
        """Whether code in a link's brackets would define a reference instead."""
        cdef Py_ssize_t k
        for k in range(code.size - 1):
            if code.bytes[k] == b"]" and code.bytes[k + 1] == b":":
                return True
        return False

    cdef int put_code_span(self, Buffer* code) except -1:
        cdef Py_ssize_t k, ticks = self.longest_run(code, b"`") + 1
        cdef bint padded = code.bytes[0] == b"`" or code.bytes[code.size - 1] == b"`"
        self.put_repeated(self.to, b"`", ticks)
        if padded:
            put(self.to, b" ")
        for k in range(code.size):
            if code.bytes[k] == b"|" and self.context == IN_CELL:
                put(self.to, b"\\")
            put(self.to, code.bytes[k])
        if padded:
            put(self.to, b" ")
        return self.put_repeated(self.to, b"`", ticks)

    cdef int write_text(
        self, const unsigned char* s, int start, int end, bint in_link, bint is_last
    ) except -1:
        """Write text, escaping what would be read as markup."""
        cdef int k = start, mark = -1
        if self.line_start:
            mark = line_markup(s, start, end)
        while k < end:
            if is_blank(s[k]) or s[k] < 32:
                while k < end and (is_blank(s[k]) or s[k] < 32):
                    k += 1
                put(self.to, b" ")
                continue
            if s[k] < 0x80 and (k == mark or needs_escape(
                s, k, start, end, self.context, in_link, self.line_start, is_last
            )):
                put(self.to, b"\\")
            put(self.to, s[k])
            k += 1
        return 0

    # Attributes

    cdef int find(self, int element, int name) noexcept:
        """The place of an attribute of `element`, or -1."""
        cdef int k, end = <int>self.attribute_names.shape[0]
        if element < 0:
            return -1
        k = self.first_attribute[element]
        if element + 1 < self.first_attribute.shape[0]:
            end = self.first_attribute[element + 1]
        while k < end:
            if self.attribute_names[k] == name:
                return k
            k += 1
        return -1

    cdef int number(self, int element, int name, int otherwise, int least, int most) noexcept:
        """A number that an attribute gives, kept between `least` and `most`."""
        cdef int k = self.find(element, name), value = 0, place
        if k < 0 or not 0 < self.attribute_ends[k] - self.attribute_starts[k] < 10:
            return otherwise
        for place in range(self.attribute_starts[k], self.attribute_ends[k]):
            if not 48 <= self.values[place] <= 57:
                return otherwise
            value = value * 10 + self.values[place] - 48
        return max(least, min(value, most))


def assemble(document, const int32_t[:, ::1] events, dict links, dict sources, dict languages):
    """The events as Markdown. `links` and `sources` give elements their addresses as
    UTF-8, `languages` give `pre` elements the language of their code."""
    cdef _Markdown markdown = _Markdown(document, links, sources, languages)
    markdown.write(events)
    return as_text(&markdown.out)
