"""The mark of a run in ``JOBDIR``: which run goes on, and whether it was closed."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree
from typing import Final

FILE: Final = Path("mainpage", "run.json")


class RunFile:
    """The run that a ``JOBDIR`` belongs to; without a folder there is none."""

    def __init__(self, folder: str | None):
        self._path = Path(folder, FILE) if folder else None

    def read(self) -> tuple[int | None, bool]:
        """Return the run that was not finished, and whether its process was killed."""
        try:
            data = json.loads(self._path.read_text("utf-8")) if self._path else {}
            return data.get("run"), bool(data.get("open"))
        except (OSError, ValueError, AttributeError):
            return None, False

    def write(self, run: int, *, is_open: bool) -> None:
        """Note the run, and whether it is going on."""
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps({"run": run, "open": is_open}), "utf-8")

    def remove(self) -> None:
        """Forget the run: it is finished."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def remove_queue(self) -> None:
        """Remove the queue of a killed process before the scheduler opens it.

        Its files were not closed: the first request put into one of them would fail,
        and end the crawl.
        """
        if self._path is not None:
            rmtree(self._path.parents[1] / "requests.queue", ignore_errors=True)
