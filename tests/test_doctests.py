"""The examples in the docstrings of the package, run as they are written."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import scrapy_mainpage

MODULES = [
    module.name
    for module in pkgutil.walk_packages(scrapy_mainpage.__path__, "scrapy_mainpage.")
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=FLAGS)
    assert failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in MODULES for test in finder.find(import_module(name))]
    assert any(test.examples for test in found)
