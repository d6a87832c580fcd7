"""Pages that are extracted when they are first looked at.

Between the download of a page and the spider's callback a crawl works on other pages.
If a page is extracted in its callback, that finds the tree in the processor's caches,
where selectors are several times quicker.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from ..page import Page

if TYPE_CHECKING:
    from collections.abc import Callable


_MAKE: Final = "make"

# To make one may need another one.
_making: Final = RLock()


class PendingPage(Page):
    """A page that *make* makes when somebody looks at it.

    From then on it is a plain :class:`~scrapy_mainpage.Page`, the same object.
    """

    def __init__(self, make: Callable[[], Page]) -> None:
        _state(self)[_MAKE] = make

    def __getattribute__(self, name: str) -> Any:
        settle(self)
        return getattr(self, name)


def settle(page: object) -> None:
    """Have *page* made, if it is a page that neither has been yet nor is just now."""
    if type(page) is not PendingPage:
        return
    with _making:
        # Another thread may have had it made meanwhile.
        if type(page) is PendingPage and _MAKE in _state(page):
            _make(page)


def _make(page: PendingPage) -> None:
    state = _state(page)
    make = state.pop(_MAKE)
    try:
        made = make()
    except BaseException:
        state[_MAKE] = make
        raise
    state.clear()
    state.update(vars(made))
    object.__setattr__(page, "__class__", Page)


def _state(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = object.__getattribute__(page, "__dict__")
    return state


__all__ = ["PendingPage", "settle"]
