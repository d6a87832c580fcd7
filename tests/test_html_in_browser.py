"""The HTML of hostile pages, opened in a browser: nothing of them runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_mainpage import extract

MARK = "data-ran"
RUN = f"document.documentElement.setAttribute('{MARK}','yes')"

HOSTILE = {
    "script": f"<script>{RUN}</script>",
    "image": f'<img src="nowhere:" onerror="{RUN}">',
    "broken_out_of_an_attribute": (
        f"<img src='nowhere:' alt='\"><img src=nowhere: onerror={RUN}>'>"
    ),
    "broken_out_of_text": f"&lt;img src=nowhere: onerror={RUN}&gt;",
    "preformatted_text": f"<pre><code>&lt;script&gt;{RUN}&lt;/script&gt;</code></pre>",
    "svg": f'<svg onload="{RUN}"><script>{RUN}</script></svg>',
    "svg_style": f"<svg><style><img src=nowhere: onerror={RUN}></style></svg>",
    "math": (
        "<math><mtext><table><mglyph><style>"
        f"<img src=nowhere: onerror={RUN}></style></mglyph></table></mtext></math>"
    ),
    "noscript": f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    "frame": f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    "frame_address": f'<iframe src="javascript:parent.{RUN}"></iframe>',
    "video": f'<video onerror="{RUN}"><source src="nowhere:" onerror="{RUN}"></video>',
    "details": f'<details open ontoggle="{RUN}"><summary>More</summary></details>',
    "focus": f'<input autofocus onfocus="{RUN}">',
    "focusable_text": f'<p tabindex="1" autofocus onfocus="{RUN}">Text</p>',
    "comment": f"<!--><img src=nowhere: onerror={RUN}>-->",
    "link": f'<a href="javascript:{RUN}">link</a>',
    "link_in_disguise": f'<a href=" java&#10;script&colon;{RUN}">link</a>',
    "link_with_a_control": f'<a href="&#1;JavaScript:{RUN}">link</a>',
    "click": f'<a href="#here" onclick="{RUN}">link</a>',
    "template": f'<template><img src="nowhere:" onerror="{RUN}"></template>',
    "text_area": f"<textarea></textarea><img src=nowhere: onerror={RUN}>",
    "old_example": f"<xmp></xmp><img src=nowhere: onerror={RUN}>",
}
#: What a browser runs when the page is opened as it is, with its links clicked: proof
#: that the test would see it.
RUNS_UNSANITISED = {"script", "image", "svg", "frame", "link", "click", "details"}

#: Clicks on all links, but leaves the page for none of them.
CLICK_ALL = """<script>
document.addEventListener("click", event => {
  if (event.target.protocol != "javascript:") event.preventDefault();
});
document.querySelectorAll("a").forEach(link => link.click());
</script>"""

Opens = Callable[[str], str]


@pytest.fixture
def opened(requirement: Callable[[str], str], tmp_path: Path) -> Opens:
    """Opens HTML in a headless browser and gives the document as it is afterwards."""
    browser = requirement("browser")

    def open_in_browser(html: str) -> str:
        file = tmp_path / "page.html"
        document = f"<!doctype html><meta charset=utf-8><body>{html}{CLICK_ALL}</body>"
        file.write_text(document, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=2000",
            "--dump-dom",
            file.as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, timeout=120, check=True)
        return done.stdout.decode("utf-8", "replace")

    return open_in_browser


def page_with(part: str) -> str:
    """A page whose article holds the part."""
    text = "Plain words that an article has, so that it is one. " * 5
    return f"<article><h1>Title</h1><p>{text}</p>{part}<p>{text}</p></article>"


def sanitised(part: str) -> str:
    page = extract(
        page_with(part), url="https://example.com/", algorithm="semantic-markup"
    )
    assert "Plain words" in page.html
    return page.html


def ran(dom: str) -> bool:
    return f'{MARK}="yes"' in dom


def test_nothing_of_all_hostile_pages_together_runs(opened: Opens) -> None:
    dom = opened("".join(map(sanitised, HOSTILE.values())))
    assert dom.count("<h1>Title</h1>") == len(HOSTILE)
    assert not ran(dom)


@pytest.mark.parametrize("name", sorted(RUNS_UNSANITISED))
def test_unsanitised_it_would_run(opened: Opens, name: str) -> None:
    dom = opened(page_with(HOSTILE[name]))
    assert ran(dom)


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_no_handler_script_or_scripted_address_is_written(name: str) -> None:
    html = sanitised(HOSTILE[name]).lower()
    assert "<script" not in html
    assert 'href="javascript' not in html.replace("\n", "")
    assert not any(f" {handler}=" in strip_text(html) for handler in HANDLERS)


HANDLERS = ("onerror", "onload", "onclick", "ontoggle", "onfocus", "srcdoc")


def strip_text(html: str) -> str:
    """The tags alone, without their attributes' values and the text between them."""
    tags, inside, quote = [], False, ""
    for character in html:
        if quote:
            quote = "" if character == quote else quote
        elif inside and character in "\"'":
            quote = character
        elif character in "<>":
            inside = character == "<"
        elif inside:
            tags.append(character)
    return "".join(tags)
