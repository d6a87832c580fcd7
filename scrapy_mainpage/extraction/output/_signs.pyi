from ..document.document import Document
from ..document.schema import Mask

class Signs:
    silent_blocks: Mask
    def __init__(self, document: Document) -> None: ...

def unmarked_elements(signs: Signs) -> Mask: ...
