"""Lines of text and Markdown: numbers of items, rows of tables, prefixes of lists."""

from libc.string cimport memset

from ._columns cimport Columns, integers
from ._events cimport K_DD, K_LI, K_NONE, K_OL, K_UL, Buffer, Events, EventWriter

from ..document.tags import ATTRIBUTE_CODES, CODES

cdef int TAG_OL = CODES["ol"], TAG_LI = CODES["li"]
cdef int START = ATTRIBUTE_CODES["start"], VALUE = ATTRIBUTE_CODES["value"]
cdef int REVERSED = ATTRIBUTE_CODES["reversed"]


cdef class ItemNumbers:
    def __init__(self, Columns d):
        cdef int i
        if TAG_OL not in d.tags:
            return
        self.memory = bytearray(b"\xff") * (4 * d.n_elements)  # NO_NUMBER
        self.number = integers(self.memory)
        for i in range(d.n_elements):
            if d.elements.tag[i] == TAG_OL:
                self.n_lists += 1
                self.count(d, i)

    cdef int count(self, Columns d, int ol) except -1:
        cdef int i = ol + 1, number, step = 1, items = 0
        if d.find(ol, REVERSED) >= 0:
            step = -1
            while i < d.elements.end[ol]:
                items += d.elements.tag[i] == TAG_LI
                i = d.elements.end[i]
        number = d.number(ol, START, items if step < 0 else 1)
        i = ol + 1
        while i < d.elements.end[ol]:
            if d.elements.tag[i] == TAG_LI:
                number = d.number(i, VALUE, number)
                self.number[i] = max(number, 0)
                number += step
            i = d.elements.end[i]


cdef class Grid:
    cdef int begin_row(self) noexcept:
        cdef int c
        if self.columns:
            for c in range(self.column, MAX_COLUMNS):
                self.busy[c] -= self.busy[c] > 0
        self.column = 0

    cdef int place(self, int columns, int rows) noexcept:
        """The column of the next cell, which takes a number of columns and rows."""
        cdef int c, column
        columns, rows = max(1, min(columns, MAX_COLSPAN)), max(1, min(rows, 65534))
        while self.column < MAX_COLUMNS and self.busy[self.column]:
            self.busy[self.column] -= 1
            self.column += 1
        column = self.column
        for c in range(column, min(column + columns, <int>MAX_COLUMNS)):
            self.busy[c] = rows - 1
        self.column += columns
        self.columns = max(self.columns, self.column)
        return column


cdef class Cell:
    cdef Py_ssize_t start, end  # of its text
    cdef int column
    cdef bint begins_row


cdef class Table:
    def __init__(self):
        self.text, self.grid, self.cells = Buffer(), Grid(), []

    cdef int open_cell(self, int columns, int rows) except -1:
        cdef Cell cell = Cell()
        cell.start = cell.end = self.text.size
        cell.begins_row = self.row_begins
        if self.row_begins:
            self.grid.begin_row()
        cell.column = self.grid.place(columns, rows)
        self.row_begins = False
        self.cells.append(cell)

    cdef int close_cell(self) except -1:
        cdef Cell cell = self.cells[len(self.cells) - 1]
        cell.end = self.text.size

    cdef int break_line(self) except -1:
        """Begin another paragraph of the open cell."""
        cdef Cell cell = self.cells[len(self.cells) - 1]
        if self.text.size > cell.start:
            self.text.put(b" " if self.joins else b"<br>")
        self.joins = False

    cdef list rows(self):
        """The lines of the table: the header (empty if there is none), dashes, rows."""
        cdef int column = 0, columns = self.grid.columns
        cdef list rows = [] if self.has_head else [[b"|", b"  |" * columns]]
        cdef Cell cell
        cdef bytes text = self.text.bytes[:self.text.size]
        for cell in self.cells:
            if cell.begins_row:
                if rows and column and (len(rows) == 1 or columns <= MAX_COLSPAN):
                    parts.append(b"  |" * (columns - column))
                parts = [b"|"]
                rows.append(parts)
                column = 0
            parts.append(b"  |" * (cell.column - column))
            parts.append(b" %b |" % text[cell.start:cell.end])
            column = cell.column + 1
        if len(rows) == 1 or columns <= MAX_COLSPAN:
            parts.append(b"  |" * (columns - column))
        rows.insert(1, [b"|", b" --- |" * columns])
        return [b"".join(parts) for parts in rows]


cdef enum:
    MAX_NUMBER = 999999999  # of an item, in CommonMark


cdef class LineWriter(EventWriter):
    def __init__(self, Events events, dict links, dict sources, dict languages):
        super().__init__(events, links, sources, languages)
        self.first, self.rest = Buffer(), Buffer()
        self.items = ItemNumbers(self.d)
        self.depth = 1
        memset(&self.stack[0], 0, sizeof(Container))

    cdef Container* top(self) noexcept:
        return &self.stack[self.depth - 1]

    cdef int push(self, int kind) except -1:
        cdef Container* container = &self.stack[self.depth]
        if self.depth == MAX_NESTING:
            raise ValueError("the events nest too deep")
        memset(container, 0, sizeof(Container))
        container.kind = kind
        container.first_size = self.first.size
        container.rest_size = self.rest.size
        self.depth += 1

    cdef int pop(self) except -1:
        cdef Container* container = self.top()
        self.depth -= 1
        self.first.size = min(container.first_size, self.first.size)
        self.rest.size = min(container.rest_size, self.rest.size)
        if container.kind == K_UL or container.kind == K_OL:
            self.top().last_list = container.kind
            self.top().last_marker = container.marker
        self.gap = 2

    cdef int add_prefix(self, const char* first, const char* rest) except -1:
        if not self.is_flat:
            self.first.put(first)
            self.rest.put(rest)

    cdef int pay_prefixes(self, Py_ssize_t lines) noexcept:
        """Take the prefixes of some lines from the budget; without it end all lists
        and quotations here, where a block begins."""
        self.budget -= (lines + 2) * self.rest.size  # with blank lines around them
        if self.budget < 0:
            self.is_flat = True
            self.first.size = self.rest.size = 0
            self.gap = 2 if self.gap else 0  # items without marks are paragraphs

    cdef int begin_block(self, bint is_list, Py_ssize_t lines = 1) except -1:
        """Write the line breaks due before a block of some lines."""
        cdef Container* container = self.top()
        self.pay_prefixes(lines)
        if container.kind == K_LI and container.filled:
            if not is_list:
                self.stack[self.depth - 2].loose = True
            elif self.last_tight:
                self.gap = min(self.gap, 1)
        self.break_lines()
        self.after_term = self.begins_definition = False
        container.filled = True
        self.last_tight = False
        if not is_list:
            container.last_list = K_NONE

    cdef int break_lines(self) except -1:
        if self.gap:
            self.out.put(b"\n")
        if self.gap == 2:
            self.put_bare_prefix()
            self.out.put(b"\n")
        self.gap = 0

    cdef int put_bare_prefix(self) except -1:
        """The prefix of a blank line."""
        cdef Py_ssize_t size = self.rest.size
        while size and self.rest.bytes[size - 1] == b" ":
            size -= 1
        return self.out.put_bytes(self.rest.bytes, size)

    cdef int put_blank_line(self) except -1:
        self.out.put(b"\n")
        return self.put_bare_prefix()

    cdef int put_prefix(self) except -1:
        """The prefix of a line; list markers stand in the first line alone."""
        self.out.put_bytes(self.first.bytes, self.first.size)
        self.first.size = 0
        return self.first.put_bytes(self.rest.bytes, self.rest.size)

    cdef int open_list(self, int kind, int element) except -1:
        cdef int number = self.number_of(self.next_element()) if kind == K_OL else 1
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

    cdef int number_of(self, int item) noexcept:
        """The number of an item of an ordered list."""
        cdef int number = self.items.number[item] if item >= 0 and self.items.n_lists else NO_NUMBER
        return min(number, MAX_NUMBER) if number != NO_NUMBER else self.top().number

    cdef int open_item(self, int element) except -1:
        cdef Container* container = self.top()
        cdef Py_ssize_t size
        if container.items:
            self.gap = 2 if container.loose else 1
        self.pay_prefixes(0)
        self.break_lines()
        container.items += 1
        self.push(K_LI)
        if self.is_flat:
            return 0
        size = self.first.size
        if container.kind == K_OL:
            container.number = self.number_of(element)
            self.first.put_number(container.number)
            container.number = min(container.number + 1, MAX_NUMBER)
        self.first.put_byte(container.marker)
        self.first.put(b" ")
        for _ in range(self.first.size - size):
            self.rest.put(b" ")

    cdef bint is_in_definition(self) noexcept:
        """Whether the definition that was begun is in another: four blanks are code."""
        cdef int k
        for k in range(self.depth - 1):
            if self.stack[k].kind == K_DD:
                return True
        return False
