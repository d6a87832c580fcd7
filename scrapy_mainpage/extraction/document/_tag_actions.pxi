# The effect of tags, roles and inline styles on the walk.

# Effects of a tag, as bits.
cdef enum:
    IS_BLOCK = 1 << 0       # owns text blocks, breaks before and after it
    IS_OPAQUE = 1 << 1      # its descendants are not read
    IS_VOID = 1 << 2        # has no end tag
    IS_ITEM = 1 << 3
    IS_CELL = 1 << 4
    IS_SILENT = 1 << 5      # is left out of the lines
    IS_HEADING = 1 << 6
    # Additions to the text.
    ADDS_BREAK = 1 << 7
    ADDS_RULE = 1 << 8
    ADDS_IMAGE = 1 << 9
    ADDS_MEDIA = 1 << 10
    ADDS_TITLE = 1 << 11
    ADDS_SCRIPT = 1 << 12
    ADDS = ADDS_BREAK | ADDS_RULE | ADDS_IMAGE | ADDS_MEDIA | ADDS_TITLE | ADDS_SCRIPT
    # Bytes of an inline style that are read, blanks left out.
    MAX_STYLE_BYTES = 1024

cdef int[256] ACTIONS_OF    # by a tag's code
cdef int[256] FLAGS_OF

TAG_FLAGS = {
    "pre": PRE, "blockquote": QUOTE, "figcaption": CAPTION, "caption": CAPTION,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE,
    "b": STRONG, "strong": STRONG, "ul": LIST, "ol": LIST, "dl": LIST, "menu": LIST,
    "table": TABLE, "nav": NAVIGATION, "header": HEADER, "footer": FOOTER,
    "aside": ASIDE, "main": MAIN, "article": ARTICLE, "form": FORM, "search": FORM,
    "button": FORM, "dialog": DIALOG, "noscript": NOSCRIPT,
    **{name: WORDLESS for name in WORDLESS_TAGS if name != "object"},
    **{f"h{level}": level << HEADING_SHIFT for level in range(1, 7)},
}
ROLE_FLAGS = {
    b"navigation": NAVIGATION, b"banner": HEADER, b"contentinfo": FOOTER,
    b"complementary": ASIDE, b"main": MAIN, b"article": ARTICLE, b"form": FORM,
    b"search": FORM, b"dialog": DIALOG, b"alertdialog": DIALOG,
    b"list": LIST, b"table": TABLE,
}
MEDIA_TAGS = frozenset("iframe embed video audio object".split())

ACTIONS = (
    (BLOCK_TAGS, IS_BLOCK), (OPAQUE_TAGS, IS_OPAQUE), (VOID_TAGS, IS_VOID),
    (("li", "dt", "dd"), IS_ITEM), (("td", "th"), IS_CELL),
    (("script", "style"), IS_SILENT), ([f"h{level}" for level in range(1, 7)], IS_HEADING),
    (("br",), ADDS_BREAK), (("hr",), ADDS_RULE), (("img",), ADDS_IMAGE),
    (MEDIA_TAGS, ADDS_MEDIA), (("title",), ADDS_TITLE), (("script",), ADDS_SCRIPT),
)

cdef void _fill_tables():
    for name, code in CODES.items():
        FLAGS_OF[code] = TAG_FLAGS.get(name, 0)
        ACTIONS_OF[code] = sum(bit for names, bit in ACTIONS if name in names)


_fill_tables()


cdef int flags_of_roles(bytes roles) except -1:
    """The context of the first known role, as browsers choose it."""
    for role in roles.lower().split():
        if role in ROLE_FLAGS:
            return ROLE_FLAGS[role]
    return 0


cdef bint hides(const unsigned char* style) noexcept:
    """Whether an inline style hides the element."""
    cdef char[MAX_STYLE_BYTES + 1] plain
    cdef int n = 0
    while style[0] and n < MAX_STYLE_BYTES:
        if not is_ascii_blank(style[0]):
            plain[n] = style[0] | 0x20 if b"A" <= style[0] <= b"Z" else style[0]
            n += 1
        style += 1
    plain[n] = 0
    return strstr(plain, b"display:none") != NULL or strstr(plain, b"visibility:hidden") != NULL
