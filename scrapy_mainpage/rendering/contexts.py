"""Which browser context a page is rendered in, and for how many a context serves."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from itertools import count
from typing import Final

MOST_KINDS: Final = 4
"""Kinds that keep a context open: each takes memory until its pages are used up."""


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
    share a context. Only the kinds that were used last keep one open, as a crawl may
    have any number of kinds.
    """

    def __init__(self, pages: int):
        self.pages = pages
        self._numbers = count(1)
        self._open: OrderedDict[object, _Context] = OrderedDict()
        self._named: dict[str, _Context] = {}

    def take(self, kind: object, *, alone: bool = False) -> tuple[str, list[str]]:
        """Return the name of the context for one more page, and those to close now.

        *alone*: a page that shares its context with no other.
        """
        context = None if alone else self._open.get(kind)
        if context is None:
            context = self._new(kind, 1 if alone else self.pages)
        if not alone:
            self._open[kind] = context
            self._open.move_to_end(kind)
        context.busy += 1
        context.left -= 1
        if not context.left:
            self._retire(context)
        return context.name, self._close_oldest()

    def spoil(self, name: str) -> None:
        """Give the context to no more pages."""
        self._retire(self._named[name])

    def give_back(self, name: str) -> bool:
        """Return whether to close the context: a page ended, and it was its last."""
        context = self._named[name]
        context.busy -= 1
        return self._is_over(context)

    def _new(self, kind: object, pages: int) -> _Context:
        context = _Context(f"mainpage-{next(self._numbers)}", kind, pages)
        self._named[context.name] = context
        return context

    def _retire(self, context: _Context) -> None:
        context.left = 0
        if self._open.get(context.kind) is context:
            del self._open[context.kind]

    def _close_oldest(self) -> list[str]:
        """Names of idle contexts; one with pages under way closes with its last."""
        idle: list[str] = []
        while len(self._open) > MOST_KINDS:
            oldest = next(iter(self._open.values()))
            self._retire(oldest)
            if self._is_over(oldest):
                idle.append(oldest.name)
        return idle

    def _is_over(self, context: _Context) -> bool:
        """Whether no page has the context or will get it; it is forgotten then."""
        if context.busy or context.left:
            return False
        del self._named[context.name]
        return True
