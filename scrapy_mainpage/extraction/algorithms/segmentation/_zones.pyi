from ...document.schema import Bytes, Doubles, Floats, Ints, Mask

def build_zones(
    body: int,
    end: int,
    parent: Ints,
    first_run: Ints,
    breaks: Bytes,
    significant: Bytes,
    is_block: Bytes,
    is_line_break: Bytes,
    box: Floats,
    run_box: Floats,
    run_element: Ints,
    run_is_text: Bytes,
) -> tuple[Ints, Ints, Doubles, Ints]: ...
def build_columns(
    parent: Ints, box: Doubles, tolerance: float
) -> tuple[Ints, Ints, Doubles]: ...
def collapse_columns(
    parent: Ints, box: Doubles, tolerance: float
) -> tuple[Mask, Ints]: ...
def add_up(parent: Ints, values: Doubles) -> None: ...
def spread_words(parent: Ints, element: Ints, words: Ints) -> Doubles: ...
