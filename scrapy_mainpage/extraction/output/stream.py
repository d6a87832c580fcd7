"""The main content as a stream of events, with the addresses that it needs.

The compiled walk gives the events; Python is asked only about what has an address
(links, images, media, citations) and about code with a language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import RunKind
from ..document.tags import CODES
from ._events import OPENS, read_events
from ._maintree import main_runs
from .kinds import NAMES
from .urls import Addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from ..document.document import Document
    from ..result import Extraction

_LANGUAGE = re.compile(
    r"(?:language-|lang-|highlight-(?:source-)?|brush:)([a-z0-9][a-z0-9+#._-]{0,29});?$"
)
_NO_LANGUAGE: Final = frozenset({"default", "none", "auto", "nohighlight", "source"})
_LEVELS: Final = 3
_CITED: Final = tuple(NAMES.index(name) for name in ("blockquote", "q", "del", "ins"))


@dataclass(frozen=True)
class Stream:
    """Events, and by element: links, sources of images and media, code's languages."""

    events: npt.NDArray[np.int32]
    links: dict[int, bytes]
    sources: dict[int, bytes]
    languages: dict[int, bytes]


def read_stream(content: Extraction) -> Stream:
    """The events of the main content; images without a usable source are left out."""
    document, addresses = content.document, Addresses(content)
    kept = main_runs(document, content.main)
    sources = {}
    for run, element, url in find_sources(document, addresses, kept):
        if url is None:
            kept[run] = 0
        else:
            sources[element] = url.encode()
    events = read_events(document, content.main, kept)
    kinds, elements = _opened(events)
    cited = np.isin(kinds, _CITED)
    links = _encoded(elements[kinds == NAMES.index("a")], addresses.link)
    links |= _encoded(elements[cited], addresses.cite)
    pres = elements[kinds == NAMES.index("pre")].tolist()
    languages = {pre: code_language(document, pre).encode() for pre in pres}
    return Stream(
        events, links, sources, {pre: name for pre, name in languages.items() if name}
    )


def find_sources(
    document: Document, addresses: Addresses, kept: npt.NDArray[np.uint8]
) -> Iterator[tuple[int, int, str | None]]:
    """Run, element and address of each image and each media run that is kept."""
    kinds = document.runs.kind
    is_source = (kinds == RunKind.IMAGE) | (kinds == RunKind.MEDIA)
    for run in np.flatnonzero(is_source & (kept != 0)).tolist():
        element = int(document.runs.element[run])
        find = addresses.image if kinds[run] == RunKind.IMAGE else addresses.media
        yield run, element, find(element)


def _opened(
    events: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    opened = events[(events[:, 0] == OPENS) & (events[:, 2] >= 0)]
    return opened[:, 1], opened[:, 2]


def _encoded(
    elements: npt.NDArray[np.int32], find: Callable[[int], str | None]
) -> dict[int, bytes]:
    found = ((element, find(element)) for element in np.unique(elements).tolist())
    return {element: url.encode() for element, url in found if url}


def code_language(document: Document, pre: int) -> str:
    """The language of preformatted code, as its classes name it; else empty.

    Looks at the ``code`` inside, at the ``pre``, and at two elements around it.
    """
    elements = document.elements
    candidates = [pre]
    while candidates[-1] >= 0 and len(candidates) < _LEVELS:
        candidates.append(int(elements.parent[candidates[-1]]))
    if pre + 1 < elements.end[pre] and elements.tag[pre + 1] == CODES["code"]:
        candidates.insert(0, pre + 1)
    names = (_named_language(document, i, pre) for i in candidates if i >= 0)
    return next((name for name in names if name), "")


def _named_language(document: Document, element: int, pre: int) -> str:
    classes = (document.attribute(element, "class") or "").lower()
    for token in classes.replace("brush: ", "brush:").split():
        match = _LANGUAGE.match(token)
        # Around code, "lang-en" is the language of people.
        of_code = element >= pre or not token.startswith("lang-")
        if match and of_code and match[1] not in _NO_LANGUAGE:
            return match[1]
    return ""


__all__ = ["Stream", "code_language", "find_sources", "read_stream"]
