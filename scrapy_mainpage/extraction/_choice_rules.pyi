from .document.document import Document
from .document.schema import Floats, Mask

LEDE: int
OTHER_PAGES: int
COPIES: int
LINES: int
TITLES: int
ALL_RULES: int

def mend_choice(
    document: Document, main: Mask, scores: Floats, title: int, rules: int = ...
) -> Mask: ...
