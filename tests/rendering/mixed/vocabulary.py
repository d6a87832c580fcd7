"""Phrases in six languages; any choice from each list fits together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "languages"
#: Percentage of pages in each language.
SHARES = {"en": 40, "de": 14, "fr": 14, "es": 12, "ru": 10, "zh": 10}


@dataclass(frozen=True)
class Language:
    """Sentence patterns, phrases by slot, and the boilerplate texts of a site."""

    code: str
    patterns: tuple[str, ...]
    title: str
    slots: dict[str, tuple[str, ...]]
    words: dict[str, str]
    joint: str


def read_language(code: str) -> Language:
    """Read the language's file: sections of lines, each below its name."""
    text = (FOLDER / f"{code}.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("# "):
            lines = sections[line[2:]] = []
        else:
            lines.append(line)
    named = {
        section: dict(line.split(": ", 1) for line in sections[section])
        for section in ("Slots", "Furniture")
    }
    return Language(
        code,
        tuple(sections["Sentences"]),
        sections["Title"][0],
        {slot: tuple(x.split(" | ")) for slot, x in named["Slots"].items()},
        named["Furniture"],
        "" if code == "zh" else " ",
    )


LANGUAGES = {code: read_language(code) for code in SHARES}
