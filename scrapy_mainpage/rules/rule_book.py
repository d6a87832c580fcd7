"""The rules of many sites: a folder of files, each read when its host is first met."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..addresses import parts_of
from ..extraction.page_rules import BAD_RULES, RuleMatch, is_other_kind
from .selector_matching import match_rules
from .site_rules import FTR, TOML, RulesError, SiteRules, read_rules

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document

logger = logging.getLogger(__name__)


class RuleBook:
    """The rules in a folder, by host.

    ``example.com.toml`` is for the host ``example.com`` and the hosts below it, such as
    ``www.example.com``; so is ``example.com+NAME.toml``, for another kind of page.
    ``example.com.txt`` is in the format of ftr-site-config. Of the files for a page the
    first that fits counts: the one with the longest host, with ``paths`` before one
    without, TOML before ftr.

    A file with an error is logged once, and the others count. Raises ``OSError`` for a
    folder that cannot be read. The folder is listed once: files that are added to it
    later are not seen.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._files: dict[str, list[Path]] = defaultdict(list)
        self._sites: dict[str, list[SiteRules | None]] = {}
        """The rules of each file by host, ``None`` for one with an error."""
        for path in sorted(self.folder.iterdir()):
            if path.suffix in (TOML, FTR):
                self._files[_host(path)].append(path)

    def match(
        self, root: _Element, document: Document, url: str | None
    ) -> RuleMatch | None:
        """Match the rules for *url*; ``None`` without any."""
        other, has_errors = None, False
        for rules in self._candidates(url):
            match = match_rules(rules, root, document) if rules else None
            if match and not any(map(is_other_kind, match.rules)):
                return match
            other, has_errors = other or match, has_errors or rules is None
        return RuleMatch(warnings=(BAD_RULES,)) if has_errors else other

    def _candidates(self, url: str | None) -> Iterator[SiteRules | None]:
        """The rules that fit, the best first; ``None`` for each file with an error."""
        parts = parts_of(url)
        host = parts.hostname or ""
        while host:
            if host in self._files:
                for rules in self._load(host):
                    if rules is None or rules.fits(parts):
                        yield rules
            host = host.partition(".")[2]

    def _load(self, host: str) -> list[SiteRules | None]:
        if host not in self._sites:
            read = [_read(path) for path in self._files[host]]
            read.sort(key=lambda rules: rules is None or not rules.paths)
            self._sites[host] = read
        return self._sites[host]


class OneSite:
    """Rules for pages of one site, without a folder; a page without a URL counts."""

    def __init__(self, rules: SiteRules) -> None:
        rules.check()
        self.rules = rules

    def match(
        self, root: _Element, document: Document, url: str | None
    ) -> RuleMatch | None:
        """Match the rules if they are for *url*."""
        if url is not None and not self.rules.fits(url):
            return None
        return match_rules(self.rules, root, document)


def open_rules(source: str | Path | SiteRules) -> RuleBook | OneSite:
    """The rules of a folder, of a file, or those given.

    Raises :exc:`.RulesError` or ``OSError`` for what cannot be read.
    """
    if isinstance(source, SiteRules):
        return OneSite(source)
    path = Path(source)
    return RuleBook(path) if path.is_dir() else OneSite(read_rules(path))


def name_rules(folder: str | Path, files: Iterable[str]) -> Iterator[str]:
    """The rules in *files* of a *folder*, named as pages name those that match."""
    for rules in filter(None, (_read(Path(folder, file)) for file in files)):
        for key, selector in rules.selectors:
            yield f"{rules.name}: {key} = {selector}"


def _host(path: Path) -> str:
    """The host that a file is for: ``example.com+blog.toml`` is for ``example.com``."""
    return path.stem.partition("+")[0].removeprefix(".").lower()


def _read(path: Path) -> SiteRules | None:
    try:
        return read_rules(path)
    except (OSError, RulesError) as error:
        logger.warning("Rules left out: %(error)s", {"error": error})
        return None
