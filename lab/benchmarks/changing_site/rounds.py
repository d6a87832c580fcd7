"""The script: the rounds in their order, each a row of a table.

A round changes the site; then it is crawled, or the crawl has to refuse its sweep.
Actions of more than a line stand above the table.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple

from lab.server import HTML, Answer

from .bench import UNAVAILABLE, Bench
from .site import ALIAS, NO_PAGES, NOT_FOUND, Page

DAY = 86_400
FORM = b"<title>Sign in</title><form><input name=user><input type=password></form>"
FORBIDDEN = Answer(200, b"User-agent: *\nDisallow: /\n", {"Content-Type": "text/plain"})

Act = Callable[[Bench], object]


class Round(NamedTuple):
    """A round: its name, its title in the tables, and what happens to the site.

    *calms*: the troubles of the rounds before are over. *refused*: the crawl reaches
    only a part of the site, and must refuse its sweep with a line of this level in the
    log. *crawls*: the action crawls by itself.
    """

    name: str
    title: str
    act: Act
    calms: bool = False
    refused: str = ""
    crawls: bool = False

    def play(self, bench: Bench) -> None:
        """Change the site, and crawl it."""
        if self.calms:
            bench.calm()
        bench.is_whole = not self.refused
        self.act(bench)
        if self.refused:
            bench.refusing(level=self.refused)
        elif not self.crawls:
            bench.crawl()


def each(share: float, change: Callable[[Page, int], object]) -> Act:
    """Change a share of the pages, each by its place among them."""

    def act(bench: Bench) -> None:
        for place, page in enumerate(bench.some(share)):
            page.changed = bench.site.day
            change(page, place)

    return act


def trouble(*shares: tuple[float, Answer]) -> Act:
    """Let shares of the pages answer something else."""

    def act(bench: Bench) -> None:
        for share, answer in shares:
            bench.trouble(bench.some(share), answer)

    return act


def answers(**parts: Answer) -> Act:
    """Let parts of the site (robots, sitemap, everything) answer something else."""

    def act(bench: Bench) -> None:
        for name, answer in parts.items():
            setattr(bench.site, name, answer)

    return act


# --- Texts and addresses


def nothing(bench: Bench) -> None:
    """Leave the site as it is."""


def text_edit(bench: Bench) -> None:
    """Edit texts, and keep a copy of the index after the crawl."""
    bench.edit(0.03)
    bench.crawl()
    bench.save_index()


def pages_added(bench: Bench) -> None:
    start = bench.next_record
    bench.new_section("new", range(start, start + 10))


def not_found(page: Page, place: int) -> None:
    page.gone(404)
    page.is_linked = page.is_linked and place % 2 == 0


def moved(bench: Bench) -> None:
    pages = bench.some(0.02)
    for k, page in enumerate(pages[::2]):
        if k % 2:
            page.gone(301, pages[1].path)
        else:
            to = f"{page.section}moved-{page.record}.html"
            new = Page(to, page.record, page.section)
            new.revision, new.changed = page.revision, bench.site.day
            bench.site.pages[new.path] = new
            page.gone(308, new.path)
            page.is_linked = page.in_sitemap = False


def moved_section(bench: Bench) -> None:
    hub, pages = bench.section(1)
    new = f"/guide{hub.path}"
    bench.site.hubs[new] = Page(new, hub.record + 500_000, new)
    for page in [*pages, hub]:
        if page.status == 200 and not page.is_settled:
            to = page.path.replace(hub.path, new)
            if page is not hub:
                moved = bench.site.add(page.record, new)
                bench.site.pages[to] = bench.site.pages.pop(moved.path)
                moved.path, moved.revision = to, page.revision
                moved.noindex = page.noindex
            page.gone(301, to)
        page.is_linked = page.in_sitemap = False


def canonical(bench: Bench) -> None:
    pages = bench.some(0.03)
    third = max(1, len(pages) // 3)
    for page, other in zip(pages[:third], pages[third : 2 * third], strict=False):
        page.canonical = other.path
        page.changed = bench.site.day
    for page, no_page in zip(pages[2 * third :], cycle(NO_PAGES), strict=False):
        page.canonical = no_page if page.record % 2 else ALIAS + page.path
        page.changed = bench.site.day


def copies(bench: Bench) -> None:
    pages = [page for page in bench.some(0.02) if not page.canonical]
    half = len(pages) // 2
    for page, other in zip(pages[:half], pages[half:], strict=False):
        page.copy_of = other
        page.is_settled = other.is_settled = True
        page.changed = bench.site.day


def back_again(bench: Bench) -> None:
    for page in bench.site.pages.values():
        if page.status in (404, 410) or page.noindex:
            page.status, page.noindex = 200, ""
            page.is_linked = page.in_sitemap = True
            page.changed = bench.site.day


def unreachable(bench: Bench) -> None:
    hub, pages = bench.section(2)
    for page in [hub, *pages]:
        page.is_linked = page.in_sitemap = False


def sessions(bench: Bench) -> None:
    bench.site.session = f"{bench.site.day:x}f3"
    for page in bench.site.every():
        page.canonical = page.canonical or page.path
    bench.rebuild(2)


def no_sessions(bench: Bench) -> None:
    bench.site.session = ""
    bench.rebuild(2)


# --- Troubles of the site


def elsewhere(bench: Bench) -> None:
    to = {"Location": bench.site.base + bench.site.home.path}
    bench.trouble(bench.some(0.02), Answer(302, headers=to))


def slow_hub(bench: Bench) -> None:
    hub, pages = bench.section(0)
    bench.trouble([hub], Answer(200, b"late", delay=30))
    texts = [page for page in pages if page.is_document]
    for page in texts[:2]:
        page.edit(bench.site.day)
    for page in texts[2:4]:
        page.gone(404)


def no_sitemap(bench: Bench) -> None:
    bench.site.sitemap = Answer(500)
    for page in bench.some(0.01):
        page.gone(404)


def for_long(bench: Bench) -> None:
    pages = bench.trouble(bench.some(0.01), UNAVAILABLE)
    for _ in range(3):
        bench.crawl()
        bench.next_day()
    if any(bench.site.base + page.path not in bench.read() for page in pages):
        bench.faults.append("pages are deleted before they have failed for long")
    for _ in range(2):
        bench.crawl()
        bench.next_day()
    for page in pages:
        page.gone(503)


def login_wall(bench: Bench) -> None:
    pages = [page for page in bench.section(3)[1] if page.is_document]
    to = {"Location": f"{bench.site.base}/login?next=here"}
    bench.trouble(pages[::2], Answer(302, headers=to))
    bench.trouble(pages[1::2], Answer(403, b"Not you."))


def login_everywhere(bench: Bench) -> None:
    bench.rebuild(bench.site.shell)
    answer = Answer(200, FORM, {"Content-Type": "text/html"})
    bench.trouble(bench.site.pages.values(), answer)


# --- Accidents of crawls, indexes and states; other settings


def interrupted(by: signal.Signals, gone: float = 0) -> Act:
    """End a crawl of a rebuilt site at half by a signal, and resume it."""

    def act(bench: Bench) -> None:
        for page in bench.some(gone) if gone else ():
            page.gone(404)
        bench.calm()
        bench.rebuild(bench.site.shell)
        bench.edit(0.1)
        job = ("-s", f"JOBDIR=job-{bench.site.day}")
        bench.crawl(*job, end=bench.half(), by=by)
        bench.crawl(*job)

    return act


def ended_early(bench: Bench) -> None:
    bench.is_whole = False
    for page in bench.some(0.01):
        page.gone(404)
    count = f"CLOSESPIDER_PAGECOUNT={len(bench.site.pages) // 2}"
    bench.refusing("-s", count, level="WARNING")


def part(bench: Bench) -> None:
    hub, pages = bench.section(4)
    bench.rewritten = None
    for page in [page for page in pages if page.is_document][:2]:
        page.edit(bench.site.day)
    bench.crawl("-a", f"section={hub.path[1:]}")
    if len(bench.read()) < len(bench.before):
        bench.faults.append("the crawl of a section deleted pages of the others")


def failed_bulk(bench: Bench) -> None:
    names = {"INSERT": "no_insert", "UPDATE": "no_update"}
    bench.sql(
        ";".join(
            f"CREATE TRIGGER {name} BEFORE {event} ON documents "
            "BEGIN SELECT RAISE(ABORT, 'rejected'); END"
            for event, name in names.items()
        )
    )
    bench.is_whole = False
    bench.edit(0.02)
    bench.refusing()
    bench.sql(";".join(f"DROP TRIGGER {name}" for name in names.values()))


def index_behind(bench: Bench) -> None:
    bench.restore_index()
    bench.rewritten = None


def state_lost(bench: Bench) -> None:
    bench.lose_state()
    bench.rewritten = None
    for page in bench.some(0.001):
        page.gone(404)


def clock_back(bench: Bench) -> None:
    bench.site.day -= 3
    for page in bench.some(0.02):
        # With the date that it had before, a server says that nothing has changed.
        if page.changed != bench.site.day:
            page.edit(bench.site.day)
    bench.project.clock = -3 * DAY
    bench.crawl()
    bench.project.clock = 0
    bench.site.day += 3


def revisit(bench: Bench) -> None:
    often = ("-s", f"MAINPAGE_REVISIT={DAY},{10 * DAY}")
    bench.crawl(*often)
    bench.edit(0.02)
    before = bench.server.requests
    bench.crawl(*often)
    if bench.server.requests - before > len(bench.site.pages) // 5:
        bench.faults.append("pages are requested again within a day")
    bench.project.clock = 11 * DAY
    bench.crawl(*often)
    bench.project.clock = 0


def other_settings(bench: Bench) -> None:
    bench.project.set("MAINPAGE_INDEX_PASSAGE_WORDS = 120")
    bench.crawl()
    found = bench.read().values()
    bench.rewritten = sum(each.passages > 0 for each in found)
    if any(not each.passages for each in found):
        bench.faults.append("documents without the passages of the new settings")


def cached(bench: Bench) -> None:
    bench.edit(0.02)
    policy = "scrapy.extensions.httpcache.RFC2616Policy"
    bench.crawl("-s", "HTTPCACHE_ENABLED=1", "-s", f"HTTPCACHE_POLICY={policy}")


def mass_delete(bench: Bench) -> None:
    bench.is_whole = False
    for page in bench.some(0.2):
        page.gone(404)
        page.is_linked = False
    bench.refusing()
    kept = sum(url in bench.before for url in bench.read())
    if kept < len(bench.before):
        bench.faults.append(f"{len(bench.before) - kept} deleted without consent")


def applied(bench: Bench) -> None:
    bench.project.run(["mainpage-sweep"])
    crawled = bench.project.run(["mainpage-sweep", "--apply"])
    if crawled.code:
        bench.faults.append(f"mainpage-sweep --apply: exit code {crawled.code}")


# --- The table

NOTHING = Round("nothing", "Nothing changes: 304", nothing)
BACK = Round(
    "back_again", "Pages that were gone, empty or noindex are back", back_again
)
SLOW_DOWN = Answer(429, b"Slow down.")
NO_SWEEP = {"calms": True, "refused": "ERROR"}
ROUNDS: tuple[Round, ...] = (
    Round("first_crawl", "The first crawl", nothing),
    NOTHING,
    Round("shell_edit", "A banner, a build number and another footer on every page",
          lambda bench: bench.rebuild(1)),
    Round("text_edit", "Texts of 3% edited", text_edit, crawls=True),
    Round("pages_added", "A new section of ten pages", pages_added),
    Round("not_found", "404 for 2%, half of them still linked", each(0.02, not_found)),
    Round("gone", "410 for 1%", each(0.01, lambda page, _: page.gone(410))),
    Round("moved", "301 and 308 for 1%, to new addresses and to pages of the site",
          moved),
    Round("soft_not_found", "1% say with status 200 that they do not exist",
          trouble((0.01, Answer(200, NOT_FOUND.encode(), HTML))), calms=True),
    Round("empty_pages", "2% without text: only a shell, or no byte at all",
          trouble((0.01, Answer(200, b"<div id=app></div>", HTML)),
                  (0.01, Answer(200, b"", HTML))), calms=True),
    Round("noindex", "1% with noindex, as element or as header",
          each(0.01, lambda page, k: setattr(
              page, "noindex", "header" if k % 2 else "meta")), calms=True),
    Round("canonical", "1% with another page of the site as canonical, 1% with one "
          "that is no page", canonical),
    Round("copies", "The texts of 1% are replaced by copies of other pages", copies),
    NOTHING,
    BACK,
    Round("burst", "503 for 5%", trouble((0.05, UNAVAILABLE))),
    Round("broken", "429 for 2%, broken connections for 1%",
          trouble((0.02, SLOW_DOWN), (0.01, Answer(None))), calms=True),
    Round("elsewhere", "302 for 2%, to another page", elsewhere, calms=True),
    Round("slow_hub", "A hub times out, while pages below it are edited and gone",
          slow_hub, calms=True),
    Round("no_sitemap", "The sitemap answers 500, while pages are gone: no sweep",
          no_sitemap, **NO_SWEEP),
    Round("no_robots", "robots.txt answers 503: no sweep",
          answers(robots=UNAVAILABLE), **NO_SWEEP),
    Round("forbidden", "robots.txt of a staging server forbids everything: no sweep",
          answers(robots=FORBIDDEN), **NO_SWEEP),
    Round("no_start", "The start page answers 500: no sweep",
          lambda bench: bench.trouble([bench.site.home], Answer(500)), **NO_SWEEP),
    Round("down", "The site is down: no sweep",
          answers(everything=Answer(None)), **NO_SWEEP),
    Round("login_wall", "A section needs a login: 302 to the form, or 403",
          login_wall, calms=True),
    Round("login_everywhere", "Every page is a login form with status 200: all stay",
          login_everywhere, calms=True),
    NOTHING._replace(calms=True),
    Round("for_long", "503 for 1%, for five crawls: after three the pages go",
          for_long, calms=True, crawls=True),
    Round("killed", "SIGKILL at half of a rebuilt site with edits, then resumed",
          interrupted(signal.SIGKILL), crawls=True),
    Round("stopped", "SIGTERM at half of a rebuilt site with edits, then resumed; 1% "
          "is gone", interrupted(signal.SIGTERM, 0.01), crawls=True),
    Round("ended_early", "CLOSESPIDER_PAGECOUNT ends the crawl at half: no sweep",
          ended_early, calms=True, crawls=True),
    Round("part", "A crawl of one section, then one of the site, by the same spider",
          part),
    NOTHING,
    Round("failed_bulk", "The index rejects every document of a crawl with edits",
          failed_bulk, crawls=True),
    NOTHING,
    Round("index_behind", "The index is restored from an older copy, the state is not",
          index_behind),
    Round("clock_back", "The clocks of server and crawl go back three days, with edits",
          clock_back, crawls=True),
    Round("revisit", "MAINPAGE_REVISIT: no page is requested within a day, all are in "
          "ten days", revisit, crawls=True),
    Round("cached", "Scrapy's HTTP cache is on, with edits", cached, crawls=True),
    Round("moved_section", "A section under another address, by 301", moved_section),
    Round("unreachable", "No link leads to a section any more, whose pages are there",
          unreachable),
    Round("redesign", "Other markup on every page, the same texts",
          lambda bench: bench.rebuild(2)),
    Round("sessions", "Session ids in all links; pages name their canonical address",
          sessions),
    Round("other_sessions", "Other session ids in all links", sessions),
    Round("no_sessions", "No session ids any more", no_sessions),
    Round("other_settings", "Another setting: every document is written again, with "
          "passages", other_settings, crawls=True),
    Round("state_lost", "The state is lost, and two pages are gone", state_lost),
    Round("mass_delete", "A fifth of the site is gone: no sweep", mass_delete,
          crawls=True),
    Round("applied", "The plan of the refused sweep is applied by hand", applied,
          crawls=True),
    BACK,
    NOTHING,
)  # fmt: skip
NAMED = {each.name: each for each in ROUNDS}
"""The rounds by name."""
