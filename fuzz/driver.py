"""A target in Atheris: ``python -m fuzz.driver TARGET FOLDER...``, libFuzzer's options.

:mod:`fuzz.__main__` starts it, with the sanitisers' runtime loaded before Python.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

# Coverage is that of the package alone: NumPy and lxml are not what is looked into.
with atheris.instrument_imports(include=["scrapy_mainpage"]):
    import scrapy_mainpage

    from . import mutations, targets


def mutated(data: bytes, max_size: int, seed: int) -> bytes:
    """The fuzzer's own mutation, or one that knows what a tag is."""
    choose = random.Random(seed)
    if choose.random() < 0.6:
        return bytes(atheris.Mutate(data, max_size))
    return mutations.mutate(data, choose)[:max_size]


def main(arguments: list[str]) -> None:
    """Run a target on libFuzzer's mutations of the corpus."""
    name = arguments.pop(1)
    if not Path(scrapy_mainpage.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"fuzz: not the sanitised package: {scrapy_mainpage.__file__}")
    options = {} if name in targets.CHOICES else {"custom_mutator": mutated}
    atheris.Setup(arguments, targets.TARGETS[name], **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
