"""Names before headings before texts, and words in other forms, with every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_mainpage.indexes import Index, IndexDocument, Section
from scrapy_mainpage.indexes.word_forms import SynonymsError, read_synonyms

from .helpers import found, put

FILL = " ".join(["filler words of all sorts stand here"] * 30)


def page(name: str, text: str, *headings: str, **values: object) -> IndexDocument:
    """A page /NAME whose sections have the headings, each with an anchor."""
    lines, sections, whole = list(headings), [], text
    for line in lines:
        anchor = line.split("(")[0].replace(" ", "-")
        sections.append(Section(line, 2, anchor, len(whole) + 2))
        whole += f"\n\n{line}\n\nWhat it is."
    return IndexDocument(
        f"https://example.com/{name}",
        whole,
        headings="\n".join(lines) or None,
        sections=tuple(sections),
        **values,  # type: ignore[arg-type]
    )


class TestNames:
    def test_heading_without_its_number_is_found_first(self, index: Index) -> None:
        many = "date_trunc and date_trunc with date_trunc"
        index.put_many(
            [
                page("often", many, title="CREATE STATISTICS"),
                page("named", FILL, "9.9.1. now", "9.9.2. date_trunc"),
            ]
        )
        hits = index.search("date_trunc")
        assert [hit.url[-5:] for hit in hits] == ["named", "often"]
        assert hits[0].anchor == "9.9.2.-date_trunc"
        assert hits[0].link.endswith("/named#9.9.2.-date_trunc")

    @pytest.mark.parametrize("query", ["filter", "QuerySet.filter", "queryset filter"])
    def test_signature_is_found_by_its_name(self, index: Index, query: str) -> None:
        index.put_many(
            [
                page("text", f"queryset filter and filter {FILL}"),
                page("api", FILL, "class QuerySet.filter(*args, **kwargs)"),
            ]
        )
        assert found(index, query)[0] == "api"

    def test_title_comes_before_heading_before_text(self, index: Index) -> None:
        index.put_many(
            [
                page("text", "owl box, owl box"),
                page("heading", FILL, "Owl box"),
                page("title", FILL, title="Owl box"),
            ]
        )
        assert found(index, "owl box") == ["title", "heading", "text"]

    def test_weight_multiplies_the_score(self, index: Index) -> None:
        index.put_many(
            [
                page("contents", FILL, "Owl box", weight=0.3),
                page("chapter", FILL, "Building an owl box"),
            ]
        )
        assert found(index, "owl box") == ["chapter", "contents"]

    def test_best_sections_have_their_paths(self, index: Index) -> None:
        sections = (
            Section("Birds", 1, "birds", 0),
            Section("Owls", 2, "owls", 7),
            Section("Kites", 2, "kites", 31),
        )
        text = "Birds\n\nOwls\n\nHunt by night.\n\nKites\n\nGlide by day."
        index.put_many([IndexDocument("u", text, "Birds", sections=sections)])
        (hit,) = index.search("night")
        assert hit.sections == (sections[1]._replace(path=("Birds", "Owls")),)


class TestForms:
    def test_function_words_are_not_required(self, index: Index) -> None:
        put(index, "crawl politely, nothing else", "another page of the site")
        assert found(index, "how to crawl politely") == ["0"]

    def test_phrases_are_always_required(self, index: Index) -> None:
        put(index, "glue for guitars")
        assert found(index, '"glue pots" guitars') == []

    @pytest.mark.parametrize("query", ["guitas", "guitarrs", "guiters", "giutars"])
    def test_unknown_word_is_corrected_by_one_edit(
        self, index: Index, query: str
    ) -> None:
        put(index, "glue for guitars", "other words")
        (hit,) = index.search(f"{query} glue")
        assert hit.snippet == "**glue** for **guitars**"

    def test_known_word_is_not_corrected(self, index: Index) -> None:
        put(index, "glue for guitars", "a sitar", "one guitar")
        assert found(index, "guitar") == ["2", "0"]

    def test_last_word_may_be_a_beginning(self, index: Index) -> None:
        put(index, "glue for guitars", "the guit of old")
        assert sorted(found(index, "guit")) == ["0", "1"]
        assert found(index, "guit old")[0] == "1"
        assert found(index, '"guit"') == ["1"]

    def test_other_forms_are_found_in_the_language_of_the_pages(
        self, index: Index
    ) -> None:
        index.put_many(
            [
                IndexDocument("u/0", "It connects servers.", language="en"),
                IndexDocument("u/1", "Nothing of it.", language="en"),
            ]
        )
        assert found(index, "connecting") == ["0"]

    def test_synonyms_are_found_in_their_direction(
        self, index: Index, tmp_path: Path
    ) -> None:
        file = tmp_path / "synonyms.txt"
        file.write_text("# of users\nlaptop, notebook\nk8s => kubernetes\n", "utf-8")
        synonyms = read_synonyms(file)
        put(index, "a notebook", "kubernetes", "k8s")
        assert found(index, "laptop", synonyms=synonyms) == ["0"]
        assert sorted(found(index, "k8s", synonyms=synonyms)) == ["1", "2"]
        assert found(index, "kubernetes", synonyms=synonyms) == ["1"]

    def test_bad_line_of_synonyms_is_named(self, tmp_path: Path) -> None:
        file = tmp_path / "synonyms.txt"
        file.write_text("laptop, notebook\nalone\n", "utf-8")
        with pytest.raises(SynonymsError, match=r"line 2: 'alone' names no synonyms"):
            read_synonyms(file)
