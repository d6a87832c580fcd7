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
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from lxml import html

from scrapy_mainpage.indexes import open_index
from tests.forking import run_scrapy
from tests.waiting import PATIENCE, Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).parent.parent / "example_project"
SITE = PROJECT / "site"
TRUTH: dict[str, dict[str, Any]] = json.loads((SITE / "truth.json").read_text("utf-8"))
#: Pages that JavaScript builds, the second of them only in part.
SCRIPTED = ("/levels/", "/ferry/")
#: Pages with next to no main content, which the project's filter drops; one of them
#: only as long as no browser renders it.
THIN = {"/tag/glue.html"}
SHELLS = {"/levels/"}
#: A page that has the text of another, which the project's second pipeline drops.
COPY, ORIGINAL = "/blog/print/loose-chair.html", "/blog/loose-chair.html"
REQUIRED_SHARE = 0.9


@dataclass
class Demo:
    """A finished run of the demo."""

    code: int
    stdout: str
    stderr: str
    folder: Path
    rendered: bool = False

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

    @property
    def wanted_paths(self) -> list[str]:
        """The pages that are to be kept."""
        return sorted(set(TRUTH) - THIN - {COPY} - (set() if self.rendered else SHELLS))

    def truth(self, path: str) -> dict[str, list[str]]:
        """The strings that the text of a page must and must not contain."""
        truth = TRUTH[path]
        return truth.get("rendered", truth) if self.rendered else truth

    def status(self, path: str) -> str:
        """The status of a page in the printed table."""
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
# Test runners set a width of their own.
UTF8 = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "100"}
#: Python code that hides an installed program or package.
LACKING = {
    "browser": "from scrapy_mainpage.rendering import launch\n"
    "launch.find_browser = lambda: None",
    "playwright": "sys.modules['playwright'] = None",
}
START = """
import runpy, sys
{lacking}
sys.argv[1:], sys.path[:1] = {arguments!r}, [{folder!r}]
runpy.{run}, run_name="__main__")
"""


def start(run: str, folder: Path, *arguments: str, lacking: str) -> list[str]:
    """The command that runs a program without the browser or package *lacking*."""
    code = START.format(
        run=run, folder=str(folder), arguments=arguments, lacking=LACKING[lacking]
    )
    return [sys.executable, "-c", code]


def run(command: list[str], **kwargs: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        env=UTF8,
        timeout=300,
        check=False,
        **kwargs,
    )


def run_demo(folder: Path, *arguments: str, lacking: str | None = None) -> Demo:
    arguments = ("--output", str(folder), *arguments)
    command = [*DEMO, *arguments]
    if lacking:
        script = f"run_path({str(PROJECT / 'demo.py')!r}"
        command = start(script, PROJECT, *arguments, lacking=lacking)
    done = run(command)
    return Demo(done.returncode, done.stdout, done.stderr, folder)


@pytest.fixture(scope="module")
def static_demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo's run on the bundled site, on a machine without a browser."""
    return run_demo(tmp_path_factory.mktemp("static"), lacking="browser")


@pytest.fixture(scope="module")
def rendering_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Demo]:
    """A function that runs the demo on the bundled site, when first called."""

    @cache
    def run_once() -> Demo:
        done = run_demo(tmp_path_factory.mktemp("rendered"))
        return replace(done, rendered=True)

    return run_once


@pytest.fixture
def rendered_demo(
    requirement: Callable[[str], str], rendering_run: Callable[[], Demo]
) -> Demo:
    """The demo's run on the bundled site, with a browser."""
    requirement("playwright")
    requirement("browser")
    return rendering_run()


@pytest.fixture(params=["static_demo", "rendered_demo"])
def demo(request: pytest.FixtureRequest) -> Demo:
    """The demo's run on the bundled site, without a browser and with one."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Demo)
    return found


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


@pytest.mark.parametrize("path", SCRIPTED)
def test_content_built_by_javascript_is_not_in_the_static_page(path: str) -> None:
    page = file_of(path)
    static = page.read_text("utf-8")
    data = "".join(file.read_text("utf-8") for file in page.parent.glob("*.json"))
    built = set(TRUTH[path]["rendered"]["with"]) - set(TRUTH[path]["with"])
    assert len(built) >= 3
    for snippet in built:
        assert snippet in data
        assert snippet not in static


def test_the_truth_covers_every_public_page() -> None:
    # No page leads to the second shop, which the tutorial about records crawls.
    apart = {"private", "sailcloth"}
    files = {f for f in SITE.rglob("*.html") if apart.isdisjoint(f.parts)}
    assert {file_of(path) for path in TRUTH} == files


# The crawl of the bundled site


def test_demo_succeeds_without_a_word_of_complaint(demo: Demo) -> None:
    assert demo.code == 0, demo.stdout + demo.stderr
    assert demo.stderr == ""
    assert not re.search(r"\bERROR\b|py\.warnings|Traceback", demo.log), demo.log


def test_every_page_with_content_becomes_one_item(demo: Demo) -> None:
    assert demo.paths == demo.wanted_paths


def test_thin_pages_are_dropped_and_say_why(demo: Demo) -> None:
    assert demo.status("/tag/glue.html") == "dropped:too-few-words"


def test_a_copy_of_a_page_is_dropped_and_says_of_which(demo: Demo) -> None:
    (line,) = re.findall(rf"(?m)^  {re.escape(COPY)} +(.*)$", demo.stdout)
    assert re.fullmatch(rf"near copy \(0\.9\d\) of http://\S+{ORIGINAL}", line)


def test_what_was_dropped_is_listed_with_the_reasons(demo: Demo) -> None:
    dropped = len(re.findall(r"(?m)^\S+ +dropped:", demo.stdout))
    heading, *lines = demo.stdout.partition("; why:\n")[0::2]
    assert heading.endswith(f"\n{dropped} dropped")
    assert "/tag/glue.html" in lines[0].partition("\n\n")[0]


def test_pages_built_by_javascript_are_rendered_and_say_why(
    rendered_demo: Demo,
) -> None:
    lines = rendered_demo.stdout.splitlines()
    heading = next(k for k, line in enumerate(lines) if line.startswith("* "))
    assert re.fullmatch(
        r"\* 2 rendered in a browser, \d+\.\d s per page; why:", lines[heading]
    )
    reasons = dict(line.split()[::-1] for line in lines[heading + 1 : heading + 3])
    assert set(reasons) == set(SCRIPTED)
    assert reasons["/levels/"] == "empty_root"
    marked = {line.split()[0] for line in lines if re.search(r" kept \* ", line)}
    assert marked == set(SCRIPTED)


@pytest.mark.parametrize("path", SCRIPTED)
def test_a_rendered_page_has_all_that_javascript_built(
    rendered_demo: Demo, path: str
) -> None:
    items = {path_of(item["url"]): item for item in rendered_demo.items}
    text, truth = on_one_line(items[path]["text"]), TRUTH[path]["rendered"]
    assert [snippet for snippet in truth["with"] if snippet not in text] == []
    assert [snippet for snippet in truth["without"] if snippet in text] == []


def test_without_a_browser_a_shell_is_dropped(static_demo: Demo) -> None:
    assert static_demo.status("/levels/") == "dropped:javascript"
    assert "needs JavaScript" in static_demo.stdout


def test_without_a_browser_one_line_says_what_to_install(
    static_demo: Demo, requirement: Callable[[str], str]
) -> None:
    requirement("playwright")  # else the line names this package
    (line,) = (li for li in static_demo.stdout.splitlines() if "not rendered" in li)
    assert "needs a browser: python -m playwright install" in line


@pytest.mark.parametrize("kind", ["with", "without"])
def test_nine_in_ten_snippets_are_on_their_side(demo: Demo, kind: str) -> None:
    wanted = kind == "with"
    total, failures = 0, []
    for item in demo.items:
        path, text = path_of(item["url"]), on_one_line(item["text"])
        for snippet in demo.truth(path)[kind]:
            total += 1
            if (snippet in text) != wanted:
                failures.append(f"{path}: {snippet}")
    print(f"{len(failures)} of {total} {kind!r} snippets fail", *failures, sep="\n  ")
    assert total >= 100
    assert 1 - len(failures) / total >= REQUIRED_SHARE


def test_the_report_of_the_crawl_has_the_numbers_of_the_table(demo: Demo) -> None:
    report = html.fromstring((demo.folder / "crawl.html").read_text("utf-8"))
    kept, *_ = report.xpath("//*[@class='card']/b/text()")
    assert kept.startswith(f"{len(demo.wanted_paths)} of ")
    assert str(demo.folder / "crawl.html") in demo.stdout
    for link in report.xpath("//a[text() = 'visual report']/@href"):
        assert (demo.folder / link).exists()
    rendered = report.xpath("string(//*[@id='rendering']/following::table[1])")
    assert ("empty_root" in rendered) == demo.rendered


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
    assert path_of(hits[0].url) == ORIGINAL


def test_output_has_a_table_a_summary_and_search_hits(demo: Demo) -> None:
    assert re.search(r"(?m)^page +status +kept +dropped +share +title$", demo.stdout)
    kept = len(demo.wanted_paths)
    assert re.search(
        rf"{kept} of \d+ addresses kept: [\d,]+ words of main", demo.stdout
    )
    assert "ms per page" in " ".join(demo.stdout.split())  # rich may wrap it
    assert "Search for 'hide glue'" in demo.stdout
    assert "**" in demo.stdout


# The crawl of a given site


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent there")
def test_ctrl_c_stops_the_crawl_and_still_prints_the_table(
    modules: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, localserver = Gate(), modules("localserver")
    send_head = localserver.SiteHandler.send_head

    def held(handler: Any) -> Any:
        gate.enter()
        return send_head(handler)

    monkeypatch.setattr(localserver.SiteHandler, "send_head", held)
    gate.close(16)
    with localserver.SiteServer() as server:
        process = subprocess.Popen(
            [*DEMO, "--output", str(tmp_path), "--url", server.url],
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
        gate.open()
        stdout, stderr = process.communicate(timeout=PATIENCE)
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


# The project, copied


def crawl_copy(
    folder: Path, *arguments: str, spider: str = "site"
) -> subprocess.CompletedProcess[str]:
    """Run a spider in a copy of the project, without anything that is around it."""
    shutil.copy(PROJECT / "scrapy.cfg", folder)
    shutil.copytree(PROJECT / "example", folder / "example")
    return run_scrapy("crawl", spider, *arguments, cwd=folder)


def test_a_copy_of_the_project_crawls_by_itself(site_url: str, tmp_path: Path) -> None:
    arguments = ("-a", f"url={site_url}docs/", "-s", "DOWNLOAD_DELAY=0")
    done = crawl_copy(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 5
    assert (tmp_path / "site.db").exists()


def test_all_posts_of_the_forum_are_collected(site_url: str, tmp_path: Path) -> None:
    arguments = ("-a", f"start={site_url}", "-s", "DOWNLOAD_DELAY=0")
    done = crawl_copy(tmp_path, *arguments, spider="types")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    posts = [post for line in lines for post in json.loads(line)["posts"]]
    assert len(posts) == 10
    assert {post["author"] for post in posts} >= {"jonna_b", "Mr Piston", "saltwife"}
    assert not (tmp_path / "site.db").exists()
