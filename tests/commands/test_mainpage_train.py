"""``scrapy mainpage-train``: run as users do, and in parts."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_train import Command
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms.text_block_context import Tree
from tests.commands.helpers import CommandRunner
from tests.evaluation.sets import article_label, label, write_set

ALGORITHM = "--algorithm=text-block-context"
TOPICS = "owls cats mice dogs bats rats newts frogs toads hens".split()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two sets of articles, and a page with snippets only."""
    labels = [article_label(topic) for topic in TOPICS]
    write_set(tmp_path / "data" / "first", labels[:6])
    snippets = label("hares", **{"with": ["Sentence 1"]})
    write_set(tmp_path / "data" / "second", [*labels[6:], snippets])
    return tmp_path / "data"


@pytest.fixture
def train(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> CommandRunner:
    monkeypatch.chdir(tmp_path)
    return CommandRunner(Command, capsys, ALGORITHM, "--output=out")


def test_run_as_a_command(data: Path, tmp_path: Path) -> None:
    command = ["mainpage-train", str(data), ALGORITHM, "--segmentation=paper"]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *command, "--folds=3", "-o", "new/models"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Model card: text-block-context, paper segmentation")
    names = {path.name for path in (tmp_path / "new" / "models").iterdir()}
    assert names == {f"text_block_context_paper.{end}" for end in ("npz", "rst")}


def test_the_card_says_what_was_done(
    train: CommandRunner, data: Path, tmp_path: Path
) -> None:
    before = date.today()
    code, out, err = train(data, "--folds=2", "--licence=CC0, by nobody.")
    assert (code, err) == (0, "")
    card = (tmp_path / "out" / "text_block_context_paper.rst").read_text("utf-8")
    assert out == card + "\n"
    said = " ".join(card.split())
    for part in (
        "entropy criterion, at least 10 records a leaf, pruned with confidence factor",
        ":Data: first (6 pages), second (4 pages)",
        # Two links, a heading, a paragraph and a footer on each page.
        ":Records: 50 segments of 10 pages of 10 sites, 40.0% main content",
        "--segmentation paper --word-density lines --min-num-obj 10",
        ":Licence: of the data: CC0, by nobody. None of its text",
        "in 2-fold cross-validation grouped by site",
    ):
        assert part in said
    days = {f":Date: {day.isoformat()} " for day in (before, date.today())}
    assert any(day in said for day in days)
    rows = [
        line.split() for line in card.splitlines() if " boilerpipe NumWords" in line
    ]
    assert [row[0] for row in rows] == ["first", "second", "all"]


def test_the_written_tree_tells_the_pages_it_was_trained_on(
    train: CommandRunner, data: Path, tmp_path: Path
) -> None:
    _, out, _ = train(data, "--folds=2")
    with np.load(tmp_path / "out" / "text_block_context_paper.npz") as arrays:
        tree = Tree(**{name: arrays[name] for name in arrays.files})
    assert f":Nodes: {len(tree.left)}" in out
    assert ["all", "text-block-context", "1.000", "1.000", "1.000"] in [
        line.split() for line in out.splitlines()
    ]
    pages = [page for data_set in load_sets(data) for page in data_set.pages]
    # The training's libraries take seconds to import.
    from scrapy_mainpage.training.train_text_block_context import segment_page

    segmented = segment_page("first", pages[0], "boilerpipe")
    assert segmented is not None
    predicted = tree.predict(segmented.rows) >= 0.5
    assert predicted.tolist() == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere"], "no pages.jsonl in nowhere nor in a folder in it"),
        (["data"], "10 sites are too few for 11 folds"),
        (["data/second", "--folds=5"], "4 sites are too few for 5 folds"),
        (["snippets", "--folds=2"], "no page has a gold text"),
        (["others", "--folds=2"], "none of the text is main content"),
        (["data", "--sets=third"], "no set third; there are: first, second"),
        (["missing", "--folds=2"], "owls.html[.gz] is not there"),
        (["data", "--folds=2", "--output=data/first/pages.jsonl"], "pages.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    train: CommandRunner, data: Path, tmp_path: Path, options: list[str], reason: str
) -> None:
    write_set(tmp_path / "snippets", [label("owls", without=["Home"])])
    strange = [label(name, text="Nothing of the page") for name in TOPICS]
    write_set(tmp_path / "others", strange)
    write_set(tmp_path / "missing", [article_label("owls"), article_label("cats")])
    (tmp_path / "missing" / "html" / "owls.html.gz").unlink()
    code, out, err = train("--folds=11", *options)
    assert (code, out) == (2, "")
    assert err.startswith("scrapy mainpage-train: ")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [[], ["a", "b"], ["a", "--folds=1"], ["a", "--start=ours"]],
)
def test_wrong_usage(train: CommandRunner, args: list[str]) -> None:
    with pytest.raises(UsageError):
        train(*args)


def test_without_the_extra_it_says_what_to_install(
    train: CommandRunner, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = "sklearn"
    monkeypatch.setitem(sys.modules, missing, None)
    # The data are not read in vain.
    (data / "first" / "pages.jsonl").write_text("no label")
    code, out, err = train(data)
    assert (code, out) == (2, "")
    assert err == (
        f"scrapy mainpage-train: {missing} is not installed: "
        "pip install 'scrapy-mainpage[train]'\n"
    )
