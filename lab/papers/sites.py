"""Systems that compare the pages of a site, measured page by page."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lab.evaluation.run import Plan, make_plan
from scrapy_mainpage.evaluation.datasets import (
    DataSet,
    DataSetError,
    LabelledPage,
    read_document,
)
from scrapy_mainpage.evaluation.scores import parse_label

from .site_level import get_site_system
from .site_level.site import SiteContent, SitePage
from .systems import SystemSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.evaluation.page_measures import Task
    from scrapy_mainpage.extraction.algorithms import Algorithm

    from .site_level.site import Mask

MIN_SITE_PAGES: Final = 4
"""Pages of a site that a comparison needs: those of TemEx's subdigraph."""


@dataclass(frozen=True)
class Site:
    """The *pages* of a site."""

    pages: tuple[LabelledPage, ...]


@dataclass(frozen=True)
class SiteSpec(SystemSpec):
    """A site-level system on one *page* of a *site*."""

    page: LabelledPage = field(kw_only=True)
    site: Site = field(kw_only=True)

    def build(self) -> Algorithm:
        """The algorithm that takes what the system found on the page."""
        contents, _ = find_contents(self.label, self.site)
        return SiteContent(contents[self.site.pages.index(self.page)])

    @property
    def seconds(self) -> float:
        """The time that the system took for a page of the site."""
        return find_contents(self.label, self.site)[1]


def sites_of(data_set: DataSet) -> dict[str, Site]:
    """The sites by their hosts."""
    sites: dict[str, list[LabelledPage]] = {}
    for page in data_set.pages:
        sites.setdefault(page.site, []).append(page)
    return {name: Site(tuple(pages)) for name, pages in sites.items()}


def only_sites(sets: Iterable[DataSet]) -> list[DataSet]:
    """The *sets* without the pages of sites that have too few of them.

    Raises :exc:`DataSetError` if no page is left.
    """
    kept = []
    for data_set in sets:
        sites = sites_of(data_set)
        pages = (
            p for p in data_set.pages if len(sites[p.site].pages) >= MIN_SITE_PAGES
        )
        kept.append(replace(data_set, pages=tuple(pages)))
    if not any(data_set.pages for data_set in kept):
        raise DataSetError(f"no site with {MIN_SITE_PAGES} pages")
    return [data_set for data_set in kept if data_set.pages]


def plan_systems(sets: Sequence[DataSet], specs: Sequence[SystemSpec]) -> Plan:
    """The tasks for all pages of *sets*; site-level systems come last on each page."""
    plan = make_plan(sets, [spec for spec in specs if not spec.is_site_level])
    compared = [spec for spec in specs if spec.is_site_level]
    sites = {data_set.name: sites_of(data_set) for data_set in sets}
    tasks = (
        _with_systems(task, compared, sites[task.set][task.page.site])
        for task in plan.tasks
    )
    return replace(plan, tasks=tuple(tasks))


def _with_systems(task: Task, systems: Iterable[SystemSpec], site: Site) -> Task:
    specs = (SiteSpec(spec.label, page=task.page, site=site) for spec in systems)
    return replace(task, specs=(*task.specs, *specs))


@lru_cache(maxsize=16)
def find_contents(label: str, site: Site) -> tuple[list[Mask], float]:
    """Per page the runs of its main content; the seconds that each took."""
    system = get_site_system(*parse_label(label))
    pages = [SitePage(page.url, read_document(page.html())) for page in site.pages]
    start = time.perf_counter()
    contents = system.find_contents(pages)
    return contents, (time.perf_counter() - start) / len(pages)
