# Tabs: the labels of the panels, which stand apart from them in the source.

cdef enum:
    MAX_TABS = 16
    MAX_LABEL_BYTES = 60
    MIN_SEARCHES = 50000

cdef list TAB_LISTS = [b"tablist", b"tabs", b"tabbedlabels", b"navtabs", b"sdtablabel"]
cdef list TAB_PANELS = [b"tabpanel", b"tabbed", b"tabcontent", b"tabpane", b"tabitem", b"blocks"]


cdef int TAG_DIV = CODES["div"], TAG_SECTION = CODES["section"]


cdef class TabSigns(CodeSigns):
    """Finds panels of tabs and their labels.

    ``panels`` are their elements, ascending; ``label_start`` and ``label_end`` the bytes of
    the labels in the text.
    """

    cdef list panels, labels
    cdef int n_panels
    cdef int64_t searches    # for addresses, that are left: some for each attribute

    cdef int read_tabs(self) except -1:
        cdef int k, size, start
        cdef int last = -1, i
        self.panels, self.labels = [], []
        self.searches = MIN_SEARCHES + 4 * <int64_t>self.n_attributes
        for k in range(self.n_tokens):
            start = self.token_start[k]
            size = self.token_end[k] - start
            if size >= 4 and self.token_element[k] != last and (
                memcmp(self.values + start, b"tab", 3) == 0
                or memcmp(self.values + start, b"nav-", 4) == 0
                or memcmp(self.values + start, b"sd-t", 4) == 0
            ):
                i = self.token_element[k]
                if self.has_name(i, [], TAB_LISTS):
                    last = i
                    self.read_tab_list(i)
        if self.panels:
            pairs = sorted(zip(self.panels, self.labels))
            self.panels = [panel for panel, _ in pairs]
            self.labels = [label for _, label in pairs]

    cdef int read_tab_list(self, int i) except -1:
        cdef list labels
        cdef list panels
        cdef int below
        if self.has_name(i, [], [b"sdtablabel"]):
            if self.is_sibling(self.end[i], i) and self.has_name(self.end[i], TAB_PANELS, []):
                self.add_panels([i], [self.end[i]])
            return 0
        labels = self.children(i)
        if not 2 <= len(labels) <= MAX_TABS:
            return 0
        for below in (i, self.parent[i]):
            panels = self.panels_after(below, len(labels))
            if panels:
                self.add_panels(labels, panels)
                self.silence(i)
                return 0
        panels = self.panels_by_address(i, labels)
        if panels:
            self.add_panels(labels, panels)
            self.silence(i)

    cdef bint is_sibling(self, int i, int beside) noexcept:
        return i < self.n_elements and self.parent[i] == self.parent[beside]

    cdef list children(self, int i):
        """The children with text of an element; too many are as none."""
        cdef list found = []
        cdef int child = i + 1, seen = 0
        while child < self.end[i] and seen < 4 * MAX_TABS:
            if self.end_run[child] > self.first_run[child]:
                found.append(child)
            child = self.end[child]
            seen += 1
        return found if child >= self.end[i] else []

    cdef list panels_after(self, int i, int n):
        """The *n* panels after an element: its siblings, or the next one's children."""
        cdef list found = []
        cdef list inside
        cdef int sibling = self.end[i], seen
        if i < 0 or self.parent[i] < 0:
            return []
        for seen in range(n):
            if not self.is_sibling(sibling, i):
                break
            if self.has_name(sibling, TAB_PANELS, []):
                found.append(sibling)
            if seen < 2:
                inside = self.children(sibling)
                if len(inside) == n and (
                    self.has_name(sibling, TAB_PANELS, [])
                    or self.has_name(inside[0], TAB_PANELS, [])
                ):
                    return inside
            sibling = self.end[sibling]
        return found if len(found) == n else []

    cdef list panels_by_address(self, int i, list labels):
        """The panels behind an element that the links of *labels* lead to, wherever they stand."""
        cdef list found = []
        cdef int label, panel
        for label in labels:
            panel = self.panel_of(label, i)
            if panel < 0 or panel in found:
                return []
            found.append(panel)
        return found

    cdef int panel_of(self, int label, int i) except -2:
        """The panel that a label's link leads to, or -1."""
        cdef int k, id
        for k in range(self.first_attribute[label], self.attributes_end(self.end[label])):
            if self.name[k] != HREF or self.value_end[k] < self.value_start[k] + 2:
                continue
            if self.values[self.value_start[k]] != b"#":
                return -1
            for id in range(self.attributes_end(self.end[i]), self.n_attributes):
                self.searches -= 1
                if self.searches < 0:
                    return -1
                if self.name[id] == ID and self.is_same(
                    self.value_start[k] + 1, self.value_end[k], self.value_start[id], self.value_end[id]
                ):
                    return self.holder[id] if self.is_panel(self.holder[id]) else -1
            return -1
        return -1

    cdef bint is_panel(self, int i) except -1:
        return (self.tag[i] == TAG_DIV or self.tag[i] == TAG_SECTION) and self.has_name(i, TAB_PANELS, [])

    cdef int add_panels(self, list labels, list panels) except -1:
        cdef Wording w
        cdef int label, panel, k, start, end
        for label, panel in zip(labels, panels):
            w = self.wording(label)
            if not w.letters or w.size > MAX_LABEL_BYTES:
                return 0
        for label, panel in zip(labels, panels):
            start = end = -1
            for k in range(self.first_run[label], self.end_run[label]):
                if self.run_kind[k] == RUN_TEXT and self.run[k] != SILENT:
                    start = self.starts[k] if start < 0 else start
                    end = self.ends[k]
            self.silence(label)
            if not self.begins_with(panel, start, end):
                self.panels.append(panel)
                self.labels.append((start, end))

    cdef bint begins_with(self, int panel, int start, int end) noexcept:
        """Whether the first block of a panel says what its label does."""
        cdef int block = self.first_block[panel]
        return (
            block < self.end_block[panel]
            and self.block_end[block] - self.block_start[block] == end - start
            and memcmp(self.text + self.block_start[block], self.text + start, end - start) == 0
        )

    cdef tuple label_of(self, int panel):
        """The bytes of a panel's label, or `None`."""
        cdef Py_ssize_t k
        if self.panels:
            k = bisect_left(self.panels, panel)
            if k < len(self.panels) and self.panels[k] == panel:
                return self.labels[k]
