"""Imports: nothing is imported before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pkgutil import iter_modules

import pytest

from scrapy_mainpage import commands

HEAVY = {"numpy", "pydantic", "redis", "rbloom", "psycopg", "py3langid"}
HEAVY |= {"pyarrow", "fastwarc", "pyspark", "ray", "pandas"}
HEAVY |= {"scrapy_redis"}
OF_SCRAPY = {"scrapy", "twisted", "parsel", "itemadapter"}
COMMANDS = [
    f"{commands.__name__}.{each.name}"
    for each in iter_modules(commands.__path__)
    if each.name.startswith("mainpage")
]
MADE_LATER = (
    "metadata.reader",
    "labels.names",
    "labels.phrases",
    "output.links",
    "output.writers",
)
PAGE = f"<title>Owls</title><p>{'Some owls hunt at noon, others never do. ' * 20}</p>"


def imported(code: str) -> set[str]:
    """The modules that a process has imported after it ran *code*."""
    code += "\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return {*json.loads(done.stdout)}


def test_the_package_imports_next_to_nothing() -> None:
    modules = imported("import scrapy_mainpage")
    assert not (HEAVY | OF_SCRAPY | {"lxml", "dataclasses"}) & modules
    assert {name for name in modules if "mainpage" in name} <= {
        "scrapy_mainpage",
        *(name for name in modules if name.startswith("__editable__")),
    }


def test_every_command_is_looked_at() -> None:
    assert len(COMMANDS) == 8


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_not_called_imports_little(name: str) -> None:
    modules = imported(f"import scrapy.cmdline, {name}")
    assert name in modules
    assert not HEAVY & modules
    ours = {each for each in modules if each.startswith("scrapy_mainpage.")}
    assert not [each for each in ours if ".commands" not in each]


def test_the_text_of_a_page_needs_neither_scrapy_nor_what_makes_the_rest() -> None:
    text = imported(f"import scrapy_mainpage as ours\nours.extract({PAGE!r}).text")
    assert not (HEAVY - {"numpy"} | OF_SCRAPY | {"dateparser"}) & text
    made = {f"scrapy_mainpage.extraction.{name}" for name in MADE_LATER}
    assert made & text == set()
    asked = (
        f"import scrapy_mainpage as ours\nours.extract({PAGE!r}).as_dict(blocks=True)"
    )
    assert made <= imported(asked)


CRAWL = f"""
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

class Owls(scrapy.Spider):
    name = "owls"
    async def start(self):
        yield scrapy.Request("data:text/html," + {PAGE!r}, meta=META)
    def parse(self, response):
        assert response.meta["mainpage"].words > 50

process = AsyncCrawlerProcess(
    Settings({{"ADDONS": {{"scrapy_mainpage.Addon": 500}}, "LOG_ENABLED": False}})
)
crawler = process.create_crawler(Owls)
process.crawl(crawler)
process.start()
assert crawler.stats.get_value("mainpage/extracted") == 1
assert not crawler.stats.get_value("spider_exceptions/count")
"""


@pytest.mark.parametrize("meta", [{}, {"mainpage_render": False}])
def test_a_crawl_that_renders_nothing_imports_nothing_of_rendering(
    meta: dict[str, bool],
) -> None:
    modules = imported(f"META = {meta}\n{CRAWL}")
    assert "scrapy_mainpage.extraction.extractor" in modules
    foreign = ("scrapy_mainpage.rendering", "playwright", "scrapy_playwright")
    assert not [name for name in modules if name.startswith(foreign)]


def test_a_request_that_asks_for_a_browser_imports_the_decisions() -> None:
    modules = imported(f"META = {{'mainpage_render': True}}\n{CRAWL}")
    assert "scrapy_mainpage.rendering.decider" in modules
    assert "scrapy_mainpage.rendering.browser.pool" not in modules
