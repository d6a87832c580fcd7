from ._events import Events

def assemble_html(
    events: Events,
    links: dict[int, bytes],
    sources: dict[int, bytes],
    languages: dict[int, bytes],
) -> str: ...
