"""Features of text blocks for their roles: names and phrases around them, and their place.

The work per block does not depend on the page.
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t

from ..document._schema cimport HEADING_SHIFT, last_character
from ._role_page cimport Naming, Nearest, RolePage, Sums, larger, nearest_to, sums_before

from ..document.schema import Context
from ..document.tags import CODES
from . import LABELS
from .phrases import Topic
from . import NAMED

ctypedef const int32_t[::1] Ints

TAGS = ("li", "p", "div", "button", "a", "span", "td", "th", "label", "legend", "dt", "dd",
        "section", "aside", "form", "header", "footer", "nav", "body", "time", "figcaption")
ROLE_NAMES = [str(label) for label in LABELS if not label.is_main]

cdef enum:
    MAX_FEATURES = 400
    LEVELS = 3
    # Blocks; distances are cut off there.
    MAX_DISTANCE = 300
    # Distance from the title of a page without one.
    TITLE_MISSING = 999

cdef int N_ROLES = len(ROLE_NAMES), N_TOPICS = len(Topic), N_NAMED = len(NAMED)
cdef int N_TAGS = len(TAGS), N_CONTEXTS = len(Context)

# The fields of these records are the features, in the order of their names.


cdef struct NameFeatures:
    # Of the innermost element around with such a name: its share of blocks, and how far up.
    float near, above


cdef struct TopicFeatures:
    # Shares of words in phrases: of the block, whether they open it; of the heading above;
    # of the next two larger elements around, and of their first blocks; of the blocks beside.
    float say, open, heading, in1, first1, in2, first2, next, previous


cdef struct PlaceFeatures:
    float heading_distance, from_main_start, from_main_end, since_main, until_main
    float main_before, from_title, main_share
    # Of the main content, in the elements around.
    float main1, main2, main3


cdef struct TextFeatures:
    float words, characters_per_word, link_density, digit_share, capital_share
    float strong_share, sentences, commas, heading_level, last_character, place, blocks, forum


cdef struct BesideFeatures:
    float previous_words, previous_link_density, next_words, next_link_density


cdef struct LevelFeatures:
    float blocks, words_per_block, links, headings, buttons, place


cdef NameFeatures _of_names
cdef TopicFeatures _of_topics
cdef PlaceFeatures _of_place
cdef TextFeatures _of_text
cdef BesideFeatures _of_beside
cdef LevelFeatures _of_levels
# Of each record a dictionary by its fields.
cdef dict OF_NAMES = _of_names, OF_TOPICS = _of_topics, OF_PLACE = _of_place
cdef dict OF_TEXT = _of_text, OF_BESIDE = _of_beside, OF_LEVELS = _of_levels

NAMES = (
    *(f"{kind}_{name}" for name in NAMED for kind in OF_NAMES),
    *(f"{kind}_{topic.name.lower()}" for topic in Topic for kind in OF_TOPICS),
    "read_words", "numbers", "separators",
    *OF_PLACE, *OF_TEXT, *OF_BESIDE,
    *(f"{kind}{level}" for level in range(1, LEVELS + 1) for kind in OF_LEVELS),
    *(f"in_{context.name.lower()}" for context in Context),
    *(f"tag_{tag}" for tag in TAGS),
    *(f"words_{role}" for role in ROLE_NAMES),
)
cdef int N_FEATURES = len(NAMES)
assert len(NAMES) <= MAX_FEATURES

_places = np.full(max(CODES.values()) + 1, -1, np.int32)
_places[[CODES[tag] for tag in TAGS]] = range(len(TAGS))
cdef int32_t[::1] TAG_PLACE = _places


cdef void write(RolePage page, int b, float[:, ::1] out, int column) noexcept:
    """All features of the block *b*, in the order of ``NAMES``."""
    cdef float[MAX_FEATURES] row
    cdef float* end = add_names(page, b, row)
    cdef int k
    end = add_topics(page, b, end)
    end[0], end[1], end[2] = page.read[b], page.numbers[b], page.separators[b]
    end = add_place(page, b, end + 3)
    end = add_text(page, b, end)
    end = add_beside(page, b, end)
    end = add_levels(page, b, end)
    end = add_markup(page, b, end)
    for k in range(N_ROLES):
        end[k] = page.word_sums[b, k] / <float>sqrt(max(page.slots[b], 1))
    for k in range(N_FEATURES):
        out[k, column] = row[k]


# Each writes its features from *out* on, and returns where the next ones begin.


cdef float* add_names(RolePage page, int b, float* out) noexcept:
    cdef NameFeatures* f = <NameFeatures*>out
    cdef int k, element = page.t.blocks.element[b]
    cdef Naming* naming = <Naming*>&page.namings[page.naming_of[element], 0]
    for k in range(N_NAMED):
        f.near = <float>naming.blocks[k] / page.n
        f.above = page.t.elements.depth[element] - naming.depth[k] + 1 if naming.blocks[k] else 0
        f += 1
    return <float*>f


cdef float* add_topics(RolePage page, int b, float* out) noexcept:
    cdef TopicFeatures* f = <TopicFeatures*>out
    cdef int k, inner = larger(page, page.t.blocks.element[b]), outer = larger(page, inner)
    cdef int heading = nearest_to(page, b).heading
    for k in range(N_TOPICS):
        f.say, f.open = page.share[b, k], page.opening[b] >> k & 1
        f.heading = page.share[heading, k] if heading >= 0 else 0
        f.in1, f.first1 = share_in(page, inner, k), page.share[page.t.elements.first_block[inner], k]
        f.in2, f.first2 = share_in(page, outer, k), page.share[page.t.elements.first_block[outer], k]
        f.next = page.share[b + 1, k] if b + 1 < page.n else 0
        f.previous = page.share[b - 1, k] if b else 0
        f += 1
    return <float*>f


cdef inline float share_in(RolePage page, int element, int topic) noexcept:
    """The mean share over the blocks of an element."""
    cdef int first = page.t.elements.first_block[element], end = page.t.elements.end_block[element]
    return (page.shares_before[end, topic] - page.shares_before[first, topic]) / max(end - first, 1)


cdef float* add_place(RolePage page, int b, float* out) noexcept:
    cdef PlaceFeatures* f = <PlaceFeatures*>out
    cdef Nearest* near = nearest_to(page, b)
    cdef float* part = &f.main1
    cdef int level, element = page.t.blocks.element[b]
    f.heading_distance = min(b - near.heading, MAX_DISTANCE) if near.heading >= 0 else MAX_DISTANCE
    f.from_main_start, f.from_main_end = b - page.first_main, b - page.last_main
    f.since_main = min(b - near.main_before, MAX_DISTANCE) if near.main_before >= 0 else MAX_DISTANCE
    f.until_main = min(near.main_after - b, MAX_DISTANCE) if near.main_after >= 0 else MAX_DISTANCE
    f.main_before = sums_before(page, b).main_words / page.main_words
    f.from_title = b - page.title if page.title >= 0 else TITLE_MISSING
    f.main_share = <float>sums_before(page, page.n).main / page.n
    for level in range(LEVELS):
        element = larger(page, element)
        part[level] = (
            sums_before(page, page.t.elements.end_block[element]).main_words
            - sums_before(page, page.t.elements.first_block[element]).main_words
        ) / page.main_words
    return <float*>(f + 1)


cdef float* add_text(RolePage page, int b, float* out) noexcept:
    cdef TextFeatures* f = <TextFeatures*>out
    cdef int words = max(page.t.blocks.words[b], 1), chars = max(page.t.blocks.chars[b], 1)
    f.words = page.t.blocks.words[b]
    f.characters_per_word = <float>page.t.blocks.chars[b] / words
    f.link_density = link_density(page, b)
    f.digit_share = <float>page.t.blocks.digits[b] / chars
    f.capital_share = <float>page.t.blocks.capitals[b] / chars
    f.strong_share = <float>page.t.blocks.strong_words[b] / words
    f.sentences, f.commas = page.t.blocks.sentences[b], page.t.blocks.commas[b]
    f.heading_level = page.t.blocks.flags[b] >> HEADING_SHIFT
    f.last_character = last_character(page.text, page.t.blocks.start[b], page.t.blocks.end[b])
    f.place, f.blocks, f.forum = <float>b / page.n, page.n, page.forum
    return <float*>(f + 1)


cdef float* add_beside(RolePage page, int b, float* out) noexcept:
    cdef BesideFeatures* f = <BesideFeatures*>out
    f[0] = BesideFeatures(-1, -1, -1, -1)
    if b:
        f.previous_words, f.previous_link_density = page.t.blocks.words[b - 1], link_density(page, b - 1)
    if b + 1 < page.n:
        f.next_words, f.next_link_density = page.t.blocks.words[b + 1], link_density(page, b + 1)
    return <float*>(f + 1)


cdef inline float link_density(RolePage page, int b) noexcept:
    return <float>page.t.blocks.linked_words[b] / max(page.t.blocks.words[b], 1)


cdef float* add_levels(RolePage page, int b, float* out) noexcept:
    """The contents of the next larger elements around."""
    cdef LevelFeatures* f = <LevelFeatures*>out
    cdef int _level, first, size, words, element = page.t.blocks.element[b]
    cdef Sums* low
    cdef Sums* high
    for _level in range(LEVELS):
        element = larger(page, element)
        first = page.t.elements.first_block[element]
        low, high = sums_before(page, first), sums_before(page, page.t.elements.end_block[element])
        size, words = max(<int>(high - low), 1), high.words - low.words
        f.blocks, f.words_per_block = size, <float>words / size
        f.links = <float>(high.linked - low.linked) / max(words, 1)
        f.headings = <float>(high.headings - low.headings) / size
        f.buttons = <float>(high.buttons - low.buttons) / size
        f.place = <float>(b - first) / size
        f += 1
    return <float*>f


cdef float* add_markup(RolePage page, int b, float* out) noexcept:
    """The context of the block, and the tag of its element."""
    cdef int k, tag = page.t.elements.tag[page.t.blocks.element[b]]
    for k in range(N_CONTEXTS):
        out[k] = page.t.blocks.flags[b] >> k & 1
    out += N_CONTEXTS
    for k in range(N_TAGS):
        out[k] = 0
    if tag < TAG_PLACE.shape[0] and TAG_PLACE[tag] >= 0:
        out[TAG_PLACE[tag]] = 1
    return out + N_TAGS


def role_features(
    document,
    const uint64_t[::1] bits,
    phrases,
    const uint8_t[::1] main,
    Ints wanted,
    int title,
    bint forum,
):
    """A matrix (float32) with a row per feature of ``NAMES``, a column per *wanted* block.

    *bits* are the names of the elements, *phrases* those of the blocks, *main* is the
    mask of main content, *title* the block of the page's title or -1.
    """
    cdef int j
    cdef RolePage page
    result = np.empty((len(NAMES), wanted.shape[0]), np.float32)
    cdef float[:, ::1] out = result
    if wanted.shape[0]:
        page = RolePage(document, bits, phrases, main, title, forum)
        for j in range(wanted.shape[0]):
            write(page, wanted[j], out, j)
    return result
