"""The comparison with other extractors: whatever they do, and what a card tells."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from pathlib import Path

import pytest

from benchmarks import peers
from benchmarks.guarded import Answer, guarded
from benchmarks.modelcard import ModelCard, learned_card, read_card
from benchmarks.peerlist import OWN, Peer
from benchmarks.tables import Table

GOLD = "owl stone river light"


def whole(html: str, language: str) -> str:
    """All there is; what the page begins with says how to misbehave."""
    if html.startswith("crash"):
        os._exit(7)
    if html.startswith("hang"):
        time.sleep(60)
    if html.startswith("raise"):
        raise ValueError("no\nidea")
    return html


def test_an_answer_is_the_text_and_its_time() -> None:
    with guarded(whole) as call:
        answer = call("owl", "en")
    assert (answer.text, answer.error) == ("owl", "")
    assert answer.seconds >= 0


@pytest.mark.parametrize(
    ("page", "error"),
    [
        ("crash", "the process died, exit code 7"),
        ("hang", "no answer within 0.5 s"),
        ("raise", "ValueError: no idea"),
    ],
)
def test_what_goes_wrong_is_said_and_the_next_page_is_read(
    page: str, error: str
) -> None:
    with guarded(whole, timeout=0.5 if page == "hang" else 60) as call:
        assert call(page, "") == Answer(error=error)
    with guarded(whole) as call:
        assert call("raise", "").text == ""
        assert call("owl", "").text == "owl"


def test_a_lost_process_is_made_anew() -> None:
    with guarded(whole) as call:
        assert call("crash", "").error
        assert call("owl", "").text == "owl"


CARD = """\
Model card: x
=============

:Data: big (10 pages),
   small-er (4 pages)
:Date: today

Mean word F1 in cross-validation:

======= ======== ===== =====
set     type     pages F1
======= ======== ===== =====
big     all         10 0.900
big     article      8 0.950
======= ======== ===== =====

Something else:

======= ======== ===== =====
set     type     pages F1
======= ======== ===== =====
big     all         10 0.100
======= ======== ===== =====
"""


def test_the_first_table_of_a_card_is_read() -> None:
    card = read_card(CARD)
    assert card.scores == {("big", "all"): (10, 0.9), ("big", "article"): (8, 0.95)}
    assert card.f1("big", "article", 8) == pytest.approx(0.95)
    assert card.f1("big", "listing", 8) is None


def test_pages_that_a_card_leaves_out_count_as_nothing() -> None:
    assert read_card(CARD).f1("big", "all", 12) == pytest.approx(0.75)


def test_a_set_is_seen_if_the_data_or_the_table_name_it() -> None:
    card = read_card(CARD)
    assert [card.has_seen(n) for n in ("big", "small-er", "small", "bigger")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_card_without_a_table_tells_nothing() -> None:
    assert read_card("A card\n") == ModelCard("", {})


SNIPPETS = """
Of pages with snippets alone: 95.0% of those that are main content are taken,
91.3% of the others are left out; F1 0.933.
"""


def test_a_card_tells_what_became_of_snippets() -> None:
    assert read_card(CARD).snippets is None
    assert read_card(CARD + SNIPPETS).snippets == pytest.approx((0.95, 0.913, 0.933))


def test_the_card_of_the_shipped_model_can_be_read() -> None:
    card = learned_card()
    assert card.has_seen("wcxb-dev")
    assert not card.has_seen("no-such-set")
    assert all(0 <= f1 <= 1 for _, f1 in card.scores.values())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One set with texts, of which two pages mean harm, and one with snippets."""
    texts = [
        {"id": str(k), "text": GOLD, "type": "article" if k < 20 else "listing"}
        for k in range(40)
    ]
    _write(tmp_path / "data" / "known", texts, {"3": "crash", "5": "raise"})
    rows = [{"id": "a", "with": ["owl stone"], "without": ["river"]}]
    _write(tmp_path / "data" / "snippets", rows, {})
    return tmp_path / "data"


def _write(folder: Path, rows: list[dict[str, object]], pages: dict[str, str]) -> None:
    (folder / "html").mkdir(parents=True)
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for row in rows:
        page = pages.get(str(row["id"]), GOLD).encode()
        (folder / "html" / f"{row['id']}.html.gz").write_bytes(gzip.compress(page))


def run(data: Path, most: int | None = None) -> dict[str, Table]:
    options = argparse.Namespace(data=data, pages=most, results=data.parent / "results")
    return {table.name: table for table in peers.run(options)}


def rows(table: Table) -> dict[str, list[object]]:
    return {row[0]: row[1:] for row in table.rows}


@pytest.fixture
def one_peer(monkeypatch: pytest.MonkeyPatch) -> Peer:
    """The public extractors are one that this file defines; the model knows one set."""
    peer = Peer("whole", "pytest", "as it is", whole)
    absent = Peer("absent", "no-such-package", "", whole)
    monkeypatch.setattr(peers, "PEERS", (peer, absent))
    monkeypatch.setattr(peers, "OWN", OWN[:1])
    card = ModelCard("known (40 pages)", {("known", "all"): (20, 0.8)})
    monkeypatch.setattr(peers, "learned_card", lambda: card)
    return peer


def test_failed_pages_count_as_empty_and_are_counted(
    one_peer: Peer, data: Path
) -> None:
    tables = run(data)
    known = tables["peers"]
    assert known.header == ["", "known (40)"]
    assert rows(known)["whole"] == [pytest.approx(38 / 40)]
    article, listing = rows(tables["peers-known"])["whole"]
    assert (article, listing) == (pytest.approx(18 / 20), 1.0)
    version, _, pages, failed = rows(tables["peers-versions"])["whole"]
    assert (version, pages, failed) == (pytest.__version__, 41, 2)


def test_the_model_is_shown_by_its_card_where_it_has_seen_the_pages(
    one_peer: Peer, data: Path
) -> None:
    tables = run(data)
    assert rows(tables["peers"])["learned (cross-validated)"] == [pytest.approx(0.4)]
    assert rows(tables["peers-known"])["learned (cross-validated)"] == ["", ""]
    snippets = rows(tables["peers-snippets"])
    assert snippets["whole"] == [1.0, 0.0, pytest.approx(2 / 3)]
    assert "learned" in snippets


def test_snippets_that_the_model_has_seen_are_those_of_its_card(
    one_peer: Peer, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = ModelCard("known (40 pages), snippets (1 pages)", {}, (0.9, 0.8, 0.85))
    monkeypatch.setattr(peers, "learned_card", lambda: card)
    snippets = rows(run(data)["peers-snippets"])
    assert snippets["learned (cross-validated)"] == [0.9, 0.8, 0.85]
    assert "learned" not in snippets


def test_a_package_that_is_missing_is_said_and_left_out(
    one_peer: Peer, data: Path
) -> None:
    tables = run(data)
    assert "absent" not in rows(tables["peers"])
    said = str(tables["peers-versions"])
    assert "NOT INSTALLED: pip install no-such-package" in said


def test_a_second_run_measures_nothing_again(
    one_peer: Peer, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(data)
    monkeypatch.setattr(peers, "guarded", None)  # calling it would be an error
    assert {k: t.rows for k, t in run(data).items()} == {
        k: t.rows for k, t in first.items()
    }


def test_another_version_is_measured_anew(one_peer: Peer) -> None:
    other = Peer("whole", "hypothesis", "as it is", whole)
    assert other.fingerprint != one_peer.fingerprint
    assert Peer("whole", "pytest", "as it is", whole) == one_peer
    assert Peer("whole", "pytest", "another way", whole).fingerprint not in {
        one_peer.fingerprint,
        other.fingerprint,
    }


def test_a_sample_is_measured_on_request(one_peer: Peer, data: Path) -> None:
    assert run(data, most=2)["peers"].header == ["", "known (2)"]


def test_no_data_is_said(tmp_path: Path) -> None:
    (table,) = run(tmp_path / "none").values()
    assert table.title.startswith("NOTHING MEASURED: ")


@pytest.mark.parametrize(
    ("declared", "language"), [("de-AT", "de"), ("", ""), ("zh", "zh")]
)
def test_the_language_is_what_the_page_declares(
    tmp_path: Path, declared: str, language: str
) -> None:
    (page,) = _page(tmp_path, {"id": "a", "text": GOLD})
    raw = f'<html lang="{declared}"><p>{GOLD}'.encode()
    assert peers.language_of("any", page, raw) == language
    assert peers.language_of("wcxb-dev", page, raw) == "en"


def test_the_language_of_the_set_comes_first(tmp_path: Path) -> None:
    (page,) = _page(tmp_path, {"id": "a", "text": GOLD, "type": "Greek"})
    assert peers.language_of("any", page, b'<html lang="en"><p>owl') == "el"


def _page(folder: Path, row: dict[str, object]) -> tuple[peers.LabelledPage, ...]:
    _write(folder / "one", [row], {})
    (group,) = peers.load_sets(folder / "one")
    return group.pages


PARAGRAPHS = "".join(
    f"<p>Owl number {n} sat on a stone above the river, and it was in no hurry. The "
    f"light went, the {n}. boat came home, and nobody said what it had been for. It "
    "was the same as on all of the days before, and as it would be on the next.</p>"
    for n in range(12)
)
ARTICLE = (
    '<html lang="en"><body><nav><ul><li><a href="/">Home</a></li></ul></nav>'
    f"<article><h1>Owls</h1>{PARAGRAPHS}</article></body></html>"
)


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.label)
def test_an_installed_extractor_finds_a_plain_article(peer: Peer) -> None:
    if peer.version is None:
        pytest.skip(f"{peer.package} is not installed")
    with guarded(peer.extract) as call:
        answer = call(ARTICLE, "en")
        assert answer.error == ""
        assert "in no hurry" in answer.text
        assert call(ARTICLE, "zh").error == ""


def test_a_package_that_is_not_there_has_no_version() -> None:
    assert Peer("absent", "no-such-package", "", whole).version is None
