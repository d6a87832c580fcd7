"""Pages that are extracted when they are first looked at.

Between the download of a page and the spider's callback a crawl works on other pages.
If a page is extracted just before its callback, that finds the tree in the processor's
caches, where selectors are several times quicker.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from .page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.http import Response


# To make one may need another one.
_making: Final = RLock()


class PendingPage(Page):
    """The page of *response*, which *make* makes when somebody looks at it.

    From then on it is a plain :class:`~scrapy_mainpage.Page`, the same object.
    """

    def __init__(self, response: Response, make: Callable[[], Page]) -> None:
        _state(self).update(response=response, make=make)

    def __getattribute__(self, name: str) -> Any:
        settle(self)
        return getattr(self, name)


def settle(page: object) -> None:
    """Have *page* made, if it is a page that has not been made yet."""
    if type(page) is not PendingPage:
        return
    with _making:
        # Another thread may have had it made meanwhile.
        if type(page) is PendingPage:
            _make(page)


def _make(page: PendingPage) -> None:
    state = _state(page)
    make = state.pop("make")
    try:
        made = make()
    except BaseException:
        state["make"] = make
        raise
    state.clear()
    state.update(vars(made))
    object.__setattr__(page, "__class__", Page)


def awaits(page: object, response: Response) -> bool:
    """Whether *page* is that of *response* and has not been made yet."""
    if type(page) is not PendingPage:
        return False
    state = _state(page)
    return "make" in state and state["response"] is response


def _state(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = object.__getattribute__(page, "__dict__")
    return state


__all__ = ["PendingPage", "awaits", "settle"]
