"""Rules for a site, from its corrected pages: shown first, then written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.rules import read_rules
from tests.correct.helpers import Client, as_sent, read_page, serve

SITE = "lights.example"
TEXT = "It can be seen from a long way off, in clear nights also from the other shore. "


def light(name: str) -> PageToCorrect:
    """A page of a lighthouse, with a story of another below it."""
    html = (
        f"<html lang=en><title>{name}</title><div class=bar><a href=/>Lights</a></div>"
        f"<div class=record><h1>{name}</h1><div class=by>Ann Owl</div><p>{TEXT * 3}"
        f"</div><div class=journal><h2>A winter on the rock</h2><p>{TEXT * 6}</div>"
    )
    return read_page(html, f"https://www.{SITE}/{name.lower()}")


def corrected(page: PageToCorrect) -> dict[str, object]:
    """The record without its byline, whose block is the author."""
    marks = ["0"] * page.content.document.n_blocks
    marks[1] = marks[3] = "1"
    labels = {"1": "title", "2": "byline"}
    fields = {"author": 2}
    main = "".join(marks)
    return {"main": main, "labels": labels, "fields": fields, "records": {}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    pages = [light(name) for name in ("Skerry", "Haven", "Anvil")]
    with serve(tmp_path / "set", *pages) as server:
        yield Client(server)


def test_the_rules_of_two_corrected_pages_mend_the_third(
    client: Client, tmp_path: Path
) -> None:
    assert "rules/" not in client.ask("GET", "")[2]
    for number in (1, 2):
        page = client.server.session.pages[number - 1]
        assert client.post(f"save/{number}", corrected(page))[0] == 200
    assert f'<a href="rules/{SITE}">' in client.ask("GET", "")[2]
    status, _, said = client.ask("GET", f"rules/{SITE}")
    assert status == 200
    assert "drop = [&#34;.journal&#34;]" in said
    assert said.count("<strong>as corrected") == 2
    assert said.count("<strong>not corrected") == 1
    assert "another kind of page" not in said
    # What it loses comes first, and links to the page.
    assert said.index("not corrected") < said.index("as corrected")
    assert "<bdi>A winter on the rock</bdi>" in said
    assert 'href="../page/3"' in said
    file = tmp_path / "mainpage-rules" / f"{SITE}.toml"
    assert "replaced" not in said
    assert not file.exists()

    status, text = client.post(f"rules/{SITE}", {})
    assert status == 200
    assert "MAINPAGE_RULES" in json.loads(text)["message"]
    rules = read_rules(file)
    assert rules.author == (".by",)
    third = client.server.session.pages[2]
    ruled = extract(third.html, url=third.url, rules=file)
    assert ruled.text == f"Anvil\n\n{(TEXT * 3).strip()}"
    assert ruled.metadata.author == "Ann Owl"
    assert "will be replaced" in client.ask("GET", f"rules/{SITE}")[2]


def test_edited_rules_stay_when_another_page_is_saved(
    client: Client, tmp_path: Path
) -> None:
    pages, drafts = client.server.session.pages, client.server.session.drafts
    assert client.post("save/1", corrected(pages[0]))[0] == 200
    client.ask("GET", f"rules/{SITE}")
    learned = client.server.session._learned[SITE]
    edited = 'content = [".record"]\n'
    for text, known in ((learned, {}), (edited, {SITE: edited})):
        assert client.post(f"draft/{SITE}", {"text": text})[0] == 200
        assert client.post("save/2", corrected(pages[1]))[0] == 200
        assert drafts == known
    assert client.post(f"rules/{SITE}", {"text": " "})[0] == 400
    assert not (tmp_path / "mainpage-rules").exists()


def test_pages_of_another_kind_are_told_from_those_that_rules_say_nothing_of(
    client: Client,
) -> None:
    page = client.server.session.pages[0]
    assert client.post("save/1", corrected(page))[0] == 200
    for text, count in (("", 0), ("unless = '.record'\n", 2)):
        draft = {"text": f"{text}drop = '.none'"}
        assert client.post(f"draft/{SITE}", draft)[0] == 200
        said = client.ask("GET", f"rules/{SITE}")[2]
        assert said.count("another kind of page") == count
        assert said.count("rules miss: the algorithm decides") == 2 - count


def test_rules_need_a_correction_of_that_site(client: Client) -> None:
    for site in (SITE, "evil.example", "..", "con"):
        assert client.ask("GET", f"rules/{site}")[0] == 404
        assert client.post(f"rules/{site}", {})[0] == 404


def test_rules_that_cannot_be_found_are_no_file(client: Client, tmp_path: Path) -> None:
    page = client.server.session.pages[0]
    nothing = as_sent(page) | {"main": "0" * page.content.document.n_blocks}
    assert client.post("save/1", nothing)[0] == 200
    status, _, said = client.ask("GET", f"rules/{SITE}")
    assert (status, "no page with main content" in said) == (200, True)
    status, text = client.post(f"rules/{SITE}", {})
    assert (status, "no page with main content" in text) == (400, True)
    assert not (tmp_path / "mainpage-rules").exists()


def test_a_page_without_a_host_has_no_rules(tmp_path: Path) -> None:
    page = read_page(url="file:///page.html")
    with serve(tmp_path / "set", page) as server:
        client = Client(server)
        assert client.post("save/1", as_sent(page))[0] == 200
        assert "Rules for" not in client.ask("GET", "")[2]


def test_names_of_files_are_names_of_hosts(tmp_path: Path) -> None:
    page = read_page(url="https://../x")
    with serve(tmp_path / "set", page) as server:
        client = Client(server)
        assert client.post("save/1", as_sent(page))[0] == 200
        assert "Rules for" not in client.ask("GET", "")[2]
        assert client.post("rules/..", {})[0] == 404
