"""Rules for a site, from its corrected pages: shown first, then written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.rules import read_rules
from tests.correct.helpers import Client, as_sent, read_page, serve

SITE = "lights.example"
TEXT = "It can be seen from a long way off, in clear nights also from the other shore. "
OTHER = f"<div class=poll><h1>Poll</h1><p>{TEXT * 9}</p></div>"


def light(name: str, html: str = "") -> PageToCorrect:
    """A page of a lighthouse, with a story of another below it."""
    html = html or (
        f"<html lang=en><title>{name}</title><div class=bar><a href=/>Lights</a></div>"
        f"<div class=record><h1>{name}</h1><div class=by>Ann Owl</div><p>{TEXT * 3}"
        f"</div><div class=journal><h2>A winter on the rock</h2><p>{TEXT * 6}</div>"
    )
    return read_page(html, f"https://www.{SITE}/{name.lower()}")


def corrected(page: PageToCorrect) -> dict[str, object]:
    """The record without its byline, whose block is the author."""
    marks = ["0"] * page.content.document.n_blocks
    marks[1] = marks[3] = "1"
    main = "".join(marks)
    return {"main": main, "fields": {"author": 2}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    pages = [light(name) for name in ("Skerry", "Haven", "Anvil")]
    with serve(tmp_path / "set", *pages) as server:
        yield Client(server)


def save(client: Client, *numbers: int) -> None:
    for number in numbers:
        page = client.server.session.pages[number - 1]
        assert client.post(f"save/{number}", corrected(page))[0] == 200


def shown(client: Client) -> tuple[str, str]:
    """The page of the rules, and their text."""
    status, _, said = client.ask("GET", f"rules/{SITE}")
    assert status == 200
    found = re.search(r"<textarea[^>]*>(.*)</textarea>", said, re.DOTALL)
    return said, unescape(found[1]) if found else ""


def test_the_rules_of_two_corrected_pages_mend_the_third(
    client: Client, tmp_path: Path
) -> None:
    assert "rules/" not in client.ask("GET", "")[2]
    save(client, 1, 2)
    assert f'href="rules/{SITE}">' in client.ask("GET", "")[2]
    said, text = shown(client)
    assert 'content = [".record"]' in text
    assert said.count("<strong>as corrected") == 2
    assert said.count("<strong>not corrected") == 1
    assert 'class="warning"' not in said
    # What it loses comes first, and links to the page.
    assert said.index("not corrected") < said.index("as corrected")
    assert "<bdi>A winter on the rock</bdi>" in said
    assert 'href="../page/3"' in said
    file = tmp_path / "mainpage-rules" / f"{SITE}.toml"
    assert not file.exists()

    status, answer = client.post(f"rules/{SITE}", {"text": text})
    assert (status, "MAINPAGE_RULES" in json.loads(answer)["message"]) == (200, True)
    rules = read_rules(file)
    assert rules.author == (".by",)
    third = client.server.session.pages[2]
    ruled = extract(third.html, url=third.url, rules=file)
    assert ruled.text == f"Anvil\n\n{(TEXT * 3).strip()}"
    assert ruled.metadata.author == "Ann Owl"
    assert "will be replaced" in shown(client)[0]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("drop = '.none'", "rules find nothing: the algorithm decides"),
        ("unless = '.record'\ndrop = '.none'", "another kind of page"),
        ("drop = '.journal'", "not corrected"),
    ],
)
def test_edited_rules_are_tried_on_every_page(
    client: Client, tmp_path: Path, text: str, verdict: str
) -> None:
    save(client, 1)
    status, answer = client.post(f"try/{SITE}", {"text": text})
    said = json.loads(answer)["html"]
    assert (status, said.count(f"<strong>{verdict}")) == (200, 2)
    assert not (tmp_path / "mainpage-rules").exists()


@pytest.mark.parametrize("path", ["try", "rules"])
def test_texts_that_are_no_rules_are_refused(
    client: Client, tmp_path: Path, path: str
) -> None:
    save(client, 1)
    wrong: list[object] = [{}, {"text": 1}, {"text": " "}, {"text": "drop = 'p['"}, []]
    for data in wrong:
        assert client.post(f"{path}/{SITE}", data)[0] == 400
    for site in ("evil.example", "..", "con"):
        assert client.ask("GET", f"rules/{site}")[0] == 404
        assert client.post(f"{path}/{site}", {"text": "drop = 'p'"})[0] == 404
    assert not (tmp_path / "mainpage-rules").exists()


def test_pages_of_another_template_are_said(tmp_path: Path) -> None:
    pages = [light("Skerry"), light("Poll", OTHER), light("Vote", OTHER)]
    with serve(tmp_path / "set", *pages) as server:
        client = Client(server)
        save(client, 1)
        said, text = shown(client)
        assert 'content = [".record"]' in text
        assert "of another template, such as Poll: correct two of these, too." in said
        assert "Correct a second page of the same template" in said


def test_rules_that_cannot_be_learned_are_said(client: Client) -> None:
    page = client.server.session.pages[0]
    nothing = as_sent(page) | {"main": "0" * page.content.document.n_blocks}
    assert client.post("save/1", nothing)[0] == 200
    assert "No rules: no page with main content to learn from." in shown(client)[0]


@pytest.mark.parametrize("url", ["file:///page.html", "https://../x"])
def test_pages_need_a_host_that_is_the_name_of_a_file(tmp_path: Path, url: str) -> None:
    page = read_page(url=url)
    with serve(tmp_path / "set", page) as server:
        client = Client(server)
        assert client.post("save/1", as_sent(page))[0] == 200
        assert "Rules for" not in client.ask("GET", "")[2]
        assert client.post("rules/..", {"text": "drop = 'p'"})[0] == 404
