"""A target in Atheris: ``python -m lab.fuzz.driver TARGET DIR``, libFuzzer's options.

:mod:`lab.fuzz.__main__` starts it, with the sanitisers' runtime loaded before Python.
"""

from __future__ import annotations

import random
import sys
from hashlib import sha1
from pathlib import Path

import atheris

# Coverage is that of the package alone: NumPy and lxml are not what is looked into.
with atheris.instrument_imports(include=["scrapy_mainpage"]):
    import scrapy_mainpage

    from . import mutations, targets


#: The option that names the folder of findings.
PREFIX = "-artifact_prefix="


def mutated(data: bytes, max_size: int, seed: int) -> bytes:
    """The fuzzer's own mutation, or one that knows what a tag is."""
    choose = random.Random(seed)
    if choose.random() < 0.6:
        return bytes(atheris.Mutate(data, max_size))
    return mutations.mutate(data, choose)[:max_size]


def keeping(target: targets.Target, folder: Path) -> targets.Target:
    """*target*, which writes an input that raises into *folder*: libFuzzer does not."""

    def run(data: bytes) -> None:
        try:
            target(data)
        except Exception:
            (folder / f"raised-{sha1(data).hexdigest()}").write_bytes(data)
            raise

    return run


def main(arguments: list[str]) -> None:
    """Run a target on libFuzzer's mutations of the corpus."""
    name = arguments.pop(1)
    if not Path(scrapy_mainpage.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"fuzz: not the sanitised package: {scrapy_mainpage.__file__}")
    options = {} if name in targets.CHOICES else {"custom_mutator": mutated}
    folder = next(a for a in arguments if a.startswith(PREFIX)).removeprefix(PREFIX)
    atheris.Setup(arguments, keeping(targets.TARGETS[name], Path(folder)), **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
