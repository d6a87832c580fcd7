from .schema import Ints, Mask

def find_pieces(
    text: bytes, start: Ints, end: Ints, words: tuple[bytes, ...]
) -> Mask: ...
