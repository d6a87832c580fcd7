"""``scrapy mainpage`` of files, URLs and projects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.forking import run_scrapy
from tests.mockserver import Reply, Site, article, html, redirect, serve

PAGES = {
    "/article": html(article("trains")),
    "/moved": redirect("/article"),
    "/gone": html(article("what is gone"), status=404),
    "/png": Reply(b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "text/html"}),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve(PAGES) as site:
        yield site


def show(*arguments: object, cwd: Path, stdin: str = "") -> CompletedProcess[str]:
    return run_scrapy("mainpage", *arguments, cwd=cwd, stdin=stdin)


def text(done: CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(done: CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("scrapy mainpage: ")
    return done.stderr


def test_the_command_is_listed_in_and_out_of_projects(tmp_path: Path) -> None:
    assert "mainpage" in run_scrapy(cwd=tmp_path).stdout
    assert "blocks is a table" in show("--help", cwd=tmp_path).stdout


def test_a_url_is_downloaded_and_its_text_printed(site: Site, tmp_path: Path) -> None:
    said = text(show(site.url + "/moved", cwd=tmp_path))
    assert said.startswith("All about trains\n\n")
    assert "Contact" not in said


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    said = text(show("page.html", cwd=tmp_path))
    assert said.startswith("All about trains\n\n")
    uri = (tmp_path / "page.html").as_uri()
    assert text(show(uri, cwd=tmp_path)) == said
    assert text(show("-", cwd=tmp_path, stdin=article("trains"))) == said


SHELL = """<title>App</title><script src="/app.js"></script><body><div id="root"></div>
<noscript>You need to enable JavaScript to run this app.</noscript>"""


@pytest.mark.parametrize(
    ("page", "shown", "hint"),
    [
        ("<nav><a href=/a>1</a> <a href=/b>2</a></nav>", "", "no main content found"),
        (
            SHELL,
            "You need to enable",
            "JavaScript seems to build this page (empty_root)",
        ),
    ],
)
def test_what_to_try_is_said_where_no_content_is_found(
    tmp_path: Path, page: str, shown: str, hint: str
) -> None:
    done = show("-", cwd=tmp_path, stdin=page)
    assert (done.returncode, done.stdout[: len(shown) or None]) == (0, shown)
    assert hint in done.stderr


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    done = show("page.html", "-s", "MAINPAGE_FAVR=recall", cwd=tmp_path)
    assert "no such setting (did you mean 'MAINPAGE_FAVOR'?)" in done.stderr
    assert done.stdout.startswith("All about trains")


def test_an_algorithm_without_its_layout_is_refused_for_a_url(
    site: Site, tmp_path: Path
) -> None:
    done = show(
        site.url + "/article", "-s", "MAINPAGE_ALGORITHM=layout-analysis", cwd=tmp_path
    )
    said = refused(done)
    assert "layout-analysis needs the layout" in said
    assert "--render" in said


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_a_file_is_decoded_as_it_declares(tmp_path: Path, encoding: str) -> None:
    body = article("cafés").replace("utf-8", encoding)
    (tmp_path / "page").write_bytes(body.encode(encoding))
    assert text(show("page", cwd=tmp_path)).startswith("All about cafés\n")


def test_every_format_is_printed(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))

    def shown(form: str) -> str:
        return text(show("page.html", "--format", form, cwd=tmp_path))

    assert shown("markdown").startswith("# All about trains\n")
    assert "<h1>All about trains</h1>" in shown("html")
    page = json.loads(shown("json"))
    assert page["title"] == "All about trains"
    assert page["blocks"][0]["label"] == "navigation"
    header, first, *rows = shown("blocks").splitlines()
    assert header.split() == [
        *("LABEL", "SCORE", "WORDS", "LINK_DENSITY", "SOURCE", "TEXT", "XPATH")
    ]
    assert first.startswith("navigation ")
    assert "  Home  " in first
    assert first.endswith(f" {page['blocks'][0]['xpath']}")
    assert len(rows) + 1 == len(page["blocks"])


def test_the_report_goes_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    assert text(show("page.html", "--report", "out.html", cwd=tmp_path)) == ""
    assert "All about trains" in (tmp_path / "out.html").read_text()
    said = refused(show("page.html", "--report", "no/such/out.html", cwd=tmp_path))
    assert "no/such/out.html" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("data.json", b'{"a": 1}', "is not an HTML document"),
        ("notes", b"Only words.", "is not an HTML document"),
        ("feed.xml", b"<?xml version='1.0'?><rss/>", "is not an HTML document"),
        ("image.html", b"\x89PNG\r\n\x1a\n\0\0", "is not an HTML document"),
        ("blank.html", b"\n \n", "is empty"),
    ],
)
def test_a_file_without_a_page_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert f"{name} {said}" in refused(show(name, cwd=tmp_path))


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    said = refused(show("nowhere.html", cwd=tmp_path))
    assert "nowhere.html: No such file" in said
    assert str(tmp_path.name) in refused(show(tmp_path, cwd=tmp_path))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/png", "begins as a binary file does"),
        ("/gone", "HTTP status 404"),
    ],
)
def test_a_url_without_a_page_is_refused(
    site: Site, tmp_path: Path, path: str, said: str
) -> None:
    done = refused(show(site.url + path, cwd=tmp_path))
    assert site.url + path in done
    assert said in done


def test_a_failed_download_is_refused(tmp_path: Path) -> None:
    with serve({}) as closed:
        url = closed.url
    done = show(url, "-s", "RETRY_ENABLED=0", cwd=tmp_path)
    assert url in refused(done)
    done = show("nosuch://example/", cwd=tmp_path)
    assert done.returncode == 2
    assert "nosuch" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = ours.settings\n")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "__init__.py").touch()
    (tmp_path / "ours" / "settings.py").write_text(
        "USER_AGENT = 'of the project'\nLOG_LEVEL = 'DEBUG'\n"
        "ADDONS = {'scrapy_mainpage.Addon': 500}\n"
        "MAINPAGE_ALGORITHM = 'semantic-markup'\n"
        "MAINPAGE_INDEX = 'sqlite:///site.db'\n"
    )
    return tmp_path


def test_a_project_gives_its_settings_and_gets_nothing_indexed(
    site: Site, project: Path
) -> None:
    page = json.loads(text(show(site.url + "/article", "-f", "json", cwd=project)))
    assert page["algorithm"] == "semantic-markup"
    assert not (project / "site.db").exists()


def test_a_bad_setting_of_the_project_is_named(project: Path) -> None:
    with (project / "ours" / "settings.py").open("a") as settings:
        settings.write("MAINPAGE_FILTER_MIN_WORDS = 'x'\n")
    assert "MAINPAGE_FILTER_MIN_WORDS='x': " in refused(show("-", cwd=project))


def test_exactly_one_source_is_needed(tmp_path: Path) -> None:
    assert show(cwd=tmp_path).returncode == 2
    assert show("a", "b", cwd=tmp_path).returncode == 2


def rendered(
    url: str, *options: object, cwd: Path, host: str = "127.0.0.1"
) -> tuple[str, list[str]]:
    """Output for a page with ``--render``, and the lines on standard error."""
    url = url.replace("127.0.0.1", host)
    done = show(url, "--render", *options, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.splitlines()


@pytest.fixture
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


@pytest.mark.usefixtures("_browser")
def test_the_host_of_the_url_may_be_rendered_beside_those_of_the_setting(
    site: Site, tmp_path: Path
) -> None:
    setting = ("-s", 'MAINPAGE_RENDER_ALLOWED_HOSTS=["a.example", "::1"]')
    shown, said = rendered(site.url + "/article", *setting, cwd=tmp_path)
    assert shown.startswith("All about trains\n\n")
    assert said == []


@pytest.mark.usefixtures("_browser")
def test_a_page_that_could_not_be_rendered_is_said_to_be_static(
    site: Site, tmp_path: Path
) -> None:
    url = site.url + "/article"
    shown, said = rendered(url, cwd=tmp_path, host="127.1")
    assert shown.startswith("All about trains\n\n")
    assert said == ["scrapy mainpage: not rendered: failed:refused"]


@pytest.mark.usefixtures("_browser")
def test_the_settings_of_the_spider_count_for_the_browser(
    site: Site, project: Path
) -> None:
    (project / "ours" / "spider.py").write_text(
        "import scrapy\n"
        "class Ours(scrapy.Spider):\n"
        "    name = 'ours'\n"
        "    custom_settings = {'MAINPAGE_RENDER': 'always'}\n"
    )
    with (project / "ours" / "settings.py").open("a") as settings:
        settings.write("SPIDER_MODULES = ['ours.spider']\n")
    options = ("--spider", "ours", "-f", "json")
    page = json.loads(text(show(site.url + "/article", *options, cwd=project)))
    assert page["rendered"]
    assert page["render_reason"] == "always"


def test_a_host_that_no_setting_can_name_is_downloaded(
    site: Site, tmp_path: Path
) -> None:
    url = site.url.replace("127.0.0.1", "127.1") + "/article"
    done = show(url, "-s", "RETRY_ENABLED=0", cwd=tmp_path)
    assert text(done).startswith("All about trains\n\n")
