"""``scrapy mainpage-evaluate``: run as users do, and in parts."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_evaluate import Command
from tests.commands.helpers import CommandRunner
from tests.evaluation.sets import article_label, label, write_set


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two sets: one with texts, one with snippets."""
    labels = [article_label(name, type="article") for name in ("owls", "cats")]
    write_set(tmp_path / "data" / "texts", labels)
    line = label("mice", **{"with": ["Sentence 1"], "without": ["Home"]})
    write_set(tmp_path / "data" / "snippets", [line])
    return tmp_path / "data"


@pytest.fixture
def evaluate(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> CommandRunner:
    monkeypatch.chdir(tmp_path)
    return CommandRunner(Command, capsys, "--jobs=1")


def results_of(tmp_path: Path) -> list[dict[str, Any]]:
    return results(tmp_path / "mainpage-evaluation")


def results(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_rules_are_measured_beside_the_algorithm_alone(
    data: Path, tmp_path: Path, evaluate: CommandRunner
) -> None:
    options = ("-a", "learned,all-text", "--sets", "texts", str(data), "--rules")
    code, _, err = evaluate(*options, "none")
    assert (code, "none" in err) == (2, True)
    for content, worse in (("article", False), ("nav", True)):
        rules = tmp_path / content
        rules.mkdir()
        (rules / "example.toml").write_text(f'content = ["{content}"]')
        code, out, err = evaluate(*options, str(rules))
        assert (code, err) == (0, "")
        assert "learned with rules" in out
        rows = {(r["page"], r["algorithm"]): r for r in results_of(tmp_path)}
        assert len(rows) == 6
        for page in {page for page, _ in rows}:
            alone, ruled = (
                rows[page, f"learned{more}"]["measures"] for more in ("", " with rules")
            )
            assert (ruled["recall"] < alone["recall"]) == worse


def test_run_as_a_command_in_several_processes(data: Path, tmp_path: Path) -> None:
    command = ["mainpage-evaluate", str(data), "--algorithms", "danag,all-text"]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *command, "--jobs", "2", "-o", "out"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 results, 0 failed" in done.stdout
    assert len(results(tmp_path / "out")) == 6


def test_a_table_is_printed_and_files_are_written(
    evaluate: CommandRunner, data: Path, tmp_path: Path
) -> None:
    code, out, err = evaluate(data, "--algorithms", "semantic-markup,all-text")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["snippets"] in lines
    assert ["PAGES", "MS", "WITH", "W/OUT"] in lines
    everything = [line[-2:] for line in lines if line[:1] == ["all-text"]]
    assert everything[0] == ["1.000", "0.000"]
    folder = tmp_path / "mainpage-evaluation"
    assert {path.name for path in folder.iterdir()} == {
        *("pages.csv", "results.jsonl", "summary.csv"),
    }


def test_by_default_all_algorithms_run_and_those_without_layouts_are_named(
    evaluate: CommandRunner, data: Path
) -> None:
    code, out, _ = evaluate(data / "texts")
    assert code == 0
    assert "texts: 0 of its 2 pages have a layout: first-impression, layout-" in out
    for name in ("danag", "centroid", "semantic-markup", "all-text", "perfect-blocks"):
        assert f"\n  {name}" in out or f" {name} " in out


def test_sets_can_be_chosen_and_pages_limited(
    evaluate: CommandRunner, data: Path, tmp_path: Path
) -> None:
    evaluate(data, "--sets=texts", "--limit=1", "--algorithms=danag")
    (row,) = results(tmp_path / "mainpage-evaluation")
    assert (row["set"], row["page"]) == ("texts", "owls")


def test_a_second_run_measures_only_what_is_new(
    evaluate: CommandRunner, data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mainpage-evaluation"
    evaluate(data, "--algorithms=danag")
    before = results(folder)
    marked = [json.dumps(row | {"words": 12345}) for row in before]
    (folder / "results.jsonl").write_text("\n".join(marked) + "\n")
    evaluate(data, "--algorithms=danag,all-text")
    words = {(row["algorithm"], row["words"] == 12345) for row in results(folder)}
    assert words == {("danag", True), ("all-text", False)}


def test_pages_that_cannot_be_read_are_named_and_the_exit_code_is_1(
    evaluate: CommandRunner, data: Path
) -> None:
    next(data.rglob("*.html.gz")).unlink()
    code, out, err = evaluate(data, "--algorithms", "semantic-markup,all-text")
    assert code == 1
    assert "6 results, 2 failed" in out
    first, reason = err.splitlines()
    assert first == "scrapy mainpage-evaluate: 2 failed, the first ones:"
    assert ": not read: " in reason


def test_reports_of_the_worst_pages_are_written_and_named(
    evaluate: CommandRunner, data: Path, tmp_path: Path
) -> None:
    code, out, _ = evaluate(
        data / "texts", "--algorithms=danag,all-text", "--reports=1"
    )
    folder = tmp_path / "mainpage-evaluation"
    reports = [p.relative_to(folder).as_posix() for p in folder.rglob("reports/*/*/*")]
    assert code == 0
    assert len(reports) == 1
    assert reports[0].startswith("reports/texts/danag/")
    head, *lines = out.partition("worst pages")[2].splitlines()[:3]
    assert head.split() == ["SET", "PAGE", "F1", "REPORT"]
    first, second = (line.split() for line in lines)
    assert first[:2] == second[:2] == ["danag", "texts"]
    assert first[2].startswith("https://www.")
    assert float(first[3]) <= float(second[3]) <= 1
    assert Path(first[4]) == Path("mainpage-evaluation", reports[0])
    assert len(second) == 4


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere"], "no pages.jsonl in nowhere"),
        (["data", "--sets=birds,texts"], "no set birds; there are: snippets, texts"),
        (["data", "--algorithms=nope"], "unknown algorithm 'nope'"),
        (["data", "--output=data/texts/pages.jsonl"], "pages.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    evaluate: CommandRunner, data: Path, options: list[str], reason: str
) -> None:
    code, out, err = evaluate(*options)
    assert (code, out) == (2, "")
    assert err.startswith("scrapy mainpage-evaluate: ")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "options", [[], ["a", "b"], ["a", "--jobs=0"], ["a", "--limit=0"]]
)
def test_wrong_usage(evaluate: CommandRunner, options: list[str]) -> None:
    with pytest.raises(UsageError):
        evaluate(*options)


def test_without_the_extra_it_says_what_to_install(
    evaluate: CommandRunner, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = builtins.__import__

    def without_tqdm(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "tqdm":
            raise ModuleNotFoundError("No module named 'tqdm'", name="tqdm")
        return real_import(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "scrapy_mainpage.evaluation.run", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_tqdm)
    code, _, err = evaluate(data)
    assert code == 2
    assert "tqdm is not installed: pip install 'scrapy-mainpage[evaluation]'" in err


def test_an_interrupt_says_that_the_run_goes_on(
    evaluate: CommandRunner, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrapy_mainpage.evaluation import run as module

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_measure", interrupted)
    code, _, err = evaluate(data, "--algorithms=danag")
    assert code == 130
    assert "the same command goes on from here" in err
