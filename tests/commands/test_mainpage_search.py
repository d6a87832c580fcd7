"""``scrapy mainpage-search``: run as users do, and in parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_search import Command
from scrapy_mainpage.indexes import (
    Hit,
    IndexDocument,
    Passage,
    Section,
    open_index,
)
from tests.forking import run_scrapy

from .helpers import CommandRunner

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An index of three pages."""
    file = tmp_path / "site.db"
    with open_index(f"sqlite:///{file.as_posix()}") as index:
        index.put_many(
            [
                IndexDocument("https://e/1", "An owl is an owl, in any nest.", "Owls"),
                IndexDocument(
                    "https://e/2", "Cats fear an owl.", "Cats", language="en"
                ),
                IndexDocument("https://e/3", "今天天气很好", "天气"),
            ]
        )
    return file


@pytest.fixture
def search(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    return CommandRunner(Command, capsys)


Search = CommandRunner


class TestHits:
    def test_are_shown_best_first_with_title_url_and_snippet(
        self, site: Path, search: Search
    ) -> None:
        assert search(site, "owl") == (
            0,
            "1. Owls\n   https://e/1\n   An **owl** is an **owl**, in any nest.\n\n"
            "2. Cats\n   https://e/2\n   Cats fear an **owl**.\n",
            "",
        )

    def test_exclusion_follows_two_dashes(self, site: Path, search: Search) -> None:
        _, out, _ = search(site, "--", "owl", "-cats")
        assert ("https://e/1" in out, "https://e/2" in out) == (True, False)

    def test_stop_at_the_limit(self, site: Path, search: Search) -> None:
        _, out, _ = search("--limit", 1, site, "owl")
        assert ("1. " in out, "2. " in out) == (True, False)

    def test_are_json_lines_on_demand(self, site: Path, search: Search) -> None:
        code, out, _ = search("--json", site, "owl")
        hits = [json.loads(line) for line in out.splitlines()]
        assert code == 0
        assert [hit["url"] for hit in hits] == ["https://e/1", "https://e/2"]
        assert hits[1]["snippet"] == "Cats fear an **owl**."
        assert hits[1]["language"] == "en"
        assert hits[0]["score"] > hits[1]["score"]

    def test_without_title_show_the_url(self, site: Path, search: Search) -> None:
        with open_index(f"sqlite:///{site.as_posix()}") as index:
            index.put_many([IndexDocument("https://e/4", "bare")])
        assert search(site, "bare")[1].startswith("1. https://e/4\n")


class TestFilters:
    @pytest.fixture
    def site(self, tmp_path: Path) -> Path:
        """An index of pages of two sites."""
        file = tmp_path / "sites.db"
        one, two = (
            IndexDocument(url, text, language=language, page_type=kind)
            for url, text, language, kind in (
                ("https://docs.one.example/a", "An owl.", "en-GB", "article"),
                ("https://two.example/b", "Two owl boxes: owl.", "de", "product"),
            )
        )
        with open_index(f"sqlite:///{file.as_posix()}") as index:
            index.put_many([one, two])
        return file

    @pytest.mark.parametrize(
        "options",
        [
            ["--site", "one.example"],
            ["--site", "https://docs.one.example/x"],
            ["--site", "docs.one.example:443"],
            ["--type", "article"],
            ["--language", "en"],
            ["--language=en-gb", "--type=article"],
        ],
    )
    def test_keep_what_fits(
        self, site: Path, search: Search, options: list[str]
    ) -> None:
        code, out, _ = search(*options, "--json", site, "owl")
        urls = [json.loads(line)["url"] for line in out.splitlines()]
        assert (code, urls) == (0, ["https://docs.one.example/a"])

    @pytest.mark.parametrize(
        "site_name", ["one.example:8080", "http://two.example:1/b"]
    )
    def test_leave_out_other_ports(
        self, site: Path, search: Search, site_name: str
    ) -> None:
        assert search("--site", site_name, site, "owl")[0] == 1

    def test_are_conditions_on_fields_with_counts(
        self, site: Path, search: Search
    ) -> None:
        with open_index(f"sqlite:///{site.as_posix()}") as index:
            index.put_many(
                IndexDocument(f"https://f/{n}", "kite", fields={"v": str(n), "cost": n})
                for n in range(3)
            )
        assert search("--facet", "v", site, "kite cost>0 v:1") == (
            0,
            "1. https://f/1\n   https://f/1\n   **kite**\n\nv: 1 (1)\n",
            "",
        )
        _, out, _ = search("--json", "--facet=v", "--sort=-cost", site, "kite cost<2")
        first, second, counts = map(json.loads, out.splitlines())
        assert (first["url"], first["fields"]) == ("https://f/1", {"cost": 1, "v": "1"})
        assert second["url"] == "https://f/0"
        assert counts == {"facets": {"v": {"0": 1, "1": 1}}}
        code, _, problem = search("--facet", "color", site, "kite")
        assert code == 2
        assert "no field 'color'" in problem

    def test_name_the_types_that_there_are(self, site: Path, search: Search) -> None:
        with pytest.raises(UsageError, match=r"--type blog: .*article, collection, "):
            search("--type", "blog", site, "owl")


class TestPassages:
    @pytest.fixture
    def site(self, tmp_path: Path) -> Path:
        """An index of a page with sections and passages."""
        file = tmp_path / "passages.db"
        page = IndexDocument(
            "https://e/birds#top",
            "Birds of prey.\n\nThe owl hunts.\n\nThe kite glides.",
            "Birds",
            sections=(Section("Owls", 2, "owls"), Section("Kites", 2)),
            passages=(
                Passage("p0", 0, "Birds of prey, owl and kite.", "Birds"),
                Passage("p1", 1, "The owl hunts at night.", "Owls", "owls"),
                Passage("p2", 2, "The kite glides.", "Kites"),
            ),
        )
        with open_index(f"sqlite:///{file.as_posix()}") as index:
            index.put_many([page])
        return file

    def test_are_shown_with_their_heading_and_a_link_to_it(
        self, site: Path, search: Search
    ) -> None:
        code, out, _ = search("--passages", site, "hunts")
        shown = (
            "1. Birds - Owls\n   https://e/birds#owls\n   The owl **hunts** at night.\n"
        )
        assert (code, out) == (0, shown)

    def test_are_said_to_be_missing_where_only_pages_match(
        self, tmp_path: Path, search: Search
    ) -> None:
        file = tmp_path / "pages.db"
        with open_index(f"sqlite:///{file.as_posix()}") as index:
            index.put_many([IndexDocument("https://e/birds", "The owl hunts.")])
        code, out, err = search("--passages", file, "owl")
        assert (code, out) == (1, "")
        assert "MAINPAGE_INDEX_PASSAGE_WORDS" in err
        assert "MAINPAGE" not in search("--passages", file, "kite")[2]

    def test_are_whole_in_json(self, site: Path, search: Search) -> None:
        hit = json.loads(search("--passages", "--json", site, "hunts")[1])
        assert hit["passage"] == {
            "id": "p1",
            "position": 1,
            "text": "The owl hunts at night.",
            "heading": "Owls",
            "anchor": "owls",
            "path": [],
            "words": 5,
            "tokens": 6,
        }
        assert hit["url"] == "https://e/birds#owls"
        assert hit["page"] == "https://e/birds#top"


def test_marks_are_bold_on_a_terminal_with_color(
    site: Path, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert f"Cats fear an {BOLD}owl{PLAIN}." in search(site, "owl")[1]
    assert "**owl**" in search("--json", site, "owl")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "Cats fear an **owl**." in search(site, "owl")[1]


class TestFailures:
    @pytest.mark.parametrize(("query", "options"), [("zebra", ["--json"]), ('"', [])])
    def test_no_hit_is_said_and_gives_1(
        self, site: Path, search: Search, query: str, options: list[str]
    ) -> None:
        code, out, err = search(*options, site, query)
        assert (code, out) == (1, "")
        assert err == f"No page in {site} matches {query}\n"

    def test_missing_index_is_one_line_and_gives_2(
        self, tmp_path: Path, search: Search
    ) -> None:
        code, out, err = search(tmp_path / "missing.db", "owl")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "missing.db" in err
        assert "no such file" in err
        assert list(tmp_path.iterdir()) == []

    def test_password_is_not_shown_where_nothing_is_found(
        self, search: Search, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Empty(nullcontext[Any]):
            def search(self, query: str, **options: Any) -> list[Hit]:
                return []

        def open_empty(url: str, **options: object) -> Empty:
            index = Empty()
            index.enter_result = index
            return index

        monkeypatch.setattr("scrapy_mainpage.indexes.open_index", open_empty)
        _, _, err = search("postgresql://me:geheim@db/pages", "owl")
        assert err == "No page in postgresql://me:***@db/pages matches owl\n"

    @pytest.mark.parametrize("args", [[], ["site.db"], ["site.db", " "]])
    def test_missing_argument_is_a_usage_error(
        self, args: list[str], search: Search
    ) -> None:
        with pytest.raises(UsageError):
            search(*args)

    def test_limit_below_one_is_a_usage_error(self, site: Path, search: Search) -> None:
        for limit in (0, -1):
            with pytest.raises(UsageError, match="--limit"):
                search("--limit", limit, site, "owl")


class TestProcess:
    def test_a_project_is_searched_and_exit_codes_reach_the_shell(
        self, site: Path
    ) -> None:
        (site.parent / "scrapy.cfg").write_text("[settings]\ndefault = shop\n")
        (site.parent / "shop.py").write_text("BOT_NAME = 'shop'\n")
        command = ("mainpage-search", "site.db")
        done = run_scrapy(*command, "owl", "cats", cwd=site.parent)
        assert (done.returncode, done.stderr) == (0, "")
        first, _, rest = done.stdout.partition("\n2. Owls\n")
        assert first == "1. Cats\n   https://e/2\n   **Cats** fear an **owl**.\n"
        assert rest
        assert run_scrapy(*command, "zebra", cwd=site.parent).returncode == 1

    @pytest.mark.skipif(os.name != "posix", reason="pipes are closed in another way")
    def test_a_reader_that_has_gone_is_no_error(self, site: Path) -> None:
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-m", "scrapy", "mainpage-search", "site.db", "owl"]
        try:
            done = subprocess.run(
                command, cwd=site.parent, stdout=write, stderr=subprocess.PIPE
            )
        finally:
            os.close(write)
        assert (done.returncode, done.stderr) == (0, b"")
