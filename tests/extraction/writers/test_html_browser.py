"""What a browser makes of the HTML that hostile pages give: nothing may run."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from scrapy_mainpage.extraction.writers.html import write_html

from .helpers import content_of
from .vectors import VECTORS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Whatever calls run() leaves its mark; links, which need a hand, get it.
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


def dump(browser: str, folder: Path, body: str) -> str:
    """The document after the browser has loaded a page with *body*."""
    page = folder / "page.html"
    page.write_text(PAGE.format(body=body), encoding="utf-8")
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={folder / 'profile'}",
        "--virtual-time-budget=3000",
        "--dump-dom",
        page.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    text = done.stdout.decode("utf-8", "replace")
    assert 'data-done="yes"' in text
    return text


def test_scripts_of_the_page_itself_would_be_seen(
    requirement: Callable[[str], str], tmp_path: Path
) -> None:
    browser = requirement("browser")
    for place, body in enumerate(
        [
            "<script>run()</script>",
            "<img src=x: onerror=run()>",
            "<a href='javascript:run()'>a</a>",
            "<p onclick=run()>a</p>",
        ]
    ):
        folder = tmp_path / str(place)
        folder.mkdir()
        assert "data-ran=" in dump(browser, folder, body), body


def test_nothing_of_a_hostile_page_runs(
    requirement: Callable[[str], str], tmp_path: Path
) -> None:
    browser = requirement("browser")
    pages = [write_html(content_of(f"<p>a</p>{vector}")) for vector in VECTORS]
    pages += [
        write_html(content_of(f"<p>a</p>{vector}", url=None)) for vector in VECTORS
    ]
    assert "data-ran=" not in dump(browser, tmp_path, "\n".join(pages))
