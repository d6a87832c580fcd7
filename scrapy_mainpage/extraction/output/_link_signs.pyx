"""Permalinks, links of headings to themselves, marks of footnotes, superscripts, icons,
buttons of headings."""

from cpython.unicode cimport Py_UNICODE_ISALPHA
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

from ...text._chars cimport character_at, next_character
from ..document._schema cimport HEADING_SHIFT, RUN_TEXT
from ._columns cimport (
    AFTER_CARET, AS_NOTE, MAX_LEVELS_UP, MAX_NOTE_BYTES, MAX_SIGN_BYTES, MAX_SIGN_RUNS, NO_MARK, RAISED,
    Columns, Wording, raised,
)

from ..document.tags import ATTRIBUTE_CODES, CODES, TAGS

cdef enum:
    MAX_RAISED_BYTES = 12
    MAX_NEAR_ELEMENTS = 24   # in a heading, searched for its anchor
    MAX_SIBLINGS = 8
    MIN_ICON_BYTES = 14      # of the name of an icon font

cdef int HREF = ATTRIBUTE_CODES["href"], ID = ATTRIBUTE_CODES["id"], NAME = ATTRIBUTE_CODES["name"]
cdef int ARIA_HIDDEN = ATTRIBUTE_CODES["aria-hidden"], TAG_I = CODES["i"]
cdef int TAG_A = CODES["a"], TAG_SUP = CODES["sup"], TAG_BUTTON = CODES["button"], TAG_BODY = CODES["body"]

# By tag, whether a permalink may belong to the element.
cdef bytearray TERMS = bytearray(len(TAGS) + 1)
for _name in "h1 h2 h3 h4 h5 h6 dt caption figcaption summary legend th".split():
    TERMS[CODES[_name]] = 1
cdef const uint8_t* IS_TERM = <const uint8_t*><char*>TERMS
cdef int N_TAGS = len(TERMS)

# Parts of class names, in lower case and without hyphens.
cdef list PERMALINK_NAMES = [
    b"headerlink", b"permalink", b"hashlink", b"anchor", b"selflink", b"headinglink",
    b"idlink", b"sectionlink", b"titlelink",
]
cdef list SPOKEN_NAMES = [b"sronly", b"visuallyhidden", b"screenreader", b"hiddenvisually", b"assistive"]
cdef list PRINT_ADDRESSES = [b"/print/", b"_print/", b"print="]
cdef list NOTE_NAMES = [b"footnote", b"noteref", b"fnref"]
cdef list BACK_NAMES = [b"backref", b"backlink", b"footnoteback", b"fnback", b"reversefootnote"]


cdef int find_link_signs(Columns d) except -1:
    """Find the signs that are links to places of the page, superscripts, icons and buttons."""
    read_icons(d)
    read_controls(d)
    read_controls_of_page(d)
    read_links(d)
    read_superscripts(d)


cdef int read_links(Columns d) except -1:
    cdef int k, start, i
    cdef const void* found
    for k in range(d.n_attributes):
        i = d.attributes.element[k]
        if d.attributes.name[k] == ARIA_HIDDEN and (
            d.elements.tag[i] == TAG_I or d.has_name(i, [b"icon"], [])
        ) and is_icon_name(d, i) and not fills_cell(d, i):
            d.silence(i)
        if d.attributes.name[k] == HREF and d.attributes.end[k] > d.attributes.start[k] + 1:
            start = d.attributes.start[k]
            found = memchr(d.values + start, b"#", d.attributes.end[k] - start)
            if found and d.elements.tag[d.attributes.element[k]] == TAG_A:
                start = <int>(<const unsigned char*>found - d.values) + 1
                if start < d.attributes.end[k]:
                    read_link(d, d.attributes.element[k], start, d.attributes.end[k])


cdef int read_icons(Columns d) except -1:
    """Silence names of icons, which a font draws (``home``), a wiki's links to edit, and
    words for those who hear the page.

    One that is all of a table's cell says something: ``check``, ``close``.
    """
    cdef int k, last = -1, size
    for k in range(d.n_tokens):
        size = d.tokens.end[k] - d.tokens.start[k]
        if size >= MIN_ICON_BYTES and d.tokens.element[k] != last and (
            memcmp(d.values + d.tokens.start[k], b"material-icons", 14) == 0
            or memcmp(d.values + d.tokens.start[k], b"material-symbo", 14) == 0
        ):
            last = d.tokens.element[k]
            if is_icon_name(d, last) and not fills_cell(d, last):
                d.silence(last)
        elif (
            d.values[d.tokens.start[k]] in b"avhs"
            or (size > 12 and memcmp(d.values + d.tokens.end[k] - 6, b"reader", 6) == 0)
            or (size > 12 and memcmp(d.values + d.tokens.end[k] - 11, b"reader-text", 11) == 0)
        ) and d.has_name(d.tokens.element[k], SPOKEN_NAMES, []):
            read_spoken(d, d.tokens.element[k])
        elif size == MIN_ICON_BYTES and memcmp(d.values + d.tokens.start[k], b"mw-editsection", 14) == 0:
            # MediaWiki's links in a heading, in the language of the wiki.
            if term_of(d, d.tokens.element[k]) >= 0:
                d.silence(d.tokens.element[k])


cdef int read_spoken(Columns d, int i) except -1:
    """Silence words for those who hear the page, beside others of their line or link ("opens
    in a new tab", "Original price was"), or in a link to a place of the page ("Section
    titled ..."). What is all of a line is a label or a part of the page, as a heading is.
    """
    cdef int control = d.elements.link[i], owner = d.elements.owner[i]
    if control < 0 and d.elements.tag[owner] == TAG_BUTTON:
        control = owner
    if says_more(d, control, i) or d.value(control, HREF)[:1] == b"#" or (
        control < 0 and owner != i and not d.elements.flags[i] >> HEADING_SHIFT and says_more(d, owner, i)
    ):
        d.silence(i)


cdef int read_controls_of_page(Columns d) except -1:
    """Silence lines of links that jump to a part of the page, print or share it."""
    cdef int k, run, a, kind, found
    for k in range(d.n_blocks):
        if not d.blocks.words[k] or d.blocks.linked_words[k] < d.blocks.words[k] or (
            d.blocks.flags[k] >> HEADING_SHIFT
        ):
            continue
        found = 0
        for run in range(d.blocks.first_run[k], d.blocks.end_run[k]):
            a = d.elements.link[d.runs.element[run]]
            if a >= 0 and d.runs.kind[run] == RUN_TEXT:
                kind = control_kind(d, a)
                found = max(found, kind)
                if not kind:
                    break
        else:
            if found == 2:
                d.silence_block(k)


cdef int control_kind(Columns d, int a) except -1:
    """0: another link, 1: one with an address in its address, 2: one that jumps or prints."""
    cdef bytes address = d.value(a, HREF)
    if (len(address) > 1 and address.startswith(b"#") and d.has_name(a, [b"jump"], [])) or (
        any([name in address for name in PRINT_ADDRESSES])
    ):
        return 2
    return address.rfind(b"http") > 0


cdef int read_controls(Columns d) except -1:
    """Silence buttons beside the words of a heading or a term ("Copy", "Show all"), and
    links in brackets after them ("[source]")."""
    cdef int i, term
    for i in range(d.n_elements):
        if d.elements.tag[i] == TAG_BUTTON or (d.elements.tag[i] == TAG_A and is_in_brackets(d, i)):
            term = term_of(d, i)
            if term < 0 or not says_more(d, term, i):
                continue
            if d.elements.tag[i] == TAG_BUTTON or not has_letters(
                d, d.elements.end_run[i], d.elements.end_run[term]
            ):
                d.silence(i)


cdef bint is_in_brackets(Columns d, int a):
    """Whether the text of a link is a word or two in square brackets."""
    cdef int k = d.elements.first_run[a]
    if k >= d.elements.end_run[a] or d.runs.kind[k] != RUN_TEXT or d.text[d.runs.start[k]] != c"[":
        return False
    cdef bytes text = text_of(d, a).strip()
    return 2 < len(text) <= MAX_SIGN_BYTES and text.endswith(b"]") and text[1:2].isalpha()


cdef inline bint is_term(Columns d, int i) noexcept:
    return d.elements.tag[i] < N_TAGS and IS_TERM[d.elements.tag[i]]


cdef bint fills_cell(Columns d, int i) noexcept:
    cdef int cell = d.elements.cell[i]
    return cell >= 0 and (
        d.elements.end_run[cell] - d.elements.first_run[cell]
        == d.elements.end_run[i] - d.elements.first_run[i]
    )


cdef bint is_icon_name(Columns d, int i) noexcept:
    """Whether an element has one word of small letters, digits, underscores and hyphens."""
    cdef int k = d.elements.first_run[i], place
    if d.elements.end_run[i] - k != 1 or d.runs.kind[k] != RUN_TEXT:
        return False
    for place in range(d.runs.start[k], d.runs.end[k]):
        if not (97 <= d.text[place] <= 122 or 48 <= d.text[place] <= 57 or d.text[place] in b"_- "):
            return False
    return True


cdef int read_link(Columns d, int a, int start, int end) except -1:
    """Judge a link to the fragment at `start` of the values."""
    cdef Wording w = d.wording(a)
    cdef int term
    term = term_of(d, a)
    if w.letters and term >= 0 and d.has_name(a, BACK_NAMES, []) and not says_more(d, term, a):
        d.markup[a] = NO_MARK  # the words of a heading, which lead back to the contents
        return 0
    if w.size > MAX_SIGN_BYTES:
        return 0
    if w.size and w.size <= MAX_NOTE_BYTES and read_note(d, a, &w):
        return 0
    if not w.letters and not w.digits:
        if w.size and w.signs or (term >= 0 or is_own(d, a, term, start, end)) and (
            not w.size or says_more(d, term, a) or d.has_name(a, PERMALINK_NAMES, [])
        ):
            d.markup[a] = NO_MARK
            d.silence(a)
    elif term >= 0 and is_own(d, a, term, start, end):
        d.markup[a] = NO_MARK
        # A link around whole blocks was not closed: the text is that of the page.
        if d.elements.first_block[a] == d.elements.end_block[a] and (
            d.has_name(a, PERMALINK_NAMES, []) and says_more(d, term, a)
        ):
            d.silence(a)


cdef bytes text_of(Columns d, int i):
    cdef int first = d.elements.first_run[i], last = d.elements.end_run[i] - 1
    return d.text_object[d.runs.start[first]:d.runs.end[last]].strip() if first <= last else b""


cdef int term_of(Columns d, int a) noexcept:
    """The heading, term or caption around a link, or -1."""
    for _ in range(MAX_LEVELS_UP):
        a = d.elements.parent[a]
        if a < 0:
            break
        if is_term(d, a):
            return a
    return -1


cdef bint says_more(Columns d, int term, int a) noexcept:
    """Whether a heading has letters beside those of a link in it."""
    return term >= 0 and (
        has_letters(d, d.elements.first_run[term], d.elements.first_run[a])
        or has_letters(d, d.elements.end_run[a], d.elements.end_run[term])
    )


cdef bint has_letters(Columns d, int first, int end) noexcept:
    cdef int k, place
    for k in range(first, min(end, first + MAX_SIGN_RUNS)):
        if d.runs.kind[k] != RUN_TEXT:
            continue
        place = d.runs.start[k]
        while place < d.runs.end[k]:
            if Py_UNICODE_ISALPHA(character_at(d.text, place, d.runs.end[k])):
                return True
            place = next_character(d.text, place, d.runs.end[k])
    return False


cdef bint is_own(Columns d, int a, int term, int start, int end) noexcept:
    """Whether a fragment leads to the element that the link stands in or beside."""
    cdef int i, sibling
    if term >= 0 and is_target(d, term, min(d.elements.end[term], term + MAX_NEAR_ELEMENTS), start, end):
        return True
    i = a
    for _ in range(MAX_LEVELS_UP):
        if i < 0 or d.elements.tag[i] == TAG_BODY:
            break
        if is_target(d, i, i + 1, start, end):
            return True
        i = d.elements.parent[i]
    i = d.elements.parent[a]
    if i < 0:
        return False
    sibling = i + 1
    for _ in range(MAX_SIBLINGS):
        if sibling >= d.elements.end[i]:
            break
        if is_term(d, sibling):
            if is_target(d, sibling, sibling + 1, start, end):
                return True
        sibling = d.elements.end[sibling]
    return False


cdef bint is_target(Columns d, int i, int last, int start, int end) noexcept:
    """Whether an element from `i` to `last` has the fragment as its id or name."""
    cdef int k
    for k in range(d.elements.first_attribute[i], d.attributes_end(last)):
        if d.attributes.name[k] == ID or d.attributes.name[k] == NAME:
            if d.is_same(start, end, d.attributes.start[k], d.attributes.end[k]):
                return True
    return False


cdef bint read_note(Columns d, int a, Wording* w) except -1:
    """Judge a short link as the mark of a footnote or the way back to it."""
    cdef int i, k
    if d.is_named(a, d.up(a, 3), BACK_NAMES, []):
        d.markup[a] = NO_MARK
        if w.digits and not w.letters:  # the number of the note
            return True
        i = a
        for _ in range(3):
            if d.elements.parent[i] >= 0 and d.has_name(d.elements.parent[i], BACK_NAMES, []):
                i = d.elements.parent[i]
        d.silence(i)
        return True
    i = superscript_of(d, a)
    if i < 0 and not d.has_name(a, NOTE_NAMES, []):
        return False
    d.markup[a] = NO_MARK
    if i >= 0:
        d.markup[i] = NO_MARK
    k = w.run
    if w.runs == 1 and d.text[d.runs.start[k]] != b"[" and not (
        d.runs.start[k] and d.text[d.runs.start[k] - 1] == b"["
    ):
        d.role[k] = AS_NOTE
    return True


cdef int superscript_of(Columns d, int a) noexcept:
    """The superscript around a link, or the one that is all of it; or -1."""
    cdef int i = a
    for _ in range(3):
        i = d.elements.parent[i]
        if i < 0:
            break
        if d.elements.tag[i] == TAG_SUP:
            return i
    for i in range(a + 1, min(d.elements.end[a], a + 3)):
        if d.elements.tag[i] == TAG_SUP:
            return i
    return -1


cdef int read_superscripts(Columns d) except -1:
    cdef int i
    cdef Wording w
    for i in range(d.n_elements):
        if d.elements.tag[i] == TAG_SUP and not d.markup[i]:
            w = d.wording(i)
            if w.runs == 1 and w.size and not w.pictures and not d.role[w.run]:
                raise_run(d, i, w.run, &w)


cdef int raise_run(Columns d, int i, int k, Wording* w) except -1:
    cdef int start = d.runs.start[k], end = d.runs.end[k]
    cdef bint after_digit = start > 0 and 48 <= d.text[start - 1] <= 57
    if end - start > MAX_RAISED_BYTES or memchr(d.text + start, b" ", end - start):
        return 0
    if w.letters == w.size and (w.size > 1 or after_digit):
        return 0  # 1st, Mme
    if not w.letters and not w.digits:
        return 0  # a registered trademark, a star
    if raised(d.text[start:end]):
        d.role[k] = RAISED
        d.markup[i] = NO_MARK
    else:
        d.role[k] = AFTER_CARET
