"""Declarations of the page: its title and description against each block, its types."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ....text._chars cimport is_letter_or_digit
from ....text._hashing cimport in_word, word_hash
from ...document._bytekinds cimport next_one, next_zero
from ...document._schema cimport RUN_HEAD
from ._view cimport MAX_BLOCK_DISTANCE, View

from ...document.tags import ATTRIBUTE_CODES, CODES

cdef int TAG_TITLE = CODES["title"]
cdef int ATTR_PROPERTY = ATTRIBUTE_CODES["property"], ATTR_NAME = ATTRIBUTE_CODES["name"]
cdef int ATTR_CONTENT = ATTRIBUTE_CODES["content"], ATTR_ITEMTYPE = ATTRIBUTE_CODES["itemtype"]

cdef enum:
    # Words of a title that count; the table of their hashes is far larger.
    MAX_TITLE_WORDS = 64
    N_WORD_SLOTS = 1024
    # Characters of the name of a type.
    MAX_TYPE_CHARS = 40
    NO_TYPE = 30
    TITLE_MISSING = -999

# The title is in the text if a block matches it by this much.
cdef double MIN_TITLE_MATCH = 0.2

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


cdef struct WordSet:
    # An open table of hashes; 0 for none.
    uint64_t[N_WORD_SLOTS] table
    int count


cdef struct Span:
    # Of the values; empty if missing.
    int start, end


cdef struct Declared:
    Span title, description, og_description, og_type
    # The first title and the first og:type count, also if they say nothing.
    bint has_title, has_og_type
    int kinds


cdef int fill_declared(View view, float* out) except -1:
    """The words shared with the title and the description; the page's types."""
    cdef int i, k, end, stop, count, n = view.n
    # Whether a word of the title or the description has that shape.
    cdef unsigned char[N_WORD_SLOTS] looks
    cdef WordSet title, description
    cdef const uint64_t* bits = view.byte_kinds.word
    cdef double words, in_title, in_description
    cdef uint64_t value
    cdef Declared declared
    _read_declared(view, &declared)
    memset(looks, 0, N_WORD_SLOTS)
    _add_words(view, declared.title, &title, looks)
    _add_words(view, declared.description, &description, looks)
    for i in range(n):
        in_title = in_description = 0
        count, stop = 0, view.stop[i]
        k = next_one(bits, view.start[i], stop)
        while k < stop:
            end = next_zero(bits, k, stop)
            count += 1
            # Rarely true: the shapes of most words differ.
            if looks[_word_shape(view.text, k, end)]:
                value = word_hash(view.text, &k, end)
                in_title += _has_word(&title, value)
                in_description += _has_word(&description, value)
            k = next_one(bits, end, stop)
        words = max(count, 1)
        out[i] = <float>(in_title / words)
        out[n + i] = <float>(in_title / max(title.count, 1))
        out[2 * n + i] = title.count
        out[3 * n + i] = <float>(in_description / words)
        out[4 * n + i] = <float>(in_description / max(description.count, 1))
        out[5 * n + i] = description.count
        view.title_match[i] = out[i] * min(out[n + i], <float>1)
    _fill_types(view, &declared, out + 6 * n)


cdef inline int _word_shape(const unsigned char* text, int begin, int end) noexcept:
    """A small number that equal words share, letter case aside."""
    return (
        (text[begin] | 0x20) ^ (text[(begin + end) >> 1] | 0x20) << 2
        ^ (text[end - 1] | 0x20) << 3 ^ (end - begin) << 5
    ) & (N_WORD_SLOTS - 1)


cdef int _add_words(View view, Span piece, WordSet* known, unsigned char* looks) except -1:
    cdef int k = piece.start, at, begin
    cdef uint64_t value
    known.count = 0
    for at in range(N_WORD_SLOTS):
        known.table[at] = 0
    while k < piece.end and known.count < MAX_TITLE_WORDS:
        if not in_word(view.values[k]):
            k += 1
            continue
        begin = k
        value = word_hash(view.values, &k, piece.end)
        looks[_word_shape(view.values, begin, k)] = 1
        known.count += 1
        at = <int>(value & (N_WORD_SLOTS - 1))
        while known.table[at] and known.table[at] != value:
            at = (at + 1) & (N_WORD_SLOTS - 1)
        known.table[at] = value


cdef inline bint _has_word(const WordSet* known, uint64_t value) noexcept:
    cdef int at = <int>(value & (N_WORD_SLOTS - 1))
    while known.table[at]:
        if known.table[at] == value:
            return True
        at = (at + 1) & (N_WORD_SLOTS - 1)
    return False


cdef int _read_declared(View view, Declared* found) except -1:
    """The title, the longest description, and the kinds of the types that are named."""
    cdef int k, name
    found.title = found.description = found.og_description = found.og_type = Span(0, 0)
    found.has_title = found.has_og_type = False
    found.kinds = 0
    for k in range(view.n_runs):
        if view.run_kind[k] == RUN_HEAD:
            if view.tag[view.run_element[k]] != TAG_TITLE:
                found.kinds |= _types_in(view.document.values, view.run_start[k], view.run_end[k])
            elif not found.has_title:
                found.title = Span(view.run_start[k], view.run_end[k])
                found.has_title = True
    for k in range(view.n_attributes):
        name = view.attribute[k]
        if name == ATTR_ITEMTYPE or name == ATTR_CONTENT:
            found.kinds |= _types_in(
                view.document.values, view.attribute_start[k], view.attribute_end[k]
            )
        elif name == ATTR_PROPERTY or name == ATTR_NAME:
            if _is_named(view, k, b"description", 11):
                _keep_longer(view, k, &found.description)
            elif _is_named(view, k, b"og:description", 14):
                _keep_longer(view, k, &found.og_description)
            elif not found.has_og_type and _is_named(view, k, b"og:type", 7):
                found.og_type = _content_of(view, view.attribute_element[k])
                found.has_og_type = True
    if _span_length(found.og_description) > _span_length(found.description):
        found.description = found.og_description


cdef inline int _span_length(Span piece) noexcept:
    return piece.end - piece.start


cdef void _keep_longer(View view, int attribute, Span* best) noexcept:
    cdef Span content = _content_of(view, view.attribute_element[attribute])
    if _span_length(content) > _span_length(best[0]):
        best[0] = content


cdef bint _is_named(View view, int attribute, const char* name, int size) noexcept:
    """Whether the attribute has that value, letter case apart."""
    cdef int k, start = view.attribute_start[attribute]
    cdef unsigned char c
    if view.attribute_end[attribute] - start != size:
        return False
    for k in range(size):
        c = view.values[start + k]
        if b"A" <= c <= b"Z":
            c |= 0x20
        if c != <unsigned char>name[k]:
            return False
    return True


cdef Span _content_of(View view, int element) noexcept:
    cdef int k = view.first_attribute[element]
    while k < view.n_attributes and view.attribute_element[k] == element:
        if view.attribute[k] == ATTR_CONTENT:
            return Span(view.attribute_start[k], view.attribute_end[k])
        k += 1
    return Span(0, 0)


cdef int _fill_types(View view, const Declared* declared, float* out) except -1:
    """1 where the page names a schema.org type of that kind; whether it is an article."""
    cdef int i, k, n = view.n
    cdef bint article = b"article" in view.values[declared.og_type.start:declared.og_type.end]
    for k in range(N_TYPES):
        for i in range(n):
            out[k * n + i] = declared.kinds >> k & 1
    for i in range(n):
        out[N_TYPES * n + i] = article


cdef int _types_in(bytes values, Py_ssize_t start, Py_ssize_t end) except -1:
    """The kinds of the types in JSON-LD or in addresses of schema.org, as bits."""
    cdef const unsigned char* text = values
    cdef Py_ssize_t at = values.find(b'"@type"', start, end), after, begin
    cdef int kinds = 0
    while at >= 0:
        # Its last quotation mark may be the first one of another.
        at += 6
        begin = _value_begin(text, at + 1)
        after = _name_end(text, begin, end) if begin else 0
        if begin < after < end and text[after] == b'"':
            kinds |= 1 << <int>TYPE_OF.get(values[begin:after], NO_TYPE)
            at = after + 1
        at = values.find(b'"@type"', at, end)
    at = values.find(b"schema.org/", start, end)
    while at >= 0:
        after = _name_end(text, at + 11, end)
        kinds |= 1 << <int>TYPE_OF.get(values[at + 11:after], NO_TYPE)
        at = values.find(b"schema.org/", after, end)
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
    cdef Py_ssize_t last = min(k + MAX_TYPE_CHARS, size)
    while k < last and (is_letter_or_digit(text[k]) or text[k] == b"_"):
        k += 1
    return k


cdef int fill_sections(View view, float* out) except -1:
    """The heading above, and the distance to the block with the page's title."""
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
        out[5 * n + i] = TITLE_MISSING
        if most > MIN_TITLE_MATCH:
            out[5 * n + i] = max(min(i - title, MAX_BLOCK_DISTANCE), -MAX_BLOCK_DISTANCE)
