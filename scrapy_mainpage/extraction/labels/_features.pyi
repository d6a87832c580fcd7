from ..document.document import Document
from ..document.schema import Bits, Floats, Ints, Mask
from .phrases import PhraseMatches

NAMES: tuple[str, ...]

def role_features(
    document: Document,
    names: Bits,
    phrases: PhraseMatches,
    main: Mask,
    wanted: Ints,
    title: int,
    forum: bool,
) -> Floats: ...
