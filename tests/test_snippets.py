"""Every program, setting and command that the documentation shows is valid.

The recipes, the tutorials, the README and the FAQ are run as a whole elsewhere.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent, indent

import pytest
from scrapy.settings import Settings as ScrapySettings

from scrapy_mainpage.settings import Settings, find_unknown

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.rst", *sorted((ROOT / "docs").glob("**/*.rst"))]
BLOCK = re.compile(
    r"^( *)\.\. code-block:: (\w+)\n(?:\1    :.*\n)*((?:\1    .*\n|\n)+)", re.MULTILINE
)


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """The blocks of a language, with the page and the line of each."""
    for path in PAGES:
        text = path.read_text("utf-8")
        for match in BLOCK.finditer(text):
            if match[2] == language:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.name}:{line}", dedent(match[3]).strip()


def parse(code: str) -> ast.Module:
    """A program; also parts with ``await`` or ``yield`` outside of a function."""
    inside = "async def snippet():\n" + indent(code, "    ")
    code = inside if re.search(r"^(await|yield) ", code, re.MULTILINE) else code
    compile(code, "snippet", "exec")
    return ast.parse(code)


@pytest.mark.parametrize(
    "code", [pytest.param(code, id=place) for place, code in blocks("python")]
)
def test_a_program_is_valid_and_its_imports_are_there(code: str) -> None:
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("scrapy_m"):
            module = import_module(str(node.module))
            assert [a.name for a in node.names if not hasattr(module, a.name)] == []


def settings_of(code: str) -> dict[str, object]:
    """The settings that a program assigns, at its top level or in a spider."""
    found: dict[str, object] = {}
    for node in ast.walk(parse(code)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name.startswith("MAINPAGE_"):
                found[name] = ast.literal_eval(node.value)
    return found


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(given, id=place)
        for place, code in blocks("python")
        # Other classes and models are the reader's own.
        if not re.search("myproject|models/", code) and (given := settings_of(code))
    ],
)
def test_settings_are_accepted(
    given: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mainpage-rules").mkdir()
    monkeypatch.chdir(tmp_path)
    settings = ScrapySettings(given)
    assert Settings.from_settings(settings)
    assert list(find_unknown(settings)) == []


def command_lines() -> Iterator[tuple[str, str]]:
    for language in ("shell", "console", "text"):
        for place, block in blocks(language):
            joined = block.replace("\\\n", " ")
            for line in re.findall(
                r"^(?:\$ )?(?:    )?scrapy (mainpage(?:-\w+)*(?![\w:-]).*)",
                joined,
                re.MULTILINE,
            ):
                # "<file>" and "SEGMENTATION" stand for anything.
                if not re.search(r"\[options\]|<file>|SEGMENTATION", line):
                    yield place, line


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=place) for place, line in command_lines()]
)
def test_a_command_has_its_options(line: str) -> None:
    name, *words = shlex.split(re.split(r" [|2]?[>|<] ?| 2> ", line)[0], comments=True)
    module = import_module(f"scrapy_mainpage.commands.{name.replace('-', '_')}")
    command = module.Command()
    command.settings = ScrapySettings()
    parser = argparse.ArgumentParser(conflict_handler="resolve", exit_on_error=False)
    command.add_options(parser)
    _, rest = parser.parse_known_args(words)
    assert [word for word in rest if word.startswith("-") and word != "-"] == []


def test_there_is_something_to_test() -> None:
    assert len(list(blocks("python"))) >= 50
    assert len(list(command_lines())) >= 40
