"""``scrapy mainpage-batch``: names of inputs and outputs."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scrapy_mainpage.batch.locations import find_inputs
from scrapy_mainpage.batch.sources import format_of
from tests.batch.archives import archive, convert
from tests.commands.helpers import CommandRunner

ODD_NAMES = (
    "a%2Fb.warc.gz", "%2e%2e%2f%2e%2e%2fc.warc.gz", "d?e#f=g&h.warc.gz", "100%.warc.gz",
    "i*j[k].warc.gz", "l\nm.warc.gz", "n\x1b[31m.warc.gz", "o\\..\\p.warc.gz",
    "CON.warc.gz", "q:r.warc.gz", " .warc.gz", "-s.warc.gz", "x" * 247 + ".warc.gz",
)  # fmt: skip


@pytest.fixture
def run(run_batch: CommandRunner) -> CommandRunner:
    return run_batch


def test_files_of_one_name_have_an_output_each(
    run: CommandRunner, tmp_path: Path
) -> None:
    for number, folder in enumerate(("x", "y"), 1):
        (tmp_path / folder).mkdir()
        archive(tmp_path / folder / "a.warc.gz", number)
    archive(tmp_path / "y" / "b.warc.gz", 1)
    for known in (False, True):
        code, out, _ = run("x", "y", "--output=pages")
        assert code == 0
        assert ("nothing to do: 3 files" if known else "3 pages of 3 files") in out
    names = {path.name for path in (tmp_path / "pages").iterdir()}
    assert names == {
        "x-a.warc.gz.parquet", "y-a.warc.gz.parquet", "b.warc.gz.parquet"
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="not names there")
@pytest.mark.parametrize("is_url", [False, True])
def test_odd_names_are_what_they_are_in_outputs_too(
    tmp_path: Path, is_url: bool
) -> None:
    (tmp_path / "in").mkdir()
    for number, name in enumerate(ODD_NAMES):
        archive(tmp_path / "in" / name, number)
    folder = f"file://{tmp_path}/in" if is_url else str(tmp_path / "in")
    results = [
        convert(each.name, f"{folder}/out") for each in find_inputs([folder], format_of)
    ]
    (problem,) = filter(None, results)
    assert "File name too long" in problem  # with the end of the output's name
    made = {f"{name}.parquet" for name in ODD_NAMES[:-1]}
    assert {path.name for path in (tmp_path / "in/out").iterdir()} == made
    assert {path.name for path in tmp_path.iterdir()} == {"in"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_the_place_of_an_output_is_replaced_not_followed(
    run: CommandRunner, tmp_path: Path
) -> None:
    (tmp_path / "other").write_text("other")
    (tmp_path / "real").mkdir()
    (tmp_path / "pages").symlink_to("real")
    (tmp_path / "pages/a.warc.gz.parquet").symlink_to("../other")
    (tmp_path / "pages/b.warc.gz.parquet").symlink_to("../nowhere")
    archive(tmp_path / "a.warc.gz", 1)
    archive(tmp_path / "b.warc.gz", 2)
    code, _, said = run("a.warc.gz", "b.warc.gz", "--output=pages")
    assert (code, said.count("\n")) == (2, 1)
    code, *_ = run("a.warc.gz", "b.warc.gz", "--output=pages", "--overwrite")
    assert code == 0
    assert (tmp_path / "other").read_text() == "other"
    assert not (tmp_path / "nowhere").exists()
    assert pq.read_table(tmp_path / "real/a.warc.gz.parquet").num_rows == 1


@pytest.mark.skipif(sys.platform == "win32", reason="devices and links of Unix")
@pytest.mark.parametrize(
    "output",
    ["file", "loop", "a\0b", "x" * 300, "file:///\0", "\x1b[2J\n/a\0"],
)
def test_an_output_that_cannot_be_is_one_line(
    run: CommandRunner, tmp_path: Path, output: str
) -> None:
    (tmp_path / "file").write_text("owls")
    (tmp_path / "loop").symlink_to("loop")
    archive(tmp_path / "a.warc.gz", 1)
    code, out, said = run("a.warc.gz", f"--output={output}")
    assert (code, out, said.count("\n")) == (2, "", 1)
    assert said.strip().isprintable()


@pytest.mark.parametrize(
    "name", ["a\0b", "file:///%00.warc", "x" * 5_000, "://", "s3:/x"]
)
def test_an_input_that_cannot_be_is_one_line(run: CommandRunner, name: str) -> None:
    code, out, said = run(name, "--output=pages")
    assert (code, out, said.count("\n")) == (2, "", 1)
