"""Fixtures of the tests in this folder."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.commands import ScrapyCommand

from scrapy_mainpage.commands import mainpage_batch
from tests.commands.helpers import CommandRunner, MakeRunner


@pytest.fixture
def runner(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MakeRunner:
    """Runs a command, with these options, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def make(command: type[ScrapyCommand], *options: str) -> CommandRunner:
        return CommandRunner(command, capsys, *options)

    return make


class HereExtractor:
    """Extracts in this process; ``tests/batch`` has those that do it in others."""

    def __init__(self, extraction: Any, *options: object) -> None:
        from scrapy_mainpage.batch.convert import prepare

        self.pool = nullcontext(SimpleNamespace(died=0))
        self._extract = prepare(extraction)

    def __call__(self, batches: Any) -> Any:
        return map(self._extract, batches)


@pytest.fixture
def run_batch(runner: MakeRunner, monkeypatch: pytest.MonkeyPatch) -> CommandRunner:
    """Runs ``scrapy mainpage-batch`` in an empty folder, without further processes."""
    extractor = "scrapy_mainpage.commands.batch_run.PoolExtractor"
    monkeypatch.setattr(extractor, HereExtractor)
    return runner(mainpage_batch.Command, "--processes=1")
