"""Index documents of items and their pages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings as ScrapySettings

from scrapy_mainpage import extract
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.documents import INDEX_FIELDS, Section
from scrapy_mainpage.indexes.passages import PassageSplitter
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from scrapy_mainpage.settings import Settings, SettingsError

URL = "https://example.com/glue"
HTML = """
<html lang="en-GB"><head>
<title>Hide glue for guitars</title>
<meta name="description" content="An old glue.">
<meta name="author" content="A. Luthier">
<meta property="og:site_name" content="Workshop">
<meta property="article:published_time" content="2026-01-02">
<meta property="article:modified_time" content="2026-03-04">
</head><body><article>
<h1 id="top">Hide glue for guitars</h1>
<p>Hide glue holds the parts of a guitar together for hundreds of years, and it can be
opened with warm water and a knife whenever a repair is due.</p>
<h2 id="cooking">Cooking it</h2>
<p>It is kept at sixty degrees in a double boiler. Hotter glue is weak glue, so a
thermometer is the first thing to buy, and a lid the second.</p>
</article>
<div id="comments"><h3>2 comments</h3>
<div class="comment"><p>I have used it for years, and it never failed.</p></div>
<div class="comment"><p>It smells of horses, but I agree.</p></div></div>
</body></html>
"""


class Item(scrapy.Item):
    url = scrapy.Field()
    text = scrapy.Field()


@dataclass
class Record:
    url: str | None = None
    text: str | None = None
    title: str | None = None


class Markup(str):
    """Text of a template engine, which is not quite a string."""

    def strip(self, chars: str | None = None) -> str:
        raise AssertionError("the subclass has its own ideas")


@pytest.fixture(scope="module")
def page() -> Page:
    return extract(HTML, url=URL)


def made(item: Any, page: Page | None = None, **options: Any) -> IndexDocument:
    document = DocumentMaker(**options).make(item, page)
    assert isinstance(document, IndexDocument)
    return document


class TestPage:
    def test_url_is_enough(self, page: Page) -> None:
        document = made({"url": URL}, page)
        assert document.text == page.text
        assert document.title == "Hide glue for guitars"
        assert document.headings == "Hide glue for guitars\nCooking it"
        assert document.description == "An old glue."
        assert document.comments == page.comments != ""
        assert document.language == "en-gb"
        assert document.page_type == page.page_type
        assert document.author == "A. Luthier"
        assert document.date_published == "2026-01-02"
        assert document.date_modified == "2026-03-04"
        assert document.site_name == "Workshop"
        assert document.sections == (
            Section("Hide glue for guitars", 1, "top", 0),
            Section("Cooking it", 2, "cooking", document.text.index("Cooking it")),
        )
        assert document.passages == ()

    @pytest.mark.parametrize("item", [{}, {"words": 7}, Item(), Record()])
    def test_item_without_url_is_about_its_page(self, page: Page, item: Any) -> None:
        document = made(item, page)
        assert (document.url, document.text) == (URL, page.text)

    @pytest.mark.parametrize("url", [f"{URL}#cooking", f"{URL}#", f" {URL} "])
    def test_fragment_of_the_url_makes_no_difference(
        self, page: Page, url: str
    ) -> None:
        document = made({"url": url}, page)
        assert (document.url, document.text) == (url.strip(), page.text)

    @pytest.mark.parametrize(
        ("url", "of_page"),
        [
            ("https://example.com/café", "https://example.com/caf%C3%A9"),
            ("https://bücher.example", "https://xn--bcher-kva.example/"),
            ("https://example.com/?b=1&a=2", "https://example.com/?a=2&b=1#top"),
            ("http://[no URL", "http://[no URL"),
        ],
    )
    def test_the_way_the_url_is_written_makes_no_difference(
        self, url: str, of_page: str
    ) -> None:
        page = extract(HTML, url=of_page)
        document = made({"url": url}, page)
        assert (document.url, document.text) == (url, page.text)

    @pytest.mark.parametrize("url", ["http://[no URL", "https://example.com/cafe", "/"])
    def test_another_url_is_that_of_another_page(self, page: Page, url: str) -> None:
        assert DocumentMaker().make({"url": url}, page) == "no_text"

    def test_what_the_item_says_goes_before_the_page(self, page: Page) -> None:
        document = made({"url": URL, "title": "Mine", "headings": ["A", "B"]}, page)
        assert (document.title, document.headings) == ("Mine", "A\nB")
        assert document.author == "A. Luthier"
        assert len(document.sections) == 2

    @pytest.mark.parametrize("empty", [None, "", "  ", [], [""]])
    def test_field_that_says_nothing_is_taken_from_the_page(
        self, page: Page, empty: Any
    ) -> None:
        assert made({"url": URL, "title": empty}, page).title == page.title

    def test_item_about_something_else_takes_nothing(self, page: Page) -> None:
        item = {"url": "https://example.com/other", "text": "words"}
        document = made({**item, "crawled_at": "now"}, page)
        assert document == IndexDocument(**item, crawled_at="now")

    def test_item_with_a_text_of_its_own_has_no_sections(self, page: Page) -> None:
        document = made({"url": URL, "text": "My words."}, page)
        assert document.text == "My words."
        assert (document.headings, document.sections) == (None, ())
        assert (document.title, document.language) == (page.title, "en-gb")

    @pytest.mark.parametrize("around", ["", " ", "\n"])
    def test_item_filled_with_the_text_of_the_page_has_its_sections(
        self, page: Page, around: str
    ) -> None:
        document = made({"url": URL, "text": page.text + around}, page)
        assert len(document.sections) == 2

    def test_section_is_at_its_heading_not_in_a_list_of_contents(self) -> None:
        item = {
            "url": URL,
            "text": "Glue\n\nCooking\nAge\n\nCooking\n\nBoil it.\n\nAge\n\nOld.",
            "sections": [
                {"heading": "Glue", "level": 1},
                {"heading": "Cooking", "level": 2, "text": "Boil it."},
                {"heading": "Age", "level": 2, "text": "Old."},
            ],
        }
        made = DocumentMaker().make(item)
        assert isinstance(made, IndexDocument)
        places = [made.text[part.start :].split("\n")[2] for part in made.sections]
        assert places == ["Cooking", "Boil it.", "Old."]

    def test_page_without_text_and_url(self) -> None:
        empty = Page.empty(None, "empty")
        assert DocumentMaker().make({}, empty) == "no_url"
        assert DocumentMaker().make({"url": URL}, empty) == "no_text"
        assert DocumentMaker().make({}, Page.empty(URL, "empty")) == "no_text"
        assert made({"text": "words"}, Page.empty(URL, "empty")).url == URL


class TestItem:
    @pytest.mark.parametrize("kind", [dict, Item, Record])
    def test_item_of_any_kind(self, kind: Any) -> None:
        document = made(kind(url="u", text="words"))
        assert (document.url, document.text) == ("u", "words")

    @pytest.mark.parametrize("item", [None, "text", 7, object(), ["url"]])
    def test_what_is_no_item_has_no_url(self, item: Any, page: Page) -> None:
        assert DocumentMaker().make(item) == "no_url"
        assert DocumentMaker().make(item, page) == "no_url"

    @pytest.mark.parametrize(
        ("item", "reason"),
        [
            ({}, "no_url"),
            ({"text": "words"}, "no_url"),
            ({"url": " ", "text": "words"}, "no_url"),
            ({"url": "u"}, "no_text"),
            ({"url": "u", "text": " \n"}, "no_text"),
        ],
    )
    def test_without_a_page_url_and_text_are_needed(
        self, item: Any, reason: str
    ) -> None:
        assert DocumentMaker().make(item) == reason

    def test_all_fields_are_read(self) -> None:
        item = {name: f"the {name}" for name in INDEX_FIELDS}
        assert made(item) == IndexDocument(**item)

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (["one", "two"], "one, two"),
            (("one", None, ""), "one"),
            ({"one"}, "one"),
            (b"caf\xc3\xa9 \xff", "café \ufffd"),
            (date(2026, 1, 2), "2026-01-02"),
            (datetime(2026, 1, 2, 3, tzinfo=timezone.utc), "2026-01-02T03:00:00+00:00"),
            (7, "7"),
            (Markup(" one "), "one"),
        ],
    )
    def test_values_become_text(self, value: Any, text: str) -> None:
        title = made({"url": "u", "text": "words", "title": value}).title
        assert title == text
        assert type(title) is str

    def test_lists_of_texts_are_paragraphs_and_of_headings_lines(self) -> None:
        names = ("text", "comments", "headings")
        lists: dict[str, Any] = {name: [" one ", "two"] for name in names}
        document = made({"url": "u", **lists})
        assert document.text == document.comments == "one\n\ntwo"
        assert document.headings == "one\ntwo"

    @pytest.mark.parametrize("urls", [["u", "v"], ("u",), ["", None, " u "]])
    def test_first_of_several_urls_is_taken(self, urls: Any) -> None:
        assert made({"url": urls, "text": "words"}).url == "u"

    def test_time_of_the_crawl_is_set(self) -> None:
        before = datetime.now(timezone.utc).replace(microsecond=0)
        stamp = made({"url": "u", "text": "words"}).crawled_at
        assert stamp is not None
        assert before <= datetime.fromisoformat(stamp) <= datetime.now(timezone.utc)

    def test_item_is_left_as_it_is(self, page: Page) -> None:
        item = {"url": URL, "other": [1]}
        made(item, page)
        assert item == {"url": URL, "other": [1]}


class TestFields:
    def test_index_fields_name_the_items_fields(self) -> None:
        item = {"link": "u", "body": "words", "text": "other words"}
        document = made(item, index_fields={"url": "link", "text": "body"})
        assert (document.url, document.text) == ("u", "words")

    def test_named_field_that_is_missing_is_not_replaced(self) -> None:
        maker = DocumentMaker({"text": "body"})
        assert maker.make({"url": "u", "text": "words"}) == "no_text"

    def test_fields_that_are_filled_from_pages_are_known(self) -> None:
        filled = {"body": "text", "by": "metadata.author", "lang": "language"}
        item = {"url": "u", "body": "words", "by": "A", "lang": "el"}
        document = made(item, item_fields=filled)
        assert (document.text, document.author, document.language) == (
            "words",
            "A",
            "el",
        )

    def test_field_of_the_same_name_goes_before_a_filled_one(self) -> None:
        item = {"url": "u", "text": "mine", "body": "words"}
        assert made(item, item_fields={"body": "text"}).text == "mine"

    @pytest.mark.parametrize(
        ("fields", "problem"),
        [
            ({"titel": "title"}, "did you mean 'title'"),
            ({"Price": "price"}, "small letters"),
            ({"price": "product.prise"}, "did you mean 'product.price'"),
            ({"price": {"from": "price", "type": "money"}}, "'money' is none of"),
            ({"price": {"from": "price", "url": "x"}}, "needs one of from, url, meta"),
            ({"version": {"url": "("}}, "unterminated subpattern"),
            ({"title": {"from": "name"}}, "name of an item field"),
        ],
    )
    def test_bad_fields_are_refused(self, fields: Any, problem: str) -> None:
        with pytest.raises(SettingsError, match=f"MAINPAGE_INDEX_FIELDS.*{problem}"):
            DocumentMaker(fields)

    def test_own_fields_are_of_items_pages_urls_and_metas(self, page: Page) -> None:
        maker = DocumentMaker(
            {
                "version": {"url": "example.com/v([0-9]+)/"},
                "cost": {"from": "asked", "type": "number"},
                "published": "metadata.date_published",
                "words": "words",
                "tags": "tags",
                "branch": {"meta": "docsearch:version"},
                "nothing": "product.price",
            }
        )
        item = {"text": "t", "asked": "1.299,00 €", "tags": ["a", "b"]}
        metas = {"docsearch:version": "main"}
        made = maker.make(item, page, url="https://example.com/v15/", metas=metas)
        assert isinstance(made, IndexDocument)
        assert {name: tuple(field) for name, field in made.fields.items()} == {
            "version": ("keyword", ("15",)),
            "cost": ("number", (1299.0,)),
            "published": ("date", (page.metadata.date_published,)),
            "words": ("number", (float(page.words),)),
            "tags": ("keyword", ("a", "b")),
            "branch": ("keyword", ("main",)),
        }
        assert IndexDocument.from_dict(json.loads(json.dumps(made.as_dict()))) == made

    def test_settings_are_heeded(self, page: Page) -> None:
        def maker(**values: Any) -> DocumentMaker:
            return DocumentMaker.from_settings(
                Settings.from_settings(ScrapySettings(values))
            )

        document = maker(MAINPAGE_INDEX_FIELDS={"title": "name"}).make(
            {"name": "N"}, page
        )
        assert isinstance(document, IndexDocument)
        assert (document.title, document.passages) == ("N", ())
        document = maker(
            MAINPAGE_INDEX_PASSAGE_WORDS=20,
            MAINPAGE_ITEM_FIELDS={"body": "text"},
        ).make({"body": page.text}, page)
        assert isinstance(document, IndexDocument)
        assert document.passages == PassageSplitter(20).split(URL, page.sections)


class TestPassages:
    SPLITTER = PassageSplitter(20)

    def test_passages_are_of_the_pages_sections(self, page: Page) -> None:
        passages = made({"url": URL}, page, splitter=self.SPLITTER).passages
        assert {part.heading: part.anchor for part in passages} == {
            "Hide glue for guitars": "top",
            "Cooking it": "cooking",
        }
        assert [part.position for part in passages] == list(range(len(passages)))

    def test_passages_are_of_the_items_own_text(self, page: Page) -> None:
        text = "My words.\n\n" + "word " * 20
        passages = made(
            {"url": URL, "text": text}, page, splitter=self.SPLITTER
        ).passages
        assert [part.heading for part in passages] == [None, None]
        assert passages[0].text.startswith("My words.")

    def test_ids_depend_on_the_url_of_the_item(self) -> None:
        names = {
            made({"url": url, "text": "words"}, splitter=self.SPLITTER).passages[0].id
            for url in ("u", "v", "u")
        }
        assert len(names) == 2
