"""``scrapy mainpage-evaluate``: run as users do."""

from __future__ import annotations

import json
from pathlib import Path

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
    return CommandRunner(Command, capsys)


def test_a_table_is_printed_and_scores_are_written(
    evaluate: CommandRunner, data: Path
) -> None:
    options = ("--algorithms=semantic-markup,danag", "--output=scores.jsonl")
    code, out, err = evaluate(data, *options)
    assert (code, err) == (0, "")
    table = [line.split() for line in out.splitlines()]
    assert [line[:4] for line in table[1:5]] == [
        ["snippets", "semantic-markup", "1", "0"],
        ["snippets", "danag", "1", "0"],
        ["texts", "semantic-markup", "2", "0"],
        ["texts", "danag", "2", "0"],
    ]
    assert table[3][-3:] == ["1.000", "1.000", "1.000"]
    scores = [
        json.loads(line) for line in Path("scores.jsonl").read_text().split("\n")[:-1]
    ]
    assert len(scores) == 6
    assert (scores[2]["page"], scores[2]["f1"]) == ("owls", 1.0)


def test_by_default_all_algorithms_run_that_need_no_layout(
    evaluate: CommandRunner, data: Path
) -> None:
    code, out, _ = evaluate(data, "--sets=texts")
    names = {line.split()[1] for line in out.splitlines() if line.startswith("texts")}
    assert code == 0
    assert names >= {"danag", "centroid", "learned", "semantic-markup"}
    assert "layout-analysis" not in names


def test_rules_are_measured_beside_the_algorithm_alone(
    data: Path, tmp_path: Path, evaluate: CommandRunner
) -> None:
    options = ("-a=learned", "--sets=texts", data, "--output=scores.jsonl", "--rules")
    code, _, err = evaluate(*options, "none")
    assert (code, "none" in err) == (2, True)
    for content, worse in (("article", False), ("nav", True)):
        rules = tmp_path / content
        rules.mkdir()
        (rules / "example.toml").write_text(f'content = ["{content}"]')
        code, out, err = evaluate(*options, rules)
        assert (code, err) == (0, "")
        assert "learned with rules" in out
        lines = Path("scores.jsonl").read_text().splitlines()
        recall = [json.loads(line)["recall"] for line in lines]
        assert len(recall) == 4
        assert (recall[1] < recall[0]) == (recall[3] < recall[2]) == worse


def test_pages_that_cannot_be_read_are_named_and_the_exit_code_is_1(
    evaluate: CommandRunner, data: Path
) -> None:
    (data / "texts" / "html" / "owls.html.gz").unlink()
    code, out, err = evaluate(data, "--algorithms=danag")
    assert code == 1
    assert [line.split()[3] for line in out.splitlines()[1:3]] == ["0", "1"]
    first, reason = err.splitlines()
    assert first == "scrapy mainpage-evaluate: 1 failed, the first ones:"
    assert "texts/owls, danag: FileNotFoundError: " in reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere"], "no pages.jsonl in nowhere"),
        (["data", "--sets=birds,texts"], "no set birds; there are: snippets, texts"),
        (["data", "--algorithms=nope"], "unknown algorithm 'nope'"),
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


@pytest.mark.parametrize("options", [[], ["a", "b"]])
def test_wrong_usage(evaluate: CommandRunner, options: list[str]) -> None:
    with pytest.raises(UsageError):
        evaluate(*options)
