from __future__ import annotations

from pathlib import Path

import pytest

from lab.tools import budgets

COUNTED = '''"""Texts with a number: x > 5, re.compile("x")."""
# A comment: y < 7
MAX_WORDS: Final = 300
_MIN_SHARE = 0.5
SMOOTHING = 1e-3
CODE = 7
cdef double MOST_LINKS = 0.25
is_long = words > 40 and links != 0
is_short = 12 >= words
PATTERN = re.compile("[<>] 5")
found = re.search(PATTERN, "a")
'''

BUDGETS = """[tool.other]
room = ["kept"]
[tool.budgets]
settings = 999
apart = []
room = {{ lines = {lines}, files = 1, thresholds = 4, numbers = 2, patterns = 2 }}
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "room").mkdir()
    (tmp_path / "room/a.py").write_text(COUNTED, "utf-8")
    (tmp_path / "pyproject.toml").write_text(BUDGETS.format(lines=11), "utf-8")
    monkeypatch.setattr(budgets, "ROOT", tmp_path)
    return tmp_path / "room"


def test_what_is_counted() -> None:
    counted = {"lines": 11, "files": 1, "thresholds": 4, "numbers": 2, "patterns": 2}
    assert budgets.count(COUNTED) == counted


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("x = 1", "lines"),
        ("LONGEST_SHARE = 3", "thresholds"),
        ("TEMPERATURE: Final = 0.7", "thresholds"),
        ("if words < 55: pass", "numbers"),
        ("x = re.sub('a', 'b', 'c')", "patterns"),
    ],
)
def test_one_too_many_fails(
    room: Path, line: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert budgets.main() == 0
    text = COUNTED.replace("CODE = 7", line) if kind != "lines" else COUNTED + line
    (room / "a.py").write_text(text + "\n" * (kind == "lines"), "utf-8")
    assert budgets.main() == 1
    assert f"OVER BUDGET: room: {kind}" in capsys.readouterr().out


def test_budgets_are_lowered_and_never_raised(room: Path) -> None:
    project = room.parent / "pyproject.toml"
    project.write_text(BUDGETS.format(lines=50), "utf-8")
    assert budgets.main("--write") == 0
    assert project.read_text("utf-8") == BUDGETS.format(lines=11)
    project.write_text(BUDGETS.format(lines=5), "utf-8")
    assert budgets.main("--write") == 1
    assert project.read_text("utf-8") == BUDGETS.format(lines=5)
