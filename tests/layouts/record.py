"""Records pages as a browser renders them: their source, their boxes, their text.

    python -m tests.layouts.record [--only NAME ...] [--screenshots FOLDER]

It needs the packages in requirements.txt, a Chromium, and for Debian's documentation
``apt-get`` and ``dpkg``. All that it makes is in ``recorded/``.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
import tarfile
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, Route, sync_playwright

from scrapy_mainpage.rendering.page_reader import make_layout_script
from tests.conftest import find
from tests.layouts import RECORDED, WINDOWS, archive_of
from tests.layouts.debian import debian_sites
from tests.layouts.sites import Site
from tests.layouts.themed import SOURCES, alerts, themed_sites
from tests.layouts.truth import text_of
from tests.mockserver import folder_served

# Empty the elements that take most of the bytes and have no boxes of their own.
STRIP = """() => {
  for (const node of document.querySelectorAll("script, style, noscript, svg"))
    node.textContent = "";
  for (const node of document.querySelectorAll("[src^='data:'], [href^='data:']"))
    for (const name of ["src", "href"]) node.removeAttribute(name);
  for (const node of document.querySelectorAll("iframe[srcdoc]"))
    node.removeAttribute("srcdoc");
  return "<!DOCTYPE html>\\n" + document.documentElement.outerHTML;
}"""


def stay_home(route: Route) -> None:
    """Block other hosts: their fonts and scripts would change each recording."""
    if route.request.url.startswith("http://127.0.0.1:"):
        route.continue_()
    else:
        route.abort()


def source_truth(page: str) -> str:
    """The text of a page's Markdown source; an alert begins with its name."""
    source = (SOURCES / f"{page}.md").read_text("utf-8")
    quoted = alerts(source, lambda kind: f"> {kind.title()}\n>", "> ", "")
    return text_of(MarkdownIt("commonmark").enable("table").render(quoted))


def record_page(page: Page, site: Site, name: str, base: str) -> dict[str, str]:
    page.goto(base + site.pages[name], wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(300)
    layout = page.evaluate(make_layout_script())
    html = page.evaluate(STRIP)
    if site.content:
        truth = text_of(html, site.content, site.without)
    else:
        truth = source_truth(name)
    # The port differs each time.
    return {"html": html.replace(base, "/"), "json": layout, "txt": truth}


def write_archive(path: Path, files: dict[str, str]) -> None:
    """Sort similar files together, so that they compress best."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name in sorted(files, key=lambda name: name.rpartition(".")[::-1]):
            content = files[name].encode("utf-8")
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def record(
    browser: Browser, site: Site, base: str, window: tuple[int, int], shots: Path | None
) -> None:
    width, height = window
    context = browser.new_context(viewport={"width": width, "height": height})
    context.route("**/*", stay_home)
    page = context.new_page()
    files = {}
    for name in site.pages:
        for kind, content in record_page(page, site, name, base).items():
            files[f"{name}.{kind}"] = content
        if shots:
            # Once more: the recording took the styles away.
            page.goto(base + site.pages[name], wait_until="load")
            page.wait_for_timeout(300)
            page.screenshot(path=shots / f"{site.name}-{width}-{name}.png")
    context.close()
    path = archive_of(site.name, window)
    write_archive(path, files)
    print(f"{path.name}: {len(site.pages)} pages, {path.stat().st_size:,} bytes")


def entry(site: Site, browser: str) -> dict[str, Any]:
    """The manifest's entry for a site."""
    truth = {"selector": site.content, "without": site.without}
    return {
        "kind": "debian" if site.content else "markdown",
        "made_by": site.made_by,
        "browser": browser,
        "recorded": date.today().isoformat(),
        "windows": [list(window) for window in WINDOWS],
        "licence": site.licence,
        "truth": truth if site.content else "sources/{page}.md",
        "pages": site.pages,
    }


def update_manifest(entries: dict[str, Any]) -> None:
    """Sites that are not recorded this time keep their entries."""
    path = RECORDED / "manifest.json"
    old = json.loads(path.read_text("utf-8"))["sites"] if path.exists() else {}
    sites = {**old, **entries}
    text = json.dumps({"sites": sites}, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")


def record_all(sites: list[Site], shots: Path | None) -> dict[str, Any]:
    program = find("browser")
    if program is None:
        sys.exit("no Chromium found: `lab/tools/setup.sh services` installs one")
    entries = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        version = f"Chromium {browser.version}"
        for site in sites:
            with (
                tempfile.TemporaryDirectory() as folder,
                folder_served(site.build(Path(folder))) as base,
            ):
                for window in WINDOWS:
                    record(browser, site, base, window, shots)
            entries[site.name] = entry(site, version)
        browser.close()
    return entries


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="sites to record")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    RECORDED.mkdir(exist_ok=True)
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    sites = themed_sites()
    if shutil.which("apt-get") and shutil.which("dpkg"):
        sites += debian_sites()
    else:
        print("no apt-get and dpkg: Debian's documentation stays as it is recorded")
    chosen = [site for site in sites if site.name in (arguments.only or site.name)]
    entries = record_all(chosen, arguments.screenshots)
    update_manifest(entries)


if __name__ == "__main__":
    main()
