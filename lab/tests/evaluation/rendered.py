"""The recorded layouts as sets of labelled pages.

``python -m lab.tests.evaluation.rendered DIR`` writes a set for each size of the
browser's window, with the site's theme as the page's type: there algorithms that need a
layout are measured.
"""

import gzip
import json
import sys
from pathlib import Path

from tests.layouts import WINDOWS, load, themes


def write_set(target: Path, window: tuple[int, int]) -> None:
    """Write the pages of a window as the set *target*."""
    (target / "html").mkdir(parents=True, exist_ok=True)
    with (target / "pages.jsonl").open("w", encoding="utf-8") as lines:
        for theme, page in ((t, page) for t in themes() for page in load(t, window)):
            name = f"{theme}-{page.name}".replace("/", "-")
            files = {"html": page.html, "layout.json": page.layout_json}
            for suffix, text in files.items():
                packed = gzip.compress(text.encode(), mtime=0)
                (target / "html" / f"{name}.{suffix}.gz").write_bytes(packed)
            url = f"http://{theme}.example/{page.name}"
            line = {"id": name, "url": url, "text": page.truth, "type": theme}
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    for width, height in WINDOWS:
        write_set(Path(sys.argv[1]) / f"rendered-{width}x{height}", (width, height))
