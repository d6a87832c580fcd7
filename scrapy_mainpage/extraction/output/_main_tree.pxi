# The main content in the tree: which runs belong to it, which tables hold data.

# Kinds of elements: containers of blocks, containers of text, the paragraph (K_TIGHT: text
# without a tag of its own), marks inside the text.
cdef enum:
    K_NONE
    K_BLOCKQUOTE, K_UL, K_OL, K_LI, K_DL, K_DD, K_TABLE, K_TR, K_TD, K_TH
    K_FIGURE, K_FIGCAPTION, K_DETAILS
    K_H1, K_H2, K_H3, K_H4, K_H5, K_H6, K_PRE, K_DT, K_SUMMARY, K_CAPTION
    K_P, K_TIGHT
    K_A, K_STRONG, K_B, K_EM, K_I, K_U, K_S, K_DEL, K_INS, K_SUB, K_SUP, K_MARK
    K_SMALL, K_Q, K_CITE, K_ABBR, K_KBD, K_SAMP, K_VAR, K_TIME, K_CODE
    N_KINDS

# The tag of each kind, in the order above.
NAMES = (
    "", "blockquote", "ul", "ol", "li", "dl", "dd", "table", "tr", "td", "th",
    "figure", "figcaption", "details",
    "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption",
    "p", "",
    "a", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "mark",
    "small", "q", "cite", "abbr", "kbd", "samp", "var", "time", "code",
)

# Obsolete tags and those that replaced them (HTML standard, section 16.2).
_REPLACED = {"menu": "ul", "dir": "ul", "strike": "s", "tt": "code", "acronym": "abbr"}

cdef enum:
    MAX_CAPTION_BLOCKS = 3   # of an image: its caption and who took it
    MAX_NEAR_BLOCKS = 4      # from a caption to main content above and below

cdef list CAPTION_NAMES = [b"caption"]
cdef int TAG_P = CODES["p"]


def _kinds_by_tag():
    kinds = {name: kind for kind, name in enumerate(NAMES) if name and name != "p"}
    table = np.zeros(len(TAGS) + 1, np.int32)
    for name, code in CODES.items():
        table[code] = kinds.get(_REPLACED.get(name, name), K_NONE)
    return table


cdef object KIND_BY_TAG = _kinds_by_tag()


def _running_sum(values):
    return np.concatenate(([0], np.cumsum(values))).astype(np.int32)


cdef class MainTree:
    """Columns of a document, and counts of its main blocks per element."""

    cdef const int32_t[::1] tag, kind, parent, end, flags, owner, link, first_block, end_block
    cdef const int32_t[::1] run_kind, elements, blocks, starts, ends
    cdef Signs signs
    cdef int32_t[::1] main_before, main_words_before, words_before
    cdef int n_elements, n_runs, n_blocks

    def __init__(self, document, main, Signs signs):
        elements, runs, words = document.elements, document.runs, document.blocks.words
        self.tag, self.parent, self.end = elements.tag, elements.parent, elements.end
        self.flags, self.owner, self.link = elements.flags, elements.owner, elements.link
        self.first_block, self.end_block = elements.first_block, elements.end_block
        self.run_kind, self.elements, self.blocks = runs.kind, runs.element, runs.block
        self.starts, self.ends = runs.start, runs.end
        self.signs = signs
        kind = KIND_BY_TAG[np.minimum(elements.tag, len(TAGS))]
        marked = np.asarray(signs.element)
        kind[marked == NO_MARK] = K_NONE
        kind[marked == CODE_TABLE] = K_PRE
        self.kind = kind
        self.n_elements, self.n_runs = self.tag.shape[0], self.run_kind.shape[0]
        self.n_blocks = len(words)
        if len(main) != self.n_blocks:
            raise ValueError("%d blocks, but a mask of %d" % (self.n_blocks, len(main)))
        main = np.asarray(main, bool)
        self.main_before = _running_sum(main)
        self.words_before = _running_sum(words)
        self.main_words_before = _running_sum(words * main)

    cdef bint is_main(self, int block) noexcept:
        return 0 <= block < self.n_blocks and self.main_before[block + 1] > self.main_before[block]

    cdef int main_blocks(self, int element) noexcept:
        return self.main_before[self.end_block[element]] - self.main_before[self.first_block[element]]

    cdef bint has_own_text(self, int element) noexcept:
        """Whether the first block of an element is its own text, and not a child's."""
        cdef int block = self.first_block[element]
        return block < self.end_block[element] and self.owner[self.signs.block_element[block]] == element

    cdef int row_of(self, int heading, int blocks) noexcept:
        """The table row that holds the *blocks* of a heading and no other; or -1."""
        cdef int i = heading, level
        for level in range(MAX_LEVELS_UP):
            i = self.parent[i]
            if i < 0 or self.main_blocks(i) != blocks:
                return -1
            if self.kind[i] == K_TR:
                return i
        return -1

    cdef bint is_mostly_main(self, int element) noexcept:
        """Whether at least half of the element's words (or blocks) are main content."""
        cdef int first = self.first_block[element], end = self.end_block[element]
        cdef int words = self.words_before[end] - self.words_before[first]
        if not words:
            return 2 * self.main_blocks(element) >= end - first
        return 2 * (self.main_words_before[end] - self.main_words_before[first]) >= words


    cdef bint is_between(self, int i, int holder) noexcept:
        """Whether an element without text stands beside a main block, as its sibling."""
        cdef int block = self.first_block[i]
        return self.is_child(block, holder) or self.is_child(block - 1, holder)

    cdef bint is_captioned(self, int image, int holder) except -1:
        """Whether an image of the content has a caption that is none: main blocks are around both."""
        cdef int first = self.first_block[holder], end = self.end_block[holder]
        cdef int n = self.main_before.shape[0] - 1
        if end - first > MAX_CAPTION_BLOCKS or self.link[image] >= 0 or self.main_blocks(holder):
            return False
        return (
            self.main_before[first] > self.main_before[max(0, first - MAX_NEAR_BLOCKS)]
            and self.main_before[min(n, end + MAX_NEAR_BLOCKS)] > self.main_before[end]
        ) and (
            self.kind[holder] == K_FIGURE
            or self.signs.has_name(holder, CAPTION_NAMES, [])
            or self.signs.has_name(self.signs.block_element[first], CAPTION_NAMES, [])
        )

    cdef bint is_child(self, int block, int holder) noexcept:
        cdef int i
        if not self.is_main(block):
            return False
        i = self.signs.block_element[block]
        return i > holder and i < self.end[holder] and self.parent[i] == holder


def text_holders(document):
    """Per element the smallest ancestor, itself included, with a text block; or -1."""
    cdef const int32_t[::1] parent = document.elements.parent
    cdef const int32_t[::1] first = document.elements.first_block
    cdef const int32_t[::1] end = document.elements.end_block
    holders = np.empty(parent.shape[0], np.int32)
    cdef int32_t[::1] holder = holders
    cdef int i
    for i in range(parent.shape[0]):
        if end[i] > first[i]:
            holder[i] = i
        else:
            holder[i] = holder[parent[i]] if parent[i] >= 0 else -1
    return holders


def main_runs(document, main, Signs signs):
    """A mask of the runs that belong to the main content (uint8).

    A run outside of all blocks belongs to it if the smallest element around it that
    holds text holds mostly main content, or a main block beside it; a rule if it stands between two main blocks.
    """
    cdef MainTree t = MainTree(document, main, signs)
    cdef int32_t[::1] holder = text_holders(document)
    mask = np.zeros(t.n_runs, np.uint8)
    cdef uint8_t[::1] kept = mask
    cdef int k, element, block
    for k in range(t.n_runs):
        element, block = t.elements[k], t.blocks[k]
        if t.run_kind[k] == RUN_HEAD or signs.run[k] == SILENT:
            continue
        if t.run_kind[k] == RUN_RULE:
            block = t.first_block[element]
            kept[k] = t.is_main(block - 1) and t.is_main(block)
        elif t.run_kind[k] <= RUN_BREAK:
            kept[k] = t.is_main(block) and t.ends[k] > t.starts[k]
        elif block >= 0:
            kept[k] = t.is_main(block)
        elif holder[element] >= 0 and not t.flags[element] & HIDDEN:
            kept[k] = (
                t.is_mostly_main(holder[element])
                or t.is_between(element, holder[element])
                or t.is_captioned(element, holder[element])
            )
    return mask


cdef enum:
    HEADING_ROW = 2


cdef int32_t[::1] layout_tables(MainTree t):
    """Per element: 1 if the nearest table around it only lays out the page; HEADING_ROW
    in a row that is a heading of the rows below.

    A table with a header row holds data. Another one does if it has no table, heading or
    preformatted text inside, a row with two cells or a header cell, and mostly one block
    in a cell.
    """
    cdef int32_t[::1] table = np.full(t.n_elements, -1, np.int32)
    cdef int32_t[::1] layout = np.zeros(t.n_elements, np.int32)
    cdef int32_t[::1] heading_row = np.zeros(t.n_elements, np.int32)
    # Per table: cells, blocks in cells, a row with two cells, last cell's row, a th,
    # a header row.
    cdef int32_t[:, ::1] count = np.zeros((6, t.n_elements), np.int32)
    cdef int i, kind, around, blocks, row
    for i in range(t.n_elements):
        around = table[t.parent[i]] if t.parent[i] >= 0 else -1
        kind = t.kind[i]
        table[i] = i if kind == K_TABLE else around
        blocks = t.main_blocks(i) if kind and around >= 0 else 0
        if not blocks:
            continue
        row = t.row_of(i, blocks) if K_H1 <= kind <= K_H6 else -1
        if row >= 0:
            heading_row[row] = HEADING_ROW
        elif kind == K_TABLE or K_H1 <= kind <= K_PRE:
            layout[around] = 1
        elif kind == K_TR:
            count[5, around] |= count_header_cells(t, i) > 1
        elif kind == K_TD or kind == K_TH:
            count[0, around] += 1
            count[1, around] += blocks
            count[2, around] |= count[3, around] == t.parent[i]
            count[3, around] = t.parent[i]
            count[4, around] |= kind == K_TH
    for i in range(t.n_elements):
        around = table[i]
        if around == i:
            layout[i] = not count[5, i] and (
                layout[i]
                or count[0, i] < 2
                or not (count[2, i] or count[4, i])
                or 2 * count[1, i] > (8 if count[4, i] else 3) * count[0, i]
            )
        elif around >= 0:
            heading_row[i] = max(heading_row[i], heading_row[t.parent[i]])
            layout[i] = layout[around] or (0 if count[5, around] else heading_row[i])
    return layout


cdef int count_header_cells(MainTree t, int row) noexcept:
    """The number of cells with text of a header row; 0 for other rows.

    All cells with text of a header row are header cells, or it stands in a `thead`.
    """
    cdef bint in_head = t.parent[row] >= 0 and t.tag[t.parent[row]] == THEAD
    cdef int i = row + 1, cells = 0
    while i < t.end[row]:
        if t.end_block[i] > t.first_block[i]:
            cells += 1
            if not in_head and t.kind[i] != K_TH:
                return 0
        i = t.end[i]
    return cells
