# Tables: the columns of cells; in Markdown cells are gathered first, then written by row.

cdef enum:
    MAX_COLUMNS = 64  # with cells that reach down
    MAX_COLSPAN = 24  # also the columns of tables whose short rows are filled up


cdef class Grid:
    """Gives the cells of a table their columns, beside those that reach down."""

    cdef int[MAX_COLUMNS] busy  # rows that a cell above still takes
    cdef int column, columns

    cdef int begin_row(self) noexcept:
        cdef int c
        if self.columns:
            for c in range(self.column, MAX_COLUMNS):
                self.busy[c] -= self.busy[c] > 0
        self.column = 0
        return 0

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
    cdef Buffer text
    cdef Grid grid
    cdef list cells
    cdef bint row_begins, has_head
    cdef bint joins  # the next paragraph is in a row of an inner table

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
