from collections.abc import Iterable

from .document.document import Document
from .document.schema import Floats, Mask

def mend_choice(
    document: Document,
    main: Mask,
    scores: Floats,
    title: int,
    descriptions: Iterable[str] = (),
) -> Mask: ...
