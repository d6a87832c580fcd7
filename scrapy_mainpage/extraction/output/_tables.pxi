# Tables of Markdown: cells are gathered, then placed in columns and rows.

cdef enum:
    MAX_COLUMNS = 64  # with cells that reach down
    MAX_COLSPAN = 24


cdef class Cell:
    cdef Py_ssize_t start, end  # of its text
    cdef int column, columns, rows
    cdef bint begins_row


cdef class Table:
    cdef Buffer text
    cdef list cells
    cdef bint row_begins

    def __init__(self):
        self.text, self.cells = Buffer(), []

    cdef int open_cell(self, int columns, int rows) except -1:
        cdef Cell cell = Cell()
        cell.start = cell.end = self.text.size
        cell.columns = max(1, min(columns, MAX_COLSPAN))
        cell.rows = max(1, min(rows, 65534))
        cell.begins_row = self.row_begins
        self.row_begins = False
        self.cells.append(cell)

    cdef int close_cell(self) except -1:
        cdef Cell cell = self.cells[len(self.cells) - 1]
        cell.end = self.text.size

    cdef int break_line(self) except -1:
        """Begin another paragraph of the open cell."""
        cdef Cell cell = self.cells[len(self.cells) - 1]
        if self.text.size > cell.start:
            self.text.put(b"<br>")

    cdef int place_cells(self) except -1:
        """Give each cell its column, beside those that reach down; the columns' count."""
        cdef int[MAX_COLUMNS] busy
        cdef int column = 0, columns = 0, c
        cdef Cell cell
        memset(busy, 0, sizeof(busy))
        for cell in self.cells:
            if cell.begins_row:
                if columns:
                    for c in range(column, MAX_COLUMNS):
                        busy[c] -= busy[c] > 0
                column = 0
            while column < MAX_COLUMNS and busy[column]:
                busy[column] -= 1
                column += 1
            cell.column = column
            for c in range(column, min(column + cell.columns, <int>MAX_COLUMNS)):
                busy[c] = cell.rows - 1
            column += cell.columns
            columns = max(columns, column)
        return columns

    cdef list rows(self):
        """The lines of the table; the first row has all columns, dashes follow it."""
        cdef int columns = self.place_cells(), column = 0, first_columns = 0
        cdef list rows = []
        cdef Cell cell
        cdef bytes text = self.text.bytes[:self.text.size]
        for cell in self.cells:
            if cell.begins_row:
                rows.append([b"|"])
                column = 0
            parts = rows[len(rows) - 1]
            parts.append(b"  |" * (cell.column - column))
            parts.append(b" %b |" % text[cell.start:cell.end])
            column = cell.column + 1
            if len(rows) == 1:
                first_columns = column
        rows[0].append(b"  |" * (columns - first_columns))
        rows.insert(1, [b"|", b" --- |" * columns])
        return [b"".join(parts) for parts in rows]
