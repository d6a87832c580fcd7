"""Research and measurement of the project itself; no crawl needs it. See README.rst."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder of the checkout."""
