"""The React application in ``react/``, as it is built; see its README."""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path

from .server import Answer, Reply

_FOLDER = Path(__file__).with_name("react")
_TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}

#: The main text by path.
TRUTHS: dict[str, str] = {
    f"/app{route}": text
    for route, text in json.loads(
        (_FOLDER / "truth.json").read_text(encoding="utf-8")
    ).items()
}


def pages() -> dict[str, Answer]:
    """Its files, and the same shell for each of its routes."""
    dist = _FOLDER / "dist"
    files: dict[str, Answer] = {
        f"/app/{path.relative_to(dist).as_posix()}": _file(path)
        for path in dist.rglob("*")
        if path.is_file()
    }
    return {**files, **dict.fromkeys(TRUTHS, _file(dist / "index.html"))}


def _file(path: Path) -> Reply:
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return Reply(path.read_bytes(), headers={"Content-Type": kind or "text/plain"})
