from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

import scrapy_mainpage
from scrapy_mainpage.addon import Addon
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware, RenderMiddleware
from scrapy_mainpage.pipelines.boilerplate import BoilerplateFilterPipeline
from scrapy_mainpage.pipelines.duplicates import DuplicatesPipeline
from scrapy_mainpage.pipelines.index import IndexPipeline
from scrapy_mainpage.settings import SettingsError
from scrapy_mainpage.spidermiddlewares import MainPageSpiderMiddleware
from tests.crawling import make_crawler

EXTRACTION = "scrapy_mainpage.downloadermiddlewares.ExtractionMiddleware"


class OwnMiddleware(ExtractionMiddleware):
    pass


def updated(**values: Any) -> Settings:
    settings = Settings(values)
    Addon.from_crawler(make_crawler()).update_settings(settings)
    return settings


def test_the_components_take_their_places() -> None:
    settings = updated()
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {
        RenderMiddleware: 546,
        ExtractionMiddleware: 545,
    }
    assert settings.getdict("SPIDER_MIDDLEWARES") == {MainPageSpiderMiddleware: 40}
    assert settings.getdict("ITEM_PIPELINES") == {}
    assert settings.getdict("EXTENSIONS") == {}


def test_what_is_on_and_settings_for_what_is_off_are_logged(caplog: Any) -> None:
    caplog.set_level("INFO", "scrapy_mainpage.addon")
    given = {
        "MAINPAGE_INDEX": "sqlite:///a.db",
        "MAINPAGE_SWEEP": "off",
        "SWEEP": "own",
    }
    updated(**given, DOWNLOAD_DELAY=0.5)
    first, warning, pace = caplog.messages
    assert "on: MAINPAGE_INDEX; off: MAINPAGE_FILTER_ENABLED, MAINPAGE_DUP" in first
    assert warning == "MAINPAGE_SWEEP is set, but MAINPAGE_STATE is off"
    assert pace.endswith("at most 120 pages a minute of a site")


@pytest.mark.parametrize("hosts", ["http://a.example/", ["10.0.0.0/99"], "a:99999"])
def test_hosts_that_are_none_are_named_in_one_line(hosts: Any) -> None:
    with pytest.raises(SettingsError) as caught:
        updated(MAINPAGE_RENDER_ALLOWED_HOSTS=hosts)
    said = str(caught.value)
    assert said.startswith(f"MAINPAGE_RENDER_ALLOWED_HOSTS={hosts!r}: ")
    assert "allowed: host names" in said


def test_the_pipelines_come_with_their_settings(tmp_path: Path) -> None:
    index = f"sqlite:///{tmp_path.as_posix()}/site.db"
    settings = updated(MAINPAGE_FILTER_ENABLED=True, MAINPAGE_INDEX=index)
    pipelines = settings.getdict("ITEM_PIPELINES")
    assert pipelines == {BoilerplateFilterPipeline: 200, IndexPipeline: 800}


def test_a_crawler_without_a_spider_has_no_memory(tmp_path: Path) -> None:
    given = {"ADDONS": {Addon: 500}, "JOBDIR": str(tmp_path)}
    for _ in range(2):  # the folder of a job has one crawl at a time
        crawler = get_crawler(settings_dict=given)
        assert crawler.settings.getdict("ITEM_PIPELINES") == {}
    assert not (tmp_path / "mainpage").exists()


def test_other_components_of_the_project_stay() -> None:
    settings = updated(ITEM_PIPELINES={"other.Pipeline": 1})
    assert settings.getdict("ITEM_PIPELINES") == {"other.Pipeline": 1}


@pytest.mark.parametrize("component", [EXTRACTION, ExtractionMiddleware, OwnMiddleware])
@pytest.mark.parametrize("position", [None, 17])
def test_a_component_that_the_project_has_placed_stays_there(
    component: Any, position: int | None
) -> None:
    settings = updated(DOWNLOADER_MIDDLEWARES={component: position})
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {
        component: position,
        RenderMiddleware: 546,
    }


def test_nothing_is_placed_when_the_plugin_is_switched_off() -> None:
    settings = updated(MAINPAGE_ENABLED=False)
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {}
    assert settings.getdict("SPIDER_MIDDLEWARES") == {}


@pytest.mark.parametrize(
    "component",
    [
        *(ExtractionMiddleware, MainPageSpiderMiddleware, BoilerplateFilterPipeline),
        *(DuplicatesPipeline, IndexPipeline),
    ],
)
def test_a_component_placed_by_hand_is_off_when_the_plugin_is(component: Any) -> None:
    with pytest.raises(NotConfigured):
        component.from_crawler(make_crawler(MAINPAGE_ENABLED=False))


def test_the_public_names_are_there_and_no_others() -> None:
    public = ["Addon", "Block", "Label", "Page", "__version__", "extract", "mainpage"]
    assert scrapy_mainpage.__all__ == public
    assert all(getattr(scrapy_mainpage, name) for name in public)
    assert set(public) <= set(dir(scrapy_mainpage))
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = scrapy_mainpage.nothing_of_ours


def test_extract_reads_bytes_and_text_without_scrapy() -> None:
    html = (
        "<main><h1>A title</h1>" + "<p>Some words, and then more.</p>" * 9 + "</main>"
    )
    page = scrapy_mainpage.extract(html, url="http://example.com/")
    assert page.text.startswith("A title")
    assert page == scrapy_mainpage.extract(html.encode(), url="http://example.com/")
    assert scrapy_mainpage.extract("").text == ""


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        (HtmlResponse("http://a"), "HtmlResponse: use mainpage(response)"),
        (Path("page.html"), "use extract(path.read_bytes())"),
        (BytesIO(b"<p>a"), "BytesIO: use extract(file.read())"),
        (None, "as bytes or str, not NoneType"),
    ],
)
def test_extract_says_what_it_takes(source: Any, hint: str) -> None:
    with pytest.raises(TypeError) as caught:
        scrapy_mainpage.extract(source)
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("source", [None, "http://example.com/", b"<p>a"])
def test_mainpage_takes_nothing_but_a_response(source: Any) -> None:
    with pytest.raises(TypeError, match=r"takes a response, not .*; extract"):
        scrapy_mainpage.mainpage(source)


def test_extract_refuses_an_unknown_algorithm_and_unknown_options() -> None:
    with pytest.raises(ValueError, match="semantic-markup"):
        scrapy_mainpage.extract("<p>x", algorithm="none")
    with pytest.raises(ValueError, match="no_such_option"):
        scrapy_mainpage.extract("<p>x", no_such_option=1)
