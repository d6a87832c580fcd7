"""What the page declares: its title against each block, and its schema.org types."""

from libc.stdint cimport int32_t, uint64_t

from .._records cimport RUN_HEAD
from .._structure cimport word_hash
from ._view cimport View

from ..tags import ATTRIBUTE_CODES, CODES

cdef enum:
    # Words of a title that count; the table of their hashes is four times as large.
    MOST_WORDS = 64
    TABLE = 256
    # Characters of the name of a type.
    LONGEST_TYPE = 40
    NO_TYPE = 30
    FAR = 300
    NO_TITLE = -999

# The title is in the text if a block matches it by this much.
cdef double LEAST_MATCH = 0.2

_TYPES = {
    "article": "Article NewsArticle BlogPosting TechArticle ReportageNewsArticle",
    "product": "Product Offer ProductGroup AggregateOffer",
    "list": "ItemList CollectionPage SearchResultsPage OfferCatalog",
    "forum": "DiscussionForumPosting QAPage Question SocialMediaPosting",
    "organisation": "Organization LocalBusiness Service Corporation",
    "recipe": "Recipe HowTo FAQPage",
}
cdef dict TYPE_OF = {
    name.encode(): k for k, names in enumerate(_TYPES.values()) for name in names.split()
}
cdef int N_TYPES = len(_TYPES)

DECLARED_NAMES = (
    *(f"{name}_{of}" for name in ("title", "description") for of in ("share", "found", "words")),
    *(f"page_type_{kind}" for kind in _TYPES),
    "page_og_article",
)
SECTION_NAMES = (
    "in_link section_number heading_above_links heading_above_words heading_above_title"
    " from_title"
).split()
N_DECLARED = len(DECLARED_NAMES)
N_SECTIONS = len(SECTION_NAMES)

cdef int TAG_TITLE = CODES["title"]
cdef int ATTR_PROPERTY = ATTRIBUTE_CODES["property"], ATTR_NAME = ATTRIBUTE_CODES["name"]
cdef int ATTR_CONTENT = ATTRIBUTE_CODES["content"]


cdef struct Words:
    # An open table of hashes; 0 for none.
    uint64_t[TABLE] table
    int count


cdef struct Piece:
    int start, end


cdef int fill_declared(View view, float* out) except -1:
    """The words shared with the title and the description; the page's types."""
    cdef int i, k, n = view.n
    cdef Words title, description
    cdef double words, in_title, in_description
    cdef uint64_t value
    _learn(view, _title(view), &title)
    _learn(view, _description(view), &description)
    view.title_match = <float*>view.take(n * sizeof(float))
    for i in range(n):
        words = in_title = in_description = 0
        k = view.start[i]
        while k < view.stop[i]:
            value = word_hash(view.text, &k, view.stop[i])
            if value:
                words += 1
                in_title += _knows(&title, value)
                in_description += _knows(&description, value)
        words = max(words, 1)
        out[i] = <float>(in_title / words)
        out[n + i] = <float>(in_title / max(title.count, 1))
        out[2 * n + i] = title.count
        out[3 * n + i] = <float>(in_description / words)
        out[4 * n + i] = <float>(in_description / max(description.count, 1))
        out[5 * n + i] = description.count
        view.title_match[i] = out[i] * min(out[n + i], <float>1)
    _fill_types(view, out + 6 * n)
    return 0


cdef int _learn(View view, Piece piece, Words* known) except -1:
    cdef int k = piece.start, at
    cdef uint64_t value
    known.count = 0
    for at in range(TABLE):
        known.table[at] = 0
    while k < piece.end and known.count < MOST_WORDS:
        value = word_hash(view.values, &k, piece.end)
        if value:
            known.count += 1
            at = <int>(value & (TABLE - 1))
            while known.table[at] and known.table[at] != value:
                at = (at + 1) & (TABLE - 1)
            known.table[at] = value
    return 0


cdef inline bint _knows(const Words* known, uint64_t value) noexcept:
    cdef int at = <int>(value & (TABLE - 1))
    while known.table[at]:
        if known.table[at] == value:
            return True
        at = (at + 1) & (TABLE - 1)
    return False


cdef Piece _title(View view) noexcept:
    cdef int k
    for k in range(view.n_runs):
        if view.run_kind[k] == RUN_HEAD and view.tag[view.run_element[k]] == TAG_TITLE:
            return Piece(view.run_start[k], view.run_end[k])
    return Piece(0, 0)


cdef Piece _description(View view) noexcept:
    """The longest text that the page declares as its description."""
    cdef Piece best = Piece(0, 0), found
    cdef int k
    for k in range(view.n_attributes):
        if _is_named(view, k, b"description", 11):
            found = _content(view, view.attribute_element[k])
            if found.end - found.start > best.end - best.start:
                best = found
    for k in range(view.n_attributes):
        if _is_named(view, k, b"og:description", 14):
            found = _content(view, view.attribute_element[k])
            if found.end - found.start > best.end - best.start:
                best = found
    return best


cdef bint _is_named(View view, int attribute, const char* name, int size) noexcept:
    """Whether this is a ``property`` or ``name`` of that value, letter case apart."""
    cdef int k, start = view.attribute_start[attribute]
    cdef unsigned char c
    if view.attribute_end[attribute] - start != size:
        return False
    if view.attribute[attribute] != ATTR_PROPERTY and view.attribute[attribute] != ATTR_NAME:
        return False
    for k in range(size):
        c = view.values[start + k]
        if b"A" <= c <= b"Z":
            c |= 0x20
        if c != <unsigned char>name[k]:
            return False
    return True


cdef Piece _content(View view, int element) noexcept:
    cdef int k = view.first_attribute[element]
    while k < view.n_attributes and view.attribute_element[k] == element:
        if view.attribute[k] == ATTR_CONTENT:
            return Piece(view.attribute_start[k], view.attribute_end[k])
        k += 1
    return Piece(0, 0)


cdef int _fill_types(View view, float* out) except -1:
    """1 where the page names a schema.org type of that kind; whether it is an article."""
    cdef int i, k, n = view.n
    cdef int kinds = _types(view.document.values)
    cdef Piece declared = Piece(0, 0)
    for k in range(view.n_attributes):
        if _is_named(view, k, b"og:type", 7):
            declared = _content(view, view.attribute_element[k])
            break
    cdef bint article = b"article" in view.values[declared.start:declared.end]
    for k in range(N_TYPES):
        for i in range(n):
            out[k * n + i] = kinds >> k & 1
    for i in range(n):
        out[N_TYPES * n + i] = article
    return 0


cdef int _types(bytes values) except -1:
    """The kinds of the types in JSON-LD and in addresses of schema.org, as bits."""
    cdef const unsigned char* text = values
    cdef Py_ssize_t size = len(values), at = values.find(b'"@type"'), after, begin
    cdef int kinds = 0
    while at >= 0:
        at += 7
        begin = _value_begin(text, at)
        after = _name_end(text, begin, size) if begin else at
        if begin and text[after] == b'"':
            kinds |= 1 << <int>TYPE_OF.get(values[begin:after], NO_TYPE)
            at = after + 1
        at = values.find(b'"@type"', at)
    at = values.find(b"schema.org/")
    while at >= 0:
        after = _name_end(text, at + 11, size)
        kinds |= 1 << <int>TYPE_OF.get(values[at + 11:after], NO_TYPE)
        at = values.find(b"schema.org/", after)
    return kinds & ((1 << N_TYPES) - 1)


cdef Py_ssize_t _value_begin(const unsigned char* text, Py_ssize_t k) noexcept:
    """Where the string behind a colon begins; 0 if none does."""
    k = _skip_blanks(text, k)
    if text[k] != b":":
        return 0
    k = _skip_blanks(text, k + 1)
    return k + 1 if text[k] == b'"' else 0


cdef inline Py_ssize_t _skip_blanks(const unsigned char* text, Py_ssize_t k) noexcept:
    cdef Py_ssize_t last = k + 4
    while k < last and (text[k] == b" " or 9 <= text[k] <= 13):
        k += 1
    return k


cdef inline Py_ssize_t _name_end(const unsigned char* text, Py_ssize_t k, Py_ssize_t size) noexcept:
    cdef Py_ssize_t last = min(k + LONGEST_TYPE, size)
    while k < last and (
        b"a" <= text[k] <= b"z" or b"A" <= text[k] <= b"Z" or b"0" <= text[k] <= b"9"
        or text[k] == b"_"
    ):
        k += 1
    return k


cdef int fill_sections(View view, float* out) except -1:
    """What the heading above is, and how far the block lies from the page's title."""
    cdef int i, n = view.n, above = -1, number = 0, title = 0
    cdef double best = -1, match, most = 0
    for i in range(n):
        match = view.title_match[i] * ((view.heading[i] > 0) + 0.01)
        if match > best:
            best, title = match, i
        if view.title_match[i] > most:
            most = view.title_match[i]
    for i in range(n):
        if view.heading[i] > 0:
            above = i
            number += 1
        out[i] = view.link[view.element[i]] >= 0
        out[n + i] = number
        out[2 * n + i] = <float>view.density[above] if above >= 0 else -1
        out[3 * n + i] = view.words[above] if above >= 0 else -1
        out[4 * n + i] = view.title_match[above] if above >= 0 else -1
        out[5 * n + i] = (
            max(min(i - title, FAR), -FAR) if most > LEAST_MATCH else NO_TITLE
        )
    return 0
