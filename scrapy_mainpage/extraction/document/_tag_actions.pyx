"""What a page's tags, roles and inline styles mean for the walk."""

from libc.string cimport strstr

from ...text._chars cimport is_ascii_blank
from ._schema cimport (
    ARTICLE, ASIDE, CAPTION, CODE, DIALOG, FOOTER, FORM, HEADER, HEADING_SHIFT,
    LIST, MAIN, NAVIGATION, NOSCRIPT, PRE, QUOTE, STRONG, TABLE, WORDLESS,
)

from .tags import BLOCK_TAGS, CODES, OPAQUE_TAGS, WORDLESS_TAGS

TAG_FLAGS = {
    "pre": PRE, "blockquote": QUOTE, "figcaption": CAPTION, "caption": CAPTION,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE,
    "b": STRONG, "strong": STRONG, "ul": LIST, "ol": LIST, "dl": LIST, "menu": LIST,
    "table": TABLE, "nav": NAVIGATION, "header": HEADER, "footer": FOOTER,
    "aside": ASIDE, "main": MAIN, "article": ARTICLE, "form": FORM, "search": FORM,
    "button": FORM, "dialog": DIALOG, "noscript": NOSCRIPT,
    **{name: WORDLESS for name in WORDLESS_TAGS},
    **{f"h{level}": level << HEADING_SHIFT for level in range(1, 7)},
}
ROLE_FLAGS = {
    b"navigation": NAVIGATION, b"banner": HEADER, b"contentinfo": FOOTER,
    b"complementary": ASIDE, b"main": MAIN, b"article": ARTICLE, b"form": FORM,
    b"search": FORM, b"dialog": DIALOG, b"alertdialog": DIALOG,
    b"list": LIST, b"table": TABLE,
}
VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr".split()
)
MEDIA_TAGS = frozenset("iframe embed video audio object".split())

ACTIONS = (
    (BLOCK_TAGS, IS_BLOCK), (OPAQUE_TAGS, IS_OPAQUE), (VOID_TAGS, IS_VOID),
    (("li", "dt", "dd"), IS_ITEM), (("td", "th"), IS_CELL),
    (("script", "style"), IS_SILENT), ([f"h{level}" for level in range(1, 7)], IS_HEADING),
    (("br",), ADDS_BREAK), (("hr",), ADDS_RULE), (("img",), ADDS_IMAGE),
    (MEDIA_TAGS, ADDS_MEDIA), (("title",), ADDS_TITLE), (("script",), ADDS_SCRIPT),
)

cdef enum:
    # The bytes of an inline style that are looked at, without blanks.
    LONGEST_STYLE = 1024


cdef void _fill_tables():
    for name, code in CODES.items():
        FLAGS_OF[code] = TAG_FLAGS.get(name, 0)
        ACTIONS_OF[code] = sum(bit for names, bit in ACTIONS if name in names)


_fill_tables()


cdef int flags_of_roles(bytes roles) except -1:
    """The context of the first role that is known, as browsers choose it."""
    for role in roles.lower().split():
        if role in ROLE_FLAGS:
            return ROLE_FLAGS[role]
    return 0


cdef bint hides(const unsigned char* style) noexcept:
    """Whether an inline style takes the element out of sight."""
    cdef char[LONGEST_STYLE + 1] plain
    cdef int n = 0
    while style[0] and n < LONGEST_STYLE:
        if not is_ascii_blank(style[0]):
            plain[n] = style[0] | 0x20 if b"A" <= style[0] <= b"Z" else style[0]
            n += 1
        style += 1
    plain[n] = 0
    return strstr(plain, b"display:none") != NULL or strstr(plain, b"visibility:hidden") != NULL
