"""The example project: its bundled site, crawled end to end by the demo."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from lxml import html

from scrapy_mainpage.indexes import open_index

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).parent.parent / "example_project"
SITE = PROJECT / "site"
TRUTH: dict[str, dict[str, Any]] = json.loads((SITE / "truth.json").read_text("utf-8"))
#: Pages with next to no main content, which the project's filter drops.
THIN = {"/levels/", "/tag/glue.html"}
REQUIRED_SHARE = 0.9


@dataclass
class Demo:
    """A finished run of the demo."""

    code: int
    stdout: str
    stderr: str
    folder: Path

    @property
    def log(self) -> str:
        return (self.folder / "demo.log").read_text("utf-8")

    @property
    def items(self) -> list[dict[str, Any]]:
        lines = (self.folder / "items.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def paths(self) -> list[str]:
        return sorted(path_of(item["url"]) for item in self.items)

    def status(self, path: str) -> str:
        """What the table says of a page."""
        found = re.search(rf"^{re.escape(path)}\s+(\S+)", self.stdout, re.MULTILINE)
        assert found, f"{path} is not in the table:\n{self.stdout}"
        return found[1]


def path_of(url: str) -> str:
    return urlsplit(url).path


def file_of(path: str) -> Path:
    return SITE / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))


def on_one_line(text: str) -> str:
    return " ".join(text.split())


DEMO = [sys.executable, str(PROJECT / "demo.py")]
UTF8 = os.environ | {"PYTHONUTF8": "1"}


def run_demo(folder: Path, *arguments: str) -> Demo:
    command = [*DEMO, "--output", str(folder), *arguments]
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        env=UTF8,
        timeout=300,
        check=False,
    )
    return Demo(done.returncode, done.stdout, done.stderr, folder)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo's run on the bundled site."""
    return run_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that imports a module of the example project."""
    monkeypatch.syspath_prepend(str(PROJECT))
    before = set(sys.modules)
    yield import_module
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", "") or "").startswith(str(PROJECT)):
            del sys.modules[name]


@pytest.fixture
def site_url(modules: Any) -> Iterator[str]:
    """The URL of the bundled site, served by this process."""
    with modules("localserver").SiteServer() as server:
        yield server.url


# The site and its truth


@pytest.mark.parametrize("path", sorted(TRUTH))
def test_every_snippet_of_the_truth_stands_on_its_page(path: str) -> None:
    charset = "iso-8859-1" if path.startswith("/forum/") else "utf-8"
    parser = html.HTMLParser(encoding=charset)
    root = html.document_fromstring(file_of(path).read_bytes(), parser=parser)
    text = on_one_line("".join(map(str, root.itertext())))
    snippets = TRUTH[path]["with"] + TRUTH[path]["without"]
    assert [snippet for snippet in snippets if snippet not in text] == []


def test_content_built_by_javascript_is_not_in_the_static_page() -> None:
    static = file_of("/levels/").read_text("utf-8")
    data = json.dumps(json.loads((SITE / "levels/levels.json").read_text("utf-8")))
    for snippet in TRUTH["/levels/"]["rendered"]["with"]:
        assert snippet in data
        assert snippet not in static


def test_the_truth_covers_every_public_page() -> None:
    files = {f for f in SITE.rglob("*.html") if f.parent.name != "private"}
    assert {file_of(path) for path in TRUTH} == files


# The crawl of the bundled site


def test_demo_succeeds_without_a_word_of_complaint(demo: Demo) -> None:
    assert demo.code == 0, demo.stdout + demo.stderr
    assert demo.stderr == ""
    assert not re.search(r"\bERROR\b|py\.warnings|Traceback", demo.log), demo.log


def test_every_page_with_content_becomes_one_item(demo: Demo) -> None:
    assert demo.paths == sorted(set(TRUTH) - THIN)


def test_thin_pages_are_dropped_and_say_why(demo: Demo) -> None:
    assert demo.status("/tag/glue.html") == "dropped:too-much-boilerplate"
    assert demo.status("/levels/") == "dropped:javascript"
    assert "needs JavaScript" in demo.stdout


@pytest.mark.parametrize("kind", ["with", "without"])
def test_nine_in_ten_snippets_are_on_their_side(demo: Demo, kind: str) -> None:
    wanted = kind == "with"
    total, failures = 0, []
    for item in demo.items:
        path, text = path_of(item["url"]), on_one_line(item["text"])
        for snippet in TRUTH[path][kind]:
            total += 1
            if (snippet in text) != wanted:
                failures.append(f"{path}: {snippet}")
    print(f"{len(failures)} of {total} {kind!r} snippets fail", *failures, sep="\n  ")
    assert total >= 100
    assert 1 - len(failures) / total >= REQUIRED_SHARE


def test_robots_txt_is_obeyed(demo: Demo) -> None:
    assert demo.status("/private/minutes.html") == "skipped:robots.txt"
    assert "treasurer" not in (demo.folder / "items.jsonl").read_text("utf-8")
    with open_index(f"sqlite:///{demo.folder / 'site.db'}") as index:
        assert index.search("treasurer") == []


def test_a_redirect_is_followed_and_its_target_counted_once(demo: Demo) -> None:
    assert demo.status("/old-blog") == "redirected"
    assert demo.paths.count("/blog/") == 1
    assert "/old-blog" not in demo.paths


def test_a_dead_link_and_text_files_are_skipped(demo: Demo) -> None:
    assert demo.status("/blog/lost-post.html") == "skipped:http-404"
    assert demo.status("/files/workshop-rules.txt") == "skipped:not-html"


def test_each_item_is_in_the_index_once(demo: Demo) -> None:
    with open_index(f"sqlite:///{demo.folder / 'site.db'}") as index:
        indexed = Counter(index.urls())
        assert indexed == Counter(item["url"] for item in demo.items)
        hits = index.search("hide glue")
    assert hits
    assert path_of(hits[0].url) in {
        "/blog/loose-chair.html",
        "/blog/print/loose-chair.html",
    }


def test_items_carry_the_metadata_of_their_page(demo: Demo) -> None:
    items = {path_of(item["url"]): item for item in demo.items}
    chair = items["/blog/loose-chair.html"]
    assert chair["title"] == "Three ways to re-glue a loose chair"
    assert (chair["author"], chair["language"]) == ("Ines Maddow", "en")
    assert chair["date_published"].startswith("2026-03-14")
    assert items["/zh/yanchang.html"]["language"] == "zh-cn"
    assert items["/ar/maktaba.html"]["language"] == "ar"
    assert 0 < chair["words"] < chair["words_total"]


def test_a_charset_other_than_utf8_is_read(demo: Demo) -> None:
    items = {path_of(item["url"]): item for item in demo.items}
    assert "45 °C" in items["/forum/thread-481.html"]["text"]


def test_output_has_a_table_a_summary_and_search_hits(demo: Demo) -> None:
    assert re.search(r"(?m)^page +status +kept +dropped +share +title$", demo.stdout)
    assert re.search(r"21 of \d+ pages kept; [\d,]+ words kept", demo.stdout)
    assert "ms per page" in demo.stdout
    assert "Search for 'hide glue'" in demo.stdout
    assert "**" in demo.stdout


def test_a_second_run_starts_afresh(demo: Demo) -> None:
    again = run_demo(demo.folder)
    assert again.code == 0
    assert again.paths == sorted(set(TRUTH) - THIN)


# The crawl of a given site


def test_a_crawl_of_a_folder_stays_in_it(site_url: str, tmp_path: Path) -> None:
    done = run_demo(tmp_path, "--url", site_url + "docs/")
    assert done.code == 0, done.stdout
    assert done.paths == sorted(path for path in TRUTH if path.startswith("/docs/"))


def test_the_page_limit_ends_the_crawl(site_url: str, tmp_path: Path) -> None:
    done = run_demo(tmp_path, "--url", site_url, "--pages", "3")
    assert done.code == 0, done.stdout
    assert "stopped early: pagecount" in done.stdout
    assert 0 < len(done.items) < len(TRUTH) - len(THIN)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent there")
def test_ctrl_c_stops_the_crawl_and_still_prints_the_table(
    site_url: str, tmp_path: Path
) -> None:
    command = [*DEMO, "--output", str(tmp_path), "--url", site_url]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=UTF8,
    )
    assert process.stdout is not None
    started = process.stdout.readline()
    while "pages done" not in (line := process.stdout.readline()):
        assert line, "the crawl ended before it could be stopped"
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    done = Demo(process.returncode, started + stdout, stderr, tmp_path)
    assert (done.code, done.stderr) == (0, "")
    assert "stopped early: shutdown" in done.stdout
    assert done.status("/") == "kept"


def test_a_site_that_does_not_answer_is_a_failure(tmp_path: Path) -> None:
    with socket.socket() as unused:
        # Bound but not listening: connections are refused.
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        done = run_demo(tmp_path, "--url", url)
    assert done.code == 1
    assert done.status("/") == "skipped:connection-refused"
    assert "No page was crawled" in done.stdout


@pytest.mark.parametrize("arguments", [("--url", "example.com"), ("--pages", "0")])
def test_a_wrong_argument_is_refused(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run_demo(tmp_path, *arguments)
    assert done.code == 2
    assert f"error: {arguments[0]} {arguments[1]}: " in done.stderr


# The project, copied


def crawl_copy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the spider in a copy of the project, without anything that is around it."""
    shutil.copy(PROJECT / "scrapy.cfg", folder)
    shutil.copytree(PROJECT / "example", folder / "example")
    command = [sys.executable, "-m", "scrapy", "crawl", "site", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env=UTF8,
        timeout=300,
        check=False,
    )


def test_a_copy_of_the_project_crawls_by_itself(site_url: str, tmp_path: Path) -> None:
    done = crawl_copy(tmp_path, "-a", f"url={site_url}docs/", "-s", "DOWNLOAD_DELAY=0")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 5
    assert (tmp_path / "site.db").exists()


@pytest.mark.parametrize("arguments", [(), ("-a", "url=example.com")])
def test_the_spider_without_a_start_url_says_how_to_give_one(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = crawl_copy(tmp_path, *arguments)
    assert "scrapy crawl site -a url=https://example.com/" in done.stderr
    assert "Traceback" not in done.stderr


# The table


def test_lines_of_the_table_fit_the_width_with_wide_and_hostile_titles(
    modules: Any,
) -> None:
    report, textwidth = modules("report"), modules("textwidth")
    rows = [
        report.Row("http://h/zh/", "kept", "老盐场的最后一位晒盐人" * 9, 1200, 4000),
        report.Row(
            "http://h/" + "long/" * 40, "dropped:too-much-boilerplate", "x" * 99, 1, 9
        ),
        report.Row("http://h/e", "kept", textwidth.printable("\x1b[2J\nerase"), 3, 3),
    ]
    for width in (80, 100):
        lines = report.table(rows, width)
        assert max(map(textwidth.cells, lines)) <= width
        assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://example.com", "example.com/"),
        ("https://EXAMPLE.com:8080/docs/", "example.com:8080/docs/"),
        ("https://example.com/docs/index.php", "example.com/docs/"),
        ("https://example.com/docs/page", "example.com/"),
    ],
)
def test_the_site_of_a_start_url(modules: Any, url: str, site: str) -> None:
    spider = modules("example.spiders.site")
    assert spider.site_of(url) == site
    assert spider.is_inside(site, url)
    assert not spider.is_inside(site, url.lower().replace("example", "another"))
