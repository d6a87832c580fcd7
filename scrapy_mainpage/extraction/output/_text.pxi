# Plain text: the blocks of the main content, with what stands between and before them.

# What separates a block from the one before.
cdef enum:
    BLANK_LINE, LINE_BREAK, TAB

cdef enum:
    MAX_INDENT = 24          # of nested ordered lists
    NO_NUMBER = -1

cdef list ROMAN_DIGITS = [b"", b"i", b"ii", b"iii", b"iv", b"v", b"vi", b"vii", b"viii", b"ix"]

cdef int TBODY = CODES["tbody"], THEAD = CODES["thead"], TFOOT = CODES["tfoot"]
cdef int TAG_OL = CODES["ol"], TAG_TR = CODES["tr"], TAG_LI = CODES["li"], TAG_TD = CODES["td"], TAG_TH = CODES["th"]


cdef class ItemNumbers:
    """The numbers of the items of ordered lists; `NO_NUMBER` of other elements."""

    cdef int32_t[::1] number
    cdef int n_lists

    def __init__(self, document):
        cdef Attributes attributes
        cdef Tables t
        cdef int i
        if TAG_OL not in document.tags:
            return
        attributes = Attributes(document)
        read_tables(document, &t)
        self.number = np.full(t.n_elements, NO_NUMBER, np.int32)
        for i in range(t.n_elements):
            if t.elements.tag[i] == TAG_OL:
                self.n_lists += 1
                self.count(attributes, t.elements.tag, t.elements.end, i)

    cdef int count(self, Attributes attributes, Column tag, Column end, int ol) except -1:
        cdef int i = ol + 1, number, step = 1, items = 0
        if attributes.find(ol, REVERSED) >= 0:
            step = -1
            while i < end[ol]:
                items += tag[i] == TAG_LI
                i = end[i]
        number = attributes.number(ol, START, items if step < 0 else 1)
        i = ol + 1
        while i < end[ol]:
            if tag[i] == TAG_LI:
                number = attributes.number(i, VALUE, number)
                self.number[i] = max(number, 0)
                number += step
            i = end[i]


cdef int32_t[::1] count_blocks(Column container, int n_blocks, int n_elements):
    """The number of blocks per element that *container* names."""
    cdef int32_t[::1] count = np.zeros(n_elements, np.int32)
    cdef int i
    for i in range(n_blocks):
        if container[i] >= 0:
            count[container[i]] += 1
    return count


cdef class TextWriter:
    """Writes chosen blocks (their numbers, ascending) as plain text.

    Blocks are apart by a blank line; list items of one block and lines of code by a line
    break, cells of one block by tabs, as many as there are columns between them. Items
    of ordered lists begin with their number.
    """

    cdef Signs signs
    cdef Attributes attributes
    cdef const int64_t[::1] chosen
    cdef Column item, cell, outer_item
    cdef uint8_t[::1] separator
    # Per chosen block: tabs before it, its number in the list, and the list's indentation.
    cdef int32_t[::1] tabs, numbers, list_of, indents
    cdef ItemNumbers items
    cdef int32_t[::1] column            # of cells
    cdef bint has_columns
    cdef dict labels                    # of tabs, by the chosen block they stand before
    cdef Buffer out

    def __init__(self, document, const int64_t[::1] chosen, Signs signs):
        cdef Tables t
        read_tables(document, &t)
        self.signs, self.chosen, self.out = signs, chosen, Buffer()
        self.item, self.cell, self.outer_item = t.blocks.item, t.blocks.cell, t.elements.item
        self.attributes = Attributes(document)
        self.separator = np.zeros(chosen.shape[0], np.uint8)
        self.tabs = np.zeros(chosen.shape[0], np.int32)
        self.numbers = np.full(chosen.shape[0], NO_NUMBER, np.int32)
        self.list_of = self.indents = self.tabs
        self.items = ItemNumbers(document)
        if self.items.n_lists:
            self.list_of = np.zeros(chosen.shape[0], np.int32)
            self.indents = np.zeros(chosen.shape[0], np.int32)
        self.separate()

    # Lists

    cdef int number_block(self, Py_ssize_t k, int item) noexcept:
        """Number a block if it is the first of its item."""
        cdef int outer
        if self.items.number[item] == NO_NUMBER:
            return 0
        self.numbers[k] = self.items.number[item]
        self.items.number[item] = NO_NUMBER
        self.list_of[k] = self.signs.parent[item]
        outer = self.outer_item[self.signs.parent[item]]
        while outer >= 0 and self.indents[k] < MAX_INDENT:
            self.indents[k] += 3 * (self.signs.tag[self.signs.parent[outer]] == TAG_OL)
            outer = self.outer_item[self.signs.parent[outer]]

    # Tables

    cdef int table_of(self, int row) noexcept:
        cdef int table = self.signs.parent[row] if row >= 0 else -1
        if table >= 0 and self.signs.tag[table] in (TBODY, THEAD, TFOOT):
            table = self.signs.parent[table]
        return table

    cdef int column_of(self, int cell, int table) except -1:
        """The column of a cell; a table's cells are placed when one is asked for."""
        if not self.has_columns:
            self.has_columns = True
            self.column = np.full(self.signs.n_elements, -1, np.int32)
        if self.column[cell] < 0:
            self.place_cells(table if table >= 0 else self.signs.parent[cell])
        return max(self.column[cell], 0)

    cdef int place_cells(self, int table) except -1:
        cdef Grid grid = Grid()
        cdef int i = table + 1
        while i < self.signs.end[table]:
            if self.signs.tag[i] == TAG_TABLE:
                i = self.signs.end[i]
                continue
            if self.signs.tag[i] == TAG_TR:
                grid.begin_row()
            elif self.signs.tag[i] == TAG_TD or self.signs.tag[i] == TAG_TH:
                self.column[i] = grid.place(
                    self.attributes.number(i, COLSPAN, 1), self.attributes.number(i, ROWSPAN, 1)
                )
            i += 1

    # Separators

    cdef int separate(self) except -1:
        """Find what stands before each block."""
        cdef Signs s = self.signs
        cdef int32_t[::1] items = count_blocks(self.item, s.n_blocks, s.n_elements)
        cdef int32_t[::1] cells = count_blocks(self.cell, s.n_blocks, s.n_elements)
        cdef Py_ssize_t k, n = self.chosen.shape[0]
        cdef int block, outer, code, row, table, last_list = -1, last_table = -1, last_row = -1
        cdef int last_code = -1, last_cell = -1, next_table, panel = 0
        self.labels = {}
        for k in range(n):
            block = <int>self.chosen[k]
            outer = table = row = -1
            if self.item[block] >= 0 and items[self.item[block]] == 1:
                outer = self.item[block]  # the outermost list that it stands in
                while outer >= 0 and self.outer_item[outer] >= 0:
                    outer = s.parent[self.outer_item[outer]]
            code = s.code[s.block_element[block]] if s.has_code else -1
            if code < 0 and self.cell[block] >= 0 and cells[self.cell[block]] == 1:
                row = s.parent[self.cell[block]]
                table = self.table_of(row)
            if row >= 0 and row == last_row:
                self.separator[k] = TAB
                self.tabs[k] = max(1, self.column_of(self.cell[block], table) - self.column_of(last_cell, table))
            elif (
                (outer >= 0 and outer == last_list)
                or (table >= 0 and table == last_table)
                or (code >= 0 and code == last_code)
            ):
                self.separator[k] = LINE_BREAK
            if table >= 0 and row != last_row:
                next_table = -1
                if k + 1 < n and self.cell[self.chosen[k + 1]] >= 0:
                    next_table = self.table_of(s.parent[self.cell[self.chosen[k + 1]]])
                if table == last_table or table == next_table:
                    self.tabs[k] = self.column_of(self.cell[block], table)
            while panel < len(s.panels) and s.first_block[s.panels[panel]] <= block:
                if block < s.end_block[s.panels[panel]]:
                    self.labels[k] = s.labels[panel]
                    self.separator[k] = BLANK_LINE
                panel += 1
            if self.items.n_lists and self.item[block] >= 0:
                self.number_block(k, self.item[block])
            last_list, last_table, last_row, last_code = outer, table, row, code
            last_cell = self.cell[block]

    # Writing

    def text(self, Py_ssize_t first, Py_ssize_t end):
        """The text of the chosen blocks from `first` to `end`."""
        cdef Py_ssize_t k
        cdef int start, last
        self.out.size = 0
        for k in range(first, end):
            if k > first and self.separator[k] != TAB:
                self.out.put_byte(b"\n")
                if self.separator[k] == BLANK_LINE:
                    self.out.put_byte(b"\n")
            if k in self.labels:
                start, last = self.labels[k]
                self.put_text(self.signs.text_object[start:last].strip() + b"\n\n")
            self.out.put_repeated(b"\t", self.tabs[k])
            if self.numbers[k] != NO_NUMBER:
                self.out.put_repeated(b" ", self.indents[k])
                self.put_label(self.numbers[k], self.list_of[k])
                self.out.put(b" ")
            self.put_block(<int>self.chosen[k])
        return self.out.text()

    def block_text(self, int block):
        """The text of one block."""
        self.out.size = 0
        self.put_block(block)
        return self.out.text()

    cdef int put_label(self, int number, int ol) except -1:
        """Write an item's number in the style of its list."""
        cdef bytes style = self.attributes.value(ol, TYPE)
        if style in (b"a", b"A") and 0 < number <= 26:
            self.out.put_byte(style[0] + number - 1)
        elif style in (b"i", b"I") and 0 < number < 40:
            numeral = b"x" * (number // 10) + ROMAN_DIGITS[number % 10]
            self.put_text(numeral if style == b"i" else numeral.upper())
        else:
            self.out.put_number(number)
        return self.out.put_byte(b".")

    cdef int put_text(self, bytes text) except -1:
        return self.out.put_bytes(text, len(text))

    cdef int put_block(self, int block) except -1:
        cdef Signs s = self.signs
        cdef Py_ssize_t begin = self.out.size
        cdef int k, start
        cdef bint pre = s.flags[s.block_element[block]] & PRE_FLAG, skips = not pre
        if not s.block[block]:
            return self.out.put_bytes(s.text + s.block_start[block], s.block_end[block] - s.block_start[block])
        for k in range(s.block_run[block], s.block_end_run[block]):
            if s.run_kind[k] > RUN_BREAK or s.run_block[k] != block:
                continue
            if s.run[k] == SILENT:
                skips = not pre and (self.out.size == begin or is_blank(self.out.bytes[self.out.size - 1]))
                continue
            start = s.starts[k]
            while skips and start < s.ends[k] and is_blank(s.text[start]):
                start += 1
            skips = skips and start == s.ends[k]
            self.put_run(k, start)
        while self.out.size > begin and is_blank(self.out.bytes[self.out.size - 1]):
            self.out.size -= 1

    cdef int put_run(self, int k, int start) except -1:
        """Write a run of text from the byte `start` on."""
        cdef Signs s = self.signs
        cdef bytes text
        if s.run[k] == AS_IS:
            return self.out.put_bytes(s.text + start, s.ends[k] - start)
        text = s.text[start:s.ends[k]]
        if s.run[k] == RAISED:
            return self.put_text(raised(text))
        return self.put_text(b"^" + text if s.run[k] == AFTER_CARET else b"[%b]" % text.strip())
