"""Statistics of one site's rendered pages, and the decision on the next page."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal

from .url_patterns import shorten

Decision = Literal["render", "skip", "probe"]
"""``probe``: render to learn whether pages of this rule gain anything."""

Certainty = Literal["yes", "maybe"]
"""Whether a static page was judged to need rendering, or may need it."""

# ``make benchmark ARGS=rendering`` shows the effect of the bounds below: lost content
# and vain renderings.

RECHECK_INTERVAL: Final = 20
"""One page in so many is handled contrary to the history, to notice changes."""

MAX_RULE_MISSES: Final = 3
"""Vain renderings after which pages matched by a doubtful rule are skipped."""

MAX_PARALLEL_PROBES: Final = 2
"""Probes of one rule without a verdict yet."""

MAX_SITE_MISSES: Final = 5
"""Vain probes of a site over all rules, plus one per :data:`PAGES_PER_PROBE` pages."""

PAGES_PER_PROBE: Final = 1000

MAX_FAILURES: Final = 5
"""Consecutive browser failures after which a site is no longer rendered."""

MAX_RULES: Final = 200
MAX_PATTERNS: Final = 200
"""Entries kept per site."""

STATIC: Final = -1
"""``UrlPatternStats.gained`` once a page of the pattern did not need rendering."""

_RULE_VERDICTS: Final = 8
_SITE_VERDICTS: Final = 16
_MAX_IN_PROGRESS: Final = 64
_MAX_AGE_PAGES: Final = 100


@dataclass(slots=True)
class UrlPatternStats:
    """Pages of a site whose URLs share a pattern.

    ``gained`` counts the pages that needed rendering (``STATIC`` once one did not),
    ``asked`` the questions whether to render upfront.
    """

    gained: int = 0
    asked: int = 0


@dataclass(slots=True)
class RuleStats:
    """Pages of a site that one detection rule matched at the same places.

    ``verdicts`` holds the last ones, "1" for a gain and "0" for none. ``queued`` maps
    the URLs of pages sent to the browser, ``running`` those the browser has begun, to
    the number of pages of the site seen by then.
    """

    certainty: Certainty = "maybe"
    verdicts: str = ""
    skipped: int = 0
    queued: dict[str, int] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)

    @property
    def misses(self) -> int:
        """Number of recent renderings without gain."""
        return self.verdicts.count("0")

    @property
    def is_proven(self) -> bool:
        """Whether at least half of the recent renderings gained."""
        return bool(self.verdicts) and 2 * self.misses <= len(self.verdicts)

    @property
    def is_on_trial(self) -> bool:
        """Whether the rule is doubtful, and not proven on this site."""
        return self.certainty == "maybe" and not self.is_proven

    @property
    def is_hopeless(self) -> bool:
        """Whether renderings never or hardly ever gained."""
        gains = len(self.verdicts) - self.misses
        return self.misses >= MAX_RULE_MISSES and (
            gains * _RULE_VERDICTS <= len(self.verdicts)
        )

    def end(self, url: str) -> None:
        """Remove a page from those in progress."""
        self.queued.pop(shorten(url), None)
        self.running.pop(shorten(url), None)


@dataclass(slots=True)
class SiteStats:
    """Statistics of a site: its rules, its URL patterns, and totals.

    ``certain`` and ``trials`` are the last verdicts: on pages judged to need
    rendering, and on pages matched by doubtful rules that were not proven yet.
    """

    pages: int = 0
    misses: int = 0
    skipped: int = 0
    failures: int = 0
    certain: str = ""
    trials: str = ""
    rules: OrderedDict[str, RuleStats] = field(default_factory=OrderedDict)
    patterns: OrderedDict[str, UrlPatternStats] = field(default_factory=OrderedDict)

    @property
    def size(self) -> int:
        """Number of entries in memory."""
        return len(self.rules) + len(self.patterns)

    def decide(self, rule: RuleStats) -> Decision:
        """Decide on another page matched by *rule*."""
        if self.failures >= MAX_FAILURES:
            return _skip_most(self)
        if rule.certainty == "maybe":
            return self._decide_doubtful(rule)
        if rule.is_hopeless:
            return _skip_most(rule)
        return _skip_most(self) if self._is_in_vain(rule) else "render"

    def confirm(self, rule: RuleStats, *, probe: bool) -> bool:
        """Whether to render a page of *rule* still, now that the browser is free."""
        if self.failures >= MAX_FAILURES:
            return probe
        if rule.certainty == "yes":
            return probe or not (rule.is_hopeless or self._is_in_vain(rule))
        if rule.is_proven:
            return True
        may_try = probe or rule.misses < MAX_RULE_MISSES
        return may_try and self._can_afford(rule, self._count_running())

    def is_pending(self, rule: RuleStats) -> bool:
        """Whether a verdict in progress may change the result of :meth:`confirm`."""
        if self.failures >= MAX_FAILURES or not rule.is_on_trial:
            return False
        if self._count_recent(rule.running):
            return True
        return self._can_afford(rule, 0) and not self._can_afford(
            rule, self._count_running()
        )

    def begin(self, in_progress: dict[str, int], url: str) -> None:
        """Add a page to ``queued`` or ``running``; the oldest of many is dropped."""
        in_progress[shorten(url)] = self.pages
        if len(in_progress) > _MAX_IN_PROGRESS:
            del in_progress[next(iter(in_progress))]

    def learn(self, rule: RuleStats, gained: bool) -> None:
        """Add the verdict on a rendered page."""
        verdict = "1" if gained else "0"
        if rule.certainty == "yes":
            self.certain = (self.certain + verdict)[-_SITE_VERDICTS:]
        elif rule.is_on_trial:
            self.trials = (self.trials + verdict)[-_SITE_VERDICTS:]
            self.misses += not gained
        rule.verdicts = (rule.verdicts + verdict)[-_RULE_VERDICTS:]
        self.failures = 0

    def _decide_doubtful(self, rule: RuleStats) -> Decision:
        if rule.is_proven:
            return "render"
        queued = (self._count_recent(it.queued) for it in self._rules_on_trial())
        probes = sum(min(count, MAX_PARALLEL_PROBES) for count in queued)
        if rule.misses >= MAX_RULE_MISSES or not self._can_afford(rule, 0):
            decision = _skip_most(rule)
            return decision if self._can_afford(rule, probes) else "skip"
        has_room = self._count_recent(rule.queued) < MAX_PARALLEL_PROBES
        if has_room and self._can_afford(rule, probes):
            return "probe"
        # Content is lost with a skipped page, only time with a vain rendering.
        return "skip" if rule.verdicts else "render"

    def _rules_on_trial(self) -> list[RuleStats]:
        return [rule for rule in self.rules.values() if rule.is_on_trial]

    def _count_recent(self, in_progress: dict[str, int]) -> int:
        """Count pages in progress without old ones: requests get lost."""
        return sum(self.pages - seen <= _MAX_AGE_PAGES for seen in in_progress.values())

    def _count_running(self) -> int:
        return sum(self._count_recent(rule.running) for rule in self._rules_on_trial())

    def _can_afford(self, rule: RuleStats, pending: int) -> bool:
        """Whether another rendering for *rule*, and *pending* ones, may be vain.

        Misses of the rule itself count twice more: the first probe of another rule may
        find content, another one of this rule hardly will. The budget does not apply
        where most trials gain.
        """
        if 2 * self.trials.count("1") >= _SITE_VERDICTS:
            return True
        budget = MAX_SITE_MISSES + self.pages // PAGES_PER_PROBE
        return self.misses + 2 * rule.misses + pending < budget

    def _is_in_vain(self, rule: RuleStats) -> bool:
        """Whether no page of the site needed rendering though rules were certain."""
        return not rule.is_proven and self.certain == "0" * _SITE_VERDICTS

    def to_data(self) -> dict[str, Any]:
        """Return the statistics as plain data for JSON, without pages in progress."""
        return {
            "counts": [self.pages, self.misses, self.skipped],
            "verdicts": [self.certain, self.trials],
            "kinds": {
                name: [rule.certainty, rule.verdicts, rule.skipped]
                for name, rule in self.rules.items()
            },
            "parts": {n: [it.gained, it.asked] for n, it in self.patterns.items()},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> SiteStats:
        """Read :meth:`to_data`; raise :exc:`ValueError` or the like for other data."""
        pages, misses, skipped = map(_check_count, data["counts"])
        certain, trials = (
            _check_verdicts(it, _SITE_VERDICTS) for it in data["verdicts"]
        )
        stats = cls(pages, misses, skipped, certain=certain, trials=trials)
        for name, (certainty, verdicts, skips) in islice(
            data["kinds"].items(), MAX_RULES
        ):
            if certainty not in ("yes", "maybe"):
                raise ValueError(f"unknown certainty: {certainty!r}")
            verdicts = _check_verdicts(verdicts, _RULE_VERDICTS)
            stats.rules[name] = RuleStats(certainty, verdicts, _check_count(skips))
        for name, (gained, asked) in islice(data["parts"].items(), MAX_PATTERNS):
            counts = _check_count(gained, STATIC), _check_count(asked)
            stats.patterns[name] = UrlPatternStats(*counts)
        return stats


def _skip_most(stats: SiteStats | RuleStats) -> Decision:
    """Skip, but probe every :data:`RECHECK_INTERVAL` pages."""
    stats.skipped += 1
    return "skip" if stats.skipped % RECHECK_INTERVAL else "probe"


def _check_count(value: Any, minimum: int = 0) -> int:
    if type(value) is not int or value < minimum:
        raise ValueError(f"not a count: {value!r}")
    return value


def _check_verdicts(value: Any, max_length: int) -> str:
    is_valid = isinstance(value, str) and not set(value) - {"0", "1"}
    if not is_valid or len(value) > max_length:
        raise ValueError(f"not verdicts: {value!r}")
    return str(value)
