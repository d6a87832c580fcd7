from .schema import Ints

def write_paths(
    parent: Ints,
    tag: Ints,
    numbers: Ints,
    names: list[bytes | None],
    wanted: Ints,
    budget: int,
) -> list[str]: ...
