from ..document.document import Document
from ..document.schema import Bytes, Doubles, Floats, Ints, Mask

MIN_COPY_WORDS: int

def calibrate(document: Document, odds: Doubles) -> Floats: ...
def select_blocks(
    document: Document,
    scores: Floats,
    beta: float,
    min_words: float,
) -> tuple[Mask, float]: ...
def keep_copies(text: bytes, start: Ints, end: Ints, chosen: Bytes) -> None: ...
