"""What the guard did not let through: counted, logged once, and remembered."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_MOST: Final = 1000
"""Endpoints that are remembered; a page can ask for any number of them."""

_BOUNDS: Final = ("too_large", "too_many")
"""Reasons that say nothing of the host: another connection to it may be fine."""


class Refusals:
    """Hosts and ports that the pages of a browser asked for in vain."""

    def __init__(self, stats: StatsCollector):
        self._stats = stats
        self._reasons: dict[tuple[str, int], str] = {}
        self._logged: set[tuple[str, int, str]] = set()

    def add(self, reason: str, host: str, port: int) -> None:
        """Take note of one; the arguments are those of :class:`.guard.Guard`."""
        self._stats.inc_value(f"mainpage/render/refused/{reason}")
        if len(self._logged) >= _MOST:
            self._logged.clear()
            self._reasons.clear()
        if reason not in _BOUNDS:
            self._reasons[host.lower(), port] = reason
        if (host, port, reason) not in self._logged:
            self._logged.add((host, port, reason))
            _log(reason, host, port)

    def reason(self, url: str) -> str | None:
        """Return why the host of the URL was refused, ``None`` if it was not."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return self._reasons.get((parts.hostname or "", port))


def _log(reason: str, host: str, port: int) -> None:
    message = "A rendered page may not reach %(host)s:%(port)s (%(reason)s); "
    message += "MAINPAGE_RENDER_ALLOWED_HOSTS lets hosts of your own through"
    if reason in _BOUNDS:
        message = "A rendered page's connection was cut (%(reason)s): %(host)s:%(port)s"
    logger.warning(message, {"host": host, "port": port, "reason": reason})
