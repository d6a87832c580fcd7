"""A message of a mailing list's archive on a page of its own.

Pipermail (Mailman 2) has the author in bold, an address and a date in italics above the
text, MHonArc a list of fields (From, Date). Both have the text in ``pre``, and links to
the archive by date and thread.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Post, Quote
from ..document.tags import ATTRIBUTE_CODES
from ..metadata.authors import clean_name
from ..metadata.plaintext import element_text
from ..output.text import write_text
from ..output.writers import write_markdown
from .view import cut_document

if TYPE_CHECKING:
    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from .spots import DateReader

MIN_INDEXES: Final = 2
"""Ways by which the archive of a message can be read: by date, by thread, ..."""

MAX_ABOVE: Final = 30
"""Text blocks above the message that may be its header."""

MAX_QUOTES: Final = 50

_INDEX = re.compile(
    rb"(?:^|/)(threads?|date|author|subject|maillist|mail[0-9]*|thrd[0-9]*|msgs?)\.html?"
    rb"(?:#[\w-]*)?$"
)
_FIELD = re.compile(r"(?i)^(from|date|von|datum|de)\s*:\s*(.+)$", re.DOTALL)
_MAIL = re.compile(r"\s*[<(\[]?[\w.+-]+(?:@|\sat\s)[\w.-]+[>)\]]?")
_SAYS = re.compile(
    r"(?:^|\n)(?:On .{4,80},\s)?([^\n,<>]{2,60}?)(?:\s<[^>\n]*>)?\s"
    r"(?:wrote|writes|schrieb|a écrit|escribió|ha scritto)\s?:\s*$"
)


def find_message(
    document: Document, declared: Declarations, dates: DateReader
) -> Post | None:
    """The message of an archive's page; ``None`` for any other page."""
    body = _body(document)
    if body < 0:
        return None
    author, date = _header(document, body)
    if not author or not date:
        return None
    part = cut_document(document, body)
    kept = np.ones(part.n_blocks, bool)
    text = write_text(part, kept)
    if not text:
        return None
    return Post(
        url=declared.base,
        author=clean_name(_MAIL.sub("", author)) or author,
        date=dates.read_text(date),
        text=text,
        markdown=write_markdown(part, kept, declared.base),
        quotes=quoted_lines(text),
    )


def _body(document: Document) -> int:
    """The element of the message; -1 for none."""
    texts = document.elements_with_tag("pre")[:1].tolist()
    return texts[0] if texts and _has_indexes(document) else -1


def _has_indexes(document: Document) -> bool:
    """Whether links lead to the archive by date, thread, author or subject."""
    attributes, values = document.attributes, document.values
    rows = np.flatnonzero(attributes.name == ATTRIBUTE_CODES["href"])
    pairs = zip(attributes.start[rows], attributes.end[rows], strict=True)
    found = {m[1] for a, b in pairs if b - a < 60 and (m := _INDEX.search(values[a:b]))}
    return len(found) >= MIN_INDEXES


def _header(document: Document, body: int) -> tuple[str, str]:
    """The author and the date above the message."""
    above = int(document.elements.first_block[body])
    fields: dict[str, str] = {}
    for block in range(max(above - MAX_ABOVE, 0), above):
        if match := _FIELD.match(document.block_text(block)):
            kind = "date" if match[1].lower()[:2] == "da" else "from"
            fields.setdefault(kind, match[2].strip())
    if len(fields) == 2:
        return fields["from"], fields["date"]
    bold, italic = (document.elements_with_tag(tag) for tag in ("b", "i"))
    names, days = bold[bold < body][:1].tolist(), italic[italic < body][:1].tolist()
    if not names or not days or days[0] < names[0]:
        return "", ""
    return element_text(document, names[0]), element_text(document, days[0])


def quoted_lines(text: str) -> tuple[Quote, ...]:
    """The quotations of a plain text: lines that begin with ``>``, by whom they are.

    >>> quoted_lines("Ann wrote:" + chr(10) + "> Which glue?")
    (Quote(text='Which glue?', author='Ann'),)
    """
    found, own, quoted = [], "", list[str]()
    for line in [*text.split("\n"), ""]:
        if line.startswith(">"):
            quoted.append(line.lstrip("> "))
            continue
        if quoted:
            match = _SAYS.search(own.rstrip())
            found.append(Quote("\n".join(quoted), match[1].strip() if match else None))
            own, quoted = "", []
        own = f"{own[-200:]}\n{line}"
    return tuple(found[:MAX_QUOTES])
