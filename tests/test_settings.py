from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings as ScrapySettings

from scrapy_mainpage.crawl.crawl_scope import _WRITTEN_BY
from scrapy_mainpage.crawl.crawl_state import CrawlState
from scrapy_mainpage.removed_settings import REMOVED
from scrapy_mainpage.setting_readers import page_attributes
from scrapy_mainpage.settings import (
    Settings,
    SettingsError,
    find_unknown,
)
from tests.crawling import PROCESSES, ROOT, crawl, make_crawler
from tests.forking import run_scrapy


def read(**values: Any) -> Settings:
    return Settings.from_settings(ScrapySettings(values))


def only_line(log: str) -> str:
    assert log.count("\n") == 1, log
    return log


def test_defaults_change_nothing_of_a_crawl_but_extract() -> None:
    settings = read()
    assert settings.enabled
    assert settings.algorithm == "learned"
    assert not settings.filter_enabled
    assert not settings.duplicates_enabled
    assert settings.index == ()
    assert dict(settings.item_fields) == {}


@pytest.mark.parametrize(
    ("name", "given", "read_as"),
    [
        ("MAINPAGE_ENABLED", "0", False),
        ("MAINPAGE_ENABLED", 1, True),
        ("MAINPAGE_FILTER_MIN_WORDS", "20", 20),
        ("MAINPAGE_MIN_CONFIDENCE", "0.25", 0.25),
        ("MAINPAGE_MIN_CONFIDENCE", 1, 1.0),
        ("MAINPAGE_ITEM_FIELDS", '{"body": "text"}', {"body": "text"}),
        ("MAINPAGE_ITEM_FIELDS", {"p": "product.price"}, {"p": "product.price"}),
        ("MAINPAGE_ITEM_FIELDS", None, {}),
        ("MAINPAGE_REPORT", "", None),
        ("MAINPAGE_REPORT", "%(name)s/crawl.html", "%(name)s/crawl.html"),
        ("MAINPAGE_RENDER", "auto", "auto"),
        ("MAINPAGE_RENDER_TIMEOUT", "2.5", 2.5),
        ("MAINPAGE_RENDER_WAIT", 5, 5.0),
        ("MAINPAGE_RENDER_WINDOW", "1920X1080", (1920, 1080)),
        ("MAINPAGE_RENDER_WINDOW", [800, 600], (800, 600)),
        ("MAINPAGE_RENDER_BLOCK", "image, font", ("image", "font")),
        ("MAINPAGE_RENDER_BLOCK", '["script"]', ("script",)),
        ("MAINPAGE_RENDER_BLOCK", {"media"}, ("media",)),
        ("MAINPAGE_RENDER_BLOCK", "", ()),
        ("MAINPAGE_RENDER_BLOCK", None, ()),
        (
            "MAINPAGE_RENDER_ALLOWED_HOSTS",
            "localhost:8000, *.example, 10.1.0.0/16, [::1]:80",
            ("localhost:8000", "*.example", "10.1.0.0/16", "[::1]:80"),
        ),
        ("MAINPAGE_INDEX", "", ()),
        ("MAINPAGE_INDEX", None, ()),
        ("MAINPAGE_INDEX", "sqlite:///my site.db", ("sqlite:///my site.db",)),
        (
            "MAINPAGE_INDEX",
            ["sqlite:///a", "sqlite:///b"],
            ("sqlite:///a", "sqlite:///b"),
        ),
        ("MAINPAGE_INDEX", '["sqlite:///a"]', ("sqlite:///a",)),
        ("MAINPAGE_REVISIT", "3600, 86400", (3600.0, 86400.0)),
        ("MAINPAGE_REVISIT", [60, 60], (60.0, 60.0)),
        ("MAINPAGE_REVISIT", None, None),
    ],
)
def test_values_are_read_as_python_gives_them_or_the_command_line(
    name: str, given: Any, read_as: Any
) -> None:
    field = name.removeprefix("MAINPAGE_").lower()
    assert getattr(read(**{name: given}), field) == read_as


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("MAINPAGE_ENABLED", "maybe", "True, False, 1 or 0"),
        ("MAINPAGE_ENABLED", 1.0, "True, False, 1 or 0"),
        ("MAINPAGE_ENABLED", None, "True, False, 1 or 0"),
        ("MAINPAGE_FILTER_MIN_WORDS", "many", "an integer from 0"),
        ("MAINPAGE_FILTER_MIN_WORDS", -1, "an integer from 0"),
        ("MAINPAGE_FILTER_MIN_WORDS", 2.5, "an integer from 0"),
        ("MAINPAGE_MIN_CONFIDENCE", 1.5, "a number from 0 to 1"),
        ("MAINPAGE_MIN_CONFIDENCE", "nan", "a number from 0 to 1"),
        ("MAINPAGE_MIN_CONFIDENCE", [1], "a number from 0 to 1"),
        ("MAINPAGE_SWEEP", "yes", "report, delete, off"),
        ("MAINPAGE_CANONICAL", "always", "same-host, off, any"),
        ("MAINPAGE_REVISIT", 3600, "a pair, the shorter time first"),
        ("MAINPAGE_REVISIT", (10, 5), "a pair, the shorter time first"),
        ("MAINPAGE_ALGORITHM", 5, "a non-empty string"),
        ("MAINPAGE_ALGORITHM", "dannag", "semantic-markup"),
        ("MAINPAGE_ALGORITHM", "no.such.Module", "semantic-markup"),
        ("MAINPAGE_ALGORITHM_OPTIONS", "[1]", "a dict or a JSON object"),
        ("MAINPAGE_ALGORITHM_OPTIONS", {"sped": 1}, "allowed"),
        ("MAINPAGE_ITEM_FIELDS", "text", "a dict or a JSON object"),
        ("MAINPAGE_ITEM_FIELDS", {"body": 1}, "names to names"),
        ("MAINPAGE_ITEM_FIELDS", {"p": "product.cost"}, "product.price"),
        ("MAINPAGE_ITEM_FIELDS", {1: "text"}, "string keys"),
        ("MAINPAGE_ITEM_FIELDS", {"body": "txt"}, "did you mean 'text'?"),
        ("MAINPAGE_ITEM_FIELDS", {"body": "_content"}, "url, text"),
        ("MAINPAGE_ITEM_FIELDS", {"body": "text.upper"}, "url, text"),
        ("MAINPAGE_REPORT", "100%.html", "with %(name)s and %(time)s or not"),
        ("MAINPAGE_RENDER", "sometimes", "never, auto, always"),
        ("MAINPAGE_RENDER", True, "never, auto, always"),
        ("MAINPAGE_RENDER_CONCURRENCY", 0, "an integer from 1"),
        ("MAINPAGE_RENDER_TIMEOUT", 0, "a number above 0"),
        ("MAINPAGE_RENDER_TIMEOUT", "inf", "a number above 0"),
        ("MAINPAGE_RENDER_WINDOW", "1280", "1280x900"),
        ("MAINPAGE_RENDER_WINDOW", (1280, 0), "an integer from 1"),
        ("MAINPAGE_RENDER_WINDOW", 1280, "1280x900"),
        ("MAINPAGE_RENDER_BLOCK", "images", "stylesheet, image"),
        ("MAINPAGE_RENDER_BLOCK", {"image": True}, "a list"),
        ("MAINPAGE_RENDER_BLOCK", [1], "a list"),
        ("MAINPAGE_RENDER_BLOCK", "[image", "a list"),
        ("MAINPAGE_INDEX", 5, "sqlite:///site.db"),
        ("MAINPAGE_FILTER_LANGUAGES", "xyz", "'en' and 'pt-br'"),
    ],
)
def test_a_bad_value_is_named_in_one_line_with_what_is_allowed(
    name: str, given: Any, allowed: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        read(**{name: given})
    said = str(caught.value)
    assert said.startswith(f"{name}={given!r}: ")
    assert allowed in said
    assert "\n" not in said


UNKNOWN = {"MAINPAGE_FILTER_MIN_WORD": 3, "MAINPAGE_" + "Z" * 30: "x" * 500}
SAID = [
    "MAINPAGE_FILTER_MIN_WORD=3: no such setting "
    "(did you mean 'MAINPAGE_FILTER_MIN_WORDS'?)",
    f"MAINPAGE_{'Z' * 30}='{'x' * 199}...: no such setting",
]


def test_an_unknown_name_is_one_warning_of_the_crawl(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crawler = make_crawler(**UNKNOWN)
    for _ in range(3):
        assert CrawlState.of(crawler).settings == read()
    logged = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert logged == [("WARNING", line) for line in SAID]


def test_a_removed_name_says_what_to_write_now() -> None:
    (error,) = find_unknown(ScrapySettings({"MAINPAGE_STRICT_SETTINGS": True}))
    assert str(error).startswith("MAINPAGE_STRICT_SETTINGS=True: removed; ")
    assert not {name.lower() for name in REMOVED} & {f.name for f in fields(Settings)}


@pytest.mark.parametrize("name", ["deu", "german", "de_DE"])
def test_common_names_of_languages_are_understood(name: str) -> None:
    (language,) = read(MAINPAGE_FILTER_LANGUAGES=name).filter_languages
    assert language.startswith("de")


def test_the_docs_list_every_setting_in_the_order_of_the_code() -> None:
    docs = (ROOT / "docs" / "settings.rst").read_text("utf-8")
    documented = re.findall(r"^\.\. setting:: MAINPAGE_(\w+)$", docs, re.MULTILINE)
    names = [item.name for item in fields(Settings)]
    assert [name.lower() for name in documented] == names


def test_nothing_is_rendered_and_nowhere_but_in_public_unless_it_is_wanted() -> None:
    settings = read()
    assert settings.render == "never"
    assert settings.render_allowed_hosts == ()
    assert settings.render_block == ("image", "media", "font")


def test_the_window_is_the_one_that_the_algorithm_is_made_for() -> None:
    assert read().window == (1280, 900)
    impression = {"MAINPAGE_ALGORITHM": "first-impression"}
    assert read(**impression).window == (1920, 1080)
    assert read(**impression, MAINPAGE_RENDER_WINDOW="800x600").window == (800, 600)


def test_a_long_value_is_shortened() -> None:
    with pytest.raises(SettingsError) as caught:
        read(MAINPAGE_ALGORITHM="x" * 10_000)
    assert str(caught.value).startswith("MAINPAGE_ALGORITHM='xxx")
    assert "x..." in str(caught.value)


def test_page_attributes_are_public_and_hold_no_methods() -> None:
    names = page_attributes()
    assert {"text", "markdown", "title", "words", "metadata.author"} <= set(names)
    assert not {"as_dict", "empty", "_content"} & set(names)


BAD = {"MAINPAGE_ALGORITHM": "dannag", "LOG_LEVEL": "WARNING"}
MIDDLEWARE = "scrapy_mainpage.downloadermiddlewares.ExtractionMiddleware"
PIPELINE = "scrapy_mainpage.pipelines.boilerplate.BoilerplateFilterPipeline"


@pytest.mark.parametrize("process", PROCESSES)
def test_a_bad_setting_stops_the_crawl_at_its_start_with_one_line(process: str) -> None:
    done = crawl("page", BAD, process=process, urls=["data:,"])
    assert done.returncode == 1
    assert not done.items
    line = only_line(done.log)
    assert "MAINPAGE_ALGORITHM='dannag': unknown algorithm" in line
    assert "semantic-markup" in line


@pytest.mark.parametrize(
    "components",
    [{"DOWNLOADER_MIDDLEWARES": {MIDDLEWARE: 545}}, {"ITEM_PIPELINES": {PIPELINE: 1}}],
)
def test_a_component_without_the_addon_stops_the_crawl_the_same_way(
    components: dict[str, Any],
) -> None:
    done = crawl("page", {**BAD, **components, "ADDONS": {}}, urls=["data:,"])
    assert done.returncode == 1
    assert "MAINPAGE_ALGORITHM='dannag': unknown algorithm" in only_line(done.log)


SPIDER = """
import scrapy
class OneSpider(scrapy.Spider):
    name = "one"
    start_urls = ["data:text/html,<p>hello"]
    custom_settings = {"ADDONS": {"scrapy_mainpage.Addon": 500}}
    def parse(self, response):
        yield {"text": response.meta["mainpage"].text}
"""


def test_crawl_in_a_project_fails_before_the_output_is_touched(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project.settings\n")
    package = tmp_path / "project"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "settings.py").write_text(
        "SPIDER_MODULES = ['project.one']\n"
        "MAINPAGE_ITEM_FIELDS = {'body': 'txt'}\nLOG_LEVEL = 'WARNING'\n"
    )
    (package / "one.py").write_text(SPIDER)
    (tmp_path / "items.jsonl").write_text("kept")
    done = run_scrapy("crawl", "one", "-O", "items.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    line = only_line(done.stderr)
    assert "MAINPAGE_ITEM_FIELDS={'body': 'txt'}: a page has no attribute 'txt'" in line
    assert (tmp_path / "items.jsonl").read_text() == "kept"


RUNNER = """
import asyncio
from scrapy.utils.reactor import install_reactor
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
from scrapy.crawler import AsyncCrawlerRunner
from twisted.internet import reactor
from tests.crawling import PageSpider
settings = {"ADDONS": {"scrapy_mainpage.Addon": 1}, "MAINPAGE_ALGORITHM": "x"}

async def run():
    try:
        await AsyncCrawlerRunner(settings).crawl(PageSpider, urls=[])
    except ValueError as error:
        print("caught", error)
    reactor.stop()

reactor.callWhenRunning(lambda: asyncio.ensure_future(run()))
reactor.run()
"""


def test_a_program_that_runs_crawlers_gets_the_error_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.startswith("caught MAINPAGE_ALGORITHM='x': ")
    assert done.stderr == ""


#: Settings that change no document, or have the index refused or written anew.
NOT_WRITTEN_BY = """
    enabled processes shared index embedder state sweep
    sweep_share revisit report
"""


def test_every_setting_is_known_to_change_documents_or_not() -> None:
    names = {item.name for item in fields(Settings)}
    written_by = {name for name in names if name.startswith(tuple(_WRITTEN_BY))}
    assert {"weight", "rules", "index_passage_words"} <= written_by
    assert names - written_by == set(NOT_WRITTEN_BY.split())
