"""Rendering history of a crawl's sites in bounded memory: where a browser pays off.

Counts decide, neither chance nor the clock: the same crawl decides the same.
"""

from __future__ import annotations

import json
import logging
import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from .site_stats import (
    MAX_FAILURES,
    MAX_PATTERNS,
    MAX_RULES,
    RECHECK_INTERVAL,
    STATIC,
    Certainty,
    Decision,
    RuleStats,
    SiteStats,
    UrlPatternStats,
)
from .url_patterns import get_host, get_url_pattern, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    # typing.Self requires Python 3.11
    from typing_extensions import Self

logger = logging.getLogger(__name__)

_Value = TypeVar("_Value")

MAX_SITES: Final = 10_000
MAX_ENTRIES: Final = 200_000
"""Rules and URL patterns of all sites together."""

_VERSION: Final = 1


class SiteHistory:
    """Results of rendering per site.

    A *key* names the rule that matched a page: the reason of its judgement and the
    places where it was found. A page that is downloaded without a browser and judged
    ends in :meth:`add_static` or :meth:`decide`; after ``render`` or ``probe``
    :meth:`begin` follows right away. When the browser is free, :meth:`is_pending` says
    whether to wait and :meth:`confirm` whether to go on; the page ends in
    :meth:`add_rendered`, :meth:`add_failure` or :meth:`give_up`, or in a
    :meth:`confirm` that is ``False``. All of them take the same URL. Pages rendered
    upfront, without a static version to compare with, end in :meth:`add_success` or
    :meth:`add_failure`.
    """

    def __init__(self) -> None:
        self._sites: OrderedDict[str, SiteStats] = OrderedDict()
        self._size = 0

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
        """Decide on a static page that was judged to need rendering, or may need it.

        :meth:`confirm` lets a ``"probe"`` through. ``"render"`` for a doubtful rule
        without a verdict relies on the probes in progress.
        """
        site, rule = self._rule(url, key)
        site.pages += 1
        rule.certainty = certainty
        decision = site.decide(rule)
        if decision == "skip":
            self._mark_static(url)
        return decision

    def add_static(self, url: str) -> None:
        """Record a page that needs no rendering."""
        self._site(url).pages += 1
        self._mark_static(url)

    def begin(self, url: str, key: tuple[str, ...]) -> None:
        """Record a page that was queued for the browser, right after :meth:`decide`."""
        site, rule = self._rule(url, key)
        site.begin(rule.queued, url)

    def is_pending(self, url: str, key: tuple[str, ...]) -> bool:
        """Whether a verdict in progress may change the result of :meth:`confirm`.

        Waiting for it avoids a vain rendering, or lost content. Bound the wait: the
        other page may get lost.
        """
        site, rule = self._rule_of_waiting(url, key)
        return site.is_pending(rule)

    def confirm(self, url: str, key: tuple[str, ...], decision: Decision) -> bool:
        """Whether to render still, by the verdicts so far.

        After ``False`` the static page goes on; report nothing more about it.
        """
        site, rule = self._rule_of_waiting(url, key)
        if site.confirm(rule, probe=decision == "probe"):
            site.begin(rule.running, url)
            return True
        rule.end(url)
        self._mark_static(url)
        return False

    def add_rendered(self, url: str, key: tuple[str, ...], gained: bool) -> None:
        """Record a rendered page; *gained*: it had more content than the static one."""
        site, rule = self._rule(url, key)
        site.learn(rule, gained)
        rule.end(url)
        if gained:
            pattern = self._pattern(url)
            pattern.gained += pattern.gained != STATIC
        else:
            self._mark_static(url)

    def add_failure(self, url: str, key: tuple[str, ...] = ()) -> None:
        """Record a failure of the browser. No *key* for a page rendered upfront."""
        self._site(url).failures += 1
        if key:
            self.give_up(url, key)

    def give_up(self, url: str, key: tuple[str, ...]) -> None:
        """Record a page that was not rendered for a reason of its own: no verdict."""
        self._rule(url, key)[1].end(url)

    def stop_waiting(self, url: str, key: tuple[str, ...]) -> None:
        """Let no page wait for this one, whose verdict will take long; it is queued."""
        self._rule_of_waiting(url, key)

    def add_success(self, url: str) -> None:
        """Record a page that was rendered upfront."""
        site = self._sites.get(get_host(url))
        if site is not None:
            site.failures = 0

    def __len__(self) -> int:
        """Return the number of known sites."""
        return len(self._sites)

    # --- Storage -----------------------------------------------------------

    def to_json(self) -> str:
        """Return the history as JSON, without pages in progress."""
        sites = {name: site.to_data() for name, site in self._sites.items()}
        return json.dumps({"version": _VERSION, "hosts": sites}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read :meth:`to_json`; raise :exc:`ValueError` for any other text."""
        history = cls()
        try:
            data = json.loads(text)
            if data["version"] != _VERSION:
                raise ValueError(f"unknown version: {data['version']!r}")
            for name, site in data["hosts"].items():
                history._sites[name] = SiteStats.from_data(site)
        except (AttributeError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"not a saved history: {error!r}") from error
        history._size = sum(site.size for site in history._sites.values())
        history._forget()
        return history

    def save(self, path: str | os.PathLike[str]) -> None:
        """Replace a file by the history, atomically. Raises :exc:`OSError`."""
        path = Path(path)
        draft = path.with_name(path.name + ".part")
        draft.write_text(self.to_json(), "utf-8")
        draft.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a saved history; start an empty one if it is missing or broken."""
        try:
            return cls.from_json(Path(path).read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            logger.warning("Rendering history in %s is ignored: %s", path, error)
            return cls()

    # --- Entries -------------------------------------------------------------

    def _site(self, url: str) -> SiteStats:
        site = _touch(self._sites, get_host(url), SiteStats)
        self._forget()
        return site

    def _rule(self, url: str, key: tuple[str, ...]) -> tuple[SiteStats, RuleStats]:
        site = self._site(url)
        name = shorten("\n".join(key)) or " "
        return site, self._entry(site.rules, name, RuleStats, MAX_RULES)

    def _rule_of_waiting(
        self, url: str, key: tuple[str, ...]
    ) -> tuple[SiteStats, RuleStats]:
        """The same for a page that waits for the browser; it may be a retry."""
        site, rule = self._rule(url, key)
        rule.running.pop(shorten(url), None)
        return site, rule

    def _pattern(self, url: str) -> UrlPatternStats:
        name = get_url_pattern(url)[0]
        patterns = self._site(url).patterns
        return self._entry(patterns, name, UrlPatternStats, MAX_PATTERNS)

    def _mark_static(self, url: str) -> None:
        self._pattern(url).gained = STATIC

    def _entry(
        self,
        entries: OrderedDict[str, _Value],
        name: str,
        make: Callable[[], _Value],
        max_entries: int,
    ) -> _Value:
        before = len(entries)
        entry = _touch(entries, name, make)
        if len(entries) > max_entries:
            entries.popitem(last=False)
        self._size += len(entries) - before
        self._forget()
        return entry

    def _forget(self) -> None:
        """Drop the least recently used sites over the limits."""
        while len(self._sites) > MAX_SITES or self._size > MAX_ENTRIES:
            self._size -= self._sites.popitem(last=False)[1].size


def _touch(
    entries: OrderedDict[str, _Value], name: str, make: Callable[[], _Value]
) -> _Value:
    """Return the named entry, made if missing, as the most recently used one."""
    if name not in entries:
        entries[name] = make()
    entries.move_to_end(name)
    return entries[name]


__all__ = ["Certainty", "Decision", "SiteHistory"]
