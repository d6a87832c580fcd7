"""Query syntax and ranking, with every engine."""

from __future__ import annotations

from scrapy_mainpage.indexes import Index, IndexDocument

from .helpers import found, put


class TestQueries:
    def test_page_with_every_word_is_first(self, index: Index) -> None:
        put(index, "apples", "apples and pears", "pears", "plums")
        assert found(index, "pears apples")[0] == "1"
        assert sorted(found(index, "pears apples")) == ["0", "1", "2"]

    def test_phrase_needs_the_words_side_by_side(self, index: Index) -> None:
        put(index, "the main content of a page", "content that is main")
        assert found(index, '"main content"') == ["0"]
        assert found(index, "“main content”") == ["0"]
        assert sorted(found(index, "main content")) == ["0", "1"]

    def test_prefix_ends_a_phrase(self, index: Index) -> None:
        put(index, "polite crawlers", "crawlers are polite")
        assert found(index, '"polite crawl"*') == ["0"]

    def test_excluded_word_or_phrase_takes_documents_out(self, index: Index) -> None:
        put(index, "tea with milk", "tea with lemon", "tea with oat milk")
        assert found(index, "tea -milk") == ["1"]
        assert sorted(found(index, 'tea -"oat milk"')) == ["0", "1"]

    def test_hyphen_inside_a_word_excludes_nothing(self, index: Index) -> None:
        put(index, "a well-known fact")
        assert found(index, "well-known") == ["0"]

    def test_exclusion_alone_finds_nothing(self, index: Index) -> None:
        put(index, "tea")
        assert found(index, "-milk") == []

    def test_case_and_diacritics_do_not_matter(self, index: Index) -> None:
        put(index, "Café in ÅNGSTRÖM, Việt Nam")
        for query in ("cafe", "CAFÉ", "ångström", "angstrom", "viet", "cafe\u0301"):
            assert found(index, query) == ["0"], query

    def test_excluded_word_counts_in_every_field(self, index: Index) -> None:
        index.put_many(
            [
                IndexDocument("u/0", "tea"),
                IndexDocument("u/1", "tea", "milk"),
                IndexDocument("u/2", "tea", headings="milk"),
                IndexDocument("u/3", "tea", description="milk"),
                IndexDocument("u/4", "tea", comments="milk"),
            ]
        )
        assert found(index, "tea -milk") == ["0"]
        assert found(index, "tea -mil*") == ["0"]

    def test_prefix_finds_every_word_that_begins_so(self, index: Index) -> None:
        put(index, *(f"crawl{number}" for number in range(300)))
        assert len(index.search("crawl*", limit=1_000)) == 300
        assert len(index.search("crawl1*", limit=1_000)) == 111

    def test_prefix_of_a_phrase_finds_every_word_that_begins_so(
        self, index: Index
    ) -> None:
        put(index, *(f"polite crawl{number}" for number in range(300)), "crawl9 polite")
        assert len(index.search('"polite crawl"*', limit=1_000)) == 300

    def test_common_words_are_words(self, index: Index) -> None:
        put(index, "to be or not to be", "being")
        assert found(index, "to be") == ["0"]
        assert found(index, '"not to be"') == ["0"]
        assert found(index, "the") == []

    def test_words_are_not_stemmed(self, index: Index) -> None:
        put(index, "running", "runs", "run")
        assert found(index, '"run"') == ["2"]
        assert sorted(found(index, "run*")) == ["0", "1", "2"]

    def test_numbers_and_identifiers_are_words(self, index: Index) -> None:
        put(index, "version 3.14 of x_y in C++ (2026)", "version 314")
        for query in ("3.14", "x_y", "2026", "c++", '"version 3.14"'):
            assert found(index, query) == ["0"], query


FIELDS = ("title", "headings", "description", "text", "comments")
FILLER = {name: f"filler {name}" for name in FIELDS}
#: Pairs of fields: a match in the first weighs more.
HEAVIER = [
    ("title", "headings"), ("title", "description"), ("title", "text"),
    ("headings", "text"), ("text", "comments"),
    ("headings", "comments"),
]  # fmt: skip


class TestRanking:
    def test_fields_weigh_what_they_should(self, index: Index) -> None:
        for heavier, lighter in HEAVIER:
            index.put_many(
                [
                    *(IndexDocument(f"u/{number}", **FILLER) for number in range(8)),
                    IndexDocument("u/lighter", **{**FILLER, lighter: "filler zebra"}),
                    IndexDocument("u/heavier", **{**FILLER, heavier: "filler zebra"}),
                ]
            )
            assert found(index, "zebra") == ["heavier", "lighter"], (heavier, lighter)
            assert found(index, "zeb*") == ["heavier", "lighter"], (heavier, lighter)

    def test_more_mentions_rank_higher(self, index: Index) -> None:
        fill = ["filler words stand here"] * 8
        put(index, "one owl, then other birds", "owl, owl and owl: birds", *fill)
        hits = index.search("owl")
        assert [hit.url[-1] for hit in hits] == ["1", "0"]
        assert hits[0].score > hits[1].score

    def test_limit_cuts_the_hits_off(self, index: Index) -> None:
        put(index, *["same"] * 5)
        assert len(index.search("same", limit=3)) == 3
        assert index.search("same", limit=0) == []
        assert index.search("same", limit=-1) == []
        assert len(index.search("same", limit=1_000_000_000)) == 5


class TestTitles:
    """A page titled as the query comes first, however long it is."""

    def put(self, index: Index, *titles: str) -> None:
        """Short pages with the titles, but the last: it has thousands of words."""
        texts = ["Select, or SELECT select columns."] * (len(titles) - 1)
        texts.append("select " + "filler words of all sorts " * 1000)
        documents = [
            IndexDocument(f"u/{number}", text, title, headings="Select and columns")
            for number, (title, text) in enumerate(zip(titles, texts, strict=True))
        ]
        assert not index.put_many(documents)

    def test_the_page_titled_as_the_query_is_first(self, index: Index) -> None:
        many = [f"10.{number}. SELECT Select columns" for number in range(30)]
        self.put(index, *many, "SELECT")
        for query in ("select", "Select", '"select"', "SELECT!"):
            hits = index.search(query, limit=5)
            assert hits[0].url == "u/30", query
            assert "**select**" in hits[0].snippet
            assert len(hits) == len({hit.url for hit in hits}) == 5
            scores = [hit.score for hit in hits]
            assert scores == sorted(scores, reverse=True)
        assert len(index.search("select", limit=100)) == 31

    def test_case_accents_and_punctuation_of_a_title_do_not_matter(
        self, index: Index
    ) -> None:
        index.put_many([IndexDocument("u/9", "creme brulee " * 900, "Crème, brûlée!")])
        index.put_many([IndexDocument("u/8", "creme brulee", "Another creme brulee")])
        assert found(index, "creme brulee")[0] == "9"

    def test_words_in_another_order_are_another_title(self, index: Index) -> None:
        self.put(index, "Columns select", "Select columns")
        assert found(index, "select columns")[0] == "1"
        assert found(index, "columns select")[0] == "0"

    def test_excluded_words_and_filters_hold_for_the_page_titled_so(
        self, index: Index
    ) -> None:
        self.put(index, "Select columns", "SELECT")
        assert found(index, "select -filler") == ["0"]
        assert found(index, "select", site="other.example") == []
