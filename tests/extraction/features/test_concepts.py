"""What tokens of classes, ids and roles say."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.features import concepts
from scrapy_mainpage.extraction.features.concepts import (
    CONCEPTS,
    NAMES,
    classify,
    read_tokens,
)
from tests.extraction.features.helpers import features_of, told
from tests.extraction.helpers import document_of


def concepts_of(token: str | bytes) -> set[str]:
    bits = classify(token.encode() if isinstance(token, str) else token)
    return {name for k, name in enumerate(NAMES) if bits >> k & 1}


@pytest.mark.parametrize(
    ("token", "found"),
    [
        ("nav", "navigation"),
        ("NAV", "navigation"),
        ("nav2", "navigation"),
        ("xyz", ""),
        ("42", ""),
        ("-", ""),
        # Several words
        ("main-nav", "main navigation"),
        ("article__body", "article body"),
        ("post.content", "post content"),
        ("navLinks", "navigation"),
        ("siteHeader", "header"),
        ("CommentList", "comment list"),
        ("NAVBox", "navigation"),
        ("cookieBanner", "consent header advertisement"),
        # Words that are one only with their hyphen
        ("page-numbers", "pagination"),
        ("sr-only", "hidden"),
        ("SR-Only", "hidden"),
        # One and many
        ("comments", "comment"),
        ("breadcrumbs", "breadcrumb"),
        ("teaserCards", "teaser"),
        ("related-stories", "related"),
        # Words inside of others: only what is telling anywhere
        ("maincontent", "content"),
        ("leftsidebar", "sidebar"),
        ("articletext", "article"),
        ("shadow", ""),
        ("loading", ""),
        ("advance", ""),
        # Other languages
        ("kommentar", "comment"),
        ("comentarios", "comment"),
        ("kopf", "header"),
        ("fuss", "footer"),
        ("inhalt", "content"),
        ("contenido-principal", "content"),
        ("werbung", "advertisement"),
        ("suche", "search"),
        ("heading-titel", "title"),
        ("подвал", ""),
        ("été-nav", "navigation"),
        # What is no text at all
        (b"\xff\xfe nav", "navigation"),
        (b"\xed\xa0\x80", ""),
    ],
)
def test_the_concepts_of_a_token(token: str | bytes, found: str) -> None:
    assert concepts_of(token) == set(found.split())


@pytest.mark.parametrize("name", NAMES)
def test_every_word_stands_for_its_concept(name: str) -> None:
    for word in CONCEPTS[name].split():
        assert name in concepts_of(word)
        assert name in concepts_of(word.upper())


def test_concepts_fit_into_64_bits() -> None:
    assert len(NAMES) <= 64


def test_of_a_long_token_the_first_80_characters_count() -> None:
    assert concepts_of("nav-" + "x" * 9_000) == {"navigation"}
    assert concepts_of("é" * 76 + "-nav") == {"navigation"}
    assert concepts_of("é" * 77 + "-nav") == set()
    assert concepts_of("x" * 78 + "content") == set()


class TestElements:
    def test_class_id_and_role_count_alike(self) -> None:
        columns = features_of(
            "<p class='x nav'>a<p id=nav>b<p role=NAV>c<p name=nav>d<p>e"
        )
        assert told(columns, "near_") == [["navigation"]] * 3 + [[], []]

    def test_near_is_the_element_and_three_above(self) -> None:
        columns = features_of(
            "<div class=sidebar><p>a<div><p>b<div><p>c<div><p>d</div></div></div></div>"
        )
        assert told(columns, "near_") == [["sidebar"]] * 3 + [[]]
        assert told(columns, "any_") == [["sidebar"]] * 4

    def test_concepts_of_all_ancestors_come_together(self) -> None:
        columns = features_of(
            "<html class=hero><body id=main><div class=footer><p role=form>a</div><p>b"
        )
        assert [set(names) for names in told(columns, "any_")] == [
            {"hero", "main", "footer", "form"},
            {"hero", "main"},
        ]

    def test_inline_elements_say_nothing_of_the_block(self) -> None:
        assert told(features_of("<p><b class=nav>a</b>"), "any_") == [[]]

    def test_columns_are_named_by_the_concepts(self) -> None:
        columns = features_of("<p>a")
        for prefix in ("near_", "any_"):
            names = [name for name in columns if name.startswith(prefix)]
            assert names == [f"{prefix}{name}" for name in NAMES]


class TestClassHashes:
    def hashes(self, *tags: str) -> list[int]:
        document = document_of("".join(f"<{tag}>a" for tag in tags))
        return read_tokens(document).classes[document.blocks.element].tolist()

    def test_the_order_of_classes_is_irrelevant(self) -> None:
        one, two, other = self.hashes("p class='a b'", "p class=' b  a'", "p class=ab")
        assert one == two != other

    def test_ids_and_roles_are_no_classes(self) -> None:
        assert self.hashes("p id=a", "p role=b", "p", "p class=''") == [0] * 4
        assert self.hashes("p id=a class=b")[0] == self.hashes("p class=b")[0] != 0


class TestCache:
    @pytest.fixture(autouse=True)
    def fresh(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(concepts, "_seen", {})

    def tokens(self, count: int, start: int = 0) -> str:
        names = (f"t{k}" for k in range(start, start + count))
        return "".join(f"<p class={name}>a" for name in names)

    def test_a_known_token_is_not_classified_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read_tokens(document_of("<p class='nav x'>a"))
        monkeypatch.setattr(concepts, "classify", None)
        tokens = read_tokens(document_of("<p class='x'>a<p id=nav>a"))
        assert tokens.own.tolist() == [0, 0, 0, classify(b"nav")]

    def test_it_does_not_grow_without_bound(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(concepts, "LARGEST_CACHE", 100)
        sizes = []
        for k in range(20):
            read_tokens(document_of(self.tokens(40, 40 * k)))
            sizes.append(len(concepts._seen))
        assert max(sizes) <= 100 + 40
        assert min(sizes[3:]) >= 40

    def test_long_tokens_are_not_kept(self) -> None:
        page = "".join(f"<p class=nav-{k}{'x' * 4_000}>a" for k in range(10))
        tokens = read_tokens(document_of(page))
        assert tokens.own[2:].tolist() == [classify(b"nav")] * 10
        assert sum(map(len, concepts._seen)) == 0
