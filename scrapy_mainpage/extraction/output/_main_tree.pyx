"""The main content in the tree: which runs belong to it, which tables hold data."""

from urllib.parse import unquote_to_bytes

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from ..document._schema cimport (
    HIDDEN, PRE, RUN_BREAK, RUN_HEAD, RUN_IMAGE, RUN_RULE,
)
from ._columns cimport MAX_LEVELS_UP, MAX_NOTE_BYTES, NO_MARK, SILENT, integers
from ._events cimport (
    K_BLOCKQUOTE, K_FIGURE, K_H1, K_H6, K_LI, K_NONE, K_OL, K_PRE, K_STRONG, K_TABLE, K_TD, K_TH,
    K_TR, K_UL,
)
from ._signs cimport Signs

from ..document.schema import Context
from ..document.tags import ATTRIBUTE_CODES, CODES, TAGS
from ._events import NAMES

# Obsolete tags and those that replaced them (HTML standard, section 16.2).
_REPLACED = {"menu": "ul", "dir": "ul", "strike": "s", "tt": "code", "acronym": "abbr"}

cdef enum:
    MAX_CAPTION_BLOCKS = 3   # of an image: its caption and who took it
    MAX_NOTE_BLOCKS = 12     # of a note; what is longer is a part of the page
    MAX_NEAR_BLOCKS = 4      # from a caption to main content above and below

cdef int FORM = int(Context.FORM), N_TAGS = len(TAGS)
cdef list CAPTION_NAMES = [b"caption"]
cdef int ID = ATTRIBUTE_CODES["id"], HREF = ATTRIBUTE_CODES["href"], NAME = ATTRIBUTE_CODES["name"]
cdef int THEAD = CODES["thead"], TAG_A = CODES["a"]


def _kinds_by_tag():
    kinds = {name: kind for kind, name in enumerate(NAMES) if name and name != "p"}
    table = bytearray(N_TAGS + 1)
    for name, code in CODES.items():
        table[code] = kinds.get(_REPLACED.get(name, name), K_NONE)
    return table


cdef bytearray KIND_MEMORY = _kinds_by_tag()
cdef const uint8_t* KIND_BY_TAG = <const uint8_t*><char*>KIND_MEMORY


# By markup: none, no mark, a table of code, a box, its title, its table.
cdef int[6] KIND_OF_MARKUP = [K_NONE, K_NONE, K_PRE, K_BLOCKQUOTE, K_STRONG, K_NONE]


cdef class MainTree:
    def __init__(self, Signs signs, main):
        cdef bytes mask = np.asarray(main, bool).tobytes()
        cdef const unsigned char* is_main = mask
        cdef int i, k, words
        if len(mask) != signs.n_blocks:
            raise ValueError("%d blocks, but a mask of %d" % (signs.n_blocks, len(mask)))
        self.d = signs
        self.memory = bytearray(4 * (signs.n_elements + 3 * (signs.n_blocks + 1)))
        self.kind = integers(self.memory)
        self.main_before = self.kind + signs.n_elements
        self.main_words_before = self.main_before + signs.n_blocks + 1
        self.words_before = self.main_words_before + signs.n_blocks + 1
        for i in range(signs.n_elements):
            if signs.markup[i]:
                self.kind[i] = KIND_OF_MARKUP[signs.markup[i]]
            else:
                self.kind[i] = KIND_BY_TAG[min(signs.elements.tag[i], N_TAGS)]
        for k in range(signs.n_blocks):
            words = signs.blocks.words[k]
            self.main_before[k + 1] = self.main_before[k] + is_main[k]
            self.main_words_before[k + 1] = self.main_words_before[k] + is_main[k] * words
            self.words_before[k + 1] = self.words_before[k] + words
        self.open_lists()

    cdef int open_lists(self) noexcept:
        """Read lists and items around the page's own heading as if they were not there."""
        cdef int i, heading = self.d.n_elements
        for i in range(self.d.n_elements - 1, -1, -1):
            if self.kind[i] == K_H1 and self.main_blocks(i):
                heading = i
            elif heading < self.d.elements.end[i] and self.kind[i] in (K_LI, K_UL, K_OL):
                self.kind[i] = K_NONE

    cdef bint is_main(self, int block) noexcept:
        return 0 <= block < self.d.n_blocks and self.main_before[block + 1] > self.main_before[block]

    cdef int main_blocks(self, int element) noexcept:
        cdef int first = self.d.elements.first_block[element], end = self.d.elements.end_block[element]
        return self.main_before[end] - self.main_before[first]

    cdef bint has_own_text(self, int element) noexcept:
        """Whether the first block of an element is its own text, and not a child's."""
        cdef int block = self.d.elements.first_block[element]
        return (
            block < self.d.elements.end_block[element]
            and self.d.elements.owner[self.d.blocks.element[block]] == element
        )

    cdef int row_of(self, int heading, int blocks) noexcept:
        """The table row that holds the *blocks* of a heading and no other; or -1."""
        cdef int i = heading
        for _ in range(MAX_LEVELS_UP):
            i = self.d.elements.parent[i]
            if i < 0 or self.main_blocks(i) != blocks:
                return -1
            if self.kind[i] == K_TR:
                return i
        return -1

    cdef bint is_mostly_main(self, int element) noexcept:
        """Whether at least half of the element's words (or blocks) are main content."""
        cdef int first = self.d.elements.first_block[element], end = self.d.elements.end_block[element]
        cdef int words = self.words_before[end] - self.words_before[first]
        if not words:
            return 2 * self.main_blocks(element) >= end - first
        return 2 * (self.main_words_before[end] - self.main_words_before[first]) >= words

    cdef bint is_between(self, int i, int holder) noexcept:
        """Whether an element without text stands between main blocks of its holder, or beside one
        that is its sibling."""
        cdef int block = self.d.elements.first_block[i]
        return self.is_child(block, holder) or self.is_child(block - 1, holder) or (
            self.d.elements.first_block[holder] < block < self.d.elements.end_block[holder]
            and self.is_main(block - 1) and self.is_main(block)
        )

    cdef bint is_captioned(self, int holder) except -1:
        """Whether main blocks are around an image and its caption, which is none of them.

        One in a link is the name of another page.
        """
        cdef int first = self.d.elements.first_block[holder], end = self.d.elements.end_block[holder]
        if not 0 < end - first <= MAX_CAPTION_BLOCKS or self.main_blocks(holder) or (
            2 * self.d.blocks.linked_words[first] > self.d.blocks.words[first]
        ):
            return False
        return (
            self.main_before[first] > self.main_before[max(0, first - MAX_NEAR_BLOCKS)]
            and self.main_before[min(self.d.n_blocks, end + MAX_NEAR_BLOCKS)] > self.main_before[end]
        ) and (
            self.kind[holder] == K_FIGURE
            or self.d.has_name(holder, CAPTION_NAMES, [])
            or self.d.has_name(self.d.blocks.element[first], CAPTION_NAMES, [])
        )

    cdef bint is_child(self, int block, int holder) noexcept:
        cdef int i
        if not self.is_main(block):
            return False
        i = self.d.blocks.element[block]
        return i > holder and i < self.d.elements.end[holder] and self.d.elements.parent[i] == holder


cdef bytearray find_holders(Signs d):
    cdef bytearray memory = bytearray(4 * d.n_elements), told_memory = bytearray(4 * d.n_blocks + 4)
    cdef int32_t* holder = integers(memory)
    cdef int32_t* told_before = integers(told_memory)
    cdef int i, parent
    for i in range(d.n_blocks):
        told_before[i + 1] = told_before[i] + (d.block[i] != 2)
    for i in range(d.n_elements):
        parent = d.elements.parent[i]
        if told_before[d.elements.end_block[i]] > told_before[d.elements.first_block[i]]:
            holder[i] = i
        else:
            holder[i] = holder[parent] if parent >= 0 else -1
    return memory


def text_holders(Signs signs):
    """Per element the smallest ancestor, itself included, with a text block that is written; or -1."""
    return np.frombuffer(find_holders(signs), np.int32)


def main_runs(Signs signs, main):
    """A mask of the runs that belong to the main content (uint8).

    A run outside of all blocks belongs to it if the smallest element around it that
    holds text holds mostly main content, or a main block beside it; a rule if it stands
    between two main blocks.
    """
    cdef MainTree t = MainTree(signs, main)
    cdef bytearray memory = bytearray(signs.n_runs), holders = find_holders(signs)
    cdef uint8_t* kept = <uint8_t*><char*>memory
    cdef const int32_t* holder = integers(holders)
    cdef int k, element, block
    for k in range(signs.n_runs):
        element, block = signs.runs.element[k], signs.runs.block[k]
        if signs.runs.kind[k] == RUN_HEAD or signs.role[k] == SILENT:
            continue
        if signs.runs.kind[k] == RUN_RULE:
            block = signs.elements.first_block[element]
            kept[k] = t.is_main(block - 1) and t.is_main(block)
        elif signs.runs.kind[k] <= RUN_BREAK:
            kept[k] = t.is_main(block) and signs.runs.end[k] > signs.runs.start[k]
        elif block >= 0:
            kept[k] = t.is_main(block)
        elif holder[element] >= 0 and not signs.elements.flags[element] & HIDDEN:
            kept[k] = (
                t.is_mostly_main(holder[element])
                or t.is_between(element, holder[element])
                or (signs.elements.link[element] < 0 and t.is_captioned(holder[element]))
            )
    return np.frombuffer(memory, np.uint8)


def complete_units(Signs signs, main):
    """A mask of the *main* blocks and of those that stand or go with them.

    An image between main blocks has its caption, a quote that is mostly main content all
    of its blocks, code in a tab that of the other tabs, the mark of a footnote its note.
    """
    cdef MainTree t = MainTree(signs, main)
    cdef bytearray memory = bytearray(main), holders = find_holders(signs)
    cdef uint8_t* chosen = <uint8_t*><char*>memory
    cdef const int32_t* holder = integers(holders)
    cdef int k, i
    for k in range(signs.n_runs):
        i = holder[signs.runs.element[k]]
        if signs.runs.kind[k] == RUN_IMAGE and signs.runs.block[k] < 0 and i >= 0 and t.is_captioned(i):
            choose(t, i, chosen)
    for i in range(signs.n_elements):
        if t.kind[i] == K_BLOCKQUOTE and t.main_blocks(i) and t.is_mostly_main(i):
            choose(t, i, chosen)
    choose_tabs(t, chosen)
    choose_notes(t, chosen)
    return np.frombuffer(memory, bool)


cdef int choose(MainTree t, int element, uint8_t* chosen, int but=HIDDEN, int end=-1) except -1:
    """Choose the blocks of an element, or those from its first to an *end*.

    *But* for hidden ones, and but for buttons.
    """
    cdef int block
    for block in range(
        t.d.elements.first_block[element], max(end, t.d.elements.end_block[element])
    ):
        if not t.d.blocks.flags[block] & (but | FORM) and t.d.block[block] != 2 and not (
            t.d.is_named(t.d.runs.element[t.d.blocks.first_run[block]], element, [b"expand"], [b"button"])
        ):
            chosen[block] = 1


cdef int choose_tabs(MainTree t, uint8_t* chosen) except -1:
    """Choose all panels of tabs that hold code, if the code of one of them is chosen."""
    cdef Signs d = t.d
    cdef set chosen_lists = set()
    cdef int panel, block
    for panel in d.panels:
        for block in range(d.elements.first_block[panel], d.elements.end_block[panel]):
            if d.blocks.flags[block] & PRE and (chosen[block] or d.elements.parent[panel] in chosen_lists):
                chosen_lists.add(d.elements.parent[panel])
                choose(t, panel, chosen, but=0)
                break


cdef int choose_notes(MainTree t, uint8_t* chosen) except -1:
    """Choose the notes that marks in main blocks lead to: small parts of the page behind them.

    A mark is the sign of one, or a few characters that its note begins with, or leads back to.
    """
    cdef Signs d = t.d
    cdef dict ids = {}
    cdef list marks = []
    cdef int k, a, run, target
    for k in range(d.n_attributes):
        a = d.attributes.element[k]
        if d.attributes.name[k] == HREF and (
            d.markup[a] == NO_MARK or d.values[d.attributes.start[k]] == b"#"
        ):
            run = d.elements.first_run[a]
            if run < d.elements.end_run[a] and d.role[run] != SILENT and t.is_main(d.runs.block[run]):
                if d.markup[a] == NO_MARK or d.runs.end[run] - d.runs.start[run] <= MAX_NOTE_BYTES:
                    marks.append(a)
    if not marks:
        return 0
    for k in range(d.n_attributes):
        a = d.attributes.element[k]
        if d.attributes.name[k] == ID or (d.attributes.name[k] == NAME and d.elements.tag[a] == TAG_A):
            ids.setdefault(d.values[d.attributes.start[k]:d.attributes.end[k]], a)
    for a in marks:
        target = target_of(d, a, ids)
        if target > a:
            choose_note(t, a, target, ids, chosen)


cdef int choose_note(MainTree t, int mark, int target, dict ids, uint8_t* chosen) except -1:
    """Choose the blocks around the *target* of a mark, or behind one that is empty.

    Where these only say the mark, the note is beside them.
    """
    cdef Signs d = t.d
    cdef int note = d.elements.owner[target], beside = d.elements.end[note]
    cdef int k = d.elements.first_run[mark]
    cdef int first = d.elements.first_block[note], end = max(d.elements.end_block[note], first + 1)
    cdef bytes text = plain(d, d.runs.start[k], d.runs.end[k]), said
    if first == d.n_blocks or end - first > MAX_NOTE_BLOCKS:
        return 0
    if beside < d.n_elements and d.elements.parent[beside] == d.elements.parent[note] and (
        plain(d, d.blocks.start[first], d.blocks.end[end - 1]) == text
    ):
        end = d.elements.end_block[beside]
    said = plain(d, d.blocks.start[first], d.blocks.end[first])
    if end - first <= MAX_NOTE_BLOCKS and (
        d.markup[mark] == NO_MARK or leads_back(d, min(target, note), note, mark, ids)
        or text and not text.isalpha() and said.startswith(text)
    ):
        choose(t, note, chosen, but=0, end=end)


cdef bytes plain(Signs d, int start, int end):
    """A text without the brackets and full stops of marks."""
    return d.text_object[start:end].strip(b" []().:")


cdef int target_of(Signs d, int a, dict ids) except -2:
    """The element that the fragment of a link leads to, or -1."""
    cdef bytes fragment = d.value(a, HREF).partition(b"#")[2]
    found = ids.get(fragment)
    return ids.get(unquote_to_bytes(fragment), -1) if found is None else found


cdef bint leads_back(Signs d, int first, int note, int mark, dict ids) except -1:
    """Whether the *first* link of a note leads to its mark, or to what is around it in its block."""
    cdef int k, target
    for k in range(d.elements.first_attribute[first], d.attributes_end(d.elements.end[note])):
        if d.attributes.name[k] == HREF:
            target = target_of(d, d.attributes.element[k], ids)
            return d.elements.owner[mark] <= target <= mark < d.elements.end[target]
    return False


cdef struct CellCount:  # of a table
    int cells
    int blocks          # in its cells
    int last_row        # the row of the cell before
    bint has_pair       # two cells in a row
    bint has_header_cell
    bint has_header_row


cdef bytearray layout_tables(MainTree t, set posts):
    """Per element: 1 if the nearest table around it only lays out the page; HEADING_ROW
    in a row that is a heading of the rows below.

    A table in which *posts* (blocks) begin lays them out. One with a header row holds data.
    Another one does if it has no table, heading or preformatted text inside, no cell that is
    a displayed formula, a row with two cells or a header cell, and mostly one block in a cell.
    """
    cdef Signs d = t.d
    cdef bytearray memory = bytearray(4 * d.n_elements), table_memory = bytearray(4 * d.n_elements)
    cdef bytearray heading_memory = bytearray(4 * d.n_elements)
    cdef bytearray count_memory = bytearray(d.n_elements * <Py_ssize_t>sizeof(CellCount))
    cdef int32_t* layout = integers(memory)
    cdef int32_t* table = integers(table_memory)
    cdef int32_t* heading_row = integers(heading_memory)
    cdef CellCount* counts = <CellCount*><char*>count_memory
    cdef CellCount* count
    cdef int i, kind, around, blocks, row, parent, block
    for i in range(d.n_elements):
        parent, kind = d.elements.parent[i], t.kind[i]
        around = table[parent] if parent >= 0 else -1
        table[i] = i if kind == K_TABLE else around
        blocks = t.main_blocks(i) if kind and around >= 0 else 0
        if not blocks:
            continue
        count = &counts[around]
        row = t.row_of(i, blocks) if K_H1 <= kind <= K_H6 else -1
        if row >= 0:
            heading_row[row] = HEADING_ROW
        elif kind == K_TABLE or K_H1 <= kind <= K_PRE:
            layout[around] = 1
        elif kind == K_TR:
            count.has_header_row |= count_header_cells(t, i) > 1
        elif kind == K_TD or kind == K_TH:
            count.cells += 1
            count.blocks += blocks
            count.has_pair |= count.last_row == parent
            count.last_row = parent
            count.has_header_cell |= kind == K_TH
            block = d.elements.first_block[i]
            layout[around] |= d.text[d.blocks.start[block]:d.blocks.start[block] + 2] == b"$$"
    for block in posts:
        around = table[d.blocks.element[block]]
        while around >= 0:
            layout[around], counts[around].has_header_row = 1, False
            parent = d.elements.parent[around]
            around = table[parent] if parent >= 0 else -1
    for i in range(d.n_elements):
        around = table[i]
        if around == i:
            count = &counts[i]
            layout[i] = not count.has_header_row and (
                layout[i]
                or count.cells < 2
                or not (count.has_pair or count.has_header_cell)
                or 2 * count.blocks > (8 if count.has_header_cell else 3) * count.cells
            )
        elif around >= 0:
            heading_row[i] = max(heading_row[i], heading_row[d.elements.parent[i]])
            layout[i] = layout[around] or (0 if counts[around].has_header_row else heading_row[i])
    return memory


cdef int count_header_cells(MainTree t, int row) noexcept:
    """The number of cells with text of a header row; 0 for other rows.

    All cells with text of a header row are header cells, or it stands in a `thead`.
    """
    cdef int parent = t.d.elements.parent[row]
    cdef bint in_head = parent >= 0 and t.d.elements.tag[parent] == THEAD
    cdef int i = row + 1, cells = 0
    while i < t.d.elements.end[row]:
        if t.d.elements.end_block[i] > t.d.elements.first_block[i]:
            cells += 1
            if not in_head and t.kind[i] != K_TH:
                return 0
        i = t.d.elements.end[i]
    return cells


cdef bint heads_table(MainTree t, int row) noexcept:
    """Whether a row, or a `thead` without one, names the columns: a row of strong text, too."""
    cdef int block, first = t.d.elements.first_block[row], end = t.d.elements.end_block[row]
    if t.kind[row] == K_TABLE:
        return False
    if count_header_cells(t, row):
        return True
    for block in range(first, end):
        if t.d.blocks.strong_words[block] < max(1, t.d.blocks.words[block]):
            return False
    return end - first > 1
