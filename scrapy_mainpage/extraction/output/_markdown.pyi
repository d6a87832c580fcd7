from ._events import Events

def assemble_markdown(
    events: Events,
    links: dict[int, bytes],
    sources: dict[int, bytes],
    languages: dict[int, bytes],
    raw_formulas: bool = False,
) -> str: ...
