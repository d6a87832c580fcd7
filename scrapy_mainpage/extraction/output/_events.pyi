from ..document.schema import Ints

class Events:
    def elements(self, *names: str) -> Ints: ...
