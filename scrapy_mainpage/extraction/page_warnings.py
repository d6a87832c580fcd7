"""Codes for a page's warnings: logins, errors, and text outside of the document."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from .document.document import Document

LOGIN_FORM: Final = "login_form"
ERROR_PAGE: Final = "error_page"
DIRECTORY_LISTING: Final = "directory_listing"

MAX_WORDS: Final = 60
"""A page with more words of main content has content, whatever else it has."""

MAX_TITLE_CHARACTERS: Final = 200

MAX_FIELDS: Final = 100
"""Form fields among which a password is sought."""

_ERRORS: Final = [status for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST]
# Of one word, such as "Gone" and "Locked", most say other things as well.
_PHRASES: Final = {s.phrase.lower() for s in _ERRORS if " " in s.phrase} | {
    "forbidden", "unauthorized", "page not found", "file not found", "access denied",
    "internal error", "server error", "seite nicht gefunden", "page introuvable",
    "página no encontrada",
    "pagina non trovata", "pagina niet gevonden", "nie znaleziono strony",
    "страница не найдена", "找不到页面", "ページが見つかりません",
}  # fmt: skip
_CODE: Final = re.compile(
    rf"(?:http |error |fehler |erreur )?(?:{'|'.join(str(s.value) for s in _ERRORS)})\b"
)
_LISTING: Final = re.compile(r"(?:index of|directory listing for) /", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"\s*[|:!.·»]\s*|\s+[-–—]\s+")


def find_page_kind(document: Document, words: int) -> tuple[str, ...]:
    """The code of the kind of page, none for most; *words* are those of main content.

    A code is a hint by title, first heading and forms, not a reading of the text.
    """
    headings = (document.block_text(block) for block, _ in document.headings[:1])
    titles = [document.title, *headings]
    titles = [" ".join(title[:MAX_TITLE_CHARACTERS].split()) for title in titles]
    if any(map(_LISTING.match, titles)):
        return (DIRECTORY_LISTING,)
    if words > MAX_WORDS:
        return ()
    if any(map(_names_error, titles)):
        return (ERROR_PAGE,)
    for field in document.elements_with_tag("input")[:MAX_FIELDS].tolist():
        if (document.attribute(field, "type") or "").lower() == "password":
            return (LOGIN_FORM,)
    return ()


def _names_error(title: str) -> bool:
    """Whether the title is that of an error: ``404``, ``Not found - Bakery``."""
    title = title.lower()
    if code := _CODE.match(title):
        title = title[code.end() :].strip(" -–—:|.!")
        if title in {"", "error"}:
            return True
    return not _PHRASES.isdisjoint(part.strip() for part in _SEPARATOR.split(title))


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
