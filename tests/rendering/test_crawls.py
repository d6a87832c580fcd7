"""Whole crawls with a rendering browser, each in its own process."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawl, crawl, finish, start
from tests.mockserver import article
from tests.rendering.server import Answer, Reply, Request, Site, html, redirect
from tests.rendering.server import serve as serve_site
from tests.rendering.server import text as plain
from tests.waiting import PATIENCE, wait

VISIT = "tests.rendering.spiders.VisitSpider"
AUTO = {
    "MAINPAGE_RENDER": "auto",
    "MAINPAGE_RENDER_ALLOWED_HOSTS": ["127.0.0.1"],
    "LOG_LEVEL": "DEBUG",
}
ALWAYS = {**AUTO, "MAINPAGE_RENDER": "always"}
#: V8 aborts a tab that requests an array of this size.
CRASH = "'x'.repeat(2 ** 28).split('');"


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


def shell(script: str, *, main: str = "") -> Reply:
    """A page that is empty without a browser."""
    return html(
        "<!DOCTYPE html><html><head><title>A shell</title></head><body>"
        f'<div id="root">{main}</div><script>{script}</script></body></html>'
    )


def shows(name: str) -> Reply:
    """A shell that shows the data from ``/data/NAME``."""
    return shell(
        f"fetch('/data/{name}').then(answer => answer.text()).then(text => "
        "{ document.getElementById('root').innerHTML = text; });"
    )


def data(name: str, main: str = "") -> Reply:
    """The data for a shell: the whole body of an article."""
    page = article(name, main=main)
    return html(page[page.index("<nav") : page.index("</body>")])


def pages(*names: str) -> dict[str, Answer]:
    """A static page, and shells with these names."""
    found: dict[str, Answer] = {"/static": html(article("static"))}
    for name in names:
        found |= {f"/{name}": shows(name), f"/data/{name}": data(name)}
    return found


def visit(site: Site, settings: dict[str, Any], *visits: Any, **options: Any) -> Crawl:
    done = crawl(VISIT, settings, site=site.url, visits=list(visits), **options)
    assert done.returncode == 0, done.log
    assert "Traceback" not in done.log
    return done


def by_url(done: Crawl) -> dict[str, dict[str, Any]]:
    assert len({item["url"] for item in done.items}) == len(done.items), done.items
    return {item["url"]: item for item in done.items}


def rendered(done: Crawl) -> dict[str, Any]:
    """The rendering reason of each rendered page."""
    return {i["url"]: i["reason"] for i in done.items if i["rendered"]}


def says(item: dict[str, Any], topic: str) -> bool:
    return f"about {topic} says in plain words" in item["text"]


# --- Rendered pages -----------------------------------------------------------


def test_auto_renders_the_shell_and_follows_links_that_only_the_browser_sees() -> None:
    link = '<p>There is <a href="/behind">more behind</a> this page.</p>'
    links = (
        f'<p>To the <a href="/{name}">page</a></p>' for name in ("moved", "script")
    )
    site_pages = {
        **pages("shell", "end"),
        "/": html(article("home", main="".join(links))),
        "/moved": redirect("/shell"),
        "/script": shell("location.replace('/end')"),
        "/data/shell": data("shell", link),
        "/behind": html(article("behind")),
    }
    with serve_site(site_pages) as site:
        done = visit(site, AUTO, "/", follow=True)
    items = by_url(done)
    assert set(items) == {"/", "/shell", "/end", "/behind"}
    assert set(rendered(done)) == {"/shell", "/end"}
    assert all(says(items[f"/{name}"], name) for name in ("shell", "end", "behind"))
    assert items["/shell"]["redirects"] == ["/moved"]
    assert items["/behind"]["reason"] == "no_script"
    assert done.stat("mainpage/render/rendered/empty_root") == 1
    assert done.stat("mainpage/render/static/no_script") == 2
    assert done.stat("mainpage/render/browsers") == 1
    assert done.stat("mainpage/extracted") == 4
    assert site.requests["/shell"] == 2
    assert site.requests["/behind"] == 1


SCROLLED = """<style>p { height: 900px }</style><div id=root></div><script>
let pieces = 0;
const more = () => {
  if (++pieces > 3) return;
  document.getElementById("root").insertAdjacentHTML("beforeend",
    `<p>${`The piece number ${pieces} of a long list, with a few words. `.repeat(9)}`);
};
addEventListener("scroll", more);
more();
</script>"""


def test_hash_routes_are_pages_and_clicks_and_scrolling_bring_the_rest() -> None:
    more = "<button onclick=\"this.outerHTML = '<p>More of it.'\">Show more</button>"
    script = (
        "const show = async () => { const route = location.hash.slice(2) || 'home';"
        "const answer = await fetch('/data/' + route);"
        "document.getElementById('root').innerHTML = await answer.text(); };"
        "addEventListener('hashchange', show); show();"
    )
    site_pages = {
        "/": html(
            '<!DOCTYPE html><html><head><link rel="canonical" href="/"></head><body>'
            f'<div id="root"></div><script>{script}</script></body></html>'
        ),
        "/data/home": data("home", '<p>See <a href="#/one">one</a>.</p>'),
        "/data/one": data(
            "one", f'<p><a href="#/two">two</a>, <a href="#/">home</a></p>{more}'
        ),
        "/data/two": data("two"),
        "/two": shows("two"),
        "/scrolled": html(SCROLLED),
    }
    more_of_it = {"MAINPAGE_RENDER_CLICK": "button", "MAINPAGE_RENDER_SCROLL": 4}
    places = ("/", "/#!two", "/two#top", "/scrolled")
    with serve_site(site_pages) as site:
        done = visit(site, {**AUTO, **more_of_it}, *places, follow=True)
    items = by_url(done)
    assert rendered(done) == {
        "/": "empty_root",
        "/two": "empty_root",  # a place on a page is no address
        "/scrolled": "empty_root",
        "/#/one": "hash_route",
        "/#/two": "hash_route",
        "/#!two": "hash_route",
    }
    assert all(says(items[f"/#/{name}"], name) for name in ("one", "two"))
    assert "More of it." in items["/#/one"]["text"]
    assert "The piece number 3" in items["/scrolled"]["text"]
    assert done.stat("mainpage/render/clicks") == 1
    assert done.stat("mainpage/render/rendered/hash_route") == 3


UNDECLARED = "Größe, Œuvre und 日本語 – “für zwölf Stühle”"


ENCODED = {
    "/utf-8": UNDECLARED,
    "/latin-1": "Größe und Übermaß der Stühle prüfen",
    "/shift_jis": "日本語のページです。これはテストの文章です。",
}


def test_always_renders_each_page_and_knows_encodings_that_none_declares() -> None:
    script = f"document.getElementById('root').innerHTML = '<p>{UNDECLARED * 5}</p>'"
    as_html = {"Content-Type": "text/html"}
    shell = b"<div id=root></div><script src=/script.js></script>"
    site_pages: dict[str, Answer] = {
        path: Reply(f"<div id=root><p>{text * 5}".encode(path[1:]), headers=as_html)
        for path, text in ENCODED.items()
    }
    site_pages |= {"/in-script": Reply(shell, headers=as_html)}
    site_pages |= {"/script.js": Reply(script.encode())}

    def sometimes(request: Request) -> Reply:
        return html(article("later"), status=200 if request.earlier else 503)

    with serve_site({**site_pages, "/later": sometimes}) as site:
        done = visit(site, ALWAYS, *ENCODED, "/in-script", "/later")
    items = by_url(done)
    for path, text in {**ENCODED, "/in-script": UNDECLARED}.items():
        assert text in items[path]["text"]
        assert site.requests[path] == 1
    assert says(items["/later"], "later")
    assert set(rendered(done)) == {*items}
    assert done.stat("mainpage/render/rendered") == len(items)
    assert done.stat("retry/count") == 1
    downloads = done.stat("downloader/request_count") - len(items) - 1
    assert downloads == done.stat("downloader/request_method_count/HEAD")


def test_files_and_other_types_come_as_without_a_browser() -> None:
    files = {
        "/a.pdf": Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"}),
        "/a.json": plain('{"a": 1}', "application/json"),
        "/a.html": Reply(
            b"<p>To be saved.",
            headers={
                "Content-Type": "text/html",
                "Content-Disposition": "attachment; filename=a.html",
            },
        ),
    }
    with serve_site(files) as site:
        done = crawl("page", ALWAYS, urls=[site.url + path for path in files])
    kinds = {item["url"].removeprefix(site.url): item["kind"] for item in done.items}
    assert kinds == {
        "/a.pdf": "TextResponse",
        "/a.json": "JsonResponse",
        "/a.html": "HtmlResponse",
    }
    assert done.stat("mainpage/render/failed/not_html") == 3
    assert "Traceback" not in done.log


# --- The cache ----------------------------------------------------------------

COUNT = 10
#: Enough static text to notice its loss in a browser.
NEWS = "".join(
    f"<p>{n}. A line of the news of the day, and a second.</p>" for n in "abcdef"
)


def site_to_cache() -> dict[str, Answer]:
    """Shells in one folder, static pages, and pages that gain nothing by rendering."""
    found = pages(*(f"shop/{n}.html" for n in range(COUNT)))
    gone = "document.querySelector('main').remove();"
    found["/worse"] = html(
        f'<title>News</title><main>{NEWS}<div id="root"></div></main>'
        f"<script>{gone}</script>"
    )
    paths = [path for path in found if "data" not in path]
    links = "".join(
        f'<li>To <a href="{path}">the page {path}</a></li>' for path in paths
    )
    return {**found, "/": html(article("home", main=f"<ul>{links}</ul>"))}


def crawl_twice(settings: dict[str, Any], folder: Path) -> tuple[Crawl, Crawl, int]:
    """Run a crawl twice; return both outcomes and the second one's request count."""
    settings = {
        **settings,
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(folder),
        "CONCURRENT_REQUESTS": 2,
    }
    with serve_site(site_to_cache()) as site:
        first_page = ["/", {"meta": {"mainpage_layout": True}}]
        first = visit(site, settings, first_page, follow=True)
        before = len(site.log)
        second = visit(site, settings, first_page, follow=True)
        return first, second, len(site.log) - before


def contents(done: Crawl) -> set[str]:
    return {repr(sorted(item.items())) for item in done.items}


def test_a_second_crawl_replays_rendered_pages_without_a_browser(
    tmp_path: Path,
) -> None:
    first, second, requests = crawl_twice(AUTO, tmp_path)
    reasons = {item["url"]: item["reason"] for item in first.items}
    assert reasons["/worse"] == "worse"
    assert len(rendered(first)) == COUNT
    assert "empty_root" in reasons.values()
    assert first.stat("mainpage/render/browsers") == 1
    assert by_url(first)["/shop/1.html"]["boxes"] > 5
    assert contents(second) == contents(first)
    assert second.stat("mainpage/render/browsers") == 0
    assert requests == 0


# --- Pause and resume ---------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_an_interrupted_crawl_goes_on_and_has_every_page_once(
    tmp_path: Path,
) -> None:
    """In a terminal, Ctrl-C also reaches the browser."""
    reached, release = threading.Event(), threading.Event()

    def hold(request: Request) -> Reply:
        if not reached.is_set():
            reached.set()
            release.wait(PATIENCE)
        return data("shop/3.html")

    names = [f"shop/{n}.html" for n in range(8)]
    site_pages = {**pages(*names), "/data/shop/3.html": hold}
    settings = {**AUTO, "JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 2}
    with serve_site(site_pages) as site:
        visits = [f"/{name}" for name in names]
        options: dict[str, Any] = {"site": site.url, "visits": visits}
        running = start(VISIT, tmp_path, settings, group=True, **options)
        wait(reached.is_set, "page that is held", running)
        os.killpg(running.pid, signal.SIGINT)
        release.set()
        first = finish(running, tmp_path)
        second = finish(start(VISIT, tmp_path, settings, **options), tmp_path)
    assert first.stat("finish_reason") == "shutdown"
    assert second.stat("finish_reason") == "finished"
    assert 0 < len(first.items) < len(names)
    items = first.items + second.items
    assert sorted(item["url"] for item in items) == visits
    assert [item for item in items if not says(item, item["url"][1:])] == []
    assert "Traceback" not in first.log + second.log


# --- Redirects, retries, cookies, headers -------------------------------------


def test_cookies_and_headers_go_to_the_rendered_page_and_cookies_come_back() -> None:
    def sets(name: str, reply: Reply) -> Reply:
        headers = {**reply.headers, "Set-Cookie": f"{name}=yes; Path=/"}
        return Reply(reply.body, reply.status, headers)

    site_pages = {
        **pages("shell"),
        "/first": sets("first", html(article("first"))),
        "/shell": sets("second", shows("shell")),
    }
    headers = {"Accept-Language": "eo", "X-Own": "mine"}
    visits = [["/first", {}], ["/shell", {"headers": headers}], ["/static", {}]]
    settings = {**AUTO, "USER_AGENT": "tester/1.0"}
    with serve_site(site_pages) as site:
        visit(site, settings, *visits, in_turn=True)
        log = {request.path: request.headers for request in site.log}
    assert log["/shell"]["X-Own"] == "mine"
    assert log["/shell"]["Accept-Language"] == "eo"
    assert log["/shell"]["User-Agent"] == "tester/1.0"
    assert "first=yes" in log["/shell"]["Cookie"]
    assert {"first=yes", "second=yes"} <= set(log["/data/shell"]["Cookie"].split("; "))
    assert log["/data/shell"]["User-Agent"] == "tester/1.0"
    assert {"first=yes", "second=yes"} <= set(log["/static"]["Cookie"].split("; "))


def test_headers_of_the_request_go_to_no_other_site() -> None:
    with serve_site({"/frame": html("<p>A frame."), "/end": data("end")}) as other:
        framed = article("framed").replace(
            "</main>",
            f'</main><iframe src="{other.url}/frame"></iframe>'
            '<iframe src="/in"></iframe>',
        )
        site_pages: dict[str, Answer] = {
            "/framed": html(framed),
            "/in": html("<p>A frame of the same site."),
            "/leaves": shell(f"location.replace('{other.url}/end')"),
        }
        secret = {"headers": {"Authorization": "secret", "User-Agent": "tester/1.0"}}
        with serve_site(site_pages) as site:
            visit(site, ALWAYS, ["/framed", secret], ["/leaves", secret])
        got = {request.path: request.headers for request in site.log + other.log}
    assert set(got) == {"/framed", "/in", "/leaves", "/frame", "/end"}
    knowing = {path for path, headers in got.items() if headers["Authorization"]}
    assert knowing == {"/framed", "/in", "/leaves"}
    assert {headers["User-Agent"] for headers in got.values()} == {"tester/1.0"}


SECRETS = {"headers": {"Authorization": "secret", "X-Api-Key": "secret"}}
KEEPS = {"meta": {"dont_redirect": True, "handle_httpstatus_list": [302]}}


def asked(site: Site, path: str) -> Any:
    [found] = [request for request in site.log if request.path == path]
    return found


def test_redirects_are_followed_by_scrapy() -> None:
    robots = Reply(b"User-agent: *\nDisallow: /secret", 200)
    framed = article("framed").replace("</main>", '</main><iframe src="/in"></iframe>')
    with serve_site({"/end": html(article("end"))}) as other:
        site_pages: dict[str, Answer] = {
            **pages("shell", "late"),
            "/robots.txt": robots,
            "/old": redirect("/shell", 308),
            "/away": redirect(f"{other.url}/end"),
            "/hidden": redirect("/secret"),
            "/secret": html(article("secret")),
            "/kept": redirect("/new"),
            "/framed": html(framed),
            "/in": redirect("/inner"),
            "/inner": html("<p>A frame."),
            "/data/late": redirect("/data/shell"),
        }
        visits = ["/old", ["/away", SECRETS], "/hidden", ["/kept", KEEPS], "/framed"]
        with serve_site(site_pages) as site:
            settings = {**ALWAYS, "ROBOTSTXT_OBEY": True}
            done = visit(site, settings, *visits, "/late")
    items = by_url(done)
    # The target is rendered, with the redirect in its meta.
    assert items["/shell"]["rendered"]
    assert items["/shell"]["redirects"] == ["/old"]
    assert says(items["/shell"], "shell")
    assert site.requests["/old"] == site.requests["/shell"] == 1
    # Credentials stay behind.
    assert says(items[f"{other.url}/end"], "end")
    assert asked(site, "/away").headers["Authorization"] == "secret"
    assert asked(other, "/end").headers["Authorization"] is None
    # robots.txt is asked for the target.
    assert not site.requests["/secret"]
    assert done.stat("robotstxt/forbidden") == 1
    # A spider that wants the redirect itself gets it.
    assert not site.requests["/new"]
    assert done.stat("downloader/response_status_count/302") == 3
    # Frames and scripts follow by themselves.
    assert site.requests["/inner"] == 1
    assert says(items["/framed"], "framed")
    assert says(items["/late"], "shell")


# --- The guard --------------------------------------------------------------

ASKS = """for (const way of ["img", "script", "iframe"])
  document.body.append(Object.assign(document.createElement(way), {src: "URL/" + way}));
fetch("URL/fetch").catch(() => 0);
new WebSocket("URL/websocket".replace("http:", "ws:"));"""


def test_pages_reach_allowed_hosts_only() -> None:
    with serve_site({"/own": html(article("secrets"))}) as forbidden:
        asks = f"<script>{ASKS.replace('URL', forbidden.url)}</script></body>"
        site_pages = {
            "/asks": html(article("asking").replace("</body>", asks)),
            "/leaves": shell(f"location.replace('{forbidden.url}/left')"),
            "/moved": redirect(f"{forbidden.url}/own"),
        }
        with serve_site(site_pages) as site:
            allowed = [f"127.0.0.1:{site.port}"]
            settings = {**ALWAYS, "MAINPAGE_RENDER_ALLOWED_HOSTS": allowed}
            settings["MAINPAGE_RENDER_BLOCK"] = []
            done = visit(site, settings, *site_pages)
        items = by_url(done)
        # Scrapy itself, which is not guarded, follows the redirect.
        assert forbidden.requests == Counter({"/own": 1})
    assert items["/asks"]["rendered"]
    assert says(items["/asks"], "asking")
    assert items["/leaves"]["reason"] == "failed:refused"
    assert items[f"{forbidden.url}/own"]["reason"] == "failed:refused"
    assert done.stat("mainpage/render/refused/loopback") >= 6
    assert done.log.count("may not reach") == 1


# --- Beside other users of the downloader -------------------------------------


# --- A browser that dies ------------------------------------------------------


def children(pid: int) -> Iterator[tuple[int, str]]:
    """The process's descendants, and their command lines."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended since.
        parents.setdefault(int(after_name[1]), []).append(int(stat.parent.name))
    waiting = [pid]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            waiting.append(child)
            yield child, Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")


def browsers(pid: int) -> list[int]:
    """The browser among the descendants, and on some systems its start script.

    The browser's own descendants have a ``--type``.
    """
    return [
        child
        for child, line in children(pid)
        if "--remote-debugging-pipe" in line and "--type=" not in line
    ]


def drivers(pid: int) -> list[int]:
    """The driver processes of Playwright."""
    return [child for child, line in children(pid) if "run-driver" in line]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the browser in /proc")
@pytest.mark.parametrize(("find", "threaded"), [(browsers, True), (drivers, False)])
def test_a_browser_that_is_killed_is_replaced_and_all_pages_arrive(
    tmp_path: Path, find: Callable[[int], list[int]], threaded: bool
) -> None:
    settings = {**AUTO, "_MAINPAGE_RENDER_IN_THREAD": threaded}
    reached, release = threading.Event(), threading.Event()

    def hold(request: Request) -> Reply:
        if not reached.is_set():
            reached.set()
            release.wait(PATIENCE)
        return data("b")

    names = ("a", "b", "c", "d")
    with serve_site({**pages(*names), "/data/b": hold}) as site:
        visits = [f"/{name}" for name in names]
        running = start(VISIT, tmp_path, settings, site=site.url, visits=visits)
        wait(reached.is_set, "page that is held", running)
        found = find(running.pid)
        assert found
        for process in found:
            os.kill(process, signal.SIGKILL)
        release.set()
        done = finish(running, tmp_path)
    assert done.returncode == 0
    assert set(rendered(done)) == set(visits), done.log
    assert all(says(item, item["url"][1:]) for item in done.items)
    assert done.stat("mainpage/render/browsers") == 2
    assert done.stat("mainpage/render/browsers_retired") == 1
    # Playwright never answers its pending calls if its driver dies.
    assert find is drivers or "Traceback" not in done.log
