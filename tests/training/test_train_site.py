"""A model for the site of a few corrected pages, on top of the shipped one."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_train import Command
from scrapy_mainpage.correct.correction import Correction, PageToCorrect, save_page
from scrapy_mainpage.evaluation.metrics import score_words, tokenize
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.training.train_forest import PARAMETERS
from tests.commands.helpers import CommandRunner

WORDS = "river stone mill winter market letter garden train harbour field road".split()


def sentence(draw: random.Random, words: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(words)).capitalize() + "."


def record(number: int) -> PageToCorrect:
    """A page of short facts, with long stories of others below: hard to tell."""
    draw = random.Random(number)
    facts = "".join(
        f"<div class=fact><span>{draw.choice(WORDS)}</span> {sentence(draw, 4)}</div>"
        for _ in range(14)
    )
    stories = "".join(
        f"<div class=story><h3>{sentence(draw, 5)}</h3><p>{sentence(draw, 12)} "
        f"{sentence(draw, 12)} {sentence(draw, 12)}</p></div>"
        for _ in range(4)
    )
    html = (
        f"<html lang=en><title>Record {number}</title><div class=top><a href=/>Home</a>"
        f"</div><div class=rec><h1>Record {number}</h1>{facts}<p>{sentence(draw, 24)}"
        f"</div><div class=more><h2>From our journal</h2>{stories}</div>"
        "<div class=bottom>Imprint. All rights reserved.</div>"
    )
    url = f"https://archive.example/{number}"
    return PageToCorrect.read(url, html.encode(), None, Extractor())


def truth(page: PageToCorrect) -> Correction:
    """The blocks of the record: all from the heading to the stories."""
    texts = [block.text for block in page.page.blocks]
    main = np.zeros(len(texts), bool)
    main[1 : texts.index("From our journal")] = True
    return Correction(main)


def f1(page: PageToCorrect, model: Path | None) -> float:
    options = {"model": str(model)} if model else None
    text = Extractor("learned", options).extract(page.html, url=page.url).text
    right = page.corrected_text(truth(page))
    return score_words(tokenize(text), tokenize(right)).f1


@pytest.fixture
def train(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CommandRunner:
    monkeypatch.setitem(PARAMETERS, "num_threads", 1)
    for number in range(4):
        page = record(number)
        save_page(tmp_path / "set", page, truth(page))
    output = f"--output={tmp_path / 'model'}"
    return CommandRunner(Command, capsys, output)


def test_four_corrected_pages_mend_the_others_of_the_site(
    train: CommandRunner, tmp_path: Path
) -> None:
    code, out, _ = train(tmp_path / "set", "--site-weight=30")
    assert code == 0
    said = " ".join(out.split())
    assert "the model ours, with each page counted as 30; folds are of pages" in said
    assert "4-fold cross-validation" in said
    others = [record(number) for number in range(50, 58)]
    assert mean(f1(page, None) for page in others) < 0.8
    assert min(f1(page, tmp_path / "model" / "learned.npz") for page in others) > 0.98


def test_one_page_is_too_few(train: CommandRunner, tmp_path: Path) -> None:
    page = record(1)
    save_page(tmp_path / "one", page, truth(page))
    code, _, err = train(tmp_path / "one", "--site-weight=30")
    assert code == 2
    assert "2 pages are needed, not 1" in err


@pytest.mark.parametrize(
    "option", ["--site-weight=0.5", "--site-weight=nan", "--site-weight=1001"]
)
def test_wrong_usage(train: CommandRunner, tmp_path: Path, option: str) -> None:
    with pytest.raises(UsageError):
        train(tmp_path / "set", option)
