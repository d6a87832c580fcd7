"""Words of every script, with every engine."""

from __future__ import annotations

from scrapy_mainpage.indexes import Index, IndexDocument

from .helpers import found, put

#: Text, query, and the text as it is shown.
MARKED = [
    ("今天天气很好，我们写爬虫", "气", "今天天**气**很好，我们写爬虫"),
    ("今天天气很好，我们写爬虫", "天气", "今天**天气**很好，我们写爬虫"),
    ("今天天气很好，我们写爬虫", "写爬虫", "今天天气很好，我们**写爬虫**"),
    ("用Python语言写", "python", "用**Python**语言写"),
    ("用Python语言写", "语言", "用Python**语言**写"),
    ("東京タワーへ行く", "タワー", "東京**タワー**へ行く"),
    ("한국은 아름답다", "한국", "**한국**은 아름답다"),
    ("𠮷野家で食べる", "𠮷野", "**𠮷野**家で食べる"),
    ("ภาษาไทยง่ายมาก", "ไทย", "ภาษา**ไทย**ง่ายมาก"),
    ("مُحَمَّد قرأ الكتاب", "محمد", "**محمد** قرأ الكتاب"),
    ("محمد قرأ الكتاب", "مُحَمَّد", "**محمد** قرأ الكتاب"),
    ("שָׁלוֹם לכולם", "שלום", "**שלום** לכולם"),
    ("हिन्दी भाषा", "हिन्दी", "**हिन्दी** भाषा"),
    ("Άλφα και βήτα", "αλφα", "**Άλφα** και βήτα"),
    ("Зелёный лес", "зеленый", "**Зелёный** лес"),
    ("Fu\u00adß\u00adball heute", "fußball", "**Fußball** heute"),
    ("ＡＢＣ株式会社", "abc", "**ABC**株式会社"),
    ("party🎉tonight", "🎉", "party**🎉**tonight"),
    ("party🎉tonight", "party", "**party**🎉tonight"),
    ("早上好🎉🎊，世界", "🎉🎊", "早上好**🎉🎊**，世界"),
    ("日本語のテキスト", "日本語のテキスト", "**日本語のテキスト**"),
    ("Ελλάδα: ΟΔΟΣ", "οδος", "Ελλάδα: **ΟΔΟΣ**"),
    ("தமிழ் மொழி", "தமிழ்", "**தமிழ்** மொழி"),
    ("বাংলা ভাষা", "ভাষা", "বাংলা **ভাষা**"),
    ("Crème brûlée", "creme brulee", "**Crème** **brûlée**"),
    ("naïve cafe\u0301", "café", "naïve **café**"),
    ("Việt Nam", "viet nam", "**Việt** **Nam**"),
    ("Straße", "straße", "**Straße**"),
    ("Scrapy™ rocks", "scrapy", "**Scrapy**™ rocks"),
]

#: Words beside signs and marks, and queries that find them.
SIGNS = [
    ("costs 100₽ today", "100"),
    ("costs 200₺ today", "200"),
    ("by \u2068Jane\u2069 Doe", "jane"),
    ("by \u061cJane Doe", "jane"),
    ("ἀρχὴ ἥμισυ παντός", "αρχη"),
    ("ἀρχὴ ἥμισυ παντός", "ἀρχὴ"),
    ("s\u0336truck\u0332 out", "struck"),
    ("thumbs 👍 up", "👍🏽"),
    ("5 µm wide", "μm"),
    ("step 1\ufe0f\u20e3 of two", "1"),
    ("plain words", "words \u0301"),
]

NOT_THERE = [
    ("今天天气", "气天"),
    ("हिन्दी", "हिन"),
    ("ภาษาไทย", "ไทยภาษา"),
    ("🎉", "🎊"),
]
OTHER_LETTERS = [("Straße", "strasse"), ("Łódź", "lodz"), ("Sø", "so"), ("①", "1")]


class TestUnicode:
    def test_word_of_any_script_is_found_and_marked(self, index: Index) -> None:
        for text, query, marked in MARKED:
            put(index, text, "something else, 别的, อื่น, آخر")
            assert [hit.snippet for hit in index.search(query)] == [marked]

    def test_signs_and_marks_at_a_word_do_not_hide_it(self, index: Index) -> None:
        for text, query in SIGNS:
            put(index, text)
            assert found(index, query) == ["0"], text

    def test_word_that_is_not_there_is_not_found(self, index: Index) -> None:
        for text, query in NOT_THERE:
            put(index, text)
            assert found(index, f'"{query}"') == [], text

    def test_letters_of_their_own_are_not_taken_for_others(self, index: Index) -> None:
        for text, query in OTHER_LETTERS:
            put(index, text)
            assert found(index, query) == [], text
            assert found(index, text.upper()[:1] + text[1:]) == ["0"]

    def test_title_is_given_back_as_it_was(self, index: Index) -> None:
        put(index, "正文", title="今天天气很好 ＡＢＣ")
        assert index.search("正文")[0].title == "今天天气很好 ＡＢＣ"

    def test_half_a_surrogate_pair_does_no_harm(self, index: Index) -> None:
        index.put_many([IndexDocument("u/\ud800", "bad \udfff text", "t\ud800")])
        assert [hit.title for hit in index.search("bad \ud800")] == ["t?"]
        assert index.delete(["u/\ud800"]) == 1
