"""Commands of the package, run in the process of the test."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy.settings import Settings

if TYPE_CHECKING:
    import pytest
    from scrapy.commands import ScrapyCommand


class CommandRunner:
    """Runs a command when called; returns exit code, standard output and error.

    *options* come before the arguments of each call; *settings* are those of a project.
    """

    def __init__(
        self,
        command: type[ScrapyCommand],
        capsys: pytest.CaptureFixture[str],
        *options: str,
        **settings: object,
    ):
        self.command = command
        self.capsys = capsys
        self.options = options
        self.settings = settings

    def __call__(self, *args: object) -> tuple[int, str, str]:
        command = self.command()
        command.settings = Settings(self.settings)
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        opts, rest = parser.parse_known_args([*self.options, *map(str, args)])
        command.process_options(rest, opts)
        command.run(rest, opts)
        return (command.exitcode, *self.capsys.readouterr())


MakeRunner = Callable[..., CommandRunner]
