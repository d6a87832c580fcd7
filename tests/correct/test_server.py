"""The server of the correcting page refuses all but the user's own browser."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.correct.server import MAX_BODY_BYTES
from scrapy_mainpage.evaluation.datasets import load_sets
from tests.correct.helpers import Client, as_sent, read_page, serve


@pytest.fixture(scope="module")
def page() -> PageToCorrect:
    return read_page()


@pytest.fixture
def client(tmp_path: Path, page: PageToCorrect) -> Iterator[Client]:
    page.correction = None
    with serve(tmp_path / "set", page) as server:
        yield Client(server)


def n_saved(tmp_path: Path) -> int:
    folder = tmp_path / "set"
    return len(load_sets(folder)[0].pages) if folder.exists() else 0


@pytest.mark.parametrize(
    ("path", "content_type", "part"),
    [
        ("", "text/html", "0 of 1 saved"),
        ("page/1", "text/html", 'role="listbox"'),
        ("correct.css", "text/css", ".tools"),
        ("correct.js", "text/javascript", '"use strict"'),
    ],
)
def test_the_user_gets_pages_that_load_nothing_else(
    client: Client, path: str, content_type: str, part: str
) -> None:
    status, answer, text = client.ask("GET", path)
    assert status == 200
    assert part in text
    assert answer.getheader("Content-Type", "").startswith(content_type)
    policy = answer.getheader("Content-Security-Policy", "")
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert answer.getheader("Access-Control-Allow-Origin") is None


def test_a_correction_is_saved_and_the_session_ends(
    client: Client, tmp_path: Path, page: PageToCorrect
) -> None:
    status, text = client.post("save/1", as_sent(page, 0))
    assert (status, json.loads(text)) == (200, {"next": "../"})
    assert client.server.server_address[0] == "127.0.0.1"  # on loopback only
    assert n_saved(tmp_path) == 1
    assert "1 of 1 saved" in client.ask("GET", "")[2]
    status, text = client.post("done", {})
    assert (status, json.loads(text)["message"][:5]) == (200, "Ended")


@pytest.mark.parametrize(
    "path",
    ["/", "/page/1", "/x/", "/../", "//", "/{t}", "/{t}x/", "/{t}?/",
     "page/0", "page/2", "page/", "page/-1", "page/1/", "page/../correct.js", "save/1",
     "correct.html", "%2e%2e/", "page/99999999999"],
)  # fmt: skip
def test_other_paths_and_those_without_the_token_are_not_found(
    client: Client, path: str
) -> None:
    status, _, text = client.ask("GET", path.format(t=client.server.token))
    assert status == 404
    assert client.server.token not in text


def test_tokens_are_long_and_random(tmp_path: Path, page: PageToCorrect) -> None:
    with serve(tmp_path, page) as first, serve(tmp_path, page) as second:
        assert first.token != second.token
        assert len(first.token) >= 32


@pytest.mark.parametrize(
    "method", ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]
)
def test_other_methods_are_not_known(client: Client, method: str) -> None:
    assert client.ask(method, "")[0] == 501


HOSTS = [
    [("Host", "evil.example")],
    [("Host", "127.0.0.1")],
    [("Host", "127.0.0.1:1")],
    [("Host", "localhost.evil.example:{port}")],
    [("Host", "{ok}"), ("Host", "evil.example")],
    [("Host", "")],
    [("Host", "0.0.0.0:{port}")],
]


@pytest.mark.parametrize("pairs", HOSTS)
def test_a_name_that_was_bound_to_this_machine_is_refused(
    client: Client, pairs: list[tuple[str, str]]
) -> None:
    port = client.server.server_port
    sent = [(name, value.format(port=port, ok=client.host)) for name, value in pairs]
    for path in ("", "page/1", "correct.js"):
        status, _, text = client.ask("GET", path, headers=sent)
        assert (status, json.loads(text)) == (403, {"error": "wrong Host"})


def test_localhost_is_a_name_of_it(client: Client) -> None:
    host = {"Host": f"localhost:{client.server.server_port}"}
    assert client.ask("GET", "", headers=host)[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "odd"])
def test_other_sites_can_neither_read_nor_write(
    client: Client, site: str, tmp_path: Path, page: PageToCorrect
) -> None:
    for kind in ("iframe", "script", "empty", "image", ""):
        sent = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": kind}
        assert client.ask("GET", "", headers=sent)[0] == 403
    assert client.post("save/1", as_sent(page), Sec_Fetch_Site=site)[0] == 403
    assert n_saved(tmp_path) == 0


def test_a_link_with_the_token_may_be_followed(client: Client) -> None:
    sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.ask("GET", "", headers=sent)[0] == 200
    followed = {name.replace("-", "_"): value for name, value in sent.items()}
    assert client.post("done", {}, **followed)[0] == 403


@pytest.mark.parametrize(
    "origin",
    ["", "null", "https://evil.example", "http://127.0.0.1", "{ok}/", "https{s}"],
)
def test_a_write_needs_the_origin_of_the_page(
    client: Client, origin: str, tmp_path: Path, page: PageToCorrect
) -> None:
    own = f"http://{client.host}"
    sent = origin.format(ok=own, s=own.removeprefix("http"))
    for path, data in (("save/1", as_sent(page)), ("done", {})):
        assert client.post(path, data, Origin=sent, Sec_Fetch_Site="")[0] == 403
    assert n_saved(tmp_path) == 0
    assert client.ask("GET", "")[0] == 200  # it has not ended


def test_a_form_of_another_page_is_no_correction(
    client: Client, page: PageToCorrect
) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert client.post("save/1", as_sent(page), Content_Type=kind)[0] == 415


def test_bodies_are_bounded(client: Client) -> None:
    assert client.post("save/1", {}, Content_Length=str(MAX_BODY_BYTES + 1))[0] == 413
    for length in ("-1", "many", "1" * 30):
        assert client.post("save/1", {}, Content_Length=length)[0] == 411


def test_data_that_are_no_correction_change_nothing(
    client: Client, tmp_path: Path, page: PageToCorrect
) -> None:
    right = as_sent(page)
    wrong: list[object] = [
        None,
        [],
        {},
        right | {"main": right["main"][1:]},
        right | {"main": "2" * len(right["main"])},
        right | {"fields": {"author": 9999}},
        right | {"fields": {"author": "x"}},
        right | {"fields": {"colour": 1}},
        right | {"fields": {"author": -1}},
    ]
    for data in wrong:
        status, text = client.post("save/1", data)
        assert (status, "not a correction" in text) == (400, True), data
    assert client.post("save/2", right)[0] == 404
    assert n_saved(tmp_path) == 0


def test_a_folder_that_cannot_be_written_is_said(
    client: Client, tmp_path: Path, page: PageToCorrect
) -> None:
    (tmp_path / "set").write_text("a file")
    status, text = client.post("save/1", as_sent(page))
    assert status == 500
    assert "set" in json.loads(text)["error"]
    assert page.correction is None


def test_an_idle_connection_does_not_hold_the_others(client: Client) -> None:
    address = ("127.0.0.1", client.server.server_port)
    with socket.create_connection(address) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\n")
        assert client.ask("GET", "")[0] == 200
