"""The systems of the papers by short names, as ``-a`` of ``lab.papers`` takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lab.evaluation.systems import AlgorithmSpec, Reference
from scrapy_mainpage.extraction.algorithms import get_algorithm

from .site_level import SITE_SYSTEMS, get_site_system

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.algorithms import Algorithm

_PACKAGE: Final = "lab.papers.baselines"
BASELINES: Final = {
    "accb": f"{_PACKAGE}.code_blurring.AdaptedContentCodeBlurring",
    "boilerpipe-density": f"{_PACKAGE}.boilerpipe.Density",
    "boilerpipe-numwords": f"{_PACKAGE}.boilerpipe.NumWords",
    "bte": f"{_PACKAGE}.token_curves.BodyTextExtraction",
    "ccb": f"{_PACKAGE}.code_blurring.ContentCodeBlurring",
    "cetd": f"{_PACKAGE}.text_density.ContentExtractionViaTextDensity",
    "cetr": f"{_PACKAGE}.tag_ratios.ContentExtractionViaTagRatios",
    "dsc": f"{_PACKAGE}.token_curves.DocumentSlopeCurve",
    "fe": f"{_PACKAGE}.block_features.FeatureExtractor",
    "k-fe": f"{_PACKAGE}.block_features.KFeatureExtractor",
    "lqf": f"{_PACKAGE}.element_ratios.LinkQuotaFilter",
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
