"""The gate of quality fails below a floor."""

import json

from lab.tools import quality


def test_a_measure_below_its_floor_fails(tmp_path, monkeypatch, capsys):
    floors = tmp_path / "floors.json"
    floors.write_text(json.dumps({"posts": 0.1, "titles": 1.1}))
    monkeypatch.setattr(quality, "FLOORS", floors)
    assert quality.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "LOWER" in line] == ["titles"]
