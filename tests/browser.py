"""A page, opened in a headless browser without a network."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

_OPTIONS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage".split()


class Opened(NamedTuple):
    """The document as it is after its scripts, and the lines of the console."""

    dom: str
    console: str


def open_page(browser: str, html: str, *options: str) -> Opened:
    """Open *html* in the program *browser*, with *options* as further arguments."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        page.write_text(html, encoding="utf-8")
        command = [
            *(browser, *_OPTIONS, *options),
            *(f"--user-data-dir={folder}/profile", "--enable-logging=stderr"),
            *("--dump-dom", page.as_uri()),
        ]
        done = subprocess.run(command, capture_output=True, timeout=300, check=True)
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    console = "\n".join(line for line in lines if "CONSOLE" in line)
    return Opened(done.stdout.decode("utf-8", "replace"), console)
