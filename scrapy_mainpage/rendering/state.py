"""What a request knows of its rendering: plain data in its meta, small on disk.

The state is a dictionary under :data:`STATE_KEY`. A request that has one was decided
about, which is what guards against loops; the spider middleware takes it out of the
requests that a spider makes from a response's meta.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypedDict

if TYPE_CHECKING:
    from scrapy import Request

    from .knowledge import Advice

WISH_KEY: Final = "mainpage_render"
"""What the spider wants: ``True`` or ``False``."""

STATE_KEY: Final = "mainpage_rendering"

#: What the downloader writes into the meta of a request and the next must not have.
_TRACES: Final = ("download_latency", "cached_response", "_dont_cache", "retry_times")


class State(TypedDict, total=False):
    """``rendered`` and ``reason`` are always there.

    ``url`` is the address that it began with, ``key`` what the site's experience is
    remembered under and ``advice`` what it said; ``sketch`` is a sample of the static
    page's text and ``words`` how much main content it had. ``done`` is set once the
    response was seen: the state of a request copied later is an old one. ``layout``
    asks for the boxes of the elements. ``record`` marks what is no request at all but
    the place of a stored decision.
    """

    rendered: bool
    reason: str
    url: str
    key: list[str]
    advice: Advice
    sketch: list[int]
    words: int
    done: bool
    layout: bool
    record: bool


def state_of(request: Request) -> State | None:
    """Return the request's state; ``None`` if nothing has been decided."""
    state = request.meta.get(STATE_KEY)
    return state if isinstance(state, dict) and "reason" in state else None  # type: ignore[return-value]


def is_to_render(request: Request) -> bool:
    """Return whether the request's response is, or was, to come from a browser."""
    state = state_of(request)
    return state is not None and bool(state.get("rendered"))


def wants_layout(request: Request) -> bool:
    """Return whether the rendered page is to come with its layout."""
    return bool((state_of(request) or {}).get("layout"))


def changed(request: Request, state: State) -> Request:
    """Return a copy of the request that is in *state*, past the duplicate filter.

    Its first answer went no further, so the copy is no duplicate of it.
    """
    meta: dict[str, Any] = {
        key: value for key, value in request.meta.items() if key not in _TRACES
    }
    meta[STATE_KEY] = state
    return request.replace(meta=meta, dont_filter=True)
