"""What the names of keys tell of what they name: a title, content, something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

LONGEST_KEY: Final = 100
"""Characters of a key that are looked at."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_TITLES: Final = frozenset("title name headline heading question label subject".split())
_WANTED: Final = frozenset(
    "answer article biography blocks body content contents cooked description details "
    "document html instructions markdown markup overview paragraph paragraphs "
    "rendered richtext story summary synopsis text transcript value".split()
)
_UNWANTED: Final = frozenset(
    "ad ads advertisement adverts analytics aria author authors banner bio breadcrumb "
    "breadcrumbs byline captcha caption captions channel chunk comment comments "
    "config configs configuration consent cookie cookies copyright css dictionary "
    "disclaimer disclaimers error errors experiment experiments fallback faqs flag "
    "flags footer footers form forms gdpr globals header headers i18n intl jsonld "
    "label labels lang languages latest layout ld legal locale locales login menu "
    "menus messages meta metadata metas modal modals more nav navigation newsletter "
    "notice notification notifications og onetrust opengraph permissions phrases "
    "placeholder policy popular popup privacy promo promos promotion promotions "
    "recommend recommendation recommendations recommended related review reviews "
    "schema script scripts seo settings shipping sidebar sidebars similar site social "
    "sponsor sponsors strings style styles subscribe subscription suggestions svg "
    "teaser teasers terms testimonials theme toast toasts tooltip tooltips track "
    "tracking translation translations trending twitter ui variables warranty widget "
    "widgets".split()
)


def is_title(key: str) -> bool:
    """Whether *key* names what may be the title of an object.

    The compiled reading of values knows these names as well.
    """
    return key.lower() in _TITLES


def is_wanted(key: str) -> bool:
    """Whether *key* names content."""
    return not _WANTED.isdisjoint(_parts(key))


def is_unwanted(key: str) -> bool:
    """Whether *key* names what is no content, whatever it says."""
    return _names_unwanted(key[:LONGEST_KEY])


class KnownKeys(dict[str, tuple[bool, bool]]):
    """Of each key whether it names a title, and whether it names no content.

    One page's: its keys are many, and come again and again.
    """

    def __missing__(self, key: str) -> tuple[bool, bool]:
        found = self[key] = (is_title(key), is_unwanted(key))
        return found

    def is_unwanted(self, key: str) -> bool:
        """As :func:`is_unwanted`."""
        return self[key][1]


@lru_cache(maxsize=4096)
def _names_unwanted(key: str) -> bool:
    return not _UNWANTED.isdisjoint(_parts(key))


def _parts(key: str) -> list[str]:
    """A key and the words in it: ``articleBody`` has two."""
    key = key[:LONGEST_KEY]
    return [key.lower(), *(part.lower() for part in _WORD.findall(key))]


__all__ = ["is_title", "is_unwanted", "is_wanted"]
