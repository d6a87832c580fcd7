"""An event stream as CommonMark with tables: blocks, code blocks, tables, paragraphs."""

from ._columns cimport AS_IS
from ._escaping cimport IN_CELL, IN_HEAD, IN_HEADING, IN_PARAGRAPH, is_active_code
from ._events cimport (
    BLANK, BREAK, FORMULA, IMAGE, K_BLOCKQUOTE, K_CODE, K_DD, K_DL, K_DT, K_H1, K_H6, K_LI, K_OL, K_P,
    K_PRE, K_STRONG, K_SUMMARY, K_TABLE, K_TD, K_TH, K_TIGHT, K_TR, K_UL, RULE, Events,
)
from ._lines cimport Table
from ._marks cimport M_CODE, S_BLANK, S_BREAK, S_FORMULA, S_IMAGE, S_MEDIA, S_TEXT, Segment, is_space_kind
from ._paragraph cimport ParagraphWriter

from ..document.tags import ATTRIBUTE_CODES

cdef enum:
    MAX_CODE_INDENT = 12

cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]


cdef class MarkdownWriter(ParagraphWriter):
    cdef bint in_summary
    cdef int text_kind, language_of
    cdef Table table            # the one that is gathered
    cdef int table_depth, cell_depth
    cdef bint in_head           # in the header row
    cdef bint in_inner_row      # behind a cell in a row of a table in a cell
    cdef bint has_term          # a term stands before the definitions

    def __init__(self, Events events, dict links, dict sources, dict languages):
        super().__init__(events, links, sources, languages)
        self.table = Table()

    cdef int add(self, int operation, int element) except -1:
        if operation == RULE:
            return self.add_rule()
        if operation == FORMULA:
            return self.add_formula(self.d.runs.start[element], self.d.runs.end[element])
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

    cdef int add_formula(self, int start, int end) except -1:
        if self.pre >= 0:
            return self.code.put_bytes(self.text + start, end - start)
        return self.raw.add(S_FORMULA, start, end, self.marks_on & ~M_CODE, self.link)

    # Containers

    cdef int open(self, int kind, int element, int is_head) except -1:
        if kind > K_TIGHT:
            self.open_mark(kind, element)
        elif kind == K_TABLE:
            self.table_depth += 1
            if self.table_depth == 1:
                self.table.row_begins = True
                self.around.begin(self.table.text.size)
        elif kind == K_TR:
            self.in_inner_row = False
            if self.table_depth == 1:
                self.table.row_begins = True
                self.around.begin_row(self.table.text)
                self.in_head = is_head and not self.table.cells
                self.table.has_head = self.table.has_head or self.in_head
        elif kind == K_TD or kind == K_TH:
            self.cell_depth += 1
            if self.cell_depth == 1:
                self.table.open_cell(
                    self.d.number(element, COLSPAN, 1), self.d.number(element, ROWSPAN, 1)
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
            self.begins_definition = self.has_term
        elif kind == K_DL:
            self.has_term = False
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
                self.has_term |= kind == K_DT
                self.in_summary = False
            elif self.in_summary and kind <= K_H6:
                self.text_kind = K_SUMMARY
                self.open_mark(K_STRONG, -1)
            elif kind == K_PRE:
                self.code_in_cell = False
                self.close_mark(K_CODE)
        elif not self.table_depth and kind in (K_BLOCKQUOTE, K_UL, K_OL, K_LI, K_DD):
            self.pop()

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
            self.out.put_object(self.languages[self.language_of])
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
                self.out.put_object(row)
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
            self.context = IN_HEAD if self.in_head else IN_CELL
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
        self.line.settle()
        if self.context >= IN_CELL:
            self.target = self.table.text
            self.around.word = self.target.size
            self.table.break_line()
            self.line_start = False
        else:
            self.target = self.out
            defines = self.begins_definition
            if defines and self.after_term:
                self.gap = min(self.gap, 1)
            else:
                self.around.begin(self.target.size)
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


def assemble_markdown(
    Events events, dict links, dict sources, dict languages, bint raw_formulas=False
):
    """The events as Markdown; the dictionaries are those of :class:`EventWriter`.

    With *raw_formulas* text between the delimiters of LaTeX is none of Markdown's.
    """
    cdef MarkdownWriter writer = MarkdownWriter(events, links, sources, languages)
    writer.raw_formulas = raw_formulas
    return writer.write()
