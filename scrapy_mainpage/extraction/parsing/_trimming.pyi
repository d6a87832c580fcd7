def trim(
    page: bytes,
    *,
    elements: int,
    room: int,
    depth: int,
    attributes: int,
    text: int,
    scripts: bool,
) -> tuple[bytes, tuple[str, ...]]: ...
