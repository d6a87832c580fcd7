"""Searches for passages: what every engine must do."""

from __future__ import annotations

from scrapy_mainpage.indexes import BlockingIndex, IndexDocument, Passage, Section

from .helpers import found

PAGE = "https://docs.example.com/glue"
PASSAGES = (
    Passage("a1", 0, "Hide glue is old.\nIt is made of hides.", "History", "history"),
    Passage("b2", 1, "Epoxy holds for ever. 今天天气很好", "Epoxy"),
    Passage("c3", 2, "A passage without heading"),
)
DOCUMENT = IndexDocument(
    PAGE,
    "Everything about glue",
    title="Glues",
    language="en",
    page_type="article",
    author="A. Author",
    sections=(Section("History", 2, "history"),),
    passages=PASSAGES,
)


def ids(index: BlockingIndex, query: str, **options: object) -> list[str]:
    hits = index.search(query, passages=True, **options)
    return [hit.passage.id for hit in hits if hit.passage is not None]


class TestPassages:
    def test_hit_is_the_passage_with_its_document(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        (hit,) = index.search("hides", passages=True, highlight=("<", ">"))
        assert hit.passage == PASSAGES[0]
        assert hit.snippet == "Hide glue is old. It is made of <hides>."
        for name in ("url", "title", "site", "language", "page_type", "author"):
            assert getattr(hit, name) == getattr(DOCUMENT, name)
        assert hit.sections == DOCUMENT.sections
        assert hit.score > 0

    def test_every_passage_comes_back_as_it_was(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        for query, passage in (("天气", PASSAGES[1]), ("without", PASSAGES[2])):
            (hit,) = index.search(query, passages=True)
            assert hit.passage == passage

    def test_passage_is_found_by_its_heading(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        assert ids(index, "history") == ["a1"]
        assert ids(index, "history hides") == ["a1"]

    def test_words_must_be_in_one_passage(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        assert ids(index, "hides epoxy") == []
        assert ids(index, "everything") == []
        assert ids(index, "glues") == []

    def test_words_of_passages_alone_find_no_document(
        self, index: BlockingIndex
    ) -> None:
        index.put_many([DOCUMENT])
        assert found(index, "epoxy") == []
        assert found(index, "everything") == ["glue"]

    def test_queries_are_those_for_documents(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        assert ids(index, '"hide glue"') == ["a1"]
        assert ids(index, "epo*") == ["b2"]
        assert ids(index, "is -epoxy") == ["a1"]
        assert ids(index, "is -glue") == []

    def test_several_of_one_document_are_several_hits(
        self, index: BlockingIndex
    ) -> None:
        passages = [Passage(f"p{n}", n, "owl " * n + "bird") for n in range(1, 5)]
        index.put_many([IndexDocument(PAGE, "x", passages=tuple(passages))])
        assert sorted(ids(index, "owl")) == ["p1", "p2", "p3", "p4"]
        assert len(ids(index, "owl", limit=2)) == 2

    def test_same_url_replaces_passages(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT])
        new = (Passage("a1", 0, "Hide glue again"), Passage("z9", 1, "All new"))
        index.put_many([IndexDocument(PAGE, "x", passages=new)])
        assert ids(index, "epoxy") == []
        assert ids(index, "hides") == []
        assert (ids(index, "again"), ids(index, "new")) == (["a1"], ["z9"])
        index.put_many([IndexDocument(PAGE, "x")])
        assert ids(index, "again") == []

    def test_deleted_document_takes_its_passages_along(
        self, index: BlockingIndex
    ) -> None:
        other = IndexDocument("u", "x", passages=(Passage("o", 0, "Hide glue"),))
        index.put_many([DOCUMENT, other])
        assert index.delete([PAGE]) == 1
        assert ids(index, "hide") == ["o"]

    def test_urls_are_of_documents_only(self, index: BlockingIndex) -> None:
        index.put_many([DOCUMENT, IndexDocument("u", "x")])
        assert sorted(index.urls()) == [PAGE, "u"]

    def test_same_id_on_two_pages_is_two_passages(self, index: BlockingIndex) -> None:
        index.put_many(
            [
                IndexDocument(url, "x", passages=(Passage("same", 0, "owl"),))
                for url in ("https://e/1", "https://e/2")
            ]
        )
        assert sorted(found(index, "owl", passages=True)) == ["1", "2"]
        index.put_many([IndexDocument("https://e/1", "x")])
        assert found(index, "owl", passages=True) == ["2"]
