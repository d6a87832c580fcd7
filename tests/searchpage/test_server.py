"""The server of the search page: answers, refusals, the command."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_search import Command
from scrapy_mainpage.indexes import IndexDocument, IndexFailure, open_index
from scrapy_mainpage.searchpage.server import SearchServer, parse_address
from tests.commands.helpers import CommandRunner
from tests.searchpage.helpers import HOSTILE, ask, search, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchServer]:
    with serve(tmp_path_factory.mktemp("index")) as server:
        yield server


def test_hits_have_sections_with_anchors_and_snippets_in_parts(
    server: SearchServer,
) -> None:
    answer = search(server, q="warming")
    (hit,) = answer["hits"]
    assert hit["url"] == "https://docs.example.com/glue/hide.html#warm"
    assert hit["sections"][0]["path"] == ["Hide glue", "Warming"]
    (hit,) = search(server, q="drying")["hits"]
    assert hit["snippet"] == ["", "Drying", " takes a day."], "of the section alone"


def test_texts_of_pages_stay_texts(server: SearchServer) -> None:
    (hit,) = search(server, q="onerror")["hits"]
    assert hit["title"] == HOSTILE
    assert "".join(hit["snippet"]) == f"{HOSTILE} hostile"
    assert "<h1>Search <bdi>&lt;b&gt;site.db</bdi></h1>" in ask(server, "/")[1]


def test_filters_limits_and_typing(server: SearchServer) -> None:
    def urls(**parameters: object) -> list[str]:
        return [hit["page"] for hit in search(server, **parameters)["hits"]]

    assert len(urls(q="varnish")) == 10
    assert len(urls(q="varnish", limit=100)) == 25
    assert urls(q="glue", type="documentation") == urls(q="hide glue")[:1]
    assert urls(q="hostile", language="ar") == ["https://ar.example/"]
    assert urls(q="glue", site="other.example") == []
    assert urls(q="varn") != []
    assert urls(q="") == urls() == []
    assert search(server, q="varnish")["has_more"]
    assert not search(server, q="varnish", limit=25)["has_more"]


def test_own_fields_are_counted_and_filtered(server: SearchServer) -> None:
    answer = search(server, q="holds")
    assert answer["facets"] == {"version": {"1": 1, "2": 1}, "price": {"5": 1}}
    (hit,) = search(server, q="holds", filter="version:2")["hits"]
    assert hit["fields"] == {"version": "2", "price": 5}
    both = "/search.json?q=holds&filter=version:2&filter=version:1"
    assert len(json.loads(ask(server, both)[1])["hits"]) == 2
    for bad in ("nothing:1", "price:x", "version", ":"):
        answer, text = ask(server, q="holds", filter=bad)
        assert (answer.status, "error" in json.loads(text)) == (400, True)


@pytest.mark.parametrize("limit", ["0", "-1", "x", "101", "1e1", "", "٣", "9" * 5000])
def test_a_bad_limit_is_a_bad_request(server: SearchServer, limit: str) -> None:
    answer, text = ask(server, q="glue", limit=limit)
    assert (answer.status, json.loads(text)) == (
        400,
        {"error": "limit: a number from 1 to 100"},
    )


def test_any_query_has_an_answer(server: SearchServer) -> None:
    for query in ('"', "-", "\0", "*" * 900, "(glue OR", "glue " * 5_000):
        assert ask(server, q=query)[0].status == 200
    many = "&".join(["q=a"] * 60)
    assert ask(server, f"/search.json?{many}")[0].status == 400


@pytest.mark.parametrize("path", ["/", "/search.js", "/search.css", "/search.json"])
def test_the_policy_loads_nothing_else(server: SearchServer, path: str) -> None:
    answer, _ = ask(server, path)
    assert answer.status == 200
    policy = answer.getheader("Content-Security-Policy", "")
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert answer.getheader("Access-Control-Allow-Origin") is None


@pytest.mark.parametrize("path", ["/x", "/../search.js", "/server.py", "/%2e"])
def test_other_paths_are_not_found(server: SearchServer, path: str) -> None:
    assert ask(server, path)[0].status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
def test_it_only_reads(server: SearchServer, method: str) -> None:
    assert ask(server, "/", method=method)[0].status == 501


@pytest.mark.parametrize(
    "hosts", [["evil.example"], ["localhost.evil.example:1"], [""], [":1"], ["x", "x"]]
)
def test_a_name_that_was_bound_to_this_machine_is_refused(
    server: SearchServer, hosts: list[str]
) -> None:
    headers = [("Host", host) for host in hosts]
    assert ask(server, "/", headers)[0].status == 403


def test_own_names_and_addresses_are_served(tmp_path: Path) -> None:
    with serve(tmp_path, address=("localhost", 0)) as server:
        server._host = "search.intra"
        for host in ("localhost:1", "127.0.0.1", "[::1]:80", "search.intra:8765"):
            assert ask(server, "/", [("Host", host)])[0].status == 200


def test_scripts_and_frames_of_other_sites_are_refused(server: SearchServer) -> None:
    cross = ("Sec-Fetch-Site", "cross-site")
    assert ask(server, "/search.json", [cross])[0].status == 403
    frame = [cross, ("Sec-Fetch-Dest", "iframe")]
    assert ask(server, "/", frame)[0].status == 403
    followed = [cross, ("Sec-Fetch-Dest", "document")]
    assert ask(server, "/", followed)[0].status == 200


def test_a_failure_of_the_index_is_said_without_the_password(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise IndexFailure("refused", "no route for me:s3cret")

    monkeypatch.setattr(server._index, "search", fail)
    monkeypatch.setattr(server, "_url", "postgresql://me:s3cret@host/db")
    answer, text = ask(server, q="glue")
    assert (answer.status, json.loads(text)) == (
        503,
        {"error": "no route for me:***"},
    )


def test_the_options_of_the_command_hold_for_all_searches(tmp_path: Path) -> None:
    with serve(tmp_path, site="docs.example.com", language=None) as server:
        (hit,) = search(server, q="glue", site="other.example")["hits"]
        assert hit["site"] == "docs.example.com"


def test_the_command_serves_until_it_is_interrupted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve(tmp_path):  # makes the index
        pass

    def interrupted(server: SearchServer, poll_interval: float) -> None:
        assert server.search({"q": ["epoxy"]})["hits"]
        raise KeyboardInterrupt

    monkeypatch.setattr(SearchServer, "serve_forever", interrupted)
    run = CommandRunner(Command, capsys, "--serve", "--no-browser", "--bind", ":0")
    index = tmp_path / "site.db"
    code, out, err = run(index)
    assert (code, err) == (0, "")
    assert out.startswith(f"Search {index} at http://127.0.0.1:")


def test_the_command_says_what_it_cannot_serve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = CommandRunner(Command, capsys, "--serve", "--no-browser")
    code, _, err = run(tmp_path / "none.db")
    assert (code, "there is no such file" in err) == (2, True)
    with serve(tmp_path), socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = run("--bind", f":{port}", tmp_path / "site.db")
        assert (code, f"--bind 127.0.0.1:{port}: " in err) == (2, True)
    for bad in ("a:b", "h/p", "u@h", ":99999", "[::1"):
        with pytest.raises(UsageError, match="not HOST:PORT"):
            run("--bind", bad, tmp_path / "site.db")
    assert parse_address("0.0.0.0:80") == ("0.0.0.0", 80)


def test_titles_lack_what_a_sites_titles_share(tmp_path: Path) -> None:
    with open_index(f"sqlite:///{tmp_path}/site.db") as index:
        index.put_many(
            IndexDocument(
                f"https://d.example.com/{n}", f"glue {n}", title=f"Part {n} | Docs"
            )
            for n in range(6)
        )
        index.put_many(
            [IndexDocument("https://e.example.com/", "glue", title="One | Two")]
        )
        titles = {hit.title for hit in index.search("glue", limit=10)}
    assert titles == {*(f"Part {n}" for n in range(6)), "One | Two"}


def test_the_page_has_a_title_and_a_color(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "name", "Glue <b>")
    monkeypatch.setattr(server, "color", "#005a8c")
    page, style = (ask(server, path)[1] for path in ("/", "/search.css"))
    assert "Glue &lt;b&gt;" in page
    assert style.endswith(":root { --link: #005a8c; }\n")
