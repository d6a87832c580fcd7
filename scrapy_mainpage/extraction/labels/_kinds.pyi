from ..document.document import Document
from ..document.schema import Bits, Bytes

def find_kinds(document: Document, names: Bits) -> Bytes: ...
