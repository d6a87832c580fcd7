"""The body of each post: its text without panels, buttons and signature; its quotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ...records import Quote
from ..declared.meta import Values
from ..document.tags import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..document.document import Document
    from ..document.schema import Longs, Mask
    from .view import Span, View

MIN_HELD: Final = 0.9
"""Share of a post's words outside of links that its body holds."""

NOTHING: Final = -2
"""No body: a post that says nothing but its header."""

MIN_PROSE: Final = 4
"""Words of a block that may be of the body: fewer are a panel's."""

MAX_FIELD: Final = 12
"""Words of the longest text of a kind that is a field of a header or panel."""

MAX_REPEATED: Final = 60
"""Words of a text that may be a signature."""

MIN_SIGNATURE: Final = 30
"""Characters of a text that says nothing new when the same author says it again."""

MAX_VOTE: Final = 20
"""Words from which on a post says what its body is."""

MAX_QUOTES: Final = 50
_PRE: Final = CODES["pre"]
_SIGNATURE = re.compile(
    r"(?:^|[-_\s])(?:sig(?:nature)?|signatur|user-?sig\w*)(?:$|[-_\s])", re.IGNORECASE
)
_BUTTONS = re.compile(
    r"(?:^|[-_\s])(?:buttons?|controls?|actions?|toolbar|reactions?|likes?|votes?|share|"
    r"edited|lastedit\w*|editedby|notice|attribution|menu|footer|reply-link|"
    r"expand-?link|username|user-?info|userpanel|postprofile|vcard|avatar)(?:$|[-_\s])",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"(?:^|[-_\s])comments?(?:$|[-_\s])", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?:^|[-_\s])(?:bb|bbcode_?|quote_?|post)?(?:quote|zitat|quotation)\w*",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"^(?:originally posted by|quote(?:d)?(?: from| by)?:?|zitat(?: von)?:?|@)?\s?"
    r"([^\n:,]{1,60}?)"
    r"(?:\s(?:said|wrote|writes|schrieb|hat geschrieben|a écrit|escribió)\b.*|\s?:)",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """What posts say: words by block, none of panels; and what they say again."""

    words: dict[int, int]
    repeated: frozenset[str]


def find_said(view: View, spans: list[Span], authors: list[str | None]) -> Said:
    """The words of blocks whose kind holds longer texts, each text once.

    A kind that never holds many words is one of a header, a panel or buttons; a longer
    text of most posts by the same author, and of no other, is a signature; where no
    author is known, any text that is said again.
    """
    document, prose = view.document, view.prose
    elements, within = document.blocks.element, blocks_of(document, spans)
    quoted = cover(document, quote_elements(document, within), within)
    if view.is_answer(spans[-1].element):
        below = named_elements(document, within, _COMMENT)[0]
        comments = cover(document, below, within)
    else:
        comments = np.zeros(document.n_blocks, bool)
    longest: Counter[object] = Counter()
    texts: Counter[str] = Counter()
    writers: dict[str, set[str | None]] = defaultdict(set)
    rows = []
    for span, author in zip(spans, authors, strict=True):
        seen = set()
        for block in range(span.first, span.end):
            if comments[block]:
                continue
            element, words = int(elements[block]), prose[block + 1] - prose[block]
            kind = view.key(element), view.key(view.parent[element])
            longest[kind] = max(longest[kind], words)
            is_own = words < MAX_REPEATED and not quoted[block]
            text = document.block_text(block) if is_own else ""
            seen.add(text)
            rows.append((block, kind, words, text))
        texts.update(seen)
        for text in seen:
            writers[text].add(author)
    most = max(longest.values(), default=0)
    least = min(MAX_FIELD, most - 1) if most < MAX_FIELD else max(MAX_FIELD, most // 8)
    often, posts = max(2, len(spans) // 2), Counter(authors)

    def is_said_again(text: str) -> bool:
        if len(text) >= MIN_SIGNATURE:
            own = sum(posts[author] for author in writers[text] if author)
            return texts[text] > 1 and len(writers[text]) == 1 and 2 * texts[text] > own
        return len(spans) > 2 and texts[text] >= often

    again = {text for text in texts if text and is_said_again(text)}
    said = {
        block: words
        for block, kind, words, text in rows
        if longest[kind] > least and text not in again
    }
    return Said(said, frozenset(again))


def blocks_of(document: Document, spans: list[Span]) -> Mask:
    """The blocks of records."""
    found = np.zeros(document.n_blocks, bool)
    for span in spans:
        found[span.first : span.end] = True
    return found


def find_bodies(view: View, spans: list[Span], said: Said) -> list[int]:
    """The element of each post's body; -1 where no element holds it.

    It holds most of the words of long posts; in short ones it is the element of the
    same kind.
    """
    own = [_body(view, span, said.words) for span in spans]
    kinds: Counter[tuple[str, str]] = Counter()
    for span, body in zip(spans, own, strict=True):
        if body >= 0:
            words = sum(said.words.get(k, 0) for k in range(span.first, span.end))
            kinds[view.key(body)] += min(words, MAX_VOTE)
    if not kinds or own.count(-1) > len(own) / 2:
        return own
    kind = kinds.most_common(1)[0][0]
    templates = view.document.templates
    known = {templates[body] for body in own if body >= 0 and view.key(body) == kind}
    places = np.flatnonzero(np.isin(templates, list(known)))
    return [
        _of_kind(view, span, body, places, said.words)
        for span, body in zip(spans, own, strict=True)
    ]


def _of_kind(
    view: View, span: Span, body: int, places: Longs, said: dict[int, int]
) -> int:
    first = np.searchsorted(view.document.elements.first_block[places], span.first)
    best, words = -1, 0
    for place in places[first : first + 20].tolist():
        if view.first_block[place] >= span.end:
            break
        if view.end_block[place] > span.end:
            continue
        own = view.prose_in(view.first_block[place], view.end_block[place])
        if own > words or best < 0:
            best, words = place, own
    if best < 0:
        held = sum(said.get(k, 0) for k in range(span.first, span.end))
        return body if held >= MAX_FIELD else NOTHING
    return best


def _body(view: View, span: Span, said: dict[int, int]) -> int:
    """The smallest element in the record that holds nearly all of its longer texts."""
    sizes = [said.get(k, 0) for k in range(span.first, span.end)]
    if not sizes or max(sizes) == 0:
        return -1
    wanted = MIN_HELD * sum(sizes)
    element = int(view.document.blocks.element[span.first + sizes.index(max(sizes))])
    sums = [0, *np.cumsum(sizes).tolist()]
    while element >= 0:
        first, end = view.first_block[element], view.end_block[element]
        if first < span.first or end > span.end:
            return -1
        if sums[end - span.first] - sums[first - span.first] >= wanted:
            owner = view.owner[element]
            is_inside = owner >= span.element  # not that of an inline record
            return _named_around(view, owner, span) if is_inside else -1
        element = view.parent[element]
    return -1


def _named_around(view: View, element: int, span: Span) -> int:
    """The nearest element around a nameless *element* that holds nothing else but code.

    The only paragraph of a short post is what the other posts have several of.
    """
    tags, own = view.document.elements.tag, view.document.blocks.element
    while not view.key(element)[1] and (parent := view.parent[element]) > span.element:
        before = range(view.first_block[parent], view.first_block[element])
        after = range(view.end_block[element], view.end_block[parent])
        if any(tags[own[block]] != _PRE for block in (*before, *after)):
            break
        element = parent
    return element


def kept_blocks(document: Document, left_out: frozenset[str] = frozenset()) -> Mask:
    """The blocks of a body (a document of its own) that the post says.

    Texts that are *left_out* are those of buttons and signatures.
    """
    everything = np.ones(document.n_blocks, bool)
    kept = ~unsaid_blocks(document, [0], left_out, everything)
    # Who says the same thing again and again says it.
    return kept if kept.any() else everything


def unsaid_blocks(
    document: Document, bodies: list[int], left_out: frozenset[str], body: Mask
) -> Mask:
    """The blocks of forms, buttons, signatures and texts *left_out* in the *bodies*.

    *body* are the blocks of these. A thread may stand in a form.
    """
    tags = [document.elements_with_tag(tag).tolist() for tag in ("form", "button")]
    named = named_elements(document, body, _SIGNATURE, _BUTTONS)
    parts = {*chain(*tags, *named)}.difference(bodies)
    found = cover(document, parts, body)
    if left_out:
        blocks = np.flatnonzero(body).tolist()
        found[[b for b in blocks if document.block_text(b) in left_out]] = True
    return found


def signature_blocks(document: Document, within: Mask) -> Mask:
    """The blocks of elements named as signatures, *within* a mask."""
    return cover(document, named_elements(document, within, _SIGNATURE)[0], within)


def quote_elements(document: Document, within: Mask) -> list[int]:
    """The elements of quotes, in document order, with blocks *within* a mask."""
    tagged = document.elements_with_tag("blockquote").tolist()
    return sorted({*tagged, *named_elements(document, within, _QUOTE)[0]} - {0})


def cover(document: Document, elements: Iterable[int], within: Mask) -> Mask:
    """The blocks of those *elements* all of whose blocks are *within* a mask."""
    found = np.zeros(document.n_blocks, bool)
    first, end = document.elements.first_block, document.elements.end_block
    for element in elements:
        part = slice(first[element], end[element])
        if within[part].all():
            found[part] = True
    return found


def named_elements(
    document: Document, body: Mask, *patterns: re.Pattern[str]
) -> list[list[int]]:
    """For each pattern the elements in a *body* whose classes match."""
    near = np.append(body, False)[document.elements.first_block]
    values = Values.read(document, "class", near)
    texts = [text.decode("utf-8", "replace") for text in values.texts]
    matches = ([bool(p.search(text)) for text in texts] for p in patterns)
    return [values.elements(own).tolist() for own in matches]


def find_quotes(document: Document, kept: Mask) -> tuple[Quote, ...]:
    """The outermost quotes in the *kept* blocks of a body, each with whom it quotes."""
    quotes = quote_elements(document, kept)
    found, last = [], 0
    for element in quotes[:MAX_QUOTES]:
        if element >= last:
            last = int(document.elements.end[element])
            if quote := _read_quote(document, element, kept):
                found.append(quote)
    return tuple(found)


def _read_quote(document: Document, element: int, kept: Mask) -> Quote | None:
    first = int(document.elements.first_block[element])
    texts = [
        document.block_text(block)
        for block in range(first, int(document.elements.end_block[element]))
        if kept[block]
    ]
    if not texts:
        return None
    if match := _SAYS.match(texts[0]):
        rest = texts[0][match.end() :].strip()
        texts[:1] = [rest] if rest else []
        return Quote("\n\n".join(texts), match[1].strip())
    before = document.block_text(first - 1) if first else ""
    match = _SAYS.match(before.rpartition("\n")[2]) if len(before) < 120 else None
    return Quote("\n\n".join(texts), match[1].strip() if match else None)
