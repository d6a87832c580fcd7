"""What a crawl has learned about its sites: where a browser is worth its time.

Counts decide, neither chance nor the clock: the same crawl decides the same.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

    # typing.Self requires Python 3.11
    from typing_extensions import Self

logger = logging.getLogger(__name__)

Advice = Literal["render", "skip", "probe"]
Need = Literal["yes", "maybe"]
_Value = TypeVar("_Value")

PAGES_FOR_ALL: Final = 5
"""So many pages of a part must have gained before the others are rendered at once."""

PAGES_FOR_TOP: Final = 20
"""The same where the part is all that lies at the top level of a site."""

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

MOST_HOSTS: Final = 10_000
MOST_KINDS: Final = 200
MOST_PARTS: Final = 200
MOST_ENTRIES: Final = 200_000
"""Kinds and parts of all hosts together."""

_RECENT: Final = 8
_RECENT_OF_HOST: Final = 16
_NEVER: Final = -1
_VERSION: Final = 1
_LONGEST: Final = 80
_MOST_BEGUN: Final = 64
_STALE: Final = 100
_LOOKED_AT: Final = 1000
_ID: Final = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f]{4,}(-[0-9a-f]{4,})+", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)


class SiteKnowledge:
    """What was learned about each site, in bounded memory.

    A *key* is the kind of a judged page: the reason of the judgement and the places
    where it was found. A page that is downloaded without a browser and judged ends in
    :meth:`enough` or :meth:`advise`; each of the latter that is to be rendered in
    :meth:`rendering` right away. When the browser is free for it, :meth:`pending` says
    whether to wait, and :meth:`confirm` whether to go on; it ends in :meth:`rendered`
    or :meth:`failed`, or in a :meth:`confirm` that is ``False``. All of these take the
    same address. Pages rendered at once have no static version to compare with: only
    their failures are reported.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._size = 0

    def at_once(self, url: str) -> bool:
        """Whether to render *url* without a look at its static page.

        Asked once for each download: every 20th ``True`` is turned into a ``False``.
        """
        host = self._hosts.get(_host_of(url))
        shape, needed = _part_of(url)
        part = host.parts.get(shape) if host else None
        if host is None or part is None or host.failures >= FAILURES:
            return False
        if part.gained < needed:
            return False
        part.asked += 1
        return part.asked % AGAIN != 0

    def advise(self, url: str, key: tuple[str, ...], need: Need) -> Advice:
        """What experience says about a static page that was judged to need rendering.

        ``"probe"`` is to render in order to learn; :meth:`confirm` lets it through.
        ``"render"`` of a kind without any verdict yet trusts in the probes under way.
        """
        host, kind = self._kind(url, key)
        host.pages += 1
        kind.need = need
        advice = host.advise(kind)
        if advice == "skip":
            self._part(host, url).gained = _NEVER
        return advice

    def enough(self, url: str) -> None:
        """The static page of *url* needs no rendering."""
        host = self._host(url)
        host.pages += 1
        self._part(host, url).gained = _NEVER

    def rendering(self, url: str, key: tuple[str, ...]) -> None:
        """A page was sent to the browser. Call it right after :meth:`advise`."""
        host, kind = self._kind(url, key)
        host.begin(kind.under_way, url)

    def pending(self, url: str, key: tuple[str, ...]) -> bool:
        """Whether a verdict under way may settle what :meth:`confirm` would say.

        Then it is best to wait: a page rendered now may be in vain, a page dropped now
        lost content. Not for ever, though: what is under way may get lost itself.
        """
        host, kind = self._at_the_browser(url, key)
        return host.awaits(kind)

    def confirm(self, url: str, key: tuple[str, ...], advice: Advice) -> bool:
        """Whether to render still, now that the browser is free for the page.

        Verdicts that came meanwhile count. After ``False`` the static page goes on and
        nothing more is to be reported.
        """
        host, kind = self._at_the_browser(url, key)
        if host.confirms(kind, probe=advice == "probe"):
            host.begin(kind.running, url)
            return True
        kind.end(url)
        self._part(host, url).gained = _NEVER
        return False

    def rendered(self, url: str, key: tuple[str, ...], gained: bool) -> None:
        """The browser is done with a page; *gained* says whether it was worth it."""
        host, kind = self._kind(url, key)
        part = self._part(host, url)
        host.learn(kind, gained)
        kind.end(url)
        if not gained:
            part.gained = _NEVER
        elif part.gained != _NEVER:
            part.gained += 1

    def failed(self, url: str, key: tuple[str, ...] = ()) -> None:
        """The browser failed, or the request was dropped: no verdict.

        Without a *key* for a page that was rendered at once.
        """
        host = self._host(url)
        host.failures += 1
        if key:
            self._kind(url, key)[1].end(url)

    def to_json(self) -> str:
        """What was learned, without what is under way."""
        hosts = {name: host.as_data() for name, host in self._hosts.items()}
        return json.dumps({"version": _VERSION, "hosts": hosts}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The knowledge that :meth:`to_json` wrote; :exc:`ValueError` for others."""
        knowledge = cls()
        try:
            data = json.loads(text)
            if data["version"] != _VERSION:
                raise ValueError(f"version {data['version']!r} is unknown")
            for name, host in data["hosts"].items():
                knowledge._hosts[name] = _Host.from_data(host)
        except (AttributeError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"no saved site knowledge: {error!r}") from error
        knowledge._size = sum(host.size for host in knowledge._hosts.values())
        knowledge._forget()
        return knowledge

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the knowledge to a file, wholly or not at all (:exc:`OSError`)."""
        path = Path(path)
        draft = path.with_name(path.name + ".part")
        draft.write_text(self.to_json(), "utf-8")
        draft.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a saved knowledge: an empty one if there is none or it is broken."""
        try:
            return cls.from_json(Path(path).read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            logger.warning("Site knowledge in %s is left out: %s", path, error)
            return cls()

    def __len__(self) -> int:
        """How many hosts are known."""
        return len(self._hosts)

    def _host(self, url: str) -> _Host:
        host = _touch(self._hosts, _host_of(url), _Host)
        self._forget()
        return host

    def _kind(self, url: str, key: tuple[str, ...]) -> tuple[_Host, _Kind]:
        host = self._host(url)
        return host, self._entry(host.kinds, _short("\n".join(key)), _Kind, MOST_KINDS)

    def _at_the_browser(self, url: str, key: tuple[str, ...]) -> tuple[_Host, _Kind]:
        """The same for a page that waits; it may have run before, and be retried."""
        host, kind = self._kind(url, key)
        kind.running.pop(_short(url), None)
        return host, kind

    def _part(self, host: _Host, url: str) -> _Part:
        return self._entry(host.parts, _part_of(url)[0], _Part, MOST_PARTS)

    def _entry(
        self,
        entries: OrderedDict[str, _Value],
        name: str,
        make: Callable[[], _Value],
        most: int,
    ) -> _Value:
        before = len(entries)
        entry = _touch(entries, name, make)
        if len(entries) > most:
            entries.popitem(last=False)
        self._size += len(entries) - before
        self._forget()
        return entry

    def _forget(self) -> None:
        """Drop the hosts that were not seen for the longest time."""
        while len(self._hosts) > MOST_HOSTS or self._size > MOST_ENTRIES:
            self._size -= self._hosts.popitem(last=False)[1].size


@dataclass(slots=True)
class _Part:
    """Pages of a host with addresses of one shape.

    ``gained`` counts those that needed rendering; ``_NEVER`` once one did not.
    """

    gained: int = 0
    asked: int = 0


@dataclass(slots=True)
class _Kind:
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
        self.under_way.pop(_short(url), None)
        self.running.pop(_short(url), None)


@dataclass(slots=True)
class _Host:
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
    kinds: OrderedDict[str, _Kind] = field(default_factory=OrderedDict)
    parts: OrderedDict[str, _Part] = field(default_factory=OrderedDict)

    @property
    def size(self) -> int:
        return len(self.kinds) + len(self.parts)

    def advise(self, kind: _Kind) -> Advice:
        if self.failures >= FAILURES:
            return _rationed(self)
        if kind.need == "maybe":
            return self._advise_doubtful(kind)
        if kind.hopeless:
            return _rationed(kind)
        return _rationed(self) if self._in_vain(kind) else "render"

    def confirms(self, kind: _Kind, *, probe: bool) -> bool:
        if self.failures >= FAILURES:
            return probe
        if kind.need == "yes":
            return probe or not (kind.hopeless or self._in_vain(kind))
        if kind.proven:
            return True
        return (probe or kind.misses < PROBES) and self._affords(kind, self._trying())

    def awaits(self, kind: _Kind) -> bool:
        if self.failures >= FAILURES or not kind.unproven:
            return False
        if self._current(kind.running):
            return True
        return self._affords(kind, 0) and not self._affords(kind, self._trying())

    def begin(self, begun: dict[str, int], url: str) -> None:
        begun[_short(url)] = self.pages
        if len(begun) > _MOST_BEGUN:
            del begun[next(iter(begun))]

    def learn(self, kind: _Kind, gained: bool) -> None:
        verdict = "1" if gained else "0"
        if kind.need == "yes":
            self.sure = (self.sure + verdict)[-_RECENT_OF_HOST:]
        elif kind.unproven:
            self.trials = (self.trials + verdict)[-_RECENT_OF_HOST:]
            self.fruitless += not gained
        kind.verdicts = (kind.verdicts + verdict)[-_RECENT:]
        self.failures = 0

    def _advise_doubtful(self, kind: _Kind) -> Advice:
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

    def _affords(self, kind: _Kind, pending: int) -> bool:
        """Whether another render of *kind* may be fruitless, and so many others too.

        A kind that has missed before weighs more: the first probe of another kind may
        find content, its own next one hardly. Where most trials gain, there is no
        such bound.
        """
        if 2 * self.trials.count("1") >= _RECENT_OF_HOST:
            return True
        bound = FRUITLESS + self.pages // PAGES_PER_PROBE
        return self.fruitless + 2 * kind.misses + pending < bound

    def _in_vain(self, kind: _Kind) -> bool:
        """Whether pages of all kinds seemed to need rendering, and did not."""
        return not kind.proven and self.sure == "0" * _RECENT_OF_HOST

    def as_data(self) -> dict[str, Any]:
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
    def from_data(cls, data: dict[str, Any]) -> _Host:
        pages, fruitless, skipped = map(_count, data["counts"])
        sure, trials = (_verdicts(one, _RECENT_OF_HOST) for one in data["verdicts"])
        host = cls(pages, fruitless, skipped, sure=sure, trials=trials)
        for name, (need, verdicts, skips) in islice(data["kinds"].items(), MOST_KINDS):
            if need not in ("yes", "maybe"):
                raise ValueError(f"{need!r} is no need")
            kind = _Kind(need, _verdicts(verdicts, _RECENT), _count(skips))
            host.kinds[name] = kind
        for name, (gained, asked) in islice(data["parts"].items(), MOST_PARTS):
            host.parts[name] = _Part(_count(gained, _NEVER), _count(asked))
        return host


def _rationed(counted: _Host | _Kind) -> Advice:
    """Skip, but look again every so often."""
    counted.skipped += 1
    return "skip" if counted.skipped % AGAIN else "probe"


def _touch(
    entries: OrderedDict[str, _Value], name: str, make: Callable[[], _Value]
) -> _Value:
    """The entry of the name, an old or a new one, as the last that was used."""
    if name not in entries:
        entries[name] = make()
    entries.move_to_end(name)
    return entries[name]


def _count(value: Any, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise ValueError(f"{value!r} is no count")
    return value


def _verdicts(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most or set(value) - {"0", "1"}:
        raise ValueError(f"{value!r} are no verdicts")
    return value


def _short(text: str) -> str:
    """The text itself, or its beginning and a digest if it is long."""
    if len(text) <= _LONGEST:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return f"{text[: _LONGEST // 2]}~{digest.hexdigest()}"


def _host_of(url: str) -> str:
    """The host and port of an address in lower case; empty if it has none."""
    try:
        return _short(urlsplit(url).netloc.rpartition("@")[2].lower())
    except ValueError:
        return ""


def _part_of(url: str) -> tuple[str, int]:
    """The shape of an address, and how many pages prove something about all others.

    The path without numbers, identifiers and the last segment, and the names of the
    query's parameters: ``/shop/item-0/*.html``, ``/view?id``.
    """
    try:
        _, _, path, query, _ = urlsplit(url)
    except ValueError:
        return "", PAGES_FOR_TOP
    *folders, last = path[:_LOOKED_AT].strip("/").split("/")
    pairs = filter(None, query[:_LOOKED_AT].split("&"))
    names = sorted({pair.partition("=")[0] for pair in pairs})
    end = _masked(last) if names else _last(last)
    parts = [*map(_masked, folders), end]
    shape = "/" + "/".join(parts) + ("?" + "&".join(names) if names else "")
    top = not folders and not names and end != "#"
    return _short(shape), PAGES_FOR_TOP if top else PAGES_FOR_ALL


def _masked(segment: str) -> str:
    """A segment without what differs from page to page."""
    if _ID.fullmatch(segment):
        return "#"
    if len(segment) > 24 or segment.count("-") + segment.count("_") > 2:
        return "*"
    return re.sub(r"\d+", "0", segment.lower())


def _last(segment: str) -> str:
    """The last segment: a number or a name, and the extension."""
    stem, dot, extension = segment.rpartition(".")
    if not dot or not stem or not _EXTENSION.fullmatch(dot + extension):
        stem, extension = segment, ""
    mark = "#" if _ID.fullmatch(stem) else "*" if stem else ""
    return f"{mark}.{extension.lower()}" if extension else mark


__all__ = ["Advice", "Need", "SiteKnowledge"]
