"""Writes an event stream as CommonMark with tables, line by line.

Here are the prefixes of quotes and lists, the blank lines between blocks, code blocks
and tables; the inside of a paragraph is written by :mod:`._paragraph`.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t
from libc.string cimport memset

from ._buffer cimport (
    Buffer, as_text, put, put_bytes, put_number, put_string, release,
)
from ._escaping cimport (
    IN_CELL, IN_HEADING, IN_PARAGRAPH,
)
from ._events cimport (
    K_STRONG, K_BLOCKQUOTE, K_DT, K_H1, K_H6, K_LI, K_NONE, K_OL, K_PRE, K_SUMMARY,
    K_TABLE, K_TD, K_TH, K_TIGHT, K_TR, K_UL, BLANK, BREAK, CLOSE, IMAGE, OPEN, RULE, TEXT,
)
from ._marks cimport (
    M_CODE, S_BLANK, S_BREAK, S_IMAGE, S_MEDIA, S_TEXT, Segment, add_segment,
    is_space_kind,
)
from ._paragraph cimport Paragraph

from ..document.tags import ATTRIBUTE_CODES

cdef int START = ATTRIBUTE_CODES["start"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]

cdef enum:
    MOST_COLUMNS = 64
    WIDEST_CELL = 24
    DEEPEST = 80


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


cdef class _Markdown(Paragraph):
    cdef Buffer out, cells, first, rest
    # Lines
    cdef Container[DEEPEST] stack
    cdef int depth
    cdef int gap                # line breaks that are due before the next block
    cdef bint last_tight
    cdef int text_kind, language_of
    # The table that is gathered
    cdef Cell* table
    cdef int n_cells, cells_room, table_depth, cell_depth
    cdef bint row_begins

    def __dealloc__(self):
        release(&self.out)
        release(&self.cells)
        release(&self.first)
        release(&self.rest)
        PyMem_Free(self.table)

    def __init__(self, document, dict links, dict sources, dict languages):
        super().__init__(document, links, sources, languages)
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

    # Paragraphs

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




def assemble(document, const int32_t[:, ::1] events, dict links, dict sources, dict languages):
    """The events as Markdown. `links` and `sources` give elements their addresses as
    UTF-8, `languages` give `pre` elements the language of their code."""
    cdef _Markdown markdown = _Markdown(document, links, sources, languages)
    markdown.write(events)
    return as_text(&markdown.out)
