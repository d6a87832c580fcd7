"""Who wrote each post, and its address: by the kind of element that most posts have."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ..document.schema import Context, RunKind, Runs
from ..document.tags import CODES
from ..metadata.authors import clean_name
from .bodies import blocks_of, named_elements
from .spots import MAX_CHARACTERS, is_date
from .view import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.document import Document
    from .spots import Spot
    from .view import Span, View

MAX_NAME_CHARACTERS: Final = 40
MAX_RUNS: Final = 200
"""Pieces of text of a post among which its author is searched."""

MIN_SHARE: Final = 0.6
"""Share of the posts in which the author is found in the same kind of element."""

# Both begin with what leaves out most places at once.
_CLASS = re.compile(
    r"(?=[abcdfmnpuv])(?:author|user(?:-?name|-?link|_?info)?\b|\bnick|poster|byline"
    r"|\bfn\b|bigusername|member-?name|display-?name|creator|verfasser|autor|auteur"
    r"|profil|\bname\b|commenter)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?=[abcglrst])(?:title|rank|role|group|badge|location|stats|status|signature"
    r"|avatar|counter|label)",
    re.IGNORECASE,
)
_PROFILE = re.compile(
    r"/(?:users?|members?|profiles?|people|u|membres?|benutzer|mitglied\w*|author|"
    r"personal_pages|profil|account)[/.-]|/@|/~|profile|user_?(?:id|profile)?=|\bu(?:id)?=[0-9]|"
    r"member\.php|showuser|/membre[0-9]",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^\W*$|^#?[0-9.,:\s]+$|:\s*[0-9][0-9.,]*$|^[0-9.,]+\s|^(?:re|aw)\s?:|^(?:reply|quote|report|share|like|edit|posts?|"
    r"beitrag|beiträge|antworten|zitat|zitieren|melden|message|offline|online|member|"
    r"moderator|admin|administrator|guest|gast|by|von|par|joined|location|permalink|link|"
    r"top|up|next|says?|said|wrote|profil|profile|website|"
    r"verfasst am|best answer)\s*:?$|"
    r"[:?!]$|^on\s|https?:",
    re.IGNORECASE,
)
_POST_LINK = re.compile(
    r"#\S{0,99}[0-9]|[?&;/](?:p|post|pid|msg|comment|posts?)[=/-][0-9]+|post-?[0-9]+",
    re.IGNORECASE,
)
_POST_ID = re.compile(r"[0-9]{2,}|^\D{1,20}[0-9]+$")
_ACCEPTED = re.compile(
    r"(?<!un)(?<!not-)(?:accepted(?:-|_)?(?:answer|solution)?|best-?_?answer"
    r"|is-?solution|solution-?(?:post|answer)|answer-?solution|solved-?answer)(?![a-z])",
    re.IGNORECASE,
)
_ACCEPTED_TEXT = re.compile(
    r"\W*(?:best answer|accepted (?:answer|solution)|solution|verified answer"
    r"|beste antwort|akzeptierte antwort|lösung|meilleure réponse|solution acceptée"
    r"|mejor respuesta|respuesta aceptada|solución|melhor resposta"
    r"|migliore risposta|лучший ответ|решение|最佳答案|ベストアンサー)\W*",
    re.IGNORECASE,
)
MAX_ACCEPTED: Final = 2
"""Posts that are accepted: two where a page repeats the solution at its top."""

MAX_ENDS: Final = 4
"""Blocks at both ends of a post, and words of one that says it is the answer."""

_STRONG: Final = int(Context.STRONG)  # for arrays: a flag takes far more time
_BOLD, _STRONG_TAG = CODES["b"], CODES["strong"]


@lru_cache(maxsize=1024)
def is_profile(href: str | None) -> bool:
    """Whether an address is that of a member's page."""
    return bool(href and _PROFILE.search(href, 0, MAX_CHARACTERS))


class Author(NamedTuple):
    """A name, and the address of a link around it as it is written."""

    name: str | None
    href: str | None
    is_sure: bool = False
    """Whether its class or its link says that it is a name."""
    kind: tuple[object, ...] | None = None
    """What the authors of a site's posts have in common."""


class _Candidate(NamedTuple):
    key: tuple[object, ...]
    text: str
    href: str | None
    signs: float
    is_sure: bool


def find_authors(
    view: View, spans: Sequence[Span], spots: Sequence[Spot]
) -> list[Author]:
    """The author of each post."""
    rows = [_candidates(view, s, p) for s, p in zip(spans, spots, strict=True)]
    scores = _rate(rows)
    return [_choose(row, scores) for row in rows]


def _choose(row: list[_Candidate], scores: dict[tuple[object, ...], float]) -> Author:
    known = [each for each in row if scores.get(each.key, 0) > 0]
    if not known:
        return Author(None, None)
    best = max(known, key=lambda each: scores[each.key])
    return _named(best)


def find_author(view: View, span: Span, spot: Spot, kind: object) -> Author:
    """The author of one post: the name of the *kind* that the site's authors have."""
    found = (each for each in _candidates(view, span, spot) if each.key == kind)
    return next(map(_named, found), Author(None, None))


def _named(best: _Candidate) -> Author:
    name = clean_name(best.text) or best.text
    return Author(name, best.href, best.is_sure, best.key)


def _rate(rows: list[list[_Candidate]]) -> dict[tuple[object, ...], float]:
    """A score of each kind: the share of posts with it, its signs, how it varies."""
    posts: Counter[tuple[object, ...]] = Counter()
    signs: dict[tuple[object, ...], float] = defaultdict(float)
    texts: dict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        for each in row:
            posts[each.key] += 1
            signs[each.key] += each.signs
            texts[each.key][each.text] += 1
    scores = {}
    for key, count in posts.items():
        share, sign = count / len(rows), signs[key] / count
        variety = len(texts[key]) / count
        if len(rows) > 3 and len(texts[key]) == 1 and share > MIN_SHARE:
            continue
        if sign < 1 and share < MIN_SHARE:
            continue
        scores[key] = 2 * share + sign + min(variety, 0.5)
        if sign <= 0.6:
            scores.pop(key)
    return scores


def _candidates(view: View, span: Span, spot: Spot) -> list[_Candidate]:
    """The short texts of a post that may be a name, the first of each kind."""
    document, blocks = view.document, view.document.blocks
    if span.end <= span.first:
        return []
    first = int(blocks.first_run[span.first])
    end = min(int(blocks.end_run[span.end - 1]), first + MAX_RUNS)
    runs = Runs._make(document.tables[2][:, first:end])
    elements = document.elements
    tags = elements.tag[runs.element]
    is_strong = (tags == _BOLD) | (tags == _STRONG_TAG)
    is_strong |= blocks.flags[runs.block] & _STRONG > 0
    may_name = (runs.kind == RunKind.TEXT) & (runs.element != spot.element)
    may_name &= runs.end - runs.start <= 4 * MAX_NAME_CHARACTERS
    columns = (*runs[1:5], elements.link[runs.element], is_strong)
    found: dict[tuple[object, ...], _Candidate] = {}
    for element, block, start, stop, link, is_bold in zip(
        *(column[may_name].tolist() for column in columns), strict=True
    ):
        href = document.attribute(link, "href") if link >= 0 else None
        to_profile = is_profile(href)
        is_named, is_title = _class_signs(view, element, span.element)
        near = 1 / (1 + abs(block - spot.block)) if spot.block >= 0 else 0
        if not (is_named or to_profile or is_bold or near == 1):
            continue
        text = document.text[start:stop].decode("utf-8", "replace")
        text = " ".join(text.split()).strip(" ,|·•")
        if not text or len(text) > MAX_NAME_CHARACTERS or text.count(" ") > 4:
            continue
        key = (view.key(view.owner[element]), is_named, to_profile)
        if key in found or _NO_NAME.search(text) or is_date(text):
            continue
        signs = 1.5 * (is_named + to_profile) - is_title + near + 0.5 * is_bold
        sure = to_profile or is_named
        found[key] = _Candidate(key, text, href, signs, sure)
    return list(found.values())


def _class_signs(view: View, element: int, top: int) -> tuple[bool, bool]:
    """Whether classes call *element* a name, and a title; once for each template."""
    key = view.template[element], view.template[top]
    if key not in view.signs:
        owner = view.document.attribute(view.owner[element], "class") or ""
        is_named = bool(_CLASS.search(_names(view, element, top)))
        view.signs[key] = is_named, bool(_TITLE.search(owner))
    return view.signs[key]


def _names(view: View, element: int, top: int) -> str:
    """What names *element* and two around it."""
    names = []
    for _ in range(3):
        values = view.document.attributes_of(element)
        names += [values.get(name, "") for name in ("class", "itemprop", "rel")]
        if (element := view.parent[element]) <= top:
            break
    return " ".join(names)


def find_link(view: View, span: Span, spot: Spot) -> str | None:
    """The link to a post: around its date, else one whose address looks like one."""
    document = view.document
    link = int(document.elements.link[spot.element])
    href = document.attribute(link, "href") if link >= 0 else None
    if href and not is_profile(href):
        return href
    last = view.end[span.element]
    for element in range(span.element, min(last, span.element + MAX_RUNS)):
        if int(document.elements.link[element]) == element:
            href = document.attribute(element, "href") or ""
            is_post = _POST_LINK.search(href, 0, MAX_CHARACTERS)
            if is_post and not is_profile(href):
                return href
    return None


def find_id(view: View, span: Span) -> str | None:
    """The id of the element, or of one of the first inside of it, that has a number."""
    last = min(view.end[span.element], span.element + 20)
    for element in range(span.element, last):
        name = view.document.attribute(element, "id")
        if name and _POST_ID.search(name):
            return name
    return None


def find_accepted(view: View, spans: list[Span]) -> set[Span]:
    """The posts that are marked as the answer: by a class or property, by a short line.

    A mark that most posts have is a button.
    """
    document = view.document
    within = blocks_of(document, spans)
    named = named_elements(document, within, _ACCEPTED)[0]
    places = document.elements.first_block[named].tolist()
    kinds = ("class", "itemprop", "itemtype")
    whole = {s for s in spans if _ACCEPTED.search(names_of(document, s.element, kinds))}
    classes = {s for s in spans if any(s.first <= place < s.end for place in places)}
    lines = {span for span in spans if _says_accepted(document, span)}
    marked = [found for found in (whole, classes, lines) if len(found) <= MAX_ACCEPTED]
    return next(filter(None, marked), set())


def _says_accepted(document: Document, span: Span) -> bool:
    """Whether a short text at the begin or end of a post says so."""
    blocks = range(span.first, span.end)
    ends = {*blocks[:MAX_ENDS], *blocks[-MAX_ENDS:]}
    short = (block for block in ends if document.blocks.words[block] <= MAX_ENDS)
    return any(_ACCEPTED_TEXT.fullmatch(document.block_text(block)) for block in short)
