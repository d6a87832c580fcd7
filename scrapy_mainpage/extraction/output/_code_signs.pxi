# Line numbers of code, and what stands beside code: buttons, the name of the language.

cdef enum:
    MAX_LANGUAGE_BYTES = 24
    MAX_FRAME_LEVELS = 3     # around a code block
    MAX_FRAME_BLOCKS = 3     # beside the code

cdef list NUMBER_NAMES = [b"lineno", b"linenum", b"gutter", b"blobnum", b"crayonnum", b"hljsln"]
cdef list NUMBER_TOKENS = [b"ln", b"lnt"]
cdef list CODE_NAMES = [b"code", b"source"]
cdef list LANGUAGE_NAMES = [b"language", b"codelang"]
cdef list LANGUAGE_TOKENS = [b"lang"]
cdef list COPY_NAMES = [b"clipboard", b"copybtn", b"copybutton", b"copycode", b"codecopy", b"btncopy"]
cdef list BUTTON_TOKENS = [b"btn", b"button", b"copy"]


cdef class CodeSigns(LinkSigns):
    """Finds code with its line numbers.

    ``code`` gives an element inside code the outermost of it, if the page has code.
    """

    cdef int32_t[::1] code
    cdef bint has_code

    cdef int read_code(self) except -1:
        cdef int i, k
        for i in range(self.n_elements):
            if self.tag[i] == TAG_PRE:
                self.has_code = True
                if self.parent[i] < 0 or not self.flags[self.parent[i]] & PRE_FLAG:
                    self.read_lines(i)
        for k in range(self.n_blocks):
            if self.block_cell[k] >= 0 and 48 <= self.text[self.block_start[k]] <= 57:
                self.read_gutter(k)
        if not self.has_code:
            return 0
        self.code = np.full(self.n_elements, -1, np.int32)
        for i in range(self.n_elements):
            k = self.parent[i]
            if k >= 0 and self.code[k] >= 0:
                self.code[i] = self.code[k]
            elif self.tag[i] == TAG_PRE or self.element[i] == CODE_TABLE:
                self.code[i] = i
                self.read_frame(i)

    cdef int read_lines(self, int pre) except -1:
        """Silence the numbers of lines inside of preformatted code."""
        cdef int k
        for k in range(self.first_run[pre], self.end_run[pre]):
            if self.run_kind[k] == RUN_TEXT and self.is_number(self.starts[k], self.ends[k]):
                if self.is_named(self.run_element[k], pre, NUMBER_NAMES, NUMBER_TOKENS):
                    self.run[k] = SILENT

    cdef bint is_number(self, int start, int end) noexcept:
        """Whether a text is one number, with blanks around it."""
        cdef int k, digits = 0
        if end - start > MAX_RAISED_BYTES:
            return False
        for k in range(start, end):
            if 48 <= self.text[k] <= 57:
                digits += 1
            elif not is_blank(self.text[k]):
                return False
        return digits > 0

    cdef int count_up(self, int block) noexcept:
        """The count of a block's numbers, if each is the one before plus one; else 0."""
        cdef int k = self.block_start[block], end = self.block_end[block]
        cdef int number, last = -1, count = 0
        while k < end:
            if not 48 <= self.text[k] <= 57:
                return 0
            number = 0
            while k < end and 48 <= self.text[k] <= 57 and number < 100000000:
                number = 10 * number + self.text[k] - 48
                k += 1
            if (last >= 0 and number != last + 1) or (k < end and not is_blank(self.text[k])):
                return 0
            last = number
            count += 1
            while k < end and is_blank(self.text[k]):
                k += 1
        return count

    cdef int read_gutter(self, int block) except -1:
        """Silence a cell of numbers that count the lines of code in the next cell."""
        cdef int count = self.count_up(block), cell = self.block_cell[block], k
        cdef int row = self.parent[cell], table = row
        cdef bint named
        if not count or row < 0 or self.end[cell] >= self.end[row]:
            return 0
        named = self.is_named(self.run_element[self.block_run[block]], cell, NUMBER_NAMES, NUMBER_TOKENS)
        k = self.end_block[cell]
        if k >= self.end_block[row] or (count < 2 and not named):
            return 0
        if self.flags[self.block_element[k]] & PRE_FLAG or (
            named and self.is_named(self.block_element[k], self.block_cell[k], CODE_NAMES, [])
        ):
            self.silence_block(block)
            while table >= 0 and self.tag[table] != TAG_TABLE:
                table = self.parent[table]
            if table >= 0:
                self.element[table] = CODE_TABLE
                self.has_code = True

    cdef int silence_block(self, int block) noexcept:
        cdef int k
        for k in range(self.block_run[block], self.block_end_run[block]):
            self.run[k] = SILENT
        return 0

    cdef int read_frame(self, int code) except -1:
        """Silence buttons, line numbers and the language's name beside code."""
        cdef int inside = code, around, level, k = self.first_block[code] - 1
        if k >= 0 and self.block_end[k] - self.block_start[k] <= MAX_LANGUAGE_BYTES:
            around = self.run_element[self.block_run[k]]
            if not self.leads_on(around) and self.is_named(around, self.parent[around], COPY_NAMES, []):
                self.silence_block(k)  # wherever it stands
        for level in range(MAX_FRAME_LEVELS):
            around = self.parent[inside]
            if around < 0 or self.tag[around] == TAG_BODY or (
                self.end_block[around] - self.first_block[around]
                - self.end_block[code] + self.first_block[code] > MAX_FRAME_BLOCKS
            ):
                return 0
            for k in range(self.first_block[around], self.end_block[around]):
                if not self.first_block[inside] <= k < self.end_block[inside]:
                    self.read_beside(k, around)
            inside = around

    cdef bint leads_on(self, int i) noexcept:
        """Whether an element is in a link to a page, not to a script."""
        cdef int k, link = self.link[i], start
        if link < 0:
            return False
        for k in range(self.first_attribute[link], self.attributes_end(link + 1)):
            if self.name[k] == HREF and self.value_end[k] > self.value_start[k]:
                start = self.value_start[k]
                return not (
                    self.values[start] == b"#"
                    or (self.value_end[k] - start > 10 and memcmp(self.values + start, b"javascript", 10) == 0)
                )
        return False

    cdef int read_beside(self, int block, int frame) except -1:
        cdef int i = self.run_element[self.block_run[block]]
        cdef int size = self.block_end[block] - self.block_start[block], k, level
        cdef int below = i
        for level in range(MAX_LEVELS_UP):
            if below < 0 or self.parent[below] == frame or below == frame:
                break
            if self.tag[below] == TAG_BUTTON:
                break
            below = self.parent[below]
        if below < 0 or below == frame:
            return 0
        if (
            self.tag[below] == TAG_BUTTON
            or self.count_up(block) > 1
            or (self.count_up(block) and self.is_named(i, below, NUMBER_NAMES, NUMBER_TOKENS))
            or (
                size <= MAX_LANGUAGE_BYTES and not self.leads_on(i)
                and self.is_named(i, below, COPY_NAMES, BUTTON_TOKENS)
            )
            or (
                size <= MAX_LANGUAGE_BYTES
                and not memchr(self.text + self.block_start[block], b" ", size)
                and self.is_named(i, below, LANGUAGE_NAMES, LANGUAGE_TOKENS)
            )
        ):
            self.silence_block(block)
