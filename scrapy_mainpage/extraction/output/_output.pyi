from typing import Final

import numpy as np
import numpy.typing as npt

from ..document.document import Document

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

NAMES: Final[tuple[str, ...]]
OPENS: Final[int]

def text_holders(document: Document) -> Ints: ...
def main_runs(document: Document, main: Mask) -> npt.NDArray[np.uint8]: ...
def find_separators(
    document: Document, chosen: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint8]: ...
def join_blocks(
    document: Document,
    chosen: npt.NDArray[np.int64],
    separators: npt.NDArray[np.uint8],
) -> str: ...
def read_events(
    document: Document, main: Mask, kept: npt.NDArray[np.uint8]
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
