from ..document.schema import Bytes, Mask
from ._events import Events
from ._signs import Signs

def read_events(signs: Signs, main: Mask, kept: Bytes, posts: set[int]) -> Events: ...
