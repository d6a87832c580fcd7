"""``scrapy mainpage-train``: run as users do, and in parts."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_train import Command
from scrapy_mainpage.evaluation.datasets import load_sets, read_document
from scrapy_mainpage.extraction.learned.learned import Learned
from scrapy_mainpage.training import train_forest
from scrapy_mainpage.training.train_forest import PARAMETERS
from tests.commands.helpers import CommandRunner
from tests.evaluation.sets import article_label, label, write_set

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
    """The command, with few and small trees."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PARAMETERS, "min_data_in_leaf", 2)
    monkeypatch.setitem(PARAMETERS, "num_threads", 1)
    monkeypatch.setattr(train_forest, "ROUNDS", 40)
    return CommandRunner(Command, capsys, "--output=out")


def test_run_as_a_command(data: Path, tmp_path: Path) -> None:
    command = ["mainpage-train", str(data), "--sets=first"]
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
    assert done.stdout.startswith("Model card: learned\n")
    names = {path.name for path in (tmp_path / "new" / "models").iterdir()}
    assert names == {"learned.npz", "learned.rst"}


def test_the_card_says_what_was_done(
    train: CommandRunner, data: Path, tmp_path: Path
) -> None:
    before = date.today()
    code, out, err = train(data, "--folds=2", "--licence=CC0, by nobody.")
    assert (code, err) == (0, "")
    card = (tmp_path / "out" / "learned.rst").read_text("utf-8")
    assert out == card + "\n"
    said = " ".join(card.split())
    for part in (
        "gradient boosted trees",
        ":Data: first (6 pages), second (5 pages)",
        # Two links, a heading, a paragraph and a footer on each page.
        ":Blocks: 55, 38.2% main content",
        "scrapy mainpage-train DATA_DIR --folds 2",
        ":Licence: of the data: CC0, by nobody. None of its text",
        "in 2-fold cross-validation grouped by site",
    ):
        assert part in said
    days = {f":Date: {day.isoformat()} " for day in (before, date.today())}
    assert any(day in said for day in days)


def test_the_written_model_tells_the_pages_it_was_trained_on(
    train: CommandRunner, data: Path, tmp_path: Path
) -> None:
    train(data, "--folds=2")
    algorithm = Learned(model=str(tmp_path / "out" / "learned.npz"))
    page = load_sets(data)[0].pages[0]
    main = algorithm.judge(read_document(page.html())).main
    assert main.tolist() == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere"], "no pages.jsonl in nowhere nor in a folder in it"),
        (["data", "--folds=12"], "11 sites are too few for 12 folds"),
        (["data/second", "--folds=6"], "5 sites are too few for 6 folds"),
        (["snippets", "--folds=2"], "no block of any page has a label"),
        (["empty", "--folds=2"], "no labelled page has any text of its own"),
        (["data", "--sets=third"], "no set third; there are: first, second"),
        (["missing", "--folds=2"], "owls.html[.gz] is not there"),
        (["data", "--folds=2", "--output=data/first/pages.jsonl"], "pages.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    train: CommandRunner, data: Path, tmp_path: Path, options: list[str], reason: str
) -> None:
    write_set(tmp_path / "snippets", [label("owls", without=["nowhere"])])
    texts = [label("owls", text="Nothing of the page")]
    write_set(tmp_path / "empty", texts, owls="<img>")
    write_set(tmp_path / "missing", [article_label("owls"), article_label("cats")])
    (tmp_path / "missing" / "html" / "owls.html.gz").unlink()
    code, out, err = train(*options)
    assert (code, out) == (2, "")
    assert err.startswith("scrapy mainpage-train: ")
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [[], ["a", "b"], ["a", "--folds=1"], ["a", "--site-weight=0"]],
)
def test_wrong_usage(train: CommandRunner, args: list[str]) -> None:
    with pytest.raises(UsageError):
        train(*args)


def test_without_the_extra_it_says_what_to_install(
    train: CommandRunner, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = "lightgbm"
    monkeypatch.setitem(sys.modules, missing, None)
    # The data are not read in vain.
    (data / "first" / "pages.jsonl").write_text("no label")
    code, out, err = train(data)
    assert (code, out) == (2, "")
    assert err == (
        f"scrapy mainpage-train: {missing} is not installed: "
        "pip install 'scrapy-mainpage[train]'\n"
    )
