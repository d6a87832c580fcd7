# Plain text: the separators between blocks, and their text in one go.

# Separators of blocks in plain text.
cdef enum:
    BLANK_LINE, LINE_BREAK, TAB

cdef int TBODY = CODES["tbody"], THEAD = CODES["thead"], TFOOT = CODES["tfoot"]


cdef int32_t[::1] count_blocks(const int32_t[::1] container, Py_ssize_t n_elements):
    """The number of blocks per element that *container* names."""
    cdef int32_t[::1] count = np.zeros(n_elements, np.int32)
    cdef Py_ssize_t i
    for i in range(container.shape[0]):
        if container[i] >= 0:
            count[container[i]] += 1
    return count


def find_separators(document, const int64_t[::1] chosen):
    """Per chosen block the separator before it in plain text (uint8).

    0 for a blank line, 1 for a line break, 2 for a tab. List items and table cells with
    one block each are lines and columns; others are laid out as paragraphs.
    """
    blocks, elements = document.blocks, document.elements
    cdef const int32_t[::1] item = blocks.item, cell = blocks.cell
    cdef const int32_t[::1] parent = elements.parent, tag = elements.tag
    cdef const int32_t[::1] outer_item = elements.item
    cdef int32_t[::1] items = count_blocks(item, parent.shape[0])
    cdef int32_t[::1] cells = count_blocks(cell, parent.shape[0])
    cdef Py_ssize_t k
    cdef int list_around, table, row, last_list = -1, last_table = -1, last_row = -1
    separators = np.zeros(chosen.shape[0], np.uint8)
    cdef uint8_t[::1] separator = separators
    for k in range(chosen.shape[0]):
        list_around = table = row = -1
        if item[chosen[k]] >= 0 and items[item[chosen[k]]] == 1:
            list_around = item[chosen[k]]  # the outermost list that it stands in
            while list_around >= 0 and outer_item[list_around] >= 0:
                list_around = parent[outer_item[list_around]]
        if cell[chosen[k]] >= 0 and cells[cell[chosen[k]]] == 1:
            row = parent[cell[chosen[k]]]
            table = parent[row] if row >= 0 else -1
            if table >= 0 and tag[table] in (TBODY, THEAD, TFOOT):
                table = parent[table]
        if row >= 0 and row == last_row:
            separator[k] = TAB
        elif list_around >= 0 and list_around == last_list:
            separator[k] = LINE_BREAK
        elif table >= 0 and table == last_table:
            separator[k] = LINE_BREAK
        last_list, last_table, last_row = list_around, table, row
    return separators


def join_blocks(document, const int64_t[::1] chosen, const uint8_t[::1] separators):
    """The text of the chosen blocks, each after its separator but the first."""
    cdef bytes document_text = document.text
    cdef const unsigned char* text = document_text
    cdef const int32_t[::1] start = document.blocks.start, end = document.blocks.end
    cdef Buffer out = Buffer()
    cdef Py_ssize_t k
    for k in range(chosen.shape[0]):
        if k:
            out.put_byte(b"\t" if separators[k] == TAB else b"\n")
            if separators[k] == BLANK_LINE:
                out.put_byte(b"\n")
        out.put_bytes(text + start[chosen[k]], end[chosen[k]] - start[chosen[k]])
    return out.text()
