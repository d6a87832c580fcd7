"""Which store a crawl has, as its settings say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.utils.job import job_dir

from ..redis_crawl.address import AddressRefused
from ..redis_crawl.placing import part_of
from ..settings import SettingsError, refuse
from .redisstore import CLAIM_TIME, RedisStore
from .savedfile import SavedFile
from .store import LocalStore

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ..settings import Settings
    from .store import Store

EXTRA: Final = "pip install 'scrapy-mainpage[duplicates]'"

FILE: Final = Path("mainpage", "duplicates.sqlite")
"""Below ``JOBDIR``: what is remembered while a crawl is paused."""


def make_store(crawler: Crawler, settings: Settings) -> Store:
    """Return the store that the settings name; one that cannot be stops the crawl."""
    try:
        import rensa  # noqa: F401 - whether it is there, before it is needed
    except ImportError:
        error = SettingsError(
            "MAINPAGE_DUPLICATES_ENABLED", True, f"needs rensa: {EXTRA}"
        )
        refuse(crawler, error)
    url, name = settings.duplicates_store, "MAINPAGE_DUPLICATES_STORE"
    claim_time = CLAIM_TIME
    if settings.shared is not None:  # a page that was lost comes again by then
        claim_time += settings.shared_lease
    if url is None and settings.shared is not None:
        url, name = part_of(settings.shared, "duplicates"), "MAINPAGE_SHARED"
    if url is None:
        folder = job_dir(crawler.settings)
        file = SavedFile(Path(folder, FILE)) if folder else None
        return LocalStore(settings.duplicates_memory, file)
    try:
        return RedisStore.connect(url, settings.duplicates_memory, claim_time)
    except AddressRefused as refused:
        refuse(crawler, SettingsError(name, refused.shown, str(refused)))
