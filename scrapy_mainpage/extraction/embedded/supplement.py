"""Main content from outside of a page's text, as a small document of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import Context, read_tree
from ..output.text import write_text
from ..parsing.tree import parse_html
from ..result import Extraction

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from ..document.document import Document
    from .shown import Shown

    Mask = npt.NDArray[np.bool_]

SHOWN: Final = 0.5
"""A text block is shown already if this share of its sequences of words is."""

SHOWN_SENTENCE: Final = 0.9
LONG_PARAGRAPH: Final = 200
"""Characters from which on the sentences of a paragraph are looked at one by one."""

_ASIDE: Final = int(Context.HIDDEN | Context.NAVIGATION | Context.FORM | Context.DIALOG)
_PARAGRAPH: Final = re.compile(rf"<p>([^<]{{{LONG_PARAGRAPH},}})</p>")
_SENTENCE: Final = re.compile(r"[^.!?。！？]*(?:[.!?。！？]+|$)\s*")


@dataclass(frozen=True, eq=False)
class Supplement:
    """Main content that the page holds in a script, a template or an attribute.

    ``source`` is ``"json-ld"``, ``"microdata"``, ``"hydration"`` or ``"template"``,
    ``xpath`` the element that holds it. ``content`` is a document of its own;
    its main blocks are what is added to the page.
    """

    source: str
    xpath: str
    content: Extraction

    @property
    def words(self) -> int:
        """The words that are added."""
        content = self.content
        return int(content.document.blocks.words[content.main].sum())

    @property
    def text(self) -> str:
        """What is added, as plain text."""
        return write_text(self.content.document, self.content.main)


def from_html(
    source: str, xpath: str, parts: Iterable[str], shown: Shown, url: str | None
) -> Supplement:
    """What *parts*, each HTML of its own, add to what is *shown*; *shown* learns it."""
    root = parse_html("<main></main>")
    body = root.find("body")
    assert body is not None
    for part in parts:
        # Parsed apart: no tag or comment that is left open reaches the next part.
        part = _PARAGRAPH.sub(lambda match: _new_sentences(match, shown), part)
        # JSON can hold half of a surrogate pair, which no encoding can.
        inner = parse_html(part.encode("utf-8", "replace").decode())
        for section in inner.findall("body"):
            section.tag = "section"
            body.append(section)
    return from_document(source, xpath, read_tree(root), None, shown, url)


def _new_sentences(match: re.Match[str], shown: Shown) -> str:
    """A long paragraph without the sentences that are shown already."""
    sentences = _SENTENCE.findall(match[1])
    kept = (text for text in sentences if shown.share(text) < SHOWN_SENTENCE)
    return f"<p>{''.join(kept)}</p>"


def from_document(
    source: str,
    xpath: str,
    document: Document,
    main: Mask | None,
    shown: Shown,
    url: str | None,
) -> Supplement:
    """What *document* adds; *main* are its main blocks, ``None`` for all of them."""
    main = np.ones(document.n_blocks, bool) if main is None else main.copy()
    main &= (document.blocks.flags & _ASIDE) == 0
    for block in np.flatnonzero(main).tolist():
        main[block] = shown.learn(document.block_text(block)) < SHOWN
    content = Extraction(document, url, main.astype(np.float32), main)
    return Supplement(source, xpath, content)


__all__ = ["Supplement", "from_document", "from_html"]
