# All signs of a document, and the blocks that consist of them.


cdef class Signs(TabSigns):
    """What is written of a document's runs and blocks.

    ``block`` is 1 for blocks that are not written as they are, 2 for those not written at
    all.
    """

    cdef uint8_t[::1] block
    cdef readonly object silent_blocks

    def __init__(self, document):
        super().__init__(document)
        blocks = np.zeros(self.n_blocks, np.uint8)
        self.block = blocks
        self.read_icons()
        self.read_controls()
        self.read_links()
        self.read_superscripts()
        self.read_code()
        self.read_tabs()
        self.mark_blocks()
        self.silent_blocks = blocks == 2

    cdef int mark_blocks(self) noexcept:
        cdef int k, i, block
        for k in range(self.run.shape[0]):
            block = self.run_block[k]
            if self.run[k] and block >= 0 and not self.block[block]:
                self.block[block] = 2
                for i in range(self.block_run[block], self.block_end_run[block]):
                    if self.run_kind[i] == RUN_TEXT and self.run[i] != SILENT:
                        self.block[block] = 1
                        break
        return 0


def find_signs(document):
    """The :class:`Signs` of a document."""
    return Signs(document)


def unmarked_elements(Signs signs):
    """Per element 1 for the links that are signs, not links."""
    return np.asarray(signs.element) == NO_MARK
