def trim(
    page: bytes,
    *,
    elements: int,
    depth: int,
    attributes: int,
    text: int,
    scripts: bool,
) -> tuple[bytes, tuple[str, ...]]: ...
