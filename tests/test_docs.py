"""The documentation says what the project's files say."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
README = (ROOT / "README.rst").read_text(encoding="utf-8")
DOCS = {path: path.read_text("utf-8") for path in ROOT.glob("docs/**/*.rst")}


def read_url(name: str) -> str:
    """A URL of the project."""
    match = re.search(rf'^{name} = "(https://.*)"$', PROJECT, re.MULTILINE)
    assert match is not None
    return match[1]


def test_all_addresses_are_those_of_the_project() -> None:
    home, docs = read_url("Repository"), read_url("Documentation")
    raw = home.replace("https://github.com/", "https://raw.githubusercontent.com/")
    pages = "\n".join([README, *DOCS.values()])
    ours = {
        url
        for url in re.findall(r"https://[^\s`<>]+", pages)
        if "scrapy-mainpage" in url
    }
    assert ours
    assert [url for url in ours if not url.startswith((home, raw, docs))] == []
    for url in ours:
        if url.startswith(raw):
            assert (ROOT / url.removeprefix(f"{raw}/main/")).is_file(), url
        elif url.startswith(f"{docs}en/latest/"):
            name = url.removeprefix(f"{docs}en/latest/").replace(".html", ".rst")
            assert (ROOT / "docs" / name).is_file(), url


def test_the_correlation_of_the_confidence_is_that_of_the_card() -> None:
    card = ROOT / "scrapy_mainpage/extraction/weights/learned.rst"
    found = re.search(
        r"confidence with the F1 reached: (\d\.\d+)\.", card.read_text("utf-8")
    )
    assert found is not None
    assert f"(correlation {found[1]};" in DOCS[ROOT / "docs/usage/pages.rst"]


def test_the_table_of_versions_is_that_of_the_requirements() -> None:
    text = DOCS[ROOT / "docs/installation.rst"]
    rows = dict(re.findall(r"\n    ([\w-]+), (?:from )?(\d[^,]*),", text))
    assert len(rows) >= 9
    assert rows.pop("Python") == "3.10 to 3.14"
    assert 'requires-python = ">=3.10"' in PROJECT
    assert "Python :: 3.14" in PROJECT
    for name, versions in rows.items():
        oldest, _, below = versions.partition(", below ")
        match = re.search(rf'"{name}(?:\[[\w,]+\])?(>=[^"]*)"', PROJECT)
        assert match is not None, name
        shown = f">={oldest},<{below}" if below else f">={oldest}"
        assert SpecifierSet(match[1]) == SpecifierSet(shown), name


def test_the_files_that_contributing_names_exist() -> None:
    text = DOCS[ROOT / "docs/contributing.rst"]
    named = set(re.findall(r"``([\w./]+/[\w./]+\.(?:py|pyx|rst|txt|toml|sh))``", text))
    roots = (ROOT, ROOT / "scrapy_mainpage", ROOT / "scrapy_mainpage/extraction")
    missing = [
        name for name in named if not any((root / name).exists() for root in roots)
    ]
    assert len(named) > 40
    assert missing == []


def test_tests_that_the_docs_name_exist() -> None:
    sources = {path: path.read_text("utf-8") for path in ROOT.glob("tests/**/*.py")}
    everything, count = "\n".join(sources.values()), 0
    for page, text in DOCS.items():
        for file, name in re.findall(
            r"``(tests/[\w/]+\.py)?(?:::)?(test_\w+)?``", text
        ):
            if not (file or name):
                continue
            source = sources[ROOT / file] if file else everything
            assert not name or f"def {name}(" in source, f"{page}: {name}"
            count += 1
    assert count > 70
