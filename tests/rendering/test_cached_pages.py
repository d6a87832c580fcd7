"""Layouts of rendered pages in the HTTP cache."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from typing import Any

import pytest
from parsel import Selector

from scrapy_mainpage import rendering
from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.layout import Layout, LayoutError
from scrapy_mainpage.rendering import pack, unpack

PAGE = (
    "<!DOCTYPE html><html><head><title>T</title></head><body><p>Text</p></body></html>"
)

_START_TAG = re.compile(r"<([a-z][a-z0-9]*)(?=[\s>])")


def stamped(html: str) -> tuple[str, list[str]]:
    """The source with numbered tags, and the names of the tags."""
    names: list[str] = []

    def stamp(match: re.Match[str]) -> str:
        names.append(match[1])
        return f'{match[0]} data-mainpage="{len(names) - 1}"'

    return _START_TAG.sub(stamp, html), names


def snapshot(names: list[str], **changes: Any) -> str:
    """A layout: element number n is n pixels wide."""
    tags = sorted(set(names))
    count = len(names)
    data: dict[str, Any] = {
        "version": 1,
        "window": [1280, 900],
        "page": [1280, 2000],
        "tags": tags,
        "tag": [tags.index(name) for name in names],
        "width": list(range(count)),
        **{name: [0] * count for name in ("x", "y", "height", "display")},
        **{name: [1] * count for name in ("visible", "opacity", "font")},
    }
    return json.dumps({**data, **changes})


def document(body: bytes | str) -> Document:
    text = body.decode() if isinstance(body, bytes) else body
    return read_tree(Selector(text=text).root)


def packed(html: str) -> bytes:
    source, names = stamped(html)
    return pack(source, snapshot(names))


def with_trailer(trailer: bytes, html: str = PAGE) -> bytes:
    return stamped(html)[0].encode() + b"\n<!--mainpage-layout " + trailer + b"-->"


def test_the_page_comes_out_as_it_was_with_the_layout_of_its_tree() -> None:
    body, layout = unpack(packed(PAGE))
    assert body == PAGE.encode()
    assert isinstance(layout, Layout)
    assert layout.width.tolist() == [0, 1, 2, 3, 4]
    assert layout.n_elements == document(body).n_elements


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><p>one<p>two<div>three<p>four</body></html>",
        "<html><body><table>stray<tr><td>a</td>more<p>in</p></tr></table></body></html>",
        "<html><body><table><div>x</div><td>y</table></body></html>",
        "<html><head><noscript><link href=a></noscript></head><body>"
        "<noscript><p>No <b>script</b></p></noscript></body></html>",
        "<html><body><template><li>a</li><tr><td>b</td></tr></template></body></html>",
        "<html><body><svg><g><path d='M0'></path><title>x</title></g></svg></html>",
        "<html><body><svg><foreignObject><p>x</p></foreignObject></svg></body></html>",
        "<html><body><b><i>a</b>b</i><a href=x>c<a href=y>d</a></body></html>",
        "<html><body><ul><li>a<li>b<ul><li>c</ul></ul><select><option>a<option>b"
        "</select></body></html>",
        "<html><body><textarea><p>x</p></textarea><math><mi>x</mi></math></body></html>",
        "<html><body><frameset><frame></frameset><custom-tag>x</custom-tag></body></html>",
        "<p>no root</p><p>two",
        "<html><body>" + "<div>" * 600 + "deep" + "</div>" * 600 + "</body></html>",
    ],
)
def test_the_clean_tree_has_the_elements_of_the_stamped_one(html: str) -> None:
    source, names = stamped(html)
    body, layout = unpack(pack(source, snapshot(names)))
    assert b"data-mainpage" not in body
    assert isinstance(layout, Layout)
    assert layout.n_elements == document(body).n_elements == document(source).n_elements


@pytest.mark.parametrize(
    "inside",
    [
        "<script>let a = 'data-mainpage=7', b = ' data-mainpage=\"x\"';</script>",
        '<p>The attribute data-mainpage="x" is ours, as data-mainpages="1" is not.</p>',
        '<p title="it says data-mainpage=&quot;3&quot; here">x</p>',
        "<p data-mainpage-more='1'>x</p>",
        "<!-- data-mainpage=1 --><style>[data-mainpage] {}</style>",
        "<pre>&lt;!--mainpage-layout abc--&gt;</pre>",
        "<!--mainpage-layout abc--><p>after</p>",
    ],
)
def test_what_the_page_says_of_stamps_itself_is_left_alone(inside: str) -> None:
    html = f"<html><body>{inside}</body></html>"
    body, layout = unpack(packed(html))
    assert body == html.encode()
    assert isinstance(layout, Layout)
    assert layout.n_elements == document(body).n_elements


def test_a_page_without_a_layout_passes_as_the_very_same() -> None:
    for body in (b"", PAGE.encode(), b"<!--mainpage-layout", b"\xff\xfe"):
        unpacked, layout = unpack(body)
        assert unpacked is body
        assert layout is None


GOOD = b64encode(zlib.compress(snapshot(stamped(PAGE)[1]).encode()))


@pytest.mark.parametrize(
    "trailer",
    [
        b"",
        b"no base64!",
        GOOD[: len(GOOD) // 2],
        b64encode(b"not compressed"),
        b64encode(zlib.compress(b"null")),
        b64encode(zlib.compress(b"[" * 100_000)),
        b64encode(zlib.compress(snapshot(["html", "div"]).encode())),
        b64encode(zlib.compress(snapshot(stamped(PAGE)[1], x=[1e999] * 5).encode())),
    ],
)
def test_a_broken_trailer_is_a_layout_error_and_comes_off_nevertheless(
    trailer: bytes,
) -> None:
    body = with_trailer(trailer)
    source, layout = unpack(body)
    assert source == PAGE.encode()
    assert isinstance(layout, LayoutError)


def test_a_snapshot_without_an_end_is_not_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rendering, "_MAX_SNAPSHOT_BYTES", 1000)
    bomb = b64encode(zlib.compress(b" " * 10_000_000))
    _, layout = unpack(with_trailer(bomb))
    assert "too large" in str(layout)


def test_only_the_last_trailer_counts() -> None:
    earlier = "\n<!--mainpage-layout AAAA-->"
    body, layout = unpack(packed(PAGE + earlier))
    assert body == (PAGE + earlier).encode()
    assert layout is not None
