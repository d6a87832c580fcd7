"""Fixtures of the tests in this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand

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
