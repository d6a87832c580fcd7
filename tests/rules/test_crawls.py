"""Rules in a crawl: setting, statistics, and a site whose template changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_mainpage.settings import Settings, SettingsError
from tests.crawling import crawl, make_crawler
from tests.mockserver import Answer, Reply, Site, article, html, serve

OTHER = "<section class='promo'><h2>Offers</h2>{}</section>".format(
    "<p>Twelve pages of other things that one may buy here, every day of the week.</p>"
    * 5
)


def old(topic: str) -> Reply:
    page = article(topic).replace("<article>", "<article class='post'>")
    return html(page.replace("</main>", f"</main>{OTHER}"))


def new(topic: str) -> Reply:
    page = article(topic).replace("<article>", "<article class='entry-x2'>")
    return html(page.replace("</main>", f"</main>{OTHER}"))


PAGES: dict[str, Answer] = {f"/{n}": old(f"trains {n}") for n in range(3)}
PAGES |= {f"/{n}": new(f"ships {n}") for n in range(3, 8)}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve(PAGES) as site:
        yield site


def rules_in(folder: Path, text: str) -> dict[str, object]:
    (folder / "127.0.0.1.toml").write_text(text)
    return {"MAINPAGE_RULES": str(folder)}


@pytest.mark.parametrize("settings", [{}, {"MAINPAGE_PROCESSES": 1}])
def test_a_template_that_changes_is_counted_and_left_to_the_algorithm(
    site: Site, tmp_path: Path, settings: dict[str, object]
) -> None:
    settings = settings | rules_in(tmp_path, 'content = ["h1", ".post p"]\n')
    done = crawl("page", settings, urls=[site.url + path for path in PAGES])
    assert len(done.items) == len(PAGES)
    for item in done.items:
        is_old = int(item["url"][-1]) < 3
        topic = "trains" if is_old else "ships"
        assert item["page_text"].startswith(f"All about {topic}")
        assert f"paragraph about {topic}" in item["page_text"]
        assert item["warnings"] == ([] if is_old else ["rule_missed"])
        if is_old:
            assert "Offers" not in item["page_text"]
    assert done.stat("mainpage/rules/applied") == 3
    assert done.stat("mainpage/rules/missed") == 5
    file = "127.0.0.1.toml"
    assert done.stat(f"mainpage/rules/pages/{file}") == 8
    assert done.stat(f"mainpage/rules/pages/{file}: content = .post p") == 3
    assert done.log.count(f"have missed ({file}: missed = content)") == 1


def test_a_bad_file_stops_no_crawl(site: Site, tmp_path: Path) -> None:
    settings = rules_in(tmp_path, 'content = ["p["]\n')
    done = crawl("page", settings, urls=[f"{site.url}/0", f"{site.url}/1"])
    assert all("paragraph about" in item["page_text"] for item in done.items)
    assert done.stat("mainpage/rules/bad") == 2
    assert done.log.count("Rules left out: 127.0.0.1.toml: content: 'p['") == 1


@pytest.mark.parametrize("value", ["missing", 7])
def test_a_folder_that_is_none_is_a_bad_setting(tmp_path: Path, value: object) -> None:
    folder = tmp_path / value if isinstance(value, str) else value
    crawler = make_crawler(MAINPAGE_RULES=folder)
    with pytest.raises(SettingsError, match="not a folder that can be read"):
        Settings.from_settings(crawler.settings)
