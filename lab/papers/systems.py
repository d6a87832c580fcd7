"""The systems of the papers by name; those of a site are measured page by page."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lab.evaluation.run import Plan, make_plan
from lab.evaluation.systems import AlgorithmSpec, Reference
from scrapy_mainpage.evaluation.datasets import (
    DataSet,
    DataSetError,
    LabelledPage,
    read_document,
)
from scrapy_mainpage.evaluation.scores import parse_label
from scrapy_mainpage.extraction.algorithms import get_algorithm

from .site_level import SITE_SYSTEMS, get_site_system
from .site_level.site import SiteContent, SitePage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.evaluation.page_measures import Task
    from scrapy_mainpage.extraction.algorithms import Algorithm

    from .site_level.site import Mask


_PACKAGE: Final = "lab.papers.baselines"
BASELINES: Final = {
    "accb": f"{_PACKAGE}.code_blurring.AdaptedContentCodeBlurring",
    "boilerpipe-density": f"{_PACKAGE}.boilerpipe.Density",
    "boilerpipe-numwords": f"{_PACKAGE}.boilerpipe.NumWords",
    "bte": f"{_PACKAGE}.token_curves.BodyTextExtraction",
    "ccb": f"{_PACKAGE}.code_blurring.ContentCodeBlurring",
    "cetd": f"{_PACKAGE}.text_density.ContentExtractionViaTextDensity",
    "cetr": f"{_PACKAGE}.tag_ratios.ContentExtractionViaTagRatios",
    "crunch": f"{_PACKAGE}.element_ratios.Crunch",
    "dana": f"{_PACKAGE}.source_lines.Dana",
    "density": f"{_PACKAGE}.source_lines.LineDensity",
    "dsc": f"{_PACKAGE}.token_curves.DocumentSlopeCurve",
    "fe": f"{_PACKAGE}.block_features.FeatureExtractor",
    "k-fe": f"{_PACKAGE}.block_features.KFeatureExtractor",
    "lqf": f"{_PACKAGE}.element_ratios.LinkQuotaFilter",
    "r2l": f"{_PACKAGE}.source_lines.RightToLeft",
    "tccb": f"{_PACKAGE}.code_blurring.TokenContentCodeBlurring",
    "wlr": f"{_PACKAGE}.element_ratios.WordsLeavesRatio",
}
"""The import paths of the comparison systems that read one page."""


@dataclass(frozen=True)
class SystemSpec(AlgorithmSpec):
    """A system by name: one of the papers, or any of ``lab.evaluation``."""

    @property
    def is_site_level(self) -> bool:
        """Whether it compares the pages of a site."""
        return self.name in SITE_SYSTEMS

    def build(self) -> Algorithm:
        """The algorithm, set up; of a site-level system one that takes nothing yet."""
        if self.is_site_level:
            get_site_system(self.name, self.options)
            return Reference(self.name)
        if path := BASELINES.get(self.name):
            return get_algorithm(path, self.options)
        return super().build()


MIN_SITE_PAGES: Final = 4
"""Pages of a site that a comparison needs: those of TemEx's subdigraph."""


Site = tuple[LabelledPage, ...]
"""The pages of a site."""


@dataclass(frozen=True)
class SiteSpec(SystemSpec):
    """A site-level system on one *page* of a *site*."""

    page: LabelledPage = field(kw_only=True)
    site: Site = field(kw_only=True)

    def build(self) -> Algorithm:
        """The algorithm that takes what the system found on the page."""
        contents, _ = find_contents(self.label, self.site)
        return SiteContent(contents[self.site.index(self.page)])

    @property
    def seconds(self) -> float:
        """The time that the system took for a page of the site."""
        return find_contents(self.label, self.site)[1]


def sites_of(data_set: DataSet) -> dict[str, Site]:
    """The sites by their hosts."""
    sites: dict[str, list[LabelledPage]] = {}
    for page in data_set.pages:
        sites.setdefault(page.site, []).append(page)
    return {name: tuple(pages) for name, pages in sites.items()}


def only_sites(sets: Iterable[DataSet], most: int | None = None) -> list[DataSet]:
    """The *sets* without the pages of sites that have too few of them.

    Of each set *most* pages, site by site. Raises :exc:`DataSetError` without any.
    """
    kept = []
    for data_set in sets:
        sites = sites_of(data_set).values()
        pages = [p for site in sites if len(site) >= MIN_SITE_PAGES for p in site]
        kept.append(replace(data_set, pages=tuple(pages[:most])))
    if not any(data_set.pages for data_set in kept):
        raise DataSetError(f"no site with {MIN_SITE_PAGES} pages")
    return [data_set for data_set in kept if data_set.pages]


def plan_systems(
    sets: Sequence[DataSet], specs: Sequence[SystemSpec], runs: int = 1
) -> Plan:
    """The tasks for all pages of *sets*; site-level systems come last on each page.

    Parsing is in the time of all, which is that of *runs* at most.
    """
    plan = make_plan(sets, [spec for spec in specs if not spec.is_site_level])
    compared = [spec for spec in specs if spec.is_site_level]
    sites = {data_set.name: sites_of(data_set) for data_set in sets}
    tasks = (
        _with_systems(
            replace(task, runs=runs), compared, sites[task.set][task.page.site]
        )
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
    pages = [SitePage(page.url, read_document(page.html())) for page in site]
    start = time.perf_counter()
    contents = system.find_contents(pages)
    return contents, (time.perf_counter() - start) / len(pages)
