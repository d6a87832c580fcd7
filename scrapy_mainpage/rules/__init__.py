"""Rules of sites: read from files, applied before the algorithm, learned from pages."""

from __future__ import annotations

from .learning import CorrectedPage, learn_rules
from .rule_book import RuleBook
from .site_rules import (
    RulesError,
    SiteRules,
    format_rules,
    parse_rules,
    read_rules,
    write_rules,
)

__all__ = [
    "CorrectedPage",
    "RuleBook",
    "RulesError",
    "SiteRules",
    "format_rules",
    "learn_rules",
    "parse_rules",
    "read_rules",
    "write_rules",
]
