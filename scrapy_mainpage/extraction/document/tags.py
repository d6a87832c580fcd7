"""The HTML vocabulary of the document pass.

A tag's code is its index in :data:`TAGS`; codes from ``len(TAGS)`` on are the other
names of one document (custom elements, typing errors). An attribute's code is its index
in :data:`ATTRIBUTES`; others are kept on demand only, without their names.
"""

from __future__ import annotations

from typing import Final

from .schema import HEADING_SHIFT, Context

BLOCK_TAGS: Final = (
    "html body address article aside blockquote button caption center dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 "
    "h5 h6 head header hgroup hr legend li main menu nav noscript ol optgroup p pre "
    "search section summary table tbody td tfoot th thead tr ul"
).split()
"""Tags that end a text block and begin a new one."""

_OTHER_TAGS: Final = (
    "script style template svg iframe select textarea noframes title map "
    "datalist rp applet frame"
).split()

OPAQUE_TAGS: Final = sorted({*_OTHER_TAGS, "noembed"} - {"map", "applet"})
"""Tags whose descendants are left out of the document, but for HTML in ``svg``."""

VOID_TAGS: Final = (
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr"
).split()
"""Tags of elements without content and end tag."""

UNCLOSED_TAGS: Final = ["embed"]
"""Void tags that libxml2 parses as containers of all that follows in their parent."""

WORDLESS_TAGS: Final = "video audio canvas object progress meter".split()
"""Tags whose elements are kept, while their text is a mere fallback; of ``object``
where it has data."""

INLINE_TAGS: Final = (
    "a abbr acronym area b base basefont bdi bdo bgsound big blink br cite code col "
    "colgroup data del dfn em font i img image input ins kbd keygen label link mark "
    "marquee math meta nobr option output param picture q rb rt rtc ruby s samp slot "
    "small source span strike strong sub sup time track tt u var wbr"
).split()

# The models were trained with codes in this order.
TAGS: Final = (
    *(BLOCK_TAGS + _OTHER_TAGS + UNCLOSED_TAGS + WORDLESS_TAGS + INLINE_TAGS),
    "noembed",
)
CODES: Final = {name: code for code, name in enumerate(TAGS)}

HEADING_CODES: Final = tuple(CODES[f"h{level}"] for level in range(1, 7))

TAG_CONTEXTS: Final[dict[str, int]] = {
    **dict.fromkeys(WORDLESS_TAGS, Context.WORDLESS),
    **dict.fromkeys("code kbd samp tt".split(), Context.CODE),
    **dict.fromkeys(("caption", "figcaption"), Context.CAPTION),
    **dict.fromkeys("ul ol dl menu".split(), Context.LIST),
    **dict.fromkeys("form search button".split(), Context.FORM),
    **dict.fromkeys(("b", "strong"), Context.STRONG),
    **{f"h{level}": level << HEADING_SHIFT for level in range(1, 7)},
    "pre": Context.PRE,
    "blockquote": Context.QUOTE,
    "table": Context.TABLE,
    "nav": Context.NAVIGATION,
    "header": Context.HEADER,
    "footer": Context.FOOTER,
    "aside": Context.ASIDE,
    "main": Context.MAIN,
    "article": Context.ARTICLE,
    "dialog": Context.DIALOG,
    "noscript": Context.NOSCRIPT,
    "object": 0,
}
"""The flags of all that is in an element with the tag."""

ROLE_CONTEXTS: Final[dict[bytes, int]] = {
    b"navigation": Context.NAVIGATION,
    b"banner": Context.HEADER,
    b"contentinfo": Context.FOOTER,
    b"complementary": Context.ASIDE,
    b"main": Context.MAIN,
    b"article": Context.ARTICLE,
    b"form": Context.FORM,
    b"search": Context.FORM,
    b"dialog": Context.DIALOG,
    b"alertdialog": Context.DIALOG,
    b"list": Context.LIST,
    b"table": Context.TABLE,
}
"""The flags of all that is in an element with the ARIA role."""

ATTRIBUTES: Final = (
    "class id role href src srcset data-src alt title lang xml:lang dir rel name "
    "property content itemprop itemtype datetime type charset http-equiv colspan "
    "rowspan start cite poster data aria-label data-mainpage data-lang data-language "
    "reversed value width height action method typeof x-for x-if hx-get data-hx-get "
    "hx-trigger data-hx-trigger wire:init wire:lazy up-defer aria-hidden "
    "data-nosnippet data-pagefind-ignore data-elastic-exclude data-search-exclude *"
).split()
"""The attributes that are kept: ``value`` of ``li`` and ``input``, sizes of ``img``.

A document that keeps all attributes has the others under the name ``*``.
"""

ATTRIBUTE_CODES: Final = {name: code for code, name in enumerate(ATTRIBUTES)}


def codes(names: str) -> frozenset[int]:
    """The codes of the blank-separated tag *names*."""
    return frozenset(CODES[name] for name in names.split())
