"""HTML output of hostile pages, opened in a browser: no script may run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import open_page

from .helpers import URL, content_of
from .vectors import VECTORS

if TYPE_CHECKING:
    from collections.abc import Callable

# Every call of run() leaves a mark; links run only if clicked, so they are clicked.
PAGE = """<!doctype html><html><head><meta charset="utf-8"><script>
var runs = 0;
function run() {{ runs += 1; document.documentElement.dataset.ran = runs; }}
window.addEventListener("load", function () {{
  document.querySelectorAll("a[href]").forEach(function (link) {{
    link.target = "_self";
    if (!/^(https?|mailto|tel|ftp|file):/.test(link.href)) link.click();
  }});
  document.querySelectorAll("body *").forEach(function (element) {{
    ["click", "mouseover", "focus", "error", "load"].forEach(function (name) {{
      if (name != "click" || !element.closest("a"))
        element.dispatchEvent(new Event(name));
    }});
  }});
  document.documentElement.dataset.done = "yes";
}});
</script></head><body>{body}</body></html>"""

OPTIONS = ("--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=3000")


def runs(browser: str, body: str) -> bool:
    """Whether anything runs in a page with *body*."""
    dom = open_page(browser, PAGE.format(body=body), *OPTIONS).dom
    assert 'data-done="yes"' in dom
    return "data-ran=" in dom


@pytest.mark.parametrize(
    "body",
    [
        "<script>run()</script>",
        "<img src=x: onerror=run()>",
        "<a href='javascript:run()'>a</a>",
        "<p onclick=run()>a</p>",
        "<svg onload=run()></svg>",
        "<iframe srcdoc='<script>parent.run()</script>'></iframe>",
        "<details open ontoggle=run()><summary>a</summary></details>",
    ],
)
def test_scripts_of_the_page_itself_would_be_seen(
    requirement: Callable[[str], str], body: str
) -> None:
    assert runs(requirement("browser"), body)


def test_nothing_of_a_hostile_page_runs(requirement: Callable[[str], str]) -> None:
    pages = [
        content_of(f"<p>a</p>{vector}", url=url).html()
        for vector in VECTORS
        for url in (URL, None)
    ]
    assert not runs(requirement("browser"), "\n".join(pages))
