"""Servers of the zoo's applications, and contents as they take them."""

import socket
import sys

import pytest

from lab.zoo.content import Content
from lab.zoo.publish import as_thread
from lab.zoo.serve import Site, serving
from lab.zoo.tools import ToolError


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def thread(**data):
    return Content("thread-a", "thread", "en", "A title", "", "", (), "", data)


def test_a_server_answers_inside_of_the_block_only(tmp_path):
    site = Site("shop")
    (tmp_path / "index.html").write_text(f"<a href='{site.url}/x'>x</a> {site.url[7:]}")
    command = (
        sys.executable,
        "-m",
        "http.server",
        "--bind",
        "127.0.0.1",
        str(site.port),
    )
    with serving(*command, log=tmp_path / "log", port=site.port, cwd=tmp_path):
        site.wait()
        page = site.get("/")
        with pytest.raises(ToolError, match="404"):
            site.get("/missing")
    assert page == b"<a href='https://shop.example/x'>x</a> shop.example"
    assert not answers(site.port)


def test_a_server_that_ends_is_an_error_with_its_last_words(tmp_path):
    command = (sys.executable, "-c", "raise SystemExit('no such database')")
    with (
        pytest.raises(ToolError, match="no such database"),
        serving(*command, log=tmp_path / "log", port=Site("shop").port),
    ):
        pass


def test_posts_keep_their_text_and_authors_their_signature():
    posts = [
        {"author": "a", "date": "2025-01-04 18:12:30", "text": "One\n"},
        {"author": "b", "date": "2025-01-05 07:31", "text": "> One\n\nTwo"},
    ]
    made = as_thread(thread(posts=posts))
    assert [post["text"] for post in made["posts"]] == ["One", "> One\n\nTwo"]
    assert made["posts"][0]["date"] == "2025-01-04 18:12"
    assert made["signatures"].keys() == {"a", "b"}
    assert made == as_thread(thread(posts=posts))
