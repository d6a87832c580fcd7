"""The pages of a site, for systems that compare them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..extraction.site_level.site import SitePage
from .datasets import DataSetError, read_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from .datasets import DataSet, LabelledPage
    from .specs import AlgorithmSpec

MIN_SITE_PAGES: Final = 4
"""Pages of a site that a comparison needs: those of TemEx's subdigraph."""


def only_sites(sets: Iterable[DataSet]) -> list[DataSet]:
    """The *sets* without the pages of sites that have too few of them.

    Raises :exc:`DataSetError` if no page is left.
    """
    kept = []
    for data_set in sets:
        sites = data_set.sites
        pages = (p for p in data_set.pages if len(sites[p.site]) >= MIN_SITE_PAGES)
        kept.append(replace(data_set, pages=tuple(pages)))
    if not any(data_set.pages for data_set in kept):
        raise DataSetError(f"no site with {MIN_SITE_PAGES} pages")
    return [data_set for data_set in kept if data_set.pages]


@lru_cache(maxsize=16)
def find_site_contents(
    spec: AlgorithmSpec, site: tuple[LabelledPage, ...]
) -> tuple[list[npt.NDArray[np.bool_]], float]:
    """Per page the runs of its main content; the seconds that each took."""
    pages = [SitePage(page.url, read_document(page.html())) for page in site]
    start = time.perf_counter()
    contents = spec.build_site_system().find_contents(pages)
    return contents, (time.perf_counter() - start) / len(pages)
