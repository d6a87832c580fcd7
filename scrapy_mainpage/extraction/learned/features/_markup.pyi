from ...document.document import Document
from ...document.schema import Ints

SLOTS: int

def page_slots(document: Document) -> Ints: ...
def block_slots(document: Document) -> tuple[Ints, Ints]: ...
