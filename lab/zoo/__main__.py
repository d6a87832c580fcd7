"""``python -m lab.zoo DIR [--only NAME ...] [--half HALF]``: make the pages.

``DIR/zoo-train`` and ``DIR/zoo-measure`` are sets of labelled pages. Programs are kept
below ``$ZOO_TOOLS`` (``~/.cache/scrapy-mainpage-zoo``). Software that fails is named at
the end, and keeps no other from being recorded; a page without certain truth is left
out.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from .content import HALVES, choose, load_contents
from .record import Recorder
from .software import load_software
from .tools import TOOLS, ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .content import Content


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.zoo", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="of the two sets")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="software to record")
    parser.add_argument("--half", choices=HALVES, help="of the software to record")
    options = parser.parse_args()
    known = load_software()
    if unknown := sorted(set(options.only or ()) - set(known)):
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    options.names = [
        name
        for name in options.only or known
        if options.half in (None, known[name].half)
    ]
    return options


def main() -> int:
    """Record the chosen software; the exit code says whether all of it worked."""
    options = parse_arguments()
    contents = load_contents()
    failed = []
    for name in options.names:
        started = time.monotonic()
        try:
            number, wrong = record(name, contents, options.folder)
        except ToolError as error:
            failed.append(name)
            print(f"{name}: {error}", flush=True)
        except Exception:  # noqa: BLE001  # one software, whatever it does
            failed.append(name)
            traceback.print_exc()
        else:
            seconds = time.monotonic() - started
            print(f"{name}: {number} pages, {seconds:.0f} s", flush=True)
            print("".join(f"  left out: {reason}\n" for reason in wrong), end="")
    if failed:
        print("failed:", ", ".join(failed))
    return 1 if failed else 0


def record(
    name: str, contents: Sequence[Content], folder: Path
) -> tuple[int, list[str]]:
    """Make and record the pages of one software; see :meth:`Recorder.record`."""
    software = load_software()[name]
    chosen = choose(contents, software.wanted, software.half, name)
    place = TOOLS / "software" / name
    place.mkdir(parents=True, exist_ok=True)
    pages = software.build(software, chosen, place)
    return Recorder(folder, software.half).record(name, pages)


if __name__ == "__main__":
    sys.exit(main())
