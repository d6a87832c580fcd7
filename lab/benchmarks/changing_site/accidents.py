"""Rounds with accidents of crawls, indexes and states, and with other settings."""

from __future__ import annotations

import signal

from .bench import Bench

DAY = 86_400


def killed(bench: Bench) -> None:
    """SIGKILL at half of a rebuilt site with edits, then resumed."""
    _interrupted(bench, signal.SIGKILL)


def stopped(bench: Bench) -> None:
    """SIGTERM at half of a rebuilt site with edits, then resumed; 1% is gone."""
    for page in bench.some(0.01):
        page.gone(404)
    _interrupted(bench, signal.SIGTERM)


def _interrupted(bench: Bench, by: signal.Signals) -> None:
    bench.calm()
    bench.rebuild(bench.site.shell)
    bench.edit(0.1)
    job = ("-s", f"JOBDIR=job-{bench.site.day}")
    bench.crawl(*job, end=bench.half(), by=by)
    bench.crawl(*job)


def ended_early(bench: Bench) -> None:
    """CLOSESPIDER_PAGECOUNT ends the crawl at half: no sweep."""
    bench.calm()
    bench.is_whole = False
    for page in bench.some(0.01):
        page.gone(404)
    count = f"CLOSESPIDER_PAGECOUNT={len(bench.site.pages) // 2}"
    bench.refusing("-s", count, level="WARNING")


def part(bench: Bench) -> None:
    """A crawl of one section, then one of the site, by the same spider."""
    hub, pages = bench.section(4)
    bench.rewritten = None
    for page in [page for page in pages if page.is_document][:2]:
        page.edit(bench.site.day)
    bench.crawl("-a", f"section={hub.path[1:]}")
    if len(bench.read()) < len(bench.before):
        bench.faults.append("the crawl of a section deleted pages of the others")
    bench.crawl()


def failed_bulk(bench: Bench) -> None:
    """The index rejects every document of a crawl with edits."""
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
    """The index is restored from an older copy, the state is not."""
    bench.restore_index()
    bench.rewritten = None
    bench.crawl()


def state_lost(bench: Bench) -> None:
    """The state is lost, and two pages are gone."""
    bench.lose_state()
    bench.rewritten = None
    for page in bench.some(0.001):
        page.gone(404)
    bench.crawl()


def clock_back(bench: Bench) -> None:
    """The clocks of server and crawl go back three days, with edits."""
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
    """MAINPAGE_REVISIT: no page is requested within a day, all are in ten days."""
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
    """Another setting: every document is written again, with passages."""
    bench.project.set("MAINPAGE_INDEX_PASSAGE_WORDS = 120")
    bench.crawl()
    found = bench.read().values()
    bench.rewritten = sum(each.passages > 0 for each in found)
    if any(not each.passages for each in found):
        bench.faults.append("documents without the passages of the new settings")


def cached(bench: Bench) -> None:
    """Scrapy's HTTP cache is on, with edits."""
    bench.edit(0.02)
    policy = "scrapy.extensions.httpcache.RFC2616Policy"
    bench.crawl("-s", "HTTPCACHE_ENABLED=1", "-s", f"HTTPCACHE_POLICY={policy}")


def mass_delete(bench: Bench) -> None:
    """A fifth of the site is gone: no sweep."""
    bench.is_whole = False
    for page in bench.some(0.2):
        page.gone(404)
        page.is_linked = False
    bench.refusing()
    kept = sum(url in bench.before for url in bench.read())
    if kept < len(bench.before):
        bench.faults.append(f"{len(bench.before) - kept} deleted without consent")


def applied(bench: Bench) -> None:
    """The plan of the refused sweep is applied by hand."""
    bench.project.run(["mainpage-sweep", "--dry-run"])
    crawled = bench.project.run(["mainpage-sweep", "--apply"])
    if crawled.code:
        bench.faults.append(f"mainpage-sweep --apply: exit code {crawled.code}")
