"""Specifications of what is evaluated: algorithms, other extractors, two references.

``all-text`` takes every text block, the result without extraction. ``perfect-blocks``
takes the blocks that the gold text holds, the best that labels of blocks can reach.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from .. import extraction
from ..extraction.algorithms import Algorithm, AlgorithmError, available, get_algorithm
from ..extraction.site_level import SITE_SYSTEMS, get_site_system
from .extractors import EXTRACTORS

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.document.document import Document
    from ..extraction.document.layout import Layout
    from ..extraction.site_level.site import SiteSystem

    Mask = npt.NDArray[np.bool_]

ALL_TEXT: Final = "all-text"
PERFECT_BLOCKS: Final = "perfect-blocks"
REFERENCES: Final = (ALL_TEXT, PERFECT_BLOCKS)

_CODE: Final = {".py", ".so", ".pyd", ".json", ".gz", ".npz", ".txt"}


@dataclass(frozen=True)
class AlgorithmSpec:
    """An algorithm by name, with its options as JSON; ``label`` is as it was given."""

    label: str
    name: str
    options: str = "{}"

    @classmethod
    def parse(cls, label: str) -> AlgorithmSpec:
        """Read ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

        A value is JSON, or else a text. Raises
        :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for a name or an
        option that is not known.
        """
        name, *pairs = label.strip().split(":")
        options: dict[str, Any] = {}
        for pair in pairs:
            option, equals, value = pair.partition("=")
            if not option or not equals:
                raise AlgorithmError(f"{label!r}: {pair!r} is not OPTION=VALUE")
            options[option] = _value(value)
        spec = cls(label.strip(), name, json.dumps(options, sort_keys=True))
        spec.build()
        return spec

    def build(self) -> Algorithm:
        """The algorithm, set up.

        For ``perfect-blocks``, other extractors and systems that compare pages one that
        takes nothing yet.
        """
        if self.is_site_level:
            self.build_site_system()
            return Reference(self.name)
        if not (self.is_reference or self.is_extractor):
            return get_algorithm(self.name, json.loads(self.options))
        if self.options != "{}":
            raise AlgorithmError(f"{self.name!r} has no options: {self.label!r}")
        if self.is_extractor and EXTRACTORS[self.name].version is None:
            hint = "pip install 'scrapy-mainpage[extractors]'"
            raise AlgorithmError(f"{self.name!r} is not installed: {hint}")
        return Reference(self.name)

    def build_site_system(self) -> SiteSystem:
        """The system that compares the pages of a site, set up."""
        return get_site_system(self.name, json.loads(self.options))

    @property
    def is_site_level(self) -> bool:
        """Whether it compares the pages of a site."""
        return self.name in SITE_SYSTEMS

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference that algorithms are compared with."""
        return self.name in REFERENCES

    @property
    def is_extractor(self) -> bool:
        """Whether it is an extractor of another package."""
        return self.name in EXTRACTORS

    @property
    def needs_layout(self) -> bool:
        """Whether the algorithm works on rendered pages only."""
        return self.build().needs_layout

    @property
    def fingerprint(self) -> str:
        """A hash of the algorithm, its options, and the version and code it runs as."""
        parts = [self.name, self.options, code_digest()]
        if self.is_extractor:
            parts.append(EXTRACTORS[self.name].version or "")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Reference(Algorithm):
    """An algorithm that takes the given blocks, or all: an upper and a lower bound."""

    label: str
    mask: Mask | None = None
    name: ClassVar[str] = "reference"

    def score(
        self, document: Document, layout: Layout | None = None
    ) -> npt.NDArray[np.float32]:
        """1 for each block that is taken, 0 for the others."""
        if self.mask is not None:
            return self.mask.astype(np.float32)
        return np.full(document.n_blocks, self.label == ALL_TEXT, np.float32)


def default_specs(*, by_site: bool = False) -> list[AlgorithmSpec]:
    """All algorithms of the package and the references; *by_site* site-level ones."""
    systems = SITE_SYSTEMS if by_site else ()
    return [AlgorithmSpec.parse(name) for name in (*available(), *systems, *REFERENCES)]


@cache
def code_digest() -> str:
    """A hash of the version and of the files that extract and measure."""
    digest = hashlib.sha256(version("scrapy-mainpage").encode())
    for folder in (Path(next(iter(extraction.__path__))), Path(__file__).parent):
        for file in sorted(folder.rglob("*")):
            if file.suffix in _CODE:
                digest.update(f"{file.relative_to(folder)}\n".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
