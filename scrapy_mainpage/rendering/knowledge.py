"""What a crawl has learned about its sites: where a browser is worth its time.

Counts decide, neither chance nor the clock: the same crawl decides the same.
"""

from __future__ import annotations

import json
import logging
import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from .experience import (
    AGAIN,
    FAILURES,
    MOST_KINDS,
    MOST_PARTS,
    Advice,
    Host,
    Kind,
    Need,
    Note,
    Part,
)
from .siteparts import host_of, part_of, short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    # typing.Self requires Python 3.11
    from typing_extensions import Self

logger = logging.getLogger(__name__)

_Value = TypeVar("_Value")

MOST_HOSTS: Final = 10_000
MOST_ENTRIES: Final = 200_000
"""Kinds and parts of all hosts together."""

_VERSION: Final = 1


class SiteKnowledge:
    """What was learned about each site, in bounded memory.

    A *key* is the kind of a judged page: the reason of the judgement and the places
    where it was found. A page that is downloaded without a browser and judged ends in
    :meth:`enough` or :meth:`advise`; each of the latter that is to be rendered in
    :meth:`rendering` right away. When the browser is free for it, :meth:`pending` says
    whether to wait, and :meth:`confirm` whether to go on; it ends in :meth:`rendered`,
    :meth:`failed` or :meth:`given_up`, or in a :meth:`confirm` that is ``False``. All
    of these take the same address. Pages rendered at once have no static version to
    compare with: they end in :meth:`succeeded` or :meth:`failed`.

    ``notes``, if there is a list, gets what others may want to know, with the host.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, Host] = OrderedDict()
        self._size = 0
        self.notes: list[tuple[str, Note]] | None = None

    def at_once(self, url: str) -> bool:
        """Whether to render *url* without a look at its static page.

        Asked once for each download: every 20th ``True`` is turned into a ``False``.
        """
        host = self._hosts.get(host_of(url))
        shape, needed = part_of(url)
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
        self._note(url, Note("page"))
        self._note(url, Note(need, _name(key)))
        advice = host.advise(kind)
        if advice == "skip":
            self._note(url, Note("never", part_of(url)[0]))
        return advice

    def enough(self, url: str) -> None:
        """The static page of *url* needs no rendering."""
        self._note(url, Note("page"))
        self._note(url, Note("never", part_of(url)[0]))

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
        self._note(url, Note("never", part_of(url)[0]))
        return False

    def rendered(self, url: str, key: tuple[str, ...], gained: bool) -> None:
        """The browser is done with a page; *gained* says whether it was worth it."""
        self._note(url, Note("gain" if gained else "vain", _name(key)))
        self._kind(url, key)[1].end(url)
        self._note(url, Note("needed" if gained else "never", part_of(url)[0]))

    def failed(self, url: str, key: tuple[str, ...] = ()) -> None:
        """The browser failed, or the request was dropped: no verdict.

        Without a *key* for a page that was rendered at once.
        """
        self._host(url).failures += 1
        if key:
            self.given_up(url, key)

    def given_up(self, url: str, key: tuple[str, ...]) -> None:
        """There is no rendered page, and not for the browser's fault: no verdict."""
        self._kind(url, key)[1].end(url)

    def unsettled(self, url: str, key: tuple[str, ...]) -> None:
        """The browser has an answer, but no verdict on it will come soon.

        The page is still under way, and nobody is to wait for it.
        """
        self._at_the_browser(url, key)

    def succeeded(self, url: str) -> None:
        """A page that was rendered at once has come: the browser does not fail."""
        host = self._hosts.get(host_of(url))
        if host is not None:
            host.failures = 0

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
                knowledge._hosts[name] = Host.from_data(host)
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

    # --- What several workers learn together ---------------------------------

    def take(self, name: str, notes: Iterable[Note]) -> None:
        """Take in notes about a host."""
        for note in notes:
            host = self._named(name)
            kind = part = None
            if note.what in ("needed", "never"):
                part = self._entry(host.parts, note.name, Part, MOST_PARTS)
            elif note.name:
                kind = self._entry(host.kinds, note.name, Kind, MOST_KINDS)
            host.take(note, kind, part)

    def adopt(self, name: str, data: dict[str, Any], since: Iterable[Note]) -> None:
        """Take over what is known together of a host, and notes made *since* then.

        Raises :exc:`ValueError` or the like if *data* is none of :meth:`data_of`.
        """
        shared, host = Host.from_data(data), self._named(name)
        before = host.size
        host.adopt(shared)
        self._size += host.size - before
        self._forget()
        self.take(name, since)

    def data_of(self, name: str) -> dict[str, Any]:
        """What is known of a host, as plain data."""
        return self._named(name).as_data()

    def _note(self, url: str, note: Note) -> None:
        name = host_of(url)
        self.take(name, [note])
        if self.notes is not None:
            self.notes.append((name, note))

    # --- Entries -------------------------------------------------------------

    def _host(self, url: str) -> Host:
        name = host_of(url)
        if self.notes is not None and name not in self._hosts:
            self.notes.append((name, Note("look")))
        return self._named(name)

    def _named(self, name: str) -> Host:
        host = _touch(self._hosts, name, Host)
        self._forget()
        return host

    def _kind(self, url: str, key: tuple[str, ...]) -> tuple[Host, Kind]:
        host = self._host(url)
        return host, self._entry(host.kinds, _name(key), Kind, MOST_KINDS)

    def _at_the_browser(self, url: str, key: tuple[str, ...]) -> tuple[Host, Kind]:
        """The same for a page that waits; it may have run before, and be retried."""
        host, kind = self._kind(url, key)
        kind.running.pop(short(url), None)
        return host, kind

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


def _name(key: tuple[str, ...]) -> str:
    """What a kind is called; never empty."""
    return short("\n".join(key)) or " "


def _touch(
    entries: OrderedDict[str, _Value], name: str, make: Callable[[], _Value]
) -> _Value:
    """The entry of the name, an old or a new one, as the last that was used."""
    if name not in entries:
        entries[name] = make()
    entries.move_to_end(name)
    return entries[name]


__all__ = ["Advice", "Need", "SiteKnowledge"]
