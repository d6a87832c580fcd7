"""Sites of a few small pages, and what a system takes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lab.papers.site_level.site import SitePage
from tests.extraction.helpers import document_of

if TYPE_CHECKING:
    from lab.papers.site_level.site import SiteSystem


def site_of(*bodies: str) -> list[SitePage]:
    """Pages with the addresses /1, /2, ..."""
    return [
        SitePage(f"http://a.example/{number}", document_of(f"<body>{body}</body>"))
        for number, body in enumerate(bodies, 1)
    ]


def texts_taken(system: SiteSystem, *bodies: str) -> list[list[str]]:
    """The texts of each page that are main content."""
    pages = site_of(*bodies)
    taken = []
    for page, mask in zip(pages, system.find_contents(pages), strict=True):
        runs, text = page.document.runs, page.document.text
        spans = zip(runs.start[mask], runs.end[mask], strict=True)
        taken.append([text[a:b].decode().strip() for a, b in spans])
        assert len(mask) == len(runs.kind)
        assert np.isin(runs.kind[mask], 0).all()
    return taken
