"""The measure of copies, on a small set that the test makes."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.copies import half_of, originals, with_copies
from benchmarks.duplicates import KINDS, quality, scores
from tests.mockserver import article
from tests.pipelines.copies import Writer


def write_set(folder: Path, count: int) -> None:
    """Pages of as many sites, one of them twice."""
    (folder / "html").mkdir(parents=True)
    writer, lines = Writer(21), []
    for number in range(count):
        prose = "".join(f"<p>{writer.prose(60)}</p>" for _ in range(4))
        html = article(f"subject {number}", paragraphs=0, main=prose)
        lines.append(
            {"id": str(number), "url": f"https://s{number}.example/", "text": "x"}
        )
        Path(folder, "html", f"{number}.html").write_text(html, encoding="utf-8")
    Path(folder, "html", "again.html").write_text(html, encoding="utf-8")
    lines.append({"id": "again", "url": "https://mirror.example/", "text": "x"})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path(folder, "pages.jsonl").write_text(text)


def test_pages_that_are_copies_already_are_left_out_and_others_are_made(
    tmp_path: Path,
) -> None:
    write_set(tmp_path / "set", 24)
    pages = originals(tmp_path)
    assert len(pages) == 24
    samples = with_copies(pages, 48)
    assert {sample.kind for sample in samples} == {"original", *KINDS}
    assert len({sample.group for sample in samples}) == 24
    texts = {s.group: s.text for s in samples if s.kind == "original"}
    assert all(s.text == texts[s.group] for s in samples if s.kind == "exact")
    assert all(s.text != texts[s.group] for s in samples if s.kind == "edited")
    precision, recall, *by_kind = scores(samples, 0.8)
    assert precision == 1.0
    assert recall >= 0.9
    assert by_kind[0] == 1.0


def test_the_halves_of_the_sites_are_of_about_one_size() -> None:
    halves = [half_of(f"s{number}.example") for number in range(100)]
    assert set(halves) == {0, 1}
    assert 30 < sum(halves) < 70


def test_without_a_set_it_is_said_that_nothing_was_measured(tmp_path: Path) -> None:
    table = quality(tmp_path)
    assert "NOTHING MEASURED" in table.title
    assert table.rows == []
