"""What was experienced with the pages of one site, and what follows for the next."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

from .siteparts import short

Advice = Literal["render", "skip", "probe"]
Need = Literal["yes", "maybe"]

AGAIN: Final = 20
"""Every so many pages it is seen whether what was learned still holds."""

PROBES: Final = 3
"""After so many fruitless renders of doubtful pages of one kind no more are tried."""

AT_A_TIME: Final = 2
"""Probes of one kind that are under way without a verdict."""

FRUITLESS: Final = 5
"""Fruitless probes of a site, over all kinds of pages, ..."""

PAGES_PER_PROBE: Final = 1000
"""... and one more for each so many pages."""

FAILURES: Final = 5
"""After so many failures of the browser in a row a site is not rendered."""

MOST_KINDS: Final = 200
MOST_PARTS: Final = 200

NEVER: Final = -1
"""What a part has gained once a page of it did not need rendering."""

_RECENT: Final = 8
_RECENT_OF_HOST: Final = 16
_MOST_BEGUN: Final = 64
_STALE: Final = 100


class Note(NamedTuple):
    """Something that was learned of a site, and that other workers want to know.

    ``name`` is the name of the kind that was judged to need rendering (``yes``,
    ``maybe``) or was rendered (``gain``, ``vain``), or of the part with a page that
    needed it (``needed``) or did not (``never``); empty for a page that was seen.
    """

    what: Literal["page", "yes", "maybe", "gain", "vain", "needed", "never", "look"]
    name: str = ""


@dataclass(slots=True)
class Part:
    """Pages of a host with addresses of one shape.

    ``gained`` counts those that needed rendering; ``NEVER`` once one did not.
    """

    gained: int = 0
    asked: int = 0


@dataclass(slots=True)
class Kind:
    """Pages of a host that were judged for the same reason.

    ``verdicts`` are the last ones, "1" for a gain and "0" for none. ``under_way`` are
    the addresses of pages sent to the browser, ``running`` those that it has begun,
    each with how many pages of the host were seen by then.
    """

    need: Need = "maybe"
    verdicts: str = ""
    skipped: int = 0
    under_way: dict[str, int] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)

    @property
    def misses(self) -> int:
        """How many renders gained nothing."""
        return self.verdicts.count("0")

    @property
    def proven(self) -> bool:
        """Whether at least half of the renders gained."""
        return bool(self.verdicts) and 2 * self.misses <= len(self.verdicts)

    @property
    def unproven(self) -> bool:
        """Whether renders of it are trials."""
        return self.need == "maybe" and not self.proven

    @property
    def hopeless(self) -> bool:
        """Whether renders never or hardly ever gained."""
        gains = len(self.verdicts) - self.misses
        return self.misses >= PROBES and gains * _RECENT <= len(self.verdicts)

    def end(self, url: str) -> None:
        """Take a page from those that are under way."""
        self.under_way.pop(short(url), None)
        self.running.pop(short(url), None)


@dataclass(slots=True)
class Host:
    """A site: its parts and kinds of pages, and what goes for all of them.

    ``sure`` and ``trials`` are the last verdicts on pages that were judged to need
    rendering, and on doubtful ones of kinds that were not proven at the time.
    """

    pages: int = 0
    fruitless: int = 0
    skipped: int = 0
    failures: int = 0
    sure: str = ""
    trials: str = ""
    kinds: OrderedDict[str, Kind] = field(default_factory=OrderedDict)
    parts: OrderedDict[str, Part] = field(default_factory=OrderedDict)

    @property
    def size(self) -> int:
        """How many entries it takes in memory."""
        return len(self.kinds) + len(self.parts)

    def advise(self, kind: Kind) -> Advice:
        """What to do with another page of *kind*."""
        if self.failures >= FAILURES:
            return _rationed(self)
        if kind.need == "maybe":
            return self._advise_doubtful(kind)
        if kind.hopeless:
            return _rationed(kind)
        return _rationed(self) if self._in_vain(kind) else "render"

    def confirms(self, kind: Kind, *, probe: bool) -> bool:
        """Whether to render a page of *kind* now that the browser is free."""
        if self.failures >= FAILURES:
            return probe
        if kind.need == "yes":
            return probe or not (kind.hopeless or self._in_vain(kind))
        if kind.proven:
            return True
        return (probe or kind.misses < PROBES) and self._affords(kind, self._trying())

    def awaits(self, kind: Kind) -> bool:
        """Whether a verdict under way may change what :meth:`confirms` says."""
        if self.failures >= FAILURES or not kind.unproven:
            return False
        if self._current(kind.running):
            return True
        return self._affords(kind, 0) and not self._affords(kind, self._trying())

    def begin(self, begun: dict[str, int], url: str) -> None:
        """Put a page among those that have begun; the oldest may be lost ones."""
        begun[short(url)] = self.pages
        if len(begun) > _MOST_BEGUN:
            del begun[next(iter(begun))]

    def take(self, note: Note, kind: Kind | None, part: Part | None) -> None:
        """Take in a note; *kind* or *part* is what it is about."""
        if note.what == "page":
            self.pages += 1
        elif part is not None:
            if note.what == "never":
                part.gained = NEVER
            elif part.gained != NEVER:
                part.gained += 1
        elif kind is not None:
            if note.what in ("yes", "maybe"):
                kind.need = note.what
            else:
                self.learn(kind, note.what == "gain")

    def learn(self, kind: Kind, gained: bool) -> None:
        """Take in the verdict on a rendered page."""
        verdict = "1" if gained else "0"
        if kind.need == "yes":
            self.sure = (self.sure + verdict)[-_RECENT_OF_HOST:]
        elif kind.unproven:
            self.trials = (self.trials + verdict)[-_RECENT_OF_HOST:]
            self.fruitless += not gained
        kind.verdicts = (kind.verdicts + verdict)[-_RECENT:]
        self.failures = 0

    def _advise_doubtful(self, kind: Kind) -> Advice:
        if kind.proven:
            return "render"
        unproven = (one for one in self.kinds.values() if one.unproven)
        under_way = (self._current(one.under_way) for one in unproven)
        probing = sum(min(count, AT_A_TIME) for count in under_way)
        if kind.misses >= PROBES or not self._affords(kind, 0):
            again = _rationed(kind)
            return again if self._affords(kind, probing) else "skip"
        if self._current(kind.under_way) < AT_A_TIME and self._affords(kind, probing):
            return "probe"
        # A page skipped is content lost, a page rendered in vain only time.
        return "skip" if kind.verdicts else "render"

    def _current(self, begun: dict[str, int]) -> int:
        """How many are under way, without old ones: requests get lost."""
        return sum(self.pages - page <= _STALE for page in begun.values())

    def _trying(self) -> int:
        """How many renders of unproven kinds the browser is at."""
        unproven = (one for one in self.kinds.values() if one.unproven)
        return sum(self._current(one.running) for one in unproven)

    def _affords(self, kind: Kind, pending: int) -> bool:
        """Whether another render of *kind* may be fruitless, and so many others too.

        A kind that has missed before weighs more: the first probe of another kind may
        find content, its own next one hardly. Where most trials gain, there is no
        such bound.
        """
        if 2 * self.trials.count("1") >= _RECENT_OF_HOST:
            return True
        bound = FRUITLESS + self.pages // PAGES_PER_PROBE
        return self.fruitless + 2 * kind.misses + pending < bound

    def _in_vain(self, kind: Kind) -> bool:
        """Whether pages of all kinds seemed to need rendering, and did not."""
        return not kind.proven and self.sure == "0" * _RECENT_OF_HOST

    def adopt(self, shared: Host) -> None:
        """Take over what several workers have learned together.

        What is only of this worker stays: what is under way, failures of its browser,
        and when it looks again.
        """
        self.pages, self.fruitless = shared.pages, shared.fruitless
        self.sure, self.trials = shared.sure, shared.trials
        for name, kind in shared.kinds.items():
            ours = self.kinds.setdefault(name, Kind())
            ours.need, ours.verdicts = kind.need, kind.verdicts
        for name, part in shared.parts.items():
            self.parts.setdefault(name, Part()).gained = part.gained
        for entries, most in ((self.kinds, MOST_KINDS), (self.parts, MOST_PARTS)):
            while len(entries) > most:
                entries.popitem(last=False)

    def as_data(self) -> dict[str, Any]:
        """What was learned, as plain data for JSON."""
        return {
            "counts": [self.pages, self.fruitless, self.skipped],
            "verdicts": [self.sure, self.trials],
            "kinds": {
                name: [kind.need, kind.verdicts, kind.skipped]
                for name, kind in self.kinds.items()
            },
            "parts": {n: [part.gained, part.asked] for n, part in self.parts.items()},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Host:
        """Read such data; raises :exc:`ValueError` or the like for any other."""
        pages, fruitless, skipped = map(_count, data["counts"])
        sure, trials = (_verdicts(one, _RECENT_OF_HOST) for one in data["verdicts"])
        host = cls(pages, fruitless, skipped, sure=sure, trials=trials)
        for name, (need, verdicts, skips) in islice(data["kinds"].items(), MOST_KINDS):
            if need not in ("yes", "maybe"):
                raise ValueError(f"{need!r} is no need")
            kind = Kind(need, _verdicts(verdicts, _RECENT), _count(skips))
            host.kinds[name] = kind
        for name, (gained, asked) in islice(data["parts"].items(), MOST_PARTS):
            host.parts[name] = Part(_count(gained, NEVER), _count(asked))
        return host


def _rationed(counted: Host | Kind) -> Advice:
    """Skip, but look again every so often."""
    counted.skipped += 1
    return "skip" if counted.skipped % AGAIN else "probe"


def _count(value: Any, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise ValueError(f"{value!r} is no count")
    return value


def _verdicts(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most or set(value) - {"0", "1"}:
        raise ValueError(f"{value!r} are no verdicts")
    return value
