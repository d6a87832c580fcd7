from ..document.schema import Bits, Bytes, Ints

class NameTable:
    def __init__(
        self,
        entries: dict[tuple[int, str], tuple[int, int]],
        reading: Bytes,
    ) -> None: ...

def name_bits(
    values: bytes,
    attribute: Ints,
    element: Ints,
    start: Ints,
    end: Ints,
    n_elements: int,
    table: NameTable,
) -> Bits: ...
def bits_of_name(table: NameTable, attribute: int, name: bytes) -> int: ...
