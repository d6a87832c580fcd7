"""Serves the site in a process of its own, as an HTTP proxy on loopback.

``python -m lab.soak.server COUNT SEED EDITION FILE`` prints its port. On SIGTERM it
writes into FILE the number of answers by path and status.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from threading import Event

from lab.server import served

from .site import Site


def main() -> None:
    """Serve as many pages as the command line says."""
    *numbers, file = sys.argv[1:]
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with served(Site(*map(int, numbers))) as (server, url):
        print(url.rpartition(":")[2], flush=True)
        stop.wait()
        answered = json.dumps(server.answered)
    Path(file).write_text(answered, encoding="utf-8")


if __name__ == "__main__":
    main()
