"""The programs of docs/usage/recipes.rst, and commands of docs/faq.rst."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from scrapy_mainpage.batch.extract import BAD_HEADERS
from scrapy_mainpage.crawl.pages import NO_LAYOUT
from scrapy_mainpage.extraction.page_warnings import (
    DIRECTORY_LISTING,
    ERROR_PAGE,
    LOGIN_FORM,
    OUTPUTS_CUT,
)
from scrapy_mainpage.extraction.parsing.tree import (
    EMPTY,
    NO_MAIN_CONTENT,
    NO_TEXT,
    REASONS,
)
from tests.forking import run_scrapy
from tests.mockserver import Site, article, html, serve

ROOT = Path(__file__).parent.parent
RECIPES = (ROOT / "docs/usage/recipes.rst").read_text(encoding="utf-8")
GUIDE = '<p>The <a href="/guide/owls">owls</a> sleep in the barn by day.</p>'


TALK = [
    "The barn owl in our loft has five young ones, and all of them snore at night.",
    "Ours sleep by day, and leave at dusk. Do not open the door before they are gone.",
    "Put a tray below the beam, then the floor stays clean until the end of summer.",
    "Thank you, the tray works. By now all five have left the loft for the old mill.",
]
POST = (
    '<div class="post" id="p{0}"><b class="author">Ann{0}</b> '
    '<time datetime="2026-05-1{0}">1{0} May 2026</time><p>{1}</p></div>'
)


def snippet(language: str, needle: str) -> str:
    """The block of that language that contains *needle*."""
    pattern = rf"code-block:: {language}\n\n((?:    .*\n|\n)+)"
    blocks = map(dedent, re.findall(pattern, RECIPES))
    return next(block for block in blocks if needle in block)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    guide = html(article("the guide", main=GUIDE))
    with serve(
        {"/guide/": guide, "/docs/": guide, "/guide/owls": html(article("owls"))}
    ) as served:
        yield served


def crawl(spider: str, site: Site, folder: Path) -> list[dict[str, Any]]:
    """The items of that spider of the page, which crawls the site."""
    code = snippet("python", f"class {spider}(")
    code = code.replace("https://example.com", site.url)
    code = code.replace('"example.com"', '"127.0.0.1"')
    code = code.replace("/var/lib/crawls", str(folder / "crawls"))
    (folder / "recipe.py").write_text(code, encoding="utf-8")
    command = ("runspider", "recipe.py", "-O", "items.jsonl")
    done = run_scrapy(*command, cwd=folder, check=True)
    assert "ERROR" not in done.stderr, done.stderr
    lines = (folder / "items.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_passages_are_embedded_once_and_found_by_meaning(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("wordllama")
    crawl("VectorSpider", site, tmp_path)
    with sqlite3.connect(tmp_path / "vectors.db") as store:
        count = store.execute("SELECT count(*) FROM vectors").fetchone()
        assert count == store.execute("SELECT count(*) FROM passages").fetchone()
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(snippet("python", "def passages_for("), found)
    hits = found["passages_for"]("birds of the night")
    assert f"{site.url}/guide/owls" in {link.partition("#")[0] for link, _ in hits}
    assert all(text for _, text in hits)


def test_only_new_posts_are_items(tmp_path: Path, site: Site) -> None:
    def posts(count: int) -> list[str]:
        thread = "".join(POST.format(number, TALK[number]) for number in range(count))
        site.pages["/forum/"] = html(f"<h1>Owls in the barn</h1>{thread}")
        return [item["text"] for item in crawl("PostSpider", site, tmp_path)]

    assert (posts(3), posts(3), posts(4)) == (TALK[:3], [], TALK[3:])


def test_a_loader_takes_values_of_page_and_selectors(
    tmp_path: Path, site: Site
) -> None:
    [item] = crawl("LoaderSpider", site, tmp_path)
    assert item["title"] == "All about the guide"
    assert item["body"].startswith("# All about the guide")
    assert item["menu"] == ["Home", "News", "Contact", "Shop"]


def test_a_deployed_spider_keeps_its_files_in_one_folder(
    tmp_path: Path, site: Site
) -> None:
    (tmp_path / "crawls").mkdir()
    crawl("DeployedSpider", site, tmp_path)
    with sqlite3.connect(tmp_path / "crawls/site.db") as index:
        assert index.execute("SELECT count(*) FROM documents").fetchone() == (1,)
    assert not (tmp_path / ".scrapy").exists()


def test_the_shell_prints_the_page(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = barn\n")
    (tmp_path / "barn.py").write_text(
        'ADDONS = {"scrapy_mainpage.Addon": 500}\nCOMMANDS_MODULE = "barn_commands"\n'
    )
    (tmp_path / "barn_commands").mkdir()
    (tmp_path / "barn_commands/__init__.py").touch()
    (tmp_path / "barn_commands/shell.py").write_text(
        "from scrapy_mainpage.commands import shell\n"
        "class Command(shell.Command): pass\n"
    )
    monkeypatch.delenv("SCRAPY_SETTINGS_MODULE", raising=False)
    [line] = snippet("shell", "scrapy shell").strip().splitlines()
    _, *command = shlex.split(line.replace("https://example.com", site.url))
    done = run_scrapy(*command, cwd=tmp_path, check=True)
    assert done.stdout.startswith("# All about the guide")


def test_the_cell_of_a_notebook_makes_a_page(site: Site) -> None:
    names: dict[str, Any] = {}
    exec(snippet("python", "urlopen(").replace("https://example.com", site.url), names)
    assert names["page"].title == "All about the guide"


def test_a_folder_of_files_becomes_a_table(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "saved-site/more"
    folder.mkdir(parents=True)
    for name in ("owls", "bats"):
        (folder / f"{name}.html").write_text(article(name), encoding="utf-8")
    _, line = snippet("shell", "mainpage-batch").strip().splitlines()
    run_scrapy(*shlex.split(line)[1:], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    exec(snippet("python", "read_table"), {})
    printed = capsys.readouterr().out
    assert re.findall(r"All about (\w+) \d+", printed) == ["bats", "owls"]


FAQ = (ROOT / "docs/faq.rst").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ +(scrapy mainpage https.*)$", FAQ, re.MULTILINE)


def test_the_faq_has_commands() -> None:
    assert len(COMMANDS) == 4


@pytest.mark.parametrize("line", [c for c in COMMANDS if "--render" not in c])
def test_a_command_of_the_faq_shows_the_page(
    line: str, tmp_path: Path, site: Site
) -> None:
    _, *command = shlex.split(line.replace("https://example.com", site.url))
    done = run_scrapy(*command, cwd=tmp_path, check=True)
    assert "All about the guide" in done.stdout


def test_every_warning_is_on_the_page_of_reasons() -> None:
    reasons = (ROOT / "docs/reasons.rst").read_text(encoding="utf-8")
    codes = {*REASONS, OUTPUTS_CUT, EMPTY, NO_TEXT, NO_MAIN_CONTENT, NO_LAYOUT}
    codes |= {BAD_HEADERS, LOGIN_FORM, ERROR_PAGE, DIRECTORY_LISTING}
    assert [code for code in codes if f"``{code}``" not in reasons] == []
