"""Selectors of responses: one that lets its response go, one without a tree so far."""

from __future__ import annotations

from inspect import ismemberdescriptor
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

import parsel
import scrapy

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element
    from scrapy.http import TextResponse

_PLACE: Final[Any] = vars(scrapy.Selector)["response"]
_CLASS: Final[Any] = vars(object)["__class__"]
_PARTS: Final = {
    name: slot
    for name, slot in vars(parsel.Selector).items()
    if ismemberdescriptor(slot)
}
_becoming: Final = Lock()


class Selector(scrapy.Selector):
    """A response's selector that does not keep the response alive.

    They would keep each other alive, and the tree as well, until the next collection of
    garbage: several hundred pages in a crawl.
    """

    __slots__ = ()

    # What is selected from it, by its class, is a selector as any other.
    __class__: Any = scrapy.Selector

    @classmethod
    def of(cls, response: TextResponse, root: _Element) -> scrapy.Selector:
        """The selector of *response* with the tree below *root*."""
        # Scrapy counts it among its own.
        selector = scrapy.Selector(root=root, type="html")
        _CLASS.__set__(selector, cls)
        selector.response = response
        return selector

    @property
    def response(self) -> TextResponse | None:
        """The response, as long as somebody has it."""
        known: Callable[[], TextResponse | None] | None = _PLACE.__get__(self)
        return None if known is None else known()

    @response.setter
    def response(self, response: TextResponse | None) -> None:
        _PLACE.__set__(self, None if response is None else ref(response))


class _Waiting(NamedTuple):
    """What has been put off until a tree is asked for. It keeps the response alive."""

    response: TextResponse
    before: Callable[[], object]

    def __call__(self) -> TextResponse:
        return self.response


class PendingSelector(Selector):
    """The selector of a response whose tree has not been asked for.

    When it is, something else comes first; then it is a plain one, the same object.
    """

    __slots__ = ()

    @classmethod
    def waiting(
        cls, response: TextResponse, before: Callable[[], object]
    ) -> PendingSelector:
        """The selector of *response* that calls *before* ahead of its tree.

        What that does may be to read the tree: see :meth:`become`.
        """
        # Scrapy counts it among its own. It has no parts yet, but its response has
        # to live until then.
        selector: Any = scrapy.Selector.__new__(scrapy.Selector)
        _PLACE.__set__(selector, _Waiting(response, before))
        _CLASS.__set__(selector, cls)
        assert isinstance(selector, cls)
        return selector

    def __getattr__(self, name: str) -> Any:
        """Called for the parts, as long as there are none."""
        if name not in _PARTS:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        self._make()
        return getattr(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a part, when there are any."""
        if name in _PARTS:
            self._make()
        object.__setattr__(self, name, value)

    def __reduce_ex__(self, protocol: object) -> tuple[type[None], tuple[()]]:
        """A copy of the response has none so far."""
        return type(None), ()

    def bring_on(self) -> None:
        """Have what has been put off."""
        waiting = _PLACE.__get__(self)
        # Another thread may have had the tree made meanwhile.
        if isinstance(waiting, _Waiting):
            waiting.before()

    def _make(self) -> None:
        response = self.response
        self.bring_on()
        if type(self) is PendingSelector:
            PendingSelector.become(self, scrapy.Selector(response))

    def become(self, made: parsel.Selector) -> None:
        """Have the parts of *made*, the selector of the same response."""
        with _becoming:
            # Another thread may have been first.
            if type(self) is PendingSelector:
                self._become(made)

    def _become(self, made: parsel.Selector) -> None:
        response = self.response
        for name, slot in _PARTS.items():
            if hasattr(made, name):
                slot.__set__(self, getattr(made, name))
        _CLASS.__set__(self, Selector)
        self.response = response


__all__ = ["PendingSelector", "Selector"]
