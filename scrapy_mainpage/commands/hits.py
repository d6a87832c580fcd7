"""What a search found, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy_mainpage.indexes import Hit

PLAIN_MARKS: Final = ("**", "**")
_BOLD: Final = ("\x1b[1m", "\x1b[0m")

#: What :func:`as_text` wants around matches: nothing that a terminal obeys, as what it
#: would obey in a page is taken out, and nothing that a page can know.
_TOKEN: Final = token_hex(8)
MARKS: Final = (f"\ue000{_TOKEN}", f"\ue001{_TOKEN}")

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def as_json(hits: Sequence[Hit], encoding: str = "utf-8") -> str:
    """One JSON object a line, with every field of the hits.

    What may be no character of the ``encoding`` is escaped.
    """
    ascii_only = encoding.lower().replace("-", "") != "utf8"
    return "\n".join(json.dumps(_as_dict(hit), ensure_ascii=ascii_only) for hit in hits)


def _as_dict(hit: Hit) -> dict[str, Any]:
    values = {item.name: getattr(hit, item.name) for item in fields(hit)}
    values["sections"] = [section._asdict() for section in hit.sections]
    values["passage"] = hit.passage and hit.passage._asdict()
    return values


def as_text(hits: Sequence[Hit], bold: bool = False) -> str:
    """Rank, title, URL and snippet of each hit, whose matches had :data:`MARKS`."""
    return "\n\n".join(_entry(rank, hit, bold) for rank, hit in enumerate(hits, 1))


def _entry(rank: int, hit: Hit, bold: bool) -> str:
    snippet = _plain(hit.snippet)
    for mark, shown in zip(MARKS, _BOLD if bold else PLAIN_MARKS, strict=True):
        snippet = snippet.replace(mark, shown)
    return "\n   ".join(
        [f"{rank}. {_plain(_name(hit))}", _plain(_address(hit)), snippet]
    )


def _name(hit: Hit) -> str:
    """The title, with the heading of the passage behind it."""
    title = hit.title or hit.url
    heading = hit.passage and hit.passage.heading
    return f"{title} - {heading}" if heading and heading != title else title


def _address(hit: Hit) -> str:
    """The URL, where it can be that of the passage's section."""
    anchor = hit.passage and hit.passage.anchor
    return f"{hit.url.partition('#')[0]}#{anchor}" if anchor else hit.url


def _plain(text: str) -> str:
    """The text on one line, without what a terminal would obey."""
    return " ".join(_CONTROLS.sub(" ", text).split())
