"""What an element can be as a part of a page, and what that makes of parts inside it.

A page is nested: a share button in a menu in the header. Mostly the innermost part that
is known names a block; :data:`INSIDE` has where the part around it does.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


class State(IntEnum):
    """A part of a page. Of two that one element names, the first here counts."""

    NONE = 0
    CONSENT = 1
    BREADCRUMB = 2
    PAGINATION = 3
    ADVERTISEMENT = 4
    COMMENTS = 5
    SHARE = 6
    RELATED = 7
    FORM = 8
    ACCOUNT = 9
    """Sign in, cart and the like: a form of its own, or a part of the header."""
    BYLINE = 10
    LEGAL = 11
    BRAND = 12
    """The name of the site: a part of the header, also within a menu."""
    NAVIGATION = 13
    SIDEBAR = 14
    FOOTER = 15
    HEADER = 16
    OVERLAY = 17
    """A dialogue, a tooltip, a calendar: a part that is none of the others."""
    CONTENT = 18
    """Says of itself that it is the content: what is around it counts no more."""

    @property
    def bit(self) -> int:
        """The state as a bit for :func:`.._roles.nest`; 0 for none."""
        return 1 << self - 1 if self else 0


_KEEPS: Final = {
    State.CONSENT: set(State),
    State.BREADCRUMB: set(State),
    State.PAGINATION: set(State) - {State.ADVERTISEMENT},
    State.ADVERTISEMENT: set(State) - {State.CONSENT},
    State.COMMENTS: set(State)
    - {State.ADVERTISEMENT, State.PAGINATION, State.CONSENT, State.RELATED},
    State.SHARE: set(State) - {State.COMMENTS, State.ADVERTISEMENT, State.CONSENT},
    State.RELATED: set(State) - {State.ADVERTISEMENT, State.CONSENT},
    State.ACCOUNT: set(State) - {State.CONSENT},
    State.FORM: set(State) - {State.ADVERTISEMENT, State.CONSENT, State.SHARE},
    State.BYLINE: set(State)
    - {
        State.SHARE,
        State.COMMENTS,
        State.ADVERTISEMENT,
        State.FORM,
        State.CONSENT,
        State.BREADCRUMB,
        State.PAGINATION,
    },
    State.LEGAL: set(State) - {State.SHARE, State.CONSENT, State.FORM},
    State.NAVIGATION: set(State)
    - {
        State.FORM,
        State.SHARE,
        State.BREADCRUMB,
        State.PAGINATION,
        State.ADVERTISEMENT,
        State.CONSENT,
        State.LEGAL,
        State.ACCOUNT,
        State.BRAND,
    },
    State.SIDEBAR: {State.HEADER, State.FOOTER, State.SIDEBAR, State.OVERLAY},
    State.FOOTER: {
        State.NAVIGATION,
        State.BRAND,
        State.HEADER,
        State.FOOTER,
        State.SIDEBAR,
        State.BYLINE,
        State.RELATED,
        State.ACCOUNT,
        State.CONTENT,
        State.OVERLAY,
        State.COMMENTS,
        State.ADVERTISEMENT,
    },
    State.HEADER: {
        State.BYLINE,
        State.HEADER,
        State.FOOTER,
        State.SIDEBAR,
        State.OVERLAY,
        State.CONTENT,
    },
    State.OVERLAY: {State.HEADER, State.FOOTER, State.SIDEBAR, State.CONTENT},
}


def _table(*, forum: bool = False) -> npt.NDArray[np.uint8]:
    table = np.empty((len(State), len(State)), np.uint8)
    for outer in State:
        for inner in State:
            kept = inner == State.NONE or inner in _KEEPS.get(outer, ())
            table[outer, inner] = outer if kept else inner
    table[State.HEADER, State.ACCOUNT] = State.HEADER
    table[State.NAVIGATION, State.ACCOUNT] = State.HEADER
    if forum:
        table[State.COMMENTS, State.BYLINE] = State.BYLINE
    return table


INSIDE: Final = _table()
"""The state of an element, by the state around it and the one it names itself."""

INSIDE_FORUM: Final = _table(forum=True)
"""The same on forum pages: who wrote a post, and when, is not a part of a comment."""
