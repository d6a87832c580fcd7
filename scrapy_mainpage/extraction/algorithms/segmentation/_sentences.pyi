from ...document.schema import Ints

def count_sentences(
    text: bytes,
    start: Ints,
    end: Ints,
    block: Ints,
    zone: Ints,
    n_zones: int,
    verbs: frozenset[bytes] | None,
    least_words: int,
) -> Ints: ...
def wrap_words(
    text: bytes, start: Ints, end: Ints, width: int
) -> tuple[Ints, Ints, Ints]: ...
