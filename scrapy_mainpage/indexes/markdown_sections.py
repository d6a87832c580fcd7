"""Sections of a text in Markdown, for items that have no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..page import Section

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_MARKUP: Final = re.compile(
    r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)|\\([\\`*_{}\[\]()#+.!<>|~-])|[*`]+"
)


def markdown_sections(markdown: str) -> Iterator[Section]:
    """Yield the sections by the headings with ``#``, without anchors.

    >>> sections = markdown_sections("# A\\n\\nx\\n\\n## *B*\\n\\ny")
    >>> [(section.heading, section.level) for section in sections]
    [('A', 1), ('B', 2)]
    """
    heading, level, lines, fence = "", 0, list[str](), ""
    for line in markdown.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if fence else _HEADING.match(line[:300])
        if found is None:
            lines.append(line)
            continue
        if heading or any(lines):
            yield Section(heading, level, None, "\n".join(lines).strip())
        heading, level, lines = _plain(found[2]), len(found[1]), []
    if heading or any(lines):
        yield Section(heading, level, None, "\n".join(lines).strip())


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda m: m[1] or m[2] or "", text).split())
