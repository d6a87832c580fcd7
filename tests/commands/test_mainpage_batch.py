"""``scrapy mainpage-batch`` with the processes of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scrapy.exceptions import UsageError

import scrapy_mainpage
from scrapy_mainpage.batch import EXTRA, BatchError, output_schema
from scrapy_mainpage.batch.locations import find_inputs
from scrapy_mainpage.batch.sources import format_of
from scrapy_mainpage.commands import mainpage_batch
from scrapy_mainpage.commands.mainpage_batch import Command
from tests.batch.archives import (
    archive,
    http,
    page,
    record,
    response,
    url,
    write_gzipped,
    write_plain,
)
from tests.commands.helpers import CommandRunner
from tests.crawling import ROOT
from tests.processes.algorithms import TROUBLED, troubling
from tests.waiting import wait


@pytest.fixture
def run(run_batch: CommandRunner) -> CommandRunner:
    return run_batch


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def test_each_file_becomes_one_of_parquet(run: CommandRunner, tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 1, 2, 3)
    archive(tmp_path / "b.warc.gz", 4)
    code, out, _ = run("a.warc.gz", "b.warc.gz", "--output=pages")
    assert code == 0
    assert "4 pages of 2 files" in out
    known = [scrapy_mainpage.extract(page(k), url=url(k)) for k in range(1, 5)]
    kept = sum(page.words for page in known)
    assert f"words kept: {kept:,} of {sum(page.words_total for page in known):,}" in out
    assert "left out: 2 (warcinfo 2)" in out
    found = rows(tmp_path / "pages/a.warc.gz.parquet")
    assert [row["text"] for row in found] == [page.text for page in known[:3]]
    schema = pq.read_schema(tmp_path / "pages/b.warc.gz.parquet")
    assert schema.equals(output_schema(), check_metadata=False)
    assert sorted(os.listdir("pages")) == ["a.warc.gz.parquet", "b.warc.gz.parquet"]


def test_what_is_damaged_is_counted_and_what_is_lost_is_in_the_exit_code(
    run: CommandRunner, tmp_path: Path
) -> None:
    lost = record(b"Owls.", url(9))
    cut = record(http(b"3\r\n<p>\r\n90\r\nOwls.", "Transfer-Encoding: chunked"))
    write_plain(tmp_path / "a.warc", [cut, response(2)])
    write_plain(tmp_path / "b.warc", [response(3), lost, response(4)])
    code, out, _ = run("a.warc", "--output=pages")
    assert code == 0
    assert "2 pages of 1 file" in out
    assert "read as far as possible: 1" in out
    code, out, _ = run("b.warc", "--output=pages")
    assert code == 1
    assert "2 pages of 1 file" in out
    assert "failed: 1 (corrupt_record 1)" in out


def test_what_is_done_is_passed_over(run: CommandRunner, tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 1)
    archive(tmp_path / "b.warc.gz", 2)
    run("a.warc.gz", "--output=pages")
    done = tmp_path / "pages/a.warc.gz.parquet"
    before = done.stat().st_mtime_ns
    code, out, _ = run("a.warc.gz", "b.warc.gz", "--output=pages")
    assert code == 0
    assert "1 page of 1 file" in out
    assert "done before: 1 file" in out
    assert done.stat().st_mtime_ns == before
    assert "nothing to do: 2 files" in run(tmp_path, "--output=pages")[1]
    assert "2 pages of 2 files" in run(tmp_path, "--output=pages", "--overwrite")[1]


def test_a_result_of_something_else_is_not_taken_for_one(
    run: CommandRunner, tmp_path: Path
) -> None:
    archive(tmp_path / "a.warc.gz", 1)
    run("a.warc.gz", "--output=pages")
    code, out, error = run("a.warc.gz", "--output=pages", "--markdown")
    assert (code, out) == (2, "")
    assert "was made from something else, or with other options" in error
    archive(tmp_path / "a.warc.gz", 1, 2)
    assert run("a.warc.gz", "--output=pages")[0] == 2
    assert run("a.warc.gz", "--output=pages", "--overwrite")[0] == 0
    (tmp_path / "pages/a.warc.gz.parquet").write_bytes(b"owls")
    assert run("a.warc.gz", "--output=pages")[0] == 2


def test_columns_come_with_their_options(run: CommandRunner, tmp_path: Path) -> None:
    assert list(mainpage_batch.EXTRA) == list(EXTRA)
    archive(tmp_path / "a.warc.gz", 1)
    run("a.warc.gz", "--output=pages", "--blocks", "--markdown")
    (row,) = rows(tmp_path / "pages/a.warc.gz.parquet")
    known = scrapy_mainpage.extract(page(1), url=url(1))
    assert row["markdown"] == known.markdown
    assert [block["label"] for block in row["blocks"]] == [
        str(block.label) for block in known.blocks
    ]
    assert "sections" not in row


def test_a_folder_or_a_pattern_stands_for_its_files(
    run: CommandRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    for k, name in enumerate(["a.warc.gz", "b.warc.gz", "_c.warc.gz"]):
        archive(folder / name, k)
    (folder / "notes.txt").write_text("owls")
    assert "2 pages of 2 files" in run("crawl", "--output=one")[1]
    assert "2 pages of 2 files" in run("crawl/[ab]*.gz", "--output=two")[1]
    assert run("one", "--output=three", "--field=html=text")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "an input is needed"),
        (["a.warc.gz"], "--output DIR is needed"),
        (["a.warc.gz", "--output=b", "--address=local"], "--engine spark or ray"),
        (["a.warc.gz", "--output=b", "--processes=0"], "1 or more"),
        (["a.warc.gz", "--output=b", "--field=owl=a"], "NAME=COLUMN of url, html"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(
    run: CommandRunner, arguments: list[str], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        run(*arguments)


def test_inputs_that_cannot_be_are_said(run: CommandRunner, tmp_path: Path) -> None:
    code, _, error = run("none.warc.gz", "--output=pages")
    assert (code, error) == (
        2,
        "scrapy mainpage-batch: none.warc.gz: there is no such file\n",
    )
    (tmp_path / "empty").mkdir()
    assert "no files of a known format" in run("empty", "--output=pages")[2]


def test_a_file_that_cannot_be_read_is_said_and_the_others_are_done(
    run: CommandRunner, tmp_path: Path
) -> None:
    (tmp_path / "a.parquet").write_bytes(b"owls")
    archive(tmp_path / "b.warc.gz", 1)
    code, out, _ = run("a.parquet", "b.warc.gz", "--output=pages")
    assert code == 1
    assert "1 page of 1 file" in out
    assert "not read: a.parquet: " in out
    assert run("a.parquet", "--output=pages")[0] == 2


@pytest.mark.parametrize(
    ("engine", "package", "extra"),
    [
        ("local", "fsspec", "batch"),
        ("spark", "pyspark", "spark"),
        ("ray", "ray", "ray"),
    ],
)
def test_what_is_not_installed_is_said_in_one_line(
    run: CommandRunner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    package: str,
    extra: str,
) -> None:
    archive(tmp_path / "a.warc.gz", 1)
    monkeypatch.setitem(sys.modules, package, None)
    for name in [*sys.modules]:
        if name.startswith(("scrapy_mainpage.batch.", f"{package}.")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "scrapy_mainpage.commands.batch_run", False)
    code, _, error = run("a.warc.gz", "--output=b", f"--engine={engine}")
    assert (code, error.count("\n")) == (2, 1)
    assert (
        f"{package} is not installed: pip install 'scrapy-mainpage[{extra}]'" in error
    )


def test_a_page_that_kills_its_process_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.warc.gz"
    deadly = record(http(troubling("please die").encode()), url(7))
    write_gzipped(path, [response(1), deadly, response(2)])
    setting = {"MAINPAGE_ALGORITHM": TROUBLED}
    run = CommandRunner(Command, capsys, "--processes=1", **setting)
    code, out, error = run(path, f"--output={tmp_path / 'pages'}")
    assert code == 0
    assert "2 pages of 1 file" in out
    assert "failed: 1 (WorkerDied 1)" in out
    assert "processes that died: 4" in out
    assert error.count("A process ended (WorkerDied: exit code 3)") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_run_that_is_stopped_goes_on_later(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 1, 2)
    held = record(http(troubling("please wait").encode()), url(7))
    write_gzipped(tmp_path / "b.warc.gz", [response(1), held])
    done = tmp_path / "pages/a.warc.gz.parquet"
    command = [sys.executable, "-m", "scrapy", "mainpage-batch", "a.warc.gz"]
    command += ["b.warc.gz", "--output=pages", "--processes=1"]
    options = json.dumps({"folder": str(tmp_path)})
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command += ["-s", f"MAINPAGE_ALGORITHM={TROUBLED}"]
    command += ["-s", f"MAINPAGE_ALGORITHM_OPTIONS={options}"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    with process:
        wait(lambda: [*tmp_path.glob("*.pid")], "page that waits", process)
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate()
    assert process.returncode == 130
    assert error.endswith("stopped; the same call again goes on with the rest\n")
    assert list(done.parent.iterdir()) == [done]
    (tmp_path / "go").touch()
    again = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    assert again.returncode == 0, again.stderr
    assert "2 pages of 1 file" in again.stdout
    assert "done before: 1 file" in again.stdout


class TestFoldersOfHtml:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Three pages, two of them in folders, among other files."""
        names = "a.html", "guide/b.HTM", "guide/more/c.xhtml"
        others = "style.css", "guide/.hidden.html", ".git/d.html", "guide/text.txt"
        for number, name in enumerate((*names, *others), 1):
            path = tmp_path / "saved site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(page(number))
        return tmp_path / "saved site"

    def test_become_one_file_with_a_row_for_each_page(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        code, out, _ = run(folder, "--output=pages")
        assert code == 0
        assert "3 pages of 1 file in" in out
        found = rows(tmp_path / "pages/saved site.parquet")
        names = ["a.html", "guide/b.HTM", "guide/more/c.xhtml"]
        assert [row["url"] for row in found] == [
            (folder / name).as_uri() for name in names
        ]
        for number, row in enumerate(found, 1):
            assert row["text"] == scrapy_mainpage.extract(page(number)).text

    def test_are_done_until_a_page_changes(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        run("saved site/", "--output=pages")
        assert "nothing to do: 1 file done" in run("saved site", "--output=pages")[1]
        (folder / "a.html").write_bytes(page(9, paragraphs=8))
        code, _, said = run("saved site", "--output=pages")
        assert code == 2
        assert "made from something else" in said
        assert run("saved site", "--output=pages", "--overwrite")[0] == 0
        assert len(rows(tmp_path / "pages/saved site.parquet")) == 3

    def test_stand_beside_the_archives_in_them(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        archive(folder / "crawl.warc.gz", 5, 6)
        assert "5 pages of 2 files" in run("saved site", "--output=pages")[1]
        assert len(rows(tmp_path / "pages/crawl.warc.gz.parquet")) == 2

    def test_may_be_the_working_directory_or_a_single_file(
        self, run: CommandRunner, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder)
        assert run(".", "--output=../all")[0] == 0
        assert len(rows(folder / "../all/saved site.parquet")) == 3
        assert run("a.html", "--output=../one")[0] == 0
        (row,) = rows(folder / "../one/a.html.parquet")
        assert row["url"] == (folder / "a.html").as_uri()

    def test_a_page_that_is_too_large_or_cannot_be_read_is_a_row_with_an_error(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        (folder / "a.html").write_bytes(page(1) + b" " * 200_000)
        (folder / "b.html").symlink_to(folder / "nowhere")
        run("saved site", "--output=pages", "-s", "MAINPAGE_MAX_SIZE=100000")
        found = rows(tmp_path / "pages/saved site.parquet")
        errors = {row["error"] for row in found}
        assert "too_large" in errors
        assert sum(row["error"] is None for row in found) == 2

    def test_are_read_once_where_links_lead_back_up(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        for name in ("up", "guide/up", "guide/more/up"):
            (folder / name).symlink_to(folder)
        (folder / "link.html").symlink_to(folder / "a.html")
        assert "4 pages of 1 file" in run("saved site", "--output=pages")[1]
        assert len(rows(tmp_path / "pages/saved site.parquet")) == 4

    @pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
    def test_and_other_files_may_have_names_that_are_no_utf_8(
        self, run: CommandRunner, folder: Path, tmp_path: Path
    ) -> None:
        (folder / os.fsdecode(b"\xff.html")).write_bytes(page(4))
        archive(folder / os.fsdecode(b"\xfe.warc.gz"), 5)
        code, out, _ = run("saved site", "--output=pages")
        assert (code, out.split(" in ")[0]) == (0, "5 pages of 2 files")
        found = rows(tmp_path / "pages/saved site.parquet")
        assert found[-1]["url"] == f"{folder.as_uri()}/%FF.html"
        assert not any(row["error"] for row in found)
        with open(b"pages/\xfe.warc.gz.parquet", "rb") as file:
            assert pq.read_table(file)["url"].to_pylist() == [url(5)]
        assert "nothing to do" in run("saved site", "--output=pages")[1]

    @pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
    def test_with_such_a_name_may_be_an_argument(
        self, run: CommandRunner, tmp_path: Path
    ) -> None:
        name = os.fsdecode(b"\xff.html")
        with pytest.raises(BatchError, match="there is no such file"):
            find_inputs([name], format_of)
        (tmp_path / name).write_bytes(page(1))
        code, out, _ = run(name, "--output=pages")
        assert (code, out.split(" in ")[0]) == (0, "1 page of 1 file")


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl"])
def test_a_run_without_a_page_says_so(
    run: CommandRunner, tmp_path: Path, name: str
) -> None:
    pq.write_table(pa.table({"address": ["x"], "raw": ["y"]}), tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text('{"title": "no page"}\n')
    code, out, _ = run(name, "--output=pages")
    assert code == 0
    assert out.startswith("0 pages of 1 file in")
    assert "left out: 1 (no_html 1)" in out
    assert "--field html=FIELD" in out
    assert "words kept" not in out
