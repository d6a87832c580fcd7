from collections.abc import Callable

from .document.document import Document
from .document.schema import Floats, Mask

def mend_choice(
    document: Document,
    main: Mask,
    scores: Floats,
    title: int,
    describe: Callable[[], list[str]] = ...,
) -> Mask: ...
