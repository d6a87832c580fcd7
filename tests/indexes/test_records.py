"""Records of documents in the shapes that other search tools take."""

from __future__ import annotations

from dataclasses import replace

from scrapy_mainpage.indexes import IndexDocument, Passage, Section
from scrapy_mainpage.indexes.search_records import (
    DOCSEARCH,
    MAX_CONTENT,
    PASSAGES,
    records_of,
)

TEXT = "Birds\n\nOf all sorts.\n\nOwls\n\nThey hunt.\n\nAt night."
PAGE = IndexDocument(
    "https://e.com/birds",
    TEXT,
    "Birds",
    language="en",
    site_name="Fauna",
    sections=(Section("Birds", 1, None, 0), Section("Owls", 2, "owls", 22)),
    passages=(Passage("p", 0, "They hunt.", "Owls", "owls", ("Birds", "Owls")),),
)


class TestDocsearch:
    def test_headings_and_paragraphs_have_their_hierarchy(self) -> None:
        records = list(records_of(PAGE, DOCSEARCH))
        shown = [(each["type"], each["content"], each["anchor"]) for each in records]
        assert shown == [
            ("lvl1", None, None),
            ("content", "Of all sorts.", None),
            ("lvl2", None, "owls"),
            ("content", "They hunt.", "owls"),
            ("content", "At night.", "owls"),
        ]
        last = records[-1]
        assert last["url"] == "https://e.com/birds#owls"
        assert last["url_without_anchor"] == "https://e.com/birds"
        names = ["Fauna", "Birds", "Owls", None, None, None, None]
        assert last["hierarchy"] == {f"lvl{n}": name for n, name in enumerate(names)}
        assert records[2]["weight"] == {"page_rank": 100, "level": 80, "position": 2}
        assert len({each["objectID"] for each in records}) == 5

    def test_page_without_headings_has_a_record_of_its_own(self) -> None:
        page = IndexDocument("https://e.com/a", "x" * (MAX_CONTENT + 1), "A")
        records = list(records_of(page, DOCSEARCH))
        assert [len(each["content"] or "") for each in records] == [0, MAX_CONTENT, 1]
        assert records[0]["hierarchy"]["lvl0"] == "e.com"


def test_records_have_the_fields_of_the_project() -> None:
    page = replace(PAGE, fields={"version": "15", "tags": ["b", "a"]})
    fields = {"version": "15", "tags": ("a", "b")}
    assert all(fields.items() <= x.items() for x in records_of(page, DOCSEARCH))
    assert [each["fields"] for each in records_of(page, PASSAGES)] == [fields]


def test_passages_have_path_markdown_counts_and_metadata() -> None:
    (record,) = records_of(PAGE, PASSAGES, {"p": "They **hunt**."}.get)
    assert record == {
        "id": "p",
        "url": "https://e.com/birds#owls",
        "page": "https://e.com/birds",
        "position": 0,
        "path": ["Birds", "Owls"],
        "text": "They hunt.",
        "markdown": "They **hunt**.",
        "words": 2,
        "tokens": 3,
        "title": "Birds",
        "language": "en",
        "site_name": "Fauna",
    }
