"""Which browser context a page is rendered in, and for how many a context serves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count


@dataclass
class _Context:
    name: str
    kind: object
    left: int
    busy: int = 0


class Contexts:
    """Names of contexts, each for so many pages.

    A context keeps cookies, storage and caches, as a person's browser does, and grows
    with them; after *pages* pages another takes its place. Requests of one *kind*
    share a context.
    """

    def __init__(self, pages: int):
        self.pages = pages
        self._numbers = count(1)
        self._open: dict[object, _Context] = {}
        self._named: dict[str, _Context] = {}

    def take(self, kind: object, *, alone: bool = False) -> str:
        """Return the name of the context for one more page.

        *alone*: a page that shares its context with no other.
        """
        context = None if alone else self._open.get(kind)
        if context is None:
            name = f"mainpage-{next(self._numbers)}"
            context = _Context(name, kind, 1 if alone else self.pages)
            self._named[name] = context
            if not alone:
                self._open[kind] = context
        context.busy += 1
        context.left -= 1
        if not context.left and self._open.get(kind) is context:
            del self._open[kind]
        return context.name

    def spoil(self, name: str) -> None:
        """Give the context to no more pages."""
        context = self._named[name]
        context.left = 0
        if self._open.get(context.kind) is context:
            del self._open[context.kind]

    def give_back(self, name: str) -> bool:
        """Return whether to close the context: a page ended, and it was its last."""
        context = self._named[name]
        context.busy -= 1
        if context.busy or context.left:
            return False
        del self._named[name]
        return True
