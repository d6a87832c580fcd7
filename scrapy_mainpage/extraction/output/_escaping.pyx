"""Text, links and code in Markdown, with escapes where text would be read as markup.

Characters that not all renderers know behind a backslash are written as entities.
"""

import re

from cpython.unicode cimport Py_UNICODE_ISALNUM

from ...text._chars cimport (
    character_at, is_ascii_blank, is_ascii_punctuation, is_letter_or_digit,
    previous_character,
)
from ._events cimport Buffer

cdef enum:
    MAX_TARGET_BYTES = 200   # read of a link's

# Text and links


cdef inline bint has_byte(const unsigned char* s, unsigned char c, int start, int end) noexcept:
    cdef int k
    for k in range(start, end):
        if s[k] == c:
            return True
    return False


cdef inline bint is_free_underscore(const unsigned char* s, int k, int start, int end) noexcept:
    """Whether an underscore could begin or end an emphasis: it is not in a word."""
    cdef int first = k, last = k + 1
    # Longer runs are lines of forms.
    while first > start and s[first - 1] == b"_" and k - first < 8:
        first -= 1
    while last < end and s[last] == b"_" and last - k < 8:
        last += 1
    if first == start or last == end:
        return True
    first = previous_character(s, first, start)
    return not (
        Py_UNICODE_ISALNUM(character_at(s, first, end))
        and Py_UNICODE_ISALNUM(character_at(s, last, end))
    )


cdef bint has_attribute(const unsigned char* s, int k, int end) noexcept:
    """Whether a name and "=" follow in the braces that begin at `k`."""
    cdef int last = min(end, k + MAX_TARGET_BYTES)
    for k in range(k + 1, last):
        if s[k] == b"}":
            return False
        if s[k] == b"=" and is_letter_or_digit(s[k - 1]):
            return True
    return False


cdef inline bint is_after_www(const unsigned char* s, Py_ssize_t k, Py_ssize_t start) noexcept:
    """Whether the full stop at `k` could begin an address without a scheme."""
    return s[k] == b"." and k >= start + 3 and (
        s[k - 1] | 32 == b"w" and s[k - 2] | 32 == b"w" and s[k - 3] | 32 == b"w"
    )


cdef bint looks_like_entity(const unsigned char* s, int k, int end) noexcept:
    cdef int start = k + 1
    k = start
    if k < end and s[k] == b"#":
        k += 1
    while k < end and k - start < 40 and is_letter_or_digit(s[k]):
        k += 1
    return k < end and k > start and s[k] == b";"


cdef inline int line_markup(const unsigned char* s, int start, int end) noexcept:
    """The byte to escape where the start of a line looks like a block; or -1."""
    cdef int k = start
    cdef unsigned char c = s[start]
    if c == b">":
        return start
    if c == b"#" or c == b"-" or c == b"+":
        while k < end and s[k] == c:
            k += 1
        if k == end or is_ascii_blank(s[k]):
            return start
    while k < end and 48 <= s[k] <= 57:
        k += 1
    if start < k < end and k - start <= 9 and (s[k] == b"." or s[k] == b")"):
        if k + 1 == end or is_ascii_blank(s[k + 1]):
            return k
    if c == b"[" and end - start > 2 and s[start + 1] in b" x" and s[start + 2] == b"]":
        k += len("[x]")  # the mark of a task
        return -1 if k == end or s[k] == b" " else start
    if c == b"[" and (start + 2 >= end or s[start + 2] == b"]" or not has_byte(s, b"]", start, end)):
        return start
    k = start
    while k < end and (is_ascii_blank(s[k]) or s[k] in b"-=|:+"):
        k += 1
    return start if k == end and is_ascii_punctuation(c) else -1


cdef inline bint needs_escape(
    const unsigned char* s, int k, int start, int end,
    int context, int in_link, bint line_start, bint is_last,
) noexcept:
    """Whether the ASCII character at `k` would be read as markup."""
    cdef unsigned char c = s[k]
    # Beyond the ends of the segment: assume a character that needs escaping.
    cdef unsigned char before = s[k - 1] if k > start else b" " if line_start else b"x"
    cdef unsigned char after = s[k + 1] if k + 1 < end else b" " if is_last else b"!"
    if c == b"\\":
        return is_ascii_punctuation(after) or k + 1 == end
    if c == b"`":
        return True
    if c == b"*":
        return not (k > start and k + 1 < end and is_ascii_blank(before) and is_ascii_blank(after))
    if c == b"_":
        return is_free_underscore(s, k, start, end)
    if c == b"~":
        return not is_ascii_blank(before) or k + 1 == end
    if c == b"!":
        return after == b"["
    if c == b"[":
        return in_link
    if c == b"]":
        if after == b" " and k + 2 < end and s[k + 2] == b"(" and leads_elsewhere(s, k + 3, end):
            return True
        return in_link or after == b"(" or after == b"[" or after == b":" or after == b"!"
    if c == b"{":
        # Attributes in some renderers: behind a heading, a cell, other markup, or a colon.
        return (
            context != IN_PARAGRAPH or k == start or after == b":" or is_ascii_blank(after)
            or has_attribute(s, k, end)
        )
    if c == b">":
        return in_link == IN_VALUE  # of an image, where some renderers end its tag
    if c == b"<":
        return after == b"/" or after == b"!" or after == b"?" or is_letter_or_digit(after)
    if c == b"&":
        return looks_like_entity(s, k, end)
    if c == b"|":
        return context >= IN_CELL
    if c == b'"':
        return context == IN_HEAD  # of which some renderers make an attribute
    if in_link == IN_VALUE and (c == b":" or c == b"." or c == b"@"):
        return c == b"@" or is_after_www(s, k, start) or (
            c == b":" and after == b"/" and k + 2 < end and s[k + 2] == b"/"
        )
    if c == b"#":
        return context == IN_HEADING and k + 1 == end
    return False


cdef int put_text(
    Buffer out, const unsigned char* s, int start, int end,
    int context, int in_link, bint line_start, bint is_last,
) except -1:
    """Write text with escapes where it would be read as markup."""
    cdef int k = start, mark = -1
    if line_start:
        mark = line_markup(s, start, end)
    while k < end:
        if is_ascii_blank(s[k]) or s[k] < 32:
            while k < end and (is_ascii_blank(s[k]) or s[k] < 32):
                k += 1
            out.put(b" ")
            continue
        if s[k] < 0x80 and (k == mark or needs_escape(
            s, k, start, end, context, in_link, line_start, is_last
        )):
            if s[k] == b"<" or s[k] == b"&":
                out.put(b"&lt;" if s[k] == b"<" else b"&amp;")
                k += 1
                continue
            if takes_entity(s, k, end, in_link):
                out.put(b"&#")
                out.put_number(s[k])
                out.put(b";")
                k += 1
                continue
            out.put(b"\\")
        out.put_byte(s[k])
        k += 1


cdef bint takes_entity(const unsigned char* s, int k, int end, int in_link) noexcept:
    """Whether not every renderer knows a backslash before the character at `k`."""
    cdef int edge = k, last = min(end, k + MAX_TARGET_BYTES)
    if s[k] == b"{":
        # Of punctuation at the edge of emphasis, what follows is not seen.
        while edge < last and is_ascii_punctuation(s[edge]) and s[edge] != b"}":
            edge += 1
        return edge == last or has_attribute(s, k, end)
    if s[k] != b"]":
        return s[k] == b"!" or s[k] == b'"' or (in_link == IN_VALUE and s[k] in b">:@.")
    return k + 1 < end and (
        (s[k + 1] in b"([" and in_link)
        or (s[k + 1] == b"(" and not has_byte(s, b")", k, min(end, k + MAX_TARGET_BYTES)))
        or (s[k + 1] in b"(: " and leads_elsewhere(s, k + 2, end))
    )


cdef int put_destination(Buffer out, bytes address) except -1:
    """Write a link's destination: parentheses must be balanced or escaped."""
    cdef int level = 0
    # Some renderers read a link in a link.
    address = address.replace(b"](", b"%5D(").replace(b"![", b"!%5B")
    # And insert what is around the link (patterns of replacement in JavaScript).
    address = address.replace(b"$&", b"%24&").replace(b"$'", b"%24'")
    cdef bint balanced = True
    cdef unsigned char c
    for c in address:
        level += (c == b"(") - (c == b")")
        balanced = balanced and 0 <= level < 30
    balanced = balanced and level == 0
    for c in address:
        if (c == b"(" or c == b")") and not balanced:
            out.put(b"\\")
        if c == b"&" and b";" in address:
            out.put(b"&amp;")  # "&copy;" would be read as a character
        else:
            out.put_byte(c)


# Code


cdef class Surroundings:
    def __init__(self):
        self.seen, self.place = set(), 0

    cdef int begin(self, Py_ssize_t place) except -1:
        self.seen.clear()
        self.place = place
        self.is_address = False

    cdef int begin_row(self, Buffer out) except -1:
        self.read(out)
        # Renderers without tables read all rows as one paragraph.
        escaped = self.seen & {b"\\"}
        self.begin(out.size)
        self.seen |= escaped

    cdef int read(self, Buffer out) except -1:
        """Read what was written since the last time."""
        cdef const unsigned char* s = out.bytes
        cdef Py_ssize_t k
        for k in range(self.place, out.size):
            if is_ascii_blank(s[k]) or k == self.word:
                self.is_address = False
            if s[k] == b"@" or (s[k] == b"/" and k and s[k - 1] == b"/") or is_after_www(s, k, 0):
                self.is_address = True
            elif s[k] == b"`":
                if k and (s[k - 1] == b"\\" or s[k - 1] == b"`"):
                    self.seen.add(s[k - 1:k])
            elif s[k] in b"$~^[":
                self.seen.add(s[k:k + 1])
        self.is_address = self.is_address and self.word < out.size
        self.place = out.size


cdef int put_code(Buffer out, Buffer code, bint in_cell, Surroundings around) except -1:
    """Write a code span, or an element where an address or markup before it could end in it."""
    cdef Py_ssize_t k, ticks = code.longest_run(b"`") + 1
    cdef bint padded = code.bytes[0] == b"`" or code.bytes[code.size - 1] == b"`"
    cdef bint is_active = could_be_markup(code)
    around.read(out)
    if is_active and (around.is_address or is_cut_off(out, code, in_cell, around)):
        return put_code_element(out, code)
    if around.is_address and code.count(b'"'):
        return put_code_element(out, code)
    if around.is_address or ends_mark(code, around):
        around.seen.add(b"\\")  # as of a backtick, which an address or formula takes
    out.put_repeated(b"`", ticks)
    if padded:
        out.put(b" ")
    for k in range(code.size):
        if code.bytes[k] == b"|" and in_cell:
            out.put(b"\\")
        out.put_byte(code.bytes[k])
    if padded:
        out.put(b" ")
    return out.put_repeated(b"`", ticks)


cdef bint could_be_markup(Buffer code) noexcept:
    """Whether code has tags, links, definitions or attributes, if read as text."""
    cdef const unsigned char* s = code.bytes
    cdef Py_ssize_t k, last = code.size
    while last and s[last - 1] != b"]":
        last -= 1
    for k in range(code.size - 1):
        if (s[k] == b"<" and (s[k + 1] in b"/!?" or is_letter_or_digit(s[k + 1]))) or (
            s[k] == b"]" and s[k + 1] in b"([: "
        ) or (k >= last and s[k] == b"!" and s[k + 1] == b"["):
            return True
        if s[k] == b"{" and has_attribute(s, k, <int>code.size):
            return True
    return False


cdef bint ends_mark(Buffer code, Surroundings around) except -1:
    """Whether a formula or emphasis of some renderers could begin before and end in it."""
    cdef unsigned char mark
    for mark in b"$~^":
        if code.count(mark) and chr(mark).encode() in around.seen:
            return True
    return False


cdef bint is_cut_off(Buffer out, Buffer code, bint in_cell, Surroundings around) except -1:
    """Whether some renderer could read a mark before the code and one inside of it as a pair."""
    cdef unsigned char before = out.bytes[out.size - 1] if out.size else 32
    if before == b"\\" or b"`" in around.seen or b"\\" in around.seen:
        return True
    if ends_mark(code, around):
        return True
    if b"[" in around.seen and code.count(b"]"):
        return True
    text = code.bytes[:code.size]
    # Some renderers look for the end of a comment, or of deleted text, behind the code.
    if text.rfind(b"<!--") > text.rfind(b"-->") or b"~~" in text:
        return True
    return code.count(b"`") > 0 or code.bytes[code.size - 1] == b"\\" or (
        in_cell and (code.count(b"|") > 0 or code.count(b"\\") > 0)
    )


cdef int put_code_element(Buffer out, Buffer code) except -1:
    cdef Py_ssize_t k
    out.put(b"<code>")
    for k in range(code.size):
        if is_ascii_punctuation(code.bytes[k]) and code.bytes[k] not in b".,;-/()'\"?%":
            out.put(b"&#")
            out.put_number(code.bytes[k])
            out.put(b";")
        else:
            out.put_byte(code.bytes[k])
    return out.put(b"</code>")


# Elements that load or run something, or hide what follows, without an attribute.
cdef set ACTIVE_NAMES = {
    name.encode() for name in (
        "applet base embed form frame frameset iframe link math meta noembed noframes "
        "noscript object plaintext script select style svg template textarea title xmp"
    ).split()
}

# At the start of a line some renderers read all text after one of these as HTML.
cdef set BLOCK_NAMES = {
    name.encode() for name in (
        "address article aside blockquote body canvas center details dialog dir div dl "
        "fieldset figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li "
        "main menu nav ol option p pre section summary table tbody td tfoot th thead tr ul"
    ).split()
}

# Attributes that run or load something, wherever they stand; and in braces, as some
# renderers write the attributes of the element before.
cdef bytes ACTIVE = rb"\b(?:on\w+|style|src|srcset|href|action|data|poster|background)\s*="
cdef object ACTIVE_ATTRIBUTES = re.compile(ACTIVE, re.IGNORECASE)
cdef object ACTIVE_BRACES = re.compile(rb"\{[^{}\n]*" + ACTIVE, re.IGNORECASE)


cdef bint is_active_code(const unsigned char* s, Py_ssize_t size) except -1:
    """Whether code has tags or links that would do something in renderers without
    fences. Tags without attributes, as in ``vector<int>``, do not."""
    cdef Py_ssize_t k, end = 0
    cdef bint odd = False, line_start = True, defines = False, is_open = False
    cdef bint in_image = False
    if not size:
        return False  # and nothing to point to
    for k in range(size):
        if s[k] == b"\n":
            line_start, defines = True, False
        elif line_start and not (is_ascii_blank(s[k]) or s[k] in b">-*+.)0123456789"):
            # A bracket here begins the definition of a reference.
            line_start, defines = False, s[k] == b"["
        if k and s[k - 1] == b"<":
            if s[k] == b"!" or s[k] == b"?" or is_active_name(s, k, size):
                return True
            if is_letter_or_digit(s[k]) and k > end:
                end = tag_end(s, k, size, &odd)
                if end < 0:
                    return True
        if k and s[k - 1] == b"]" and (s[k] == b"(" or (s[k] == b":" and defines)):
            if leads_elsewhere(s, k + 1, size):
                return True
        # An address or image that begins here takes markup behind the code with it.
        if s[k] == b")" or (k and s[k] == b"(" and s[k - 1] == b"]"):
            is_open = s[k] == b"("
        if s[k] == b"]" or (k and s[k] == b"[" and s[k - 1] == b"!"):
            in_image = s[k] == b"["
    if is_open or in_image:
        return True
    if odd and ACTIVE_ATTRIBUTES.search(s[:size]) is not None:
        return True
    return ACTIVE_BRACES.search(s[:size]) is not None


cdef bint is_active_name(const unsigned char* s, Py_ssize_t k, Py_ssize_t size) except -1:
    cdef Py_ssize_t start = k, before = k - 2
    while k < size and k - start < 11 and is_letter_or_digit(s[k]):
        k += 1
    name = s[start:k].lower()
    if name in BLOCK_NAMES:
        while before >= 0 and s[before] == b" ":
            before -= 1
        return before < 0 or s[before] == b"\n"
    return name in ACTIVE_NAMES


cdef Py_ssize_t tag_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t size, bint* odd
) except -2:
    """The place of a tag's ">", or the end; -1 for attributes and scripts as addresses.

    `odd` is set for a tag that is more than a name: some renderers know it as none, but
    leave it there, and only write its ">" as text.
    """
    while k < size and s[k] != b">" and s[k] != b"=":
        odd[0] = odd[0] or not is_letter_or_digit(s[k])
        if s[k] == b":" and s[max(0, k - 6):k].lower().endswith((b"script", b"data")):
            return -1
        k += 1
    odd[0] = odd[0] or k == size
    return -1 if k < size and s[k] == b"=" else k


cdef bint leads_elsewhere(const unsigned char* s, Py_ssize_t k, Py_ssize_t size) noexcept:
    """Whether a link's target has a scheme, a host or an entity."""
    cdef Py_ssize_t last = k + MAX_TARGET_BYTES
    while k < size and s[k] != b")" and s[k] != b"]" and s[k] != b"\n":
        if s[k] == b":" or s[k] == b"/" or s[k] == b"&" or k == last:
            return True
        k += 1
    return False
