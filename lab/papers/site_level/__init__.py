"""Systems that compare the pages of a site: comparison systems of the papers.

They need several pages at once, so they are no algorithms of a crawl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scrapy_mainpage.extraction.algorithms import AlgorithmError

from .restricted_mapping import RestrictedTopDownMapping
from .style_tree import SiteStyleTree
from .temex import TemEx

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .site import SiteSystem

SITE_SYSTEMS: Final[Mapping[str, type[SiteSystem]]] = {
    system.name: system for system in (RestrictedTopDownMapping, SiteStyleTree, TemEx)
}
"""The systems by name."""


def get_site_system(name: str, options: Mapping[str, Any]) -> SiteSystem:
    """Create the system *name*; raises ``AlgorithmError`` for unknown options."""
    try:
        return SITE_SYSTEMS[name](**options)
    except (TypeError, ValueError) as error:
        raise AlgorithmError(f"{name!r} does not take {options!r}: {error}") from None


__all__ = ["SITE_SYSTEMS", "get_site_system"]
