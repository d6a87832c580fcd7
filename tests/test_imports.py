"""Imports: nothing is imported before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pkgutil import iter_modules

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


def test_commands_that_are_not_called_import_little() -> None:
    modules = imported(f"import scrapy.cmdline, {', '.join(COMMANDS)}")
    assert modules >= {*COMMANDS}
    assert not (HEAVY | {"jinja2"}) & modules
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
        for meta in METAS:
            url = "data:text/html," + {PAGE!r} + str(meta)
            yield scrapy.Request(url, meta=meta)
    def parse(self, response):
        assert response.meta["mainpage"].words > 50

process = AsyncCrawlerProcess(
    Settings({{"ADDONS": {{"scrapy_mainpage.Addon": 500}}, "LOG_ENABLED": False}})
)
crawler = process.create_crawler(Owls)
process.crawl(crawler)
process.start()
assert crawler.stats.get_value("mainpage/extracted") == len(METAS)
assert not crawler.stats.get_value("spider_exceptions/count")
"""


def test_a_crawl_that_renders_nothing_imports_nothing_of_rendering() -> None:
    metas = [{}, {"mainpage_render": False}]
    modules = imported(f"METAS = {metas}\n{CRAWL}")
    assert "scrapy_mainpage.extraction.extractor" in modules
    foreign = ("scrapy_mainpage.rendering", "playwright")
    assert not [name for name in modules if name.startswith(foreign)]


def test_a_request_that_asks_for_a_browser_imports_the_decisions() -> None:
    modules = imported(f"METAS = [{{'mainpage_render': True}}]\n{CRAWL}")
    assert "scrapy_mainpage.rendering.decider" in modules
    assert "scrapy_mainpage.rendering.pool" not in modules
