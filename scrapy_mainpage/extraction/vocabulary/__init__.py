"""Word lists in several languages, as data files of named sections.

``[section]`` on a line begins one; lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_words(name: str) -> dict[str, frozenset[str]]:
    """The words of each section of ``NAME.txt``, which white space separates."""
    return {key: frozenset(text.split()) for key, text in _read_sections(name).items()}


@cache
def read_phrases(name: str) -> dict[str, tuple[str, ...]]:
    """The phrases of each section of ``NAME.txt``, which commas separate."""
    return {
        key: tuple(" ".join(phrase.split()) for phrase in text.split(","))
        for key, text in _read_sections(name).items()
    }


def _read_sections(name: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    section = ""
    path = Path(__file__).with_name(f"{name}.txt")
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            sections[section] = f"{sections.get(section, '')}{line}\n"
    return {key: text for key, text in sections.items() if key}
