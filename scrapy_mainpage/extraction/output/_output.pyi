from typing import Final

import numpy as np
import numpy.typing as npt

from ..document.document import Document

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

NAMES: Final[tuple[str, ...]]
OPENS: Final[int]

class Signs:
    silent_blocks: Mask

class TextWriter:
    def __init__(
        self, document: Document, chosen: npt.NDArray[np.int64], signs: Signs
    ) -> None: ...
    def text(self, first: int, end: int) -> str: ...
    def block_text(self, block: int) -> str: ...

def find_signs(document: Document) -> Signs: ...
def unmarked_elements(signs: Signs) -> npt.NDArray[np.uint8]: ...
def text_holders(document: Document) -> Ints: ...
def main_runs(
    document: Document, main: Mask, signs: Signs
) -> npt.NDArray[np.uint8]: ...
def read_events(
    document: Document, main: Mask, kept: npt.NDArray[np.uint8], signs: Signs
) -> Ints: ...
def assemble_html(
    document: Document,
    events: Ints,
    links: dict[int, bytes],
    sources: dict[int, bytes],
    languages: dict[int, bytes],
) -> str: ...
def assemble_markdown(
    document: Document,
    events: Ints,
    links: dict[int, bytes],
    sources: dict[int, bytes],
    languages: dict[int, bytes],
) -> str: ...
