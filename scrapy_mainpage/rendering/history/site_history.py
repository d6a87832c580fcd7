"""Rendering history of a crawl's sites in bounded memory: where a browser pays off.

Counts decide, neither chance nor the clock: the same crawl decides the same.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from .site_stats import (
    MAX_FAILURES,
    RECHECK_INTERVAL,
    STATIC,
    Certainty,
    Decision,
    RuleStats,
    SiteStats,
    UrlPatternStats,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

logger = logging.getLogger(__name__)

_Value = TypeVar("_Value")

MAX_SITES: Final = 5_000
MAX_RULES: Final = 50
MAX_PATTERNS: Final = 100
"""Rules and URL patterns kept per site; the least recently used are dropped."""

MIN_PATTERN_GAINS: Final = 5
"""Pages of a URL pattern that gained before the others are rendered upfront."""

MIN_TOP_LEVEL_GAINS: Final = 20
"""The same for the pattern of all pages right below the root of a site."""

_MAX_NAME_CHARS: Final = 80
_MAX_URL_CHARS: Final = 1000
_ID: Final = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{4,}(-[0-9a-f]{4,})+", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)

_VERSION: Final = 2


class SiteHistory:
    """Results of rendering per site.

    A *key* names the rule that matched a page: the reason of its judgement and the
    places where it was found. A page that is downloaded without a browser and judged
    ends in :meth:`add_static` or :meth:`decide`. When the browser is free,
    :meth:`confirm` says whether to go on; the page ends in :meth:`add_rendered` or
    :meth:`add_failure`. All of them take the same URL. Pages rendered upfront, without
    a static version to compare with, end in :meth:`add_success` or
    :meth:`add_failure`.
    """

    def __init__(self) -> None:
        self._sites: OrderedDict[str, SiteStats] = OrderedDict()

    def is_rendered_upfront(self, url: str) -> bool:
        """Whether to render *url* without a look at its static page.

        Ask once per download: every 20th ``True`` is turned into a ``False``.
        """
        site = self._sites.get(get_host(url))
        pattern, needed = get_url_pattern(url)
        stats = site.patterns.get(pattern) if site else None
        if site is None or stats is None or site.failures >= MAX_FAILURES:
            return False
        if stats.gained < needed:
            return False
        stats.asked += 1
        return stats.asked % RECHECK_INTERVAL != 0

    def decide(self, url: str, key: tuple[str, ...], certainty: Certainty) -> Decision:
        """Decide on a static page that was judged to need rendering, or may need it."""
        site, rule = self._rule(url, key)
        site.pages += 1
        rule.certainty = certainty
        decision = site.decide(rule)
        if decision == "skip":
            self._mark_static(url)
        return decision

    def confirm(self, url: str, key: tuple[str, ...]) -> bool:
        """Whether to render still, by the verdicts since :meth:`decide`.

        After ``False`` the static page goes on; report nothing more about it.
        """
        site, rule = self._rule(url, key)
        if confirmed := site.confirm(rule):
            return confirmed
        self._mark_static(url)
        return False

    def add_static(self, url: str) -> None:
        """Record a page that needs no rendering."""
        self._site(url).pages += 1
        self._mark_static(url)

    def add_rendered(self, url: str, key: tuple[str, ...], gained: bool) -> None:
        """Record a rendered page; *gained*: it had more content than the static one."""
        site, rule = self._rule(url, key)
        site.learn(rule, gained)
        if gained:
            pattern = self._pattern(url)
            pattern.gained += pattern.gained != STATIC
        else:
            self._mark_static(url)

    def add_failure(self, url: str) -> None:
        """Record a failure of the browser."""
        self._site(url).failures += 1

    def add_success(self, url: str) -> None:
        """Record a page that was rendered upfront."""
        site = self._sites.get(get_host(url))
        if site is not None:
            site.failures = 0

    def __len__(self) -> int:
        """Return the number of known sites."""
        return len(self._sites)

    # --- Storage -----------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Replace a file by the history, atomically. Raises :exc:`OSError`."""
        sites = {name: site.to_data() for name, site in self._sites.items()}
        path = Path(path)
        draft = path.with_name(path.name + ".part")
        draft.write_text(json.dumps({"version": _VERSION, "sites": sites}), "utf-8")
        draft.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a saved history; start an empty one if it is missing or broken."""
        history = cls()
        try:
            data = json.loads(Path(path).read_text("utf-8"))
            if data["version"] != _VERSION:
                raise ValueError(f"unknown version: {data['version']!r}")
            for name, site in data["sites"].items():
                history._sites[name] = SiteStats.from_data(site)
        except FileNotFoundError:
            return history
        except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
            logger.warning("Rendering history in %s is ignored: %s", path, error)
            return cls()
        return history

    # --- Entries -------------------------------------------------------------

    def _site(self, url: str) -> SiteStats:
        return _touch(self._sites, get_host(url), SiteStats, MAX_SITES)

    def _rule(self, url: str, key: tuple[str, ...]) -> tuple[SiteStats, RuleStats]:
        site = self._site(url)
        name = shorten("\n".join(key)) or " "
        return site, _touch(site.rules, name, RuleStats, MAX_RULES)

    def _pattern(self, url: str) -> UrlPatternStats:
        name = get_url_pattern(url)[0]
        return _touch(self._site(url).patterns, name, UrlPatternStats, MAX_PATTERNS)

    def _mark_static(self, url: str) -> None:
        self._pattern(url).gained = STATIC


def _touch(
    entries: OrderedDict[str, _Value],
    name: str,
    make: Callable[[], _Value],
    max_entries: int,
) -> _Value:
    """Return the named entry, made if missing, as the most recently used one."""
    if name not in entries:
        entries[name] = make()
        if len(entries) > max_entries:
            entries.popitem(last=False)
    entries.move_to_end(name)
    return entries[name]


# --- Keys --------------------------------------------------------------------


def shorten(text: str) -> str:
    """Return *text*, or its first half and a digest if it is over 80 characters."""
    if len(text) <= _MAX_NAME_CHARS:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return f"{text[: _MAX_NAME_CHARS // 2]}~{digest.hexdigest()}"


def get_host(url: str) -> str:
    """Return host and port of a URL in lower case; empty if it has none."""
    try:
        return shorten(urlsplit(url).netloc.rpartition("@")[2].lower())
    except ValueError:
        return ""


def get_url_pattern(url: str) -> tuple[str, int]:
    """Return the pattern of a URL, and how many gains prove it for all its pages.

    A pattern is the path without numbers, identifiers and the last segment, and the
    names of the query parameters: ``/shop/item-0/*.html``, ``/view?id``.
    """
    try:
        _, _, path, query, _ = urlsplit(url)
    except ValueError:
        return "", MIN_TOP_LEVEL_GAINS
    *folders, last = path[:_MAX_URL_CHARS].strip("/").split("/")
    pairs = filter(None, query[:_MAX_URL_CHARS].split("&"))
    names = sorted({pair.partition("=")[0] for pair in pairs})
    end = _mask(last) if names else _mask_last(last)
    parts = [*map(_mask, folders), end]
    pattern = "/" + "/".join(parts) + ("?" + "&".join(names) if names else "")
    is_top_level = not folders and not names and end != "#"
    needed = MIN_TOP_LEVEL_GAINS if is_top_level else MIN_PATTERN_GAINS
    return shorten(pattern), needed


def _mask(segment: str) -> str:
    """Replace the part of a path segment that differs from page to page."""
    if _ID.fullmatch(segment):
        return "#"
    if len(segment) > 24 or segment.count("-") + segment.count("_") > 2:
        return "*"
    return re.sub(r"\d+", "0", segment.lower())


def _mask_last(segment: str) -> str:
    """Keep of the last segment whether it is a number or a name, and its extension."""
    stem, dot, extension = segment.rpartition(".")
    if not dot or not stem or not _EXTENSION.fullmatch(dot + extension):
        stem, extension = segment, ""
    mark = "#" if _ID.fullmatch(stem) else "*" if stem else ""
    return f"{mark}.{extension.lower()}" if extension else mark
