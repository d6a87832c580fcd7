# Writes an event stream as CommonMark with tables, line by line.
#
# Prefixes of quotes and lists, blank lines between blocks, code blocks, tables.

cdef enum:
    MAX_NESTING = 80  # more than a stream of events has
    MAX_CODE_INDENT = 12


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


cdef class MarkdownWriter(ParagraphWriter):
    cdef Buffer first, rest
    # Lines
    cdef Container[MAX_NESTING] stack
    cdef int depth
    cdef int gap                # line breaks that are due before the next block
    cdef bint last_tight
    cdef bint after_term        # the last block is the term of a definition
    cdef bint begins_definition
    cdef bint in_summary
    cdef bint is_flat           # the prefixes have outgrown the page, there are no more
    cdef int text_kind, language_of
    # Tables
    cdef ItemNumbers items
    cdef Table table            # the one that is gathered
    cdef int table_depth, cell_depth
    cdef bint in_head           # in the header row
    cdef bint in_inner_row      # behind a cell in a row of a table in a cell

    def __init__(self, document, dict links, dict sources, dict languages):
        super().__init__(document, links, sources, languages)
        self.first, self.rest, self.table = Buffer(), Buffer(), Table()
        self.items = ItemNumbers(document)
        self.depth = 1
        memset(&self.stack[0], 0, sizeof(Container))

    cdef int add(self, int operation, int element) except -1:
        if operation == RULE:
            return self.add_rule()
        if self.pre >= 0:
            if operation == BREAK:
                self.code.put(b"\n")
            elif operation != BLANK:  # Images of code are a paragraph behind it.
                self.raw.add(S_BLANK, 0, 0, 0, self.link)
                self.raw.add(S_IMAGE if operation == IMAGE else S_MEDIA, element, 0, 0, self.link)
        elif operation == BREAK:
            self.raw.add(S_BREAK, 0, 0, self.marks_on, self.link)
        elif operation == BLANK:
            self.raw.add(S_BLANK, 0, 0, self.marks_on, self.link)
        else:
            self.raw.add(S_IMAGE if operation == IMAGE else S_MEDIA, element, 0, 0, self.link)

    cdef int add_text(self, int start, int end, int role) except -1:
        cdef int k
        if self.code_in_cell:
            for k in range(start, end):
                if self.text[k] == b"\n":
                    ParagraphWriter.add_text(self, start, k, AS_IS)
                    self.raw.add(S_BREAK, 0, 0, self.marks_on & ~M_CODE, self.link)
                    start = k + 1
        return ParagraphWriter.add_text(self, start, end, role)

    # Lines

    cdef inline Container* top(self) noexcept:
        return &self.stack[self.depth - 1]

    cdef int open(self, int kind, int element, int is_head) except -1:
        if kind > K_TIGHT:
            self.open_mark(kind, element)
        elif kind == K_TABLE:
            self.table_depth += 1
            self.table.row_begins = self.table.row_begins or self.table_depth == 1
        elif kind == K_TR:
            self.in_inner_row = False
            if self.table_depth == 1:
                self.table.row_begins = True
                self.in_head = is_head and not self.table.cells
                self.table.has_head = self.table.has_head or self.in_head
        elif kind == K_TD or kind == K_TH:
            self.cell_depth += 1
            if self.cell_depth == 1:
                self.table.open_cell(
                    self.attributes.number(element, COLSPAN, 1), self.attributes.number(element, ROWSPAN, 1)
                )
                if kind == K_TH and not self.in_head:
                    self.open_mark(K_STRONG, -1)
            else:
                self.table.joins = self.in_inner_row
                self.in_inner_row = True
        elif kind == K_PRE and not self.table_depth:
            self.pre = self.language_of = element
            self.code.size = 0
        elif kind >= K_H1:
            if self.in_summary and kind <= K_H6:
                self.flush()
                self.close_mark(K_STRONG)
            self.text_kind = kind
            self.begins_definition = self.begins_definition and kind >= K_P
            self.in_summary = self.in_summary or kind == K_SUMMARY
            if kind == K_DT or kind == K_SUMMARY:
                self.open_mark(K_STRONG, -1)
            elif kind == K_PRE:
                self.code_in_cell = True
                self.open_mark(K_CODE, -1)
        elif self.table_depth:
            pass
        elif kind == K_DD:
            self.push(kind)
            self.begins_definition = True
        elif kind == K_BLOCKQUOTE:
            self.begin_block(False)
            self.push(kind)
            self.add_prefix(b"> ", b"> ")
        elif kind == K_UL or kind == K_OL:
            self.open_list(kind, element)
        elif kind == K_LI:
            self.open_item(element)

    cdef int close(self, int kind) except -1:
        if kind > K_TIGHT:
            self.close_mark(kind)
        elif kind == K_TABLE:
            self.table_depth -= 1
            if not self.table_depth:
                self.write_table()
        elif kind == K_TD or kind == K_TH:
            self.cell_depth -= 1
            self.table.joins = False
            if not self.cell_depth:
                self.table.close_cell()
                if kind == K_TH and not self.in_head:
                    self.close_mark(K_STRONG)
        elif kind == K_PRE and self.pre >= 0:
            if self.code.size:
                self.write_code_block()
            self.pre = -1
            self.text_kind = K_P
            self.flush()
        elif kind >= K_H1:
            self.flush()
            if kind == K_DT or kind == K_SUMMARY:
                self.close_mark(K_STRONG)
                self.after_term = kind == K_DT
                self.in_summary = False
            elif self.in_summary and kind <= K_H6:
                self.text_kind = K_SUMMARY
                self.open_mark(K_STRONG, -1)
            elif kind == K_PRE:
                self.code_in_cell = False
                self.close_mark(K_CODE)
        elif not self.table_depth and kind in (K_BLOCKQUOTE, K_UL, K_OL, K_LI, K_DD):
            self.pop()

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
        return 0

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
        return min(number, 999999999) if number != NO_NUMBER else self.top().number

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
            container.number = min(container.number + 1, 999999999)
        self.first.put_byte(container.marker)
        self.first.put(b" ")
        for _ in range(self.first.size - size):
            self.rest.put(b" ")

    cdef int add_rule(self) except -1:
        if self.table_depth:
            return 0
        self.begin_block(False)
        self.put_prefix()
        self.out.put(b"---")
        self.gap = 2

    cdef int write_code_block(self) except -1:
        cdef Py_ssize_t k = 0, fence = self.code.longest_run(b"`") + 1, line
        cdef Py_ssize_t indent = 0
        fence = max(fence, 3)
        self.begin_block(False, self.code.count(b"\n") + 5)
        if is_active_code(self.code.bytes, self.code.size):
            # For renderers without fences, where the text of a list has four blanks.
            indent = 4 + min(self.depth - 1, MAX_CODE_INDENT)
        self.put_prefix()
        self.out.put_repeated(b"`", fence)
        if self.language_of in self.languages:
            language = <bytes>self.languages[self.language_of]
            self.out.put_bytes(language, len(language))
        if indent:
            self.put_blank_line()
        while k < self.code.size:
            line = k
            while k < self.code.size and self.code.bytes[k] != b"\n":
                k += 1
            self.out.put(b"\n")
            if k == line:
                self.put_bare_prefix()
            else:
                self.put_prefix()
                self.out.put_repeated(b" ", indent)
                self.out.put_bytes(self.code.bytes + line, k - line)
            k += 1
        if indent:
            self.put_blank_line()
        self.out.put(b"\n")
        self.put_prefix()
        self.out.put_repeated(b"`", fence)
        self.gap = 2

    cdef int write_table(self) except -1:
        cdef bytes row
        if self.table.cells:
            rows = self.table.rows()
            self.begin_block(False, len(rows))
            self.gap = 0
            for row in rows:
                if self.gap:
                    self.out.put(b"\n")
                self.put_prefix()
                self.out.put_bytes(row, len(row))
                self.gap = 2
            self.table = Table()

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
                self.split.add(s.kind, s.start, s.end, s.marks, s.link)
        self.raw.size = 0
        if self.table_depth and self.cell_depth:
            self.context = IN_CELL
        else:
            self.context = IN_HEADING if K_H1 <= self.text_kind <= K_H6 else IN_PARAGRAPH
        self.write_lines()

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

    cdef int write_paragraph(self) except -1:
        cdef bint defines = False
        self.line.settle_marks()
        self.line.merge()
        self.line.number_links()
        self.line.number_marks()
        if self.context == IN_CELL:
            self.target = self.table.text
            self.table.break_line()
            self.line_start = False
        else:
            self.target = self.out
            defines = self.begins_definition
            if defines and self.after_term:
                self.gap = min(self.gap, 1)
            self.begin_block(False, self.line.count_breaks() + 1)
            self.put_prefix()
            if defines:
                self.out.put(b": ")
            if self.context == IN_HEADING:
                self.out.put_repeated(b"#", self.text_kind - K_H1 + 1)
                self.out.put(b" ")
            self.gap = 2
            self.last_tight = self.text_kind == K_TIGHT
            self.line_start = self.context == IN_PARAGRAPH and not defines
        self.write_segments()
        self.line.size = 0
        if defines and not self.is_in_definition():
            # Two blanks: the rest stays in the definition, and is code for no renderer.
            self.add_prefix(b"  ", b"  ")

    cdef bint is_in_definition(self) noexcept:
        """Whether the definition that was begun is in another: four blanks are code."""
        cdef int k
        for k in range(self.depth - 1):
            if self.stack[k].kind == K_DD:
                return True
        return False


def assemble_markdown(
    document, const int32_t[:, ::1] events, dict links, dict sources, dict languages
):
    """The events as Markdown; the dictionaries are those of :class:`EventWriter`."""
    cdef MarkdownWriter writer = MarkdownWriter(document, links, sources, languages)
    writer.write(events)
    return writer.out.text()
