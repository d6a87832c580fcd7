"""Pages with exact truth, checked and recorded as a set of labelled pages.

A line of ``pages.jsonl`` has the keys of ``scrapy_mainpage.evaluation.datasets``, and

``content``, ``drop``
    XPath, in the tree that lxml makes, of the elements that hold the main content, and
    of what inside of them is not content
``entries``
    XPath of the links to the entries of a listing, each with the entry's name
``title``, ``software``, ``template``, ``half``
    the content's title, what made the page, with which theme, for training or measuring
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lxml import html as lxml_html
from parsel.csstranslator import HTMLTranslator

from lab.evaluation.element_truth import read_content, split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from lxml.html import HtmlElement

    from .content import Content

TYPES: Final = frozenset(
    "article documentation forum listing product collection service".split()
)
#: What is never content: links back from footnotes, and the hidden heading above those.
NEVER: Final = (
    "a[href^='#fnref'], a[href^='#user-content-fnref'], #footnote-label, "
    "h2#user-content-footnote-label"
)
#: Words that are in the source or in the truth alone: so many, and a share of all.
MAX_OTHER_WORDS: Final = 4
MAX_OTHER_SHARE: Final = 0.03


class TruthError(ValueError):
    """What a page says about its truth cannot be right."""


@dataclass(frozen=True)
class Page:
    """A page and its truth; selectors are CSS, or XPath if they begin with ``/``.

    *path* begins with ``/``. *source* is the content as plain text, if it is known: the
    truth must be the same words, nearly. *template* is the theme, if the software is
    recorded with several. *entries* selects the links of a listing.
    """

    path: str
    html: bytes
    content: str
    title: str
    drop: str = ""
    type: str = "article"
    language: str = "en"
    template: str = ""
    source: str = ""
    entries: str = ""


def page_of(content: Content, path: str, html: bytes, truth: str, **more: Any) -> Page:
    """The page of one content; *truth* selects the elements that hold it.

    *more* are other fields of the page, or take the place of those that follow from the
    content.
    """
    known = {
        "title": content.title,
        "type": content.page_type,
        "language": content.language,
        "source": content.plain,
    }
    return Page(path=path, html=html, content=truth, **(known | more))


def read_page(html: bytes) -> HtmlElement:
    """The tree of a page in UTF-8."""
    parser = lxml_html.HTMLParser(encoding="utf-8")
    return lxml_html.document_fromstring(html, parser=parser)


def to_xpath(selector: str) -> str:
    """A CSS selector as XPath; XPath as it is."""
    if not selector or selector.startswith("/"):
        return selector
    return HTMLTranslator().css_to_xpath(selector, prefix="//")


def describe(page: Page) -> dict[str, Any]:
    """The line of a page without its name; raises :exc:`TruthError`."""
    if page.type not in TYPES:
        raise TruthError(f"{page.path}: unknown type {page.type!r}")
    tree = read_page(page.html)
    content = to_xpath(page.content)
    drop = " | ".join(map(to_xpath, filter(None, (page.drop, NEVER))))
    if not tree.xpath(content):
        raise TruthError(f"{page.path}: no element is {page.content!r}")
    text = content_text(page.html, content, drop)
    if not text:
        raise TruthError(f"{page.path}: no text in {page.content!r}")
    if page.source:
        _compare_words(page, text)
    entries = to_xpath(page.entries)
    if entries and not tree.xpath(entries):
        raise TruthError(f"{page.path}: no entry is {page.entries!r}")
    return {
        "text": text,
        "entries": entries,
        "content": content,
        "drop": drop,
        "type": page.type,
        "language": page.language,
        "title": page.title,
        "template": page.template,
    }


def _compare_words(page: Page, text: str) -> None:
    title, all_words = split_words(page.title), split_words(text)
    if all_words[: len(title)] != title:
        raise TruthError(f"{page.path}: begins without its title: {text[:60]!r}")
    truth, source = Counter(all_words), Counter(title + split_words(page.source))
    allowed = MAX_OTHER_WORDS + MAX_OTHER_SHARE * source.total()
    for reason, others in (("missing", source - truth), ("more", truth - source)):
        if others.total() > allowed:
            few = " ".join(others)[:200]
            raise TruthError(f"{page.path}: {reason} {others.total()} words: {few}")


def content_text(html: bytes, content: str, drop: str) -> str:
    """The text of elements in their order, a block a line; ``pre`` keeps its lines."""
    blocks = read_content(html, content, drop).blocks
    lines = (" ".join(line.split()) for b in blocks for line in b.text.split("\n"))
    return "\n".join(line for line in lines if line)


class Recorder:
    """Records software into the set ``folder``, a software at a time.

    The pages of a software take the place of its earlier ones.
    """

    def __init__(self, folder: Path, half: str) -> None:
        self.folder = folder / f"zoo-{half}"
        self.half = half

    def record(self, software: str, pages: Iterable[Page]) -> tuple[int, list[str]]:
        """Write the pages of a software; returns how many there are.

        Pages whose truth cannot be right are left out: the second is why.
        """
        lines, wrong = [], []
        for number, page in enumerate(pages):
            name = "-".join(filter(None, (software, page.template, f"{number:02}")))
            path = f"/{page.template}{page.path}" if page.template else page.path
            known = {"id": name, "url": f"https://{software}.example{path}"}
            made = {"software": software, "half": self.half}
            try:
                lines.append(known | describe(page) | made)
            except TruthError as error:
                wrong.append(f"{name}: {error}")
                continue
            self._write(f"html/{name}.html.gz", gzip.compress(page.html, mtime=0))
        self._write(f"software/{software}.jsonl", _as_lines(lines))
        self._write("pages.jsonl", b"".join(self._all()))
        self._remove_others(software, {f"{line['id']}.html.gz" for line in lines})
        return len(lines), wrong

    def _remove_others(self, software: str, names: set[str]) -> None:
        """Remove pages that an earlier version of a software had."""
        for path in self.folder.glob(f"html/{software}-*"):
            if path.name not in names:
                path.unlink()

    def _all(self) -> list[bytes]:
        return [f.read_bytes() for f in sorted((self.folder / "software").iterdir())]

    def _write(self, name: str, data: bytes) -> None:
        """At once, for those who read the set meanwhile."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(data)
        os.replace(part, path)


def _as_lines(lines: Iterable[Mapping[str, Any]]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return text.encode()
