"""The examples in docstrings."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import scrapy_mainpage

ROOT = Path(scrapy_mainpage.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    result = doctest.testmod(
        import_module(name.removesuffix(".__init__")),
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert result.attempted > 0
    assert result.failed == 0
