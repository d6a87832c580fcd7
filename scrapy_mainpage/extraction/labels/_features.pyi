from ..document.document import Document
from ..document.schema import Bits, Bytes, Floats, Ints
from .phrases import PhraseMatches

NAMES: tuple[str, ...]

def role_features(
    document: Document,
    bits: Bits,
    phrases: PhraseMatches,
    main: Bytes,
    wanted: Ints,
    title: int,
    forum: bool,
) -> Floats: ...
