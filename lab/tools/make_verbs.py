"""Make the list of English verb forms that the layout-analysis algorithm reads.

The forms are those that the package lemminflect (MIT licence) took from the
SPECIALIST Lexicon of the U.S. National Library of Medicine.

Usage: pip install lemminflect==0.2.3; python -m lab.tools.make_verbs OUTPUT.txt.xz
"""

from __future__ import annotations

import csv
import gzip
import lzma
import sys
from importlib.resources import files
from pathlib import Path


def verb_forms() -> list[str]:
    """Every inflected form of a verb or an auxiliary, in lower case, sorted."""
    table = files("lemminflect").joinpath("resources/lemma_lu.csv.gz")
    with gzip.open(table.open("rb"), "rt", encoding="utf-8") as lines:
        rows = csv.reader(lines)
        forms = {row[0].lower() for row in rows if row[1] in ("verb", "aux")}
    return sorted(form for form in forms if form.isascii() and form.isalpha())


def main(output: str) -> None:
    """Write the forms, one a line; the same input gives the same bytes."""
    data = "\n".join(verb_forms()).encode()
    Path(output).write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(sys.argv[1])
