"""The language of a page: declared, and checked against its text."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.text import language

GREEK = "Το παλιό μύλο στο ποτάμι τον αγόρασε χθες ένας ξυλουργός από την πόλη. " * 5
GERMAN = "Die alte Mühle am Fluss hat gestern ein Tischler aus der Stadt gekauft. " * 5
ENGLISH = "A joiner from the town bought the old mill at the river yesterday. " * 5
RUSSIAN = "Старую мельницу у реки вчера купил столяр из соседнего города. " * 5


def found(text: str, declared: str = "") -> tuple[str | None, str | None]:
    root = f"<html lang={declared}>" if declared else "<html>"
    page = extract(f"{root}<title>Mill</title><body><h1>1</h1><p>{text}</p>")
    return page.language, page.metadata.sources.get("language")


@pytest.mark.parametrize(
    ("text", "declared", "wanted"),
    [
        (GREEK, "", ("el", "text")),
        (GREEK, "en", ("el", "text")),
        (GREEK, "el-gr", ("el-gr", "html")),
        (ENGLISH, "en-gb", ("en-gb", "html")),
        (GERMAN, "de", ("de", "html")),
        ("Yes.", "el", ("el", "html")),
        ("", "", (None, None)),
    ],
)
def test_scripts_decide_alone(
    text: str, declared: str, wanted: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "load_identifier", lambda: None)
    assert found(text, declared) == wanted


def test_a_language_of_another_script_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "load_identifier", lambda: None)
    assert found(RUSSIAN, "en") == (None, None)
    assert found(GERMAN, "ru") == (None, None)


@pytest.mark.parametrize(
    ("text", "declared", "wanted"),
    [
        (GERMAN, "", ("de", "text")),
        (GERMAN, "en", ("de", "text")),
        (RUSSIAN, "en", ("ru", "text")),
        (ENGLISH, "en", ("en", "html")),
        (ENGLISH, "de", ("de", "html")),  # a quotation, a song: only "en" is a default
    ],
)
def test_the_identifier_is_asked_where_english_or_nothing_is_declared(
    text: str, declared: str, wanted: tuple[str, str]
) -> None:
    pytest.importorskip("py3langid")
    assert found(text, declared) == wanted
