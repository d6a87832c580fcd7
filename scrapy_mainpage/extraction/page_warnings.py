"""Codes for a page's warnings: pages that are no content, and text that is not read."""

from __future__ import annotations

import re
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Final

from lxml import etree

from .document.schema import Context
from .parsing.tree import NO_MAIN_CONTENT, NO_TEXT
from .vocabulary import read_phrases, read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from .document.document import Document
    from .document.schema import Mask

OUTPUTS_CUT: Final = "outputs_cut"
"""An output, made on demand, is not whole."""

ENCODING_SUSPECT: Final = "encoding_suspect"
"""The declared encoding makes the text unlikely."""

LOGIN_FORM: Final = "login_form"
ERROR_PAGE: Final = "error_page"
DIRECTORY_LISTING: Final = "directory_listing"
WALL: Final = "wall"
LOADING_ONLY: Final = "loading_only"
FRAME_ONLY: Final = "frame_only"
CHALLENGE: Final = "challenge"

TROUBLES: Final = frozenset(
    {LOGIN_FORM, ERROR_PAGE, WALL, LOADING_ONLY, CHALLENGE, NO_TEXT, NO_MAIN_CONTENT}
)
"""Codes of pages that stand in the place of another one."""

MAX_WORDS: Final = 60
"""A page with more words of main content has content, whatever else it has."""

MAX_WALL_WORDS: Final = 40
MAX_FRAME_WORDS: Final = 20
_NO_PAGES: Final = ("about:", "javascript:", "data:")
MAX_LOADING_WORDS: Final = 12
"""The same for a wall or a notice of an error, beside a frame, for an announcement."""

MAX_NOTICE_BYTES: Final = 4_000
"""Text of a page that is read for phrases."""

MAX_TITLE_CHARACTERS: Final = 200

MAX_FIELDS: Final = 100
"""Form fields among which a password is sought."""

_ERRORS: Final = [status for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST]
# Of one word, such as "Gone" and "Locked", most say other things as well.
_PHRASES: Final = {s.phrase.lower() for s in _ERRORS if " " in s.phrase}
_CODE: Final = re.compile(
    "(?:http |error |fehler |erreur |errore |erro |fout |fel |fejl |feil |virhe |chyba "
    "|hiba |eroare |błąd |ошибка |помилка |σφάλμα |hata |エラー|错误|오류 )?"
    rf"\(?(?:{'|'.join(str(s.value) for s in _ERRORS)})\b\)?"
)
_ERROR_NAMES: Final = frozenset(
    "error404 error-404 error_404 page404 page-404 page_404 page-not-found "
    "pagenotfound page-error-404 http-error".split()
)
"""Class names and ids that templates give to the ``body`` of an error."""
_LISTING: Final = re.compile(r"(?:index of|directory listing for) /", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"\s*[|:!.,…·»¡]+\s*|\s+[-–—›]\s+")
_SENTENCE: Final = re.compile(r"([^.!?…。！？\n]+)([?？]?)")
"""A sentence, and whether it is a question."""
_TRACE: Final = re.compile(r"\w\.[A-Za-z]{2,5}\b\W{0,2} ?(?:on line |line |:|\()\d")
"""Where a program failed: a file and the number of a line."""


def find_page_kind(document: Document, words: int, text: str) -> tuple[str, ...]:
    """The code of the kind of page, none for most; *words*, *text* are main content.

    A code is a hint by title, first heading, forms and phrases of short texts.
    """
    headings = (document.block_text(block) for block, _ in document.headings[:1])
    titles = [document.title, *headings]
    titles = [" ".join(title[:MAX_TITLE_CHARACTERS].split()) for title in titles]
    if any(map(_LISTING.match, titles)):
        return (DIRECTORY_LISTING,)
    if words > MAX_WORDS:
        return ()
    if any(map(_names_error, titles)) or _is_marked_error(document):
        return (ERROR_PAGE,)
    for field in document.elements_with_tag("input")[:MAX_FIELDS].tolist():
        if (document.attribute(field, "type") or "").lower() == "password":
            return (LOGIN_FORM, *(WALL,) * (words <= MAX_LOADING_WORDS))
    text = text or document.text[:MAX_NOTICE_BYTES].decode("utf-8", "ignore")
    return _find_stand_in(document, words, text[:MAX_NOTICE_BYTES])


def _find_stand_in(document: Document, words: int, text: str) -> tuple[str, ...]:
    """The code of a page whose text announces, asks or regrets, by phrases."""
    phrases = read_phrases("page_kinds")
    lines = text.split("\n")
    rest = [line for line in lines if not _TRACE.search(line)]
    if len(rest) < len(lines) and len(" ".join(rest).split()) <= MAX_LOADING_WORDS:
        return (ERROR_PAGE,)
    if words <= MAX_WALL_WORDS:
        sentences = _SENTENCE.findall(_plain(text))
        notices = " ".join(said for said, question in sentences if not question)
        for kind, code in (("wall", WALL), ("error", ERROR_PAGE)):
            if any(each in notices for each in phrases[kind]):
                return (code,)
    if words <= MAX_LOADING_WORDS and _announces(document, phrases["loading"]):
        return (LOADING_ONLY,)
    if words <= MAX_FRAME_WORDS and document.blocks.words.sum() <= MAX_WORDS:
        for name in ("iframe", "frame"):
            for frame in document.elements_with_tag(name)[:MAX_FIELDS].tolist():
                address = document.attribute(frame, "src")
                if address and not address.startswith(_NO_PAGES):
                    return (FRAME_ONLY,)
    return ()


def _plain(text: str) -> str:
    return text.lower().replace("’", "'").replace(",", "")


def _announces(document: Document, phrases: tuple[str, ...]) -> bool:
    """Whether a short visible block begins with one of the *phrases*."""
    hidden = document.blocks.flags & int(Context.HIDDEN | Context.NOSCRIPT)
    short = (document.blocks.words <= MAX_LOADING_WORDS) & (hidden == 0)
    return any(
        document.block_text(block).lower().lstrip(" .(").startswith(phrases)
        for block in short.nonzero()[0][:MAX_FIELDS].tolist()
    )


def _names_error(title: str) -> bool:
    """Whether the title is that of an error: ``404``, ``Not found - Bakery``."""
    title = title.lower()
    if code := _CODE.match(title):
        title = title[code.end() :].strip(" -–—:|.!")
        if title in {"", "error"}:
            return True
    parts = _SEPARATOR.split(title.replace("’", "'"))
    phrases = {*_PHRASES, *read_phrases("page_kinds")["titles"]}
    return not phrases.isdisjoint(part.strip(" ?()0123456789") for part in parts)


def _is_marked_error(document: Document) -> bool:
    """Whether the template says that the page is an error, by a name of its body."""
    for body in document.elements_with_tag("body")[:1].tolist():
        names = (document.attribute(body, name) or "" for name in ("class", "id"))
        return not _ERROR_NAMES.isdisjoint(" ".join(names).lower().split())
    return False


MAX_CHALLENGE_WORDS: Final = 150
"""Words of a page that checks the browser in place of the content, in all."""

MAX_CHALLENGE_ELEMENTS: Final = 200
MAX_CHALLENGE_CHARACTERS: Final = 1 << 15
"""Scripts, frames, forms and ``meta`` among which marks are sought, and their text."""


def find_challenge(document: Document, root: _Element) -> tuple[str, ...]:
    """The code of a challenge, by the marks of the services that serve them."""
    if document.blocks.words.sum() > MAX_CHALLENGE_WORDS:
        return ()
    marks = read_words("challenges")["page"]
    elements = root.iter("script", "iframe", "form", "meta")
    texts = [document.values.decode("utf-8", "replace")]
    for element in islice(elements, MAX_CHALLENGE_ELEMENTS):
        texts.append((element.text or "")[:MAX_CHALLENGE_CHARACTERS])
        texts += map(str, element.attrib.values())
    found = any(mark in text for text in texts for mark in marks)
    return (CHALLENGE,) * found


NAVIGATION_ONLY: Final = "navigation_only"
"""Warning code of a page of which nothing but links was found."""

MIN_LINKED: Final = 0.8
"""Linked words of its main content."""

MAX_PLAIN_WORDS: Final = 8
MIN_SENTENCE_WORDS: Final = 30
"""Words of a block beside links, and of all per sentence: labels, no text."""

MAX_NAVIGATION_CONFIDENCE: Final = 0.4
"""Lists of links with a higher confidence are what a page is for."""


def find_navigation(
    document: Document, main: Mask, confidence: float | None
) -> tuple[str, ...]:
    """The code of a page whose main content, which is doubtful, is but links."""
    if confidence is None or confidence >= MAX_NAVIGATION_CONFIDENCE or not main.any():
        return ()
    blocks = document.blocks
    words, linked = blocks.words[main], blocks.linked_words[main]
    is_navigation = (
        linked.sum() >= max(MIN_LINKED * words.sum(), 1)
        and (words - linked).max() < MAX_PLAIN_WORDS
        and MIN_SENTENCE_WORDS * blocks.sentences[main].sum() <= words.sum()
    )
    return (NAVIGATION_ONLY,) * bool(is_navigation)


UNSHOWN_TEXT: Final = "unshown_text"
"""Warning code of a page whose text is in elements that browsers do not show."""

PRIVATE_FONT: Final = "private_font"
"""Warning code of a page whose text needs a font of its own."""

MIN_UNSHOWN_CHARACTERS: Final = 100
MAX_SHOWN_BYTES: Final = 2_000
"""A page with more text is not one that lost it."""

MIN_PRIVATE_CHARACTERS: Final = 16
"""More than icons of a page, where they are a quarter of the text, too."""

_UNSHOWN_TAGS: Final = (
    "audio canvas datalist iframe noembed noframes object select template textarea "
    "title video"
).split()
_OPTIONS: Final = frozenset({"option", "optgroup"})
_TAG: Final = re.compile("<[^<>]*>")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")


def find_unread_text(document: Document, root: _Element) -> tuple[str, ...]:
    """The codes of text that *document*, made from the tree of *root*, is without."""
    unshown = len(document.text) < MAX_SHOWN_BYTES and _is_unshown(document, root)
    private = _is_private(document.text)
    return (UNSHOWN_TEXT,) * unshown + (PRIVATE_FONT,) * private


def _is_unshown(document: Document, root: _Element) -> bool:
    """Whether most of a page's text is in elements that browsers do not show."""
    missing = max(MIN_UNSHOWN_CHARACTERS, len(document.text.decode()))
    walker = etree.iterwalk(root, events=("start",), tag=_UNSHOWN_TAGS)
    for _, element in walker:
        walker.skip_subtree()
        if element.tag == "object" and not element.get("data"):
            continue
        if element.tag == "title" and "<" not in (element.text or ""):
            continue
        for text in _texts(element):
            missing -= len(" ".join(_TAG.sub(" ", text).split()))
            if missing < 0:
                return True
    return False


def _texts(element: _Element) -> Iterator[str]:
    """The texts in *element*, but for those of options, scripts and styles."""
    skipped = {*_OPTIONS, "script", "style"}
    yield element.get("srcdoc") or ""
    yield element.text or ""
    for each in element.iterdescendants():
        if isinstance(each.tag, str) and each.tag not in skipped:
            yield each.text or ""
        yield each.tail or ""


def _is_private(text: bytes) -> bool:
    """Whether a quarter of *text* is of characters without a meaning of their own."""
    leads = text.count(b"\xee") + text.count(b"\xef")
    leads += text.count(b"\xf3") + text.count(b"\xf4")
    if leads < MIN_PRIVATE_CHARACTERS or 12 * leads < len(text):
        return False
    characters = "".join(text.decode().split())
    private = len(_PRIVATE.findall(characters))
    return private >= MIN_PRIVATE_CHARACTERS and 4 * private > len(characters)
