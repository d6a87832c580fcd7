"""Pages that are no content of the site, by codes for the warnings: logins, errors."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
