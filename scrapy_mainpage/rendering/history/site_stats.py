"""Statistics of one site's rendered pages, and the decision on the next page."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

Decision = Literal["render", "skip", "probe"]
"""``probe``: render one page contrary to the history, to notice changes."""

Certainty = Literal["yes", "maybe"]
"""Whether a static page was judged to need rendering, or may need it."""

# ``make benchmark ARGS=rendering`` shows the effect of the bounds below: lost content
# and vain renderings.

RECHECK_INTERVAL: Final = 20
"""One page in so many is handled contrary to the history."""

MAX_RULE_MISSES: Final = 3
"""Vain renderings after which pages matched by a doubtful rule are skipped."""

MAX_SITE_MISSES: Final = 6
"""Vain trials of a site over all rules, plus one per :data:`PAGES_PER_TRIAL` pages."""

PAGES_PER_TRIAL: Final = 1000

MAX_FAILURES: Final = 5
"""Consecutive browser failures after which a site is no longer rendered."""

STATIC: Final = -1
"""``UrlPatternStats.gained`` once a page of the pattern did not need rendering."""

_RULE_VERDICTS: Final = 8
_SITE_VERDICTS: Final = 16


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

    ``verdicts`` holds the last ones, "1" for a gain and "0" for none.
    """

    certainty: Certainty = "maybe"
    verdicts: str = ""
    skipped: int = 0

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

    def decide(self, rule: RuleStats) -> Decision:
        """Decide on another page matched by *rule*."""
        if self.failures >= MAX_FAILURES:
            return _skip_most(self)
        if not self._is_vain(rule):
            return "render"
        return _skip_most(rule) if rule.certainty == "yes" else "skip"

    def confirm(self, rule: RuleStats) -> bool:
        """Whether to render a page of *rule* still, now that the browser is free."""
        return self.failures < MAX_FAILURES and not self._is_vain(rule)

    def learn(self, rule: RuleStats, gained: bool) -> None:
        """Add the verdict on a rendered page."""
        verdict = "1" if gained else "0"
        if rule.certainty == "yes":
            self.certain = (self.certain + verdict)[-_SITE_VERDICTS:]
        elif rule.is_on_trial:
            self.trials = (self.trials + verdict)[-_SITE_VERDICTS:]
            # Those begun before the first verdict are not the site's.
            self.misses += not gained and rule.misses < 2
        rule.verdicts = (rule.verdicts + verdict)[-_RULE_VERDICTS:]
        self.failures = 0

    def _is_vain(self, rule: RuleStats) -> bool:
        """Whether the verdicts so far are against another rendering."""
        if rule.is_proven:
            return False
        if rule.certainty == "yes":
            return rule.is_hopeless or self.certain == "0" * _SITE_VERDICTS
        return rule.misses >= MAX_RULE_MISSES or not self._can_afford(rule)

    def _can_afford(self, rule: RuleStats) -> bool:
        """Whether another trial of *rule* may be vain.

        Misses of the rule itself count twice more: the first trial of another rule may
        find content, another one of this rule hardly will. The budget does not apply
        where most trials gain.
        """
        if 2 * self.trials.count("1") >= _SITE_VERDICTS:
            return True
        budget = MAX_SITE_MISSES + self.pages // PAGES_PER_TRIAL
        return self.misses + 2 * rule.misses < budget

    def to_data(self) -> dict[str, Any]:
        """Return the statistics as plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> SiteStats:
        """Read :meth:`to_data`; browsers get another chance."""
        rules = {name: RuleStats(**it) for name, it in data["rules"].items()}
        patterns = {
            name: UrlPatternStats(**it) for name, it in data["patterns"].items()
        }
        tables = {"rules": OrderedDict(rules), "patterns": OrderedDict(patterns)}
        return cls(**{**data, **tables, "failures": 0})


def _skip_most(stats: SiteStats | RuleStats) -> Decision:
    """Skip, but probe every :data:`RECHECK_INTERVAL` pages."""
    stats.skipped += 1
    return "skip" if stats.skipped % RECHECK_INTERVAL else "probe"
