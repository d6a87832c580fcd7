from .document import Document
from .schema import Ints

def number_templates(document: Document) -> Ints: ...
