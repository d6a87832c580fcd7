"""Plain text: the blocks of the main content, with what stands between and before them."""

from libc.stdint cimport int32_t

from ...text._chars cimport is_ascii_blank
from ..document._schema cimport HEADING_SHIFT, PRE, RUN_BREAK, Column
from ._columns cimport AFTER_CARET, AS_IS, BOX, RAISED, SILENT, integers, raised
from ._events cimport Buffer
from ._lines cimport NO_NUMBER, Grid, ItemNumbers
from ._signs cimport Signs

from ..document.tags import ATTRIBUTE_CODES, CODES

# What separates a block from the one before.
cdef enum:
    BLANK_LINE, LINE_BREAK, TAB

cdef enum:
    MAX_INDENT = 24          # of nested ordered lists

cdef int TBODY = CODES["tbody"], THEAD = CODES["thead"], TFOOT = CODES["tfoot"], TAG_TABLE = CODES["table"]
cdef int TAG_OL = CODES["ol"], TAG_TR = CODES["tr"], TAG_TD = CODES["td"], TAG_TH = CODES["th"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]


cdef struct Place:
    int block
    int separator
    int tabs        # before the block
    int number      # in its list
    int indent      # of the list


cdef bytearray count_blocks(Signs s, Column container):
    """The number of blocks per element that *container* names; silent ones do not count."""
    cdef bytearray memory = bytearray(4 * s.n_elements)
    cdef int32_t* count = integers(memory)
    cdef int i
    for i in range(s.n_blocks):
        if container[i] >= 0 and s.block[i] != 2:
            count[container[i]] += 1
    return memory


cdef class TextWriter:
    """Writes chosen blocks (their numbers, ascending) as plain text.

    Blocks are apart by a blank line; list items of one block and lines of code by a line
    break, cells of one block by tabs, as many as there are columns between them. Items
    of ordered lists begin with their number.
    """

    cdef Signs s
    cdef bytearray memory, column_memory
    cdef Place* places                  # of the chosen blocks
    cdef Py_ssize_t n_chosen
    cdef ItemNumbers items
    cdef int32_t* column                # of cells
    cdef dict labels                    # of tabs, by the chosen block they stand before
    cdef Buffer out

    def __init__(self, Signs signs, chosen):
        cdef list blocks = chosen.tolist()
        cdef Py_ssize_t k
        self.s, self.out = signs, Buffer()
        self.n_chosen = len(blocks)
        self.memory = bytearray(self.n_chosen * <Py_ssize_t>sizeof(Place))
        self.places = <Place*><char*>self.memory
        for k in range(self.n_chosen):
            self.places[k].block, self.places[k].number = blocks[k], NO_NUMBER
        self.items = ItemNumbers(signs)
        self.separate()

    # Lists

    cdef int number_block(self, Place* place, int item) noexcept:
        """Number a block if it is the first of its item."""
        cdef Signs s = self.s
        cdef int outer
        if self.items.number[item] == NO_NUMBER:
            return 0
        place.number = self.items.number[item]
        self.items.number[item] = NO_NUMBER
        outer = s.elements.item[s.elements.parent[item]]
        while outer >= 0 and place.indent < MAX_INDENT:
            place.indent += 3 * (s.elements.tag[s.elements.parent[outer]] == TAG_OL)
            outer = s.elements.item[s.elements.parent[outer]]

    # Tables

    cdef int table_of(self, int row) noexcept:
        cdef int table = self.s.elements.parent[row] if row >= 0 else -1
        if table >= 0 and self.s.elements.tag[table] in (TBODY, THEAD, TFOOT):
            table = self.s.elements.parent[table]
        return table

    cdef int column_of(self, int cell, int table) except -1:
        """The column of a cell; a table's cells are placed when one is asked for."""
        if self.column_memory is None:
            self.column_memory = bytearray(b"\xff") * (4 * self.s.n_elements)
            self.column = integers(self.column_memory)
        if self.column[cell] < 0:
            self.place_cells(table if table >= 0 else self.s.elements.parent[cell])
        return max(self.column[cell], 0)

    cdef int place_cells(self, int table) except -1:
        cdef Grid grid = Grid()
        cdef int i = table + 1
        while i < self.s.elements.end[table]:
            if self.s.elements.tag[i] == TAG_TABLE:
                i = self.s.elements.end[i]
                continue
            if self.s.elements.tag[i] == TAG_TR:
                grid.begin_row()
            elif self.s.elements.tag[i] == TAG_TD or self.s.elements.tag[i] == TAG_TH:
                self.column[i] = grid.place(
                    self.s.number(i, COLSPAN, 1), self.s.number(i, ROWSPAN, 1)
                )
            i += 1

    # Separators

    cdef int separate(self) except -1:
        """Find what stands before each block."""
        cdef Signs s = self.s
        cdef bytearray item_memory = count_blocks(s, s.blocks.item)
        cdef bytearray cell_memory = count_blocks(s, s.blocks.cell)
        cdef int32_t* items = integers(item_memory)
        cdef int32_t* cells = integers(cell_memory)
        cdef Py_ssize_t k
        cdef Place* place
        cdef int item, cell, outer, code, row, table, last_list = -1, last_table = -1, last_row = -1
        cdef int last_code = -1, last_cell = -1, next_table, panel = 0
        self.labels = {}
        for k in range(self.n_chosen):
            place = &self.places[k]
            item, cell = s.blocks.item[place.block], s.blocks.cell[place.block]
            outer = table = row = -1
            if item >= 0 and items[item] == 1:
                outer = item  # the outermost list that it stands in
                while outer >= 0 and s.elements.item[outer] >= 0:
                    outer = s.elements.parent[s.elements.item[outer]]
            code = s.code[s.blocks.element[place.block]] if s.code else -1
            if code < 0 and cell >= 0 and cells[cell] == 1 and s.markup[cell] < BOX:
                row = s.elements.parent[cell]
                table = self.table_of(row)
            if row >= 0 and row == last_row:
                place.separator = TAB
                place.tabs = max(1, self.column_of(cell, table) - self.column_of(last_cell, table))
            elif (
                (outer >= 0 and outer == last_list)
                or (table >= 0 and table == last_table)
                or (code >= 0 and code == last_code)
            ):
                place.separator = LINE_BREAK
            if table >= 0 and row != last_row:
                next_table = -1
                if k + 1 < self.n_chosen and s.blocks.cell[self.places[k + 1].block] >= 0:
                    next_table = self.table_of(s.elements.parent[s.blocks.cell[self.places[k + 1].block]])
                if table == last_table or table == next_table:
                    place.tabs = self.column_of(cell, table)
            while panel < len(s.panels) and s.elements.first_block[s.panels[panel]] <= place.block:
                if place.block < s.elements.end_block[s.panels[panel]]:
                    self.labels[k] = s.labels[panel]
                    place.separator = BLANK_LINE
                panel += 1
            if self.items.n_lists and item >= 0:
                self.number_block(place, item)
                if s.blocks.flags[place.block] >> HEADING_SHIFT == 1:
                    place.number = NO_NUMBER  # the page's own heading is no item
            last_list, last_table, last_row, last_code, last_cell = outer, table, row, code, cell

    # Writing

    def text(self, Py_ssize_t first, Py_ssize_t end):
        """The text of the chosen blocks from `first` to `end`."""
        cdef Py_ssize_t k
        cdef Place* place
        cdef int start, last
        self.out.size = 0
        for k in range(first, end):
            place = &self.places[k]
            if k > first and place.separator != TAB:
                self.out.put_byte(b"\n")
                if place.separator == BLANK_LINE:
                    self.out.put_byte(b"\n")
            if k in self.labels:
                start, last = self.labels[k]
                self.out.put_object(self.s.text_object[start:last].strip() + b"\n\n")
            self.out.put_repeated(b"\t", place.tabs)
            if place.number != NO_NUMBER:
                self.out.put_repeated(b" ", place.indent)
                self.out.put_number(place.number)
                self.out.put(b". ")
            self.put_block(place.block)
        return self.out.text()

    def block_text(self, int block):
        """The text of one block."""
        self.out.size = 0
        self.put_block(block)
        return self.out.text()

    cdef int put_block(self, int block) except -1:
        cdef Signs s = self.s
        cdef Py_ssize_t begin = self.out.size
        cdef int k, start
        cdef bint pre = s.elements.flags[s.blocks.element[block]] & PRE, skips = not pre
        if not s.block[block]:
            k = s.blocks.start[block]
            return self.out.put_bytes(s.text + k, s.blocks.end[block] - k)
        for k in range(s.blocks.first_run[block], s.blocks.end_run[block]):
            if s.runs.kind[k] > RUN_BREAK or s.runs.block[k] != block:
                continue
            if s.role[k] == SILENT:
                skips = not pre and (
                    self.out.size == begin or is_ascii_blank(self.out.bytes[self.out.size - 1])
                )
                continue
            start = s.runs.start[k]
            if s.parts(k) and self.out.size > begin:
                self.out.put_byte(b" ")
            while skips and start < s.runs.end[k] and is_ascii_blank(s.text[start]):
                start += 1
            skips = skips and start == s.runs.end[k]
            self.put_run(k, start)
        while self.out.size > begin and is_ascii_blank(self.out.bytes[self.out.size - 1]):
            self.out.size -= 1

    cdef int put_run(self, int k, int start) except -1:
        """Write a run of text from the byte `start` on."""
        cdef Signs s = self.s
        cdef bytes text
        if s.role[k] == AS_IS:
            return self.out.put_bytes(s.text + start, s.runs.end[k] - start)
        text = s.text[start:s.runs.end[k]]
        if s.role[k] == RAISED:
            return self.out.put_object(raised(text))
        return self.out.put_object(b"^" + text if s.role[k] == AFTER_CARET else b"[%b]" % text.strip())
