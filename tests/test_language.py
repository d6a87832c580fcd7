from __future__ import annotations

import logging
import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage import extract
from scrapy_mainpage.text import language as module
from scrapy_mainpage.text.language import (
    SAMPLE_CHARACTERS,
    check_language,
    identify_language,
    includes,
    load_identifier,
)
from scrapy_mainpage.text.scripts import is_written_in, main_script, only_language
from scrapy_mainpage.text.words import count_words

TEXTS = {
    "en": "The committee met on Tuesday and decided that nothing would be decided yet.",
    "de": "Der Ausschuss trat am Dienstag zusammen und beschloss, nichts zu tun.",
    "fr": "La commission s'est réunie mardi et a décidé de ne rien décider encore.",
    "pl": "Komisja zebrała się we wtorek i postanowiła, że na razie nic nie postanowi.",
    "ru": "Комиссия собралась во вторник и решила, что пока ничего решать не будет.",
    "uk": "Комісія зібралася у вівторок і вирішила, що поки нічого вирішувати не буде.",
    "ar": "اجتمعت اللجنة يوم الثلاثاء وقررت ألا تقرر شيئا في الوقت الحالي.",
    "fa": "کمیته روز سه‌شنبه تشکیل جلسه داد و تصمیم گرفت که فعلاً هیچ تصمیمی نگیرد.",
    "hi": "समिति की बैठक मंगलवार को हुई और यह निर्णय लिया गया कि अभी कुछ तय नहीं किया जाएगा।",
}
OWN_SCRIPTS = {
    "el": "Η επιτροπή συνεδρίασε την Τρίτη και αποφάσισε να μην αποφασίσει.",
    "he": "הוועדה התכנסה ביום שלישי והחליטה שלא להחליט דבר לעת עתה.",
    "th": "คณะกรรมการประชุมเมื่อวันอังคารและตัดสินใจว่าจะยังไม่ตัดสินใจ",
    "ko": "위원회는 화요일에 모여 아직 아무것도 결정하지 않기로 했다.",
    "ja": "委員会は火曜日に開かれ、まだ何も決めないことを決めた。",
    "zh": "委员会星期二开会，决定暂时不作任何决定。",
    "ka": "კომიტეტი სამშაბათს შეიკრიბა და გადაწყვიტა, რომ არაფერს გადაწყვეტს.",
    "hy": "Հանձնաժողովը հավաքվեց երեքշաբթի և որոշեց առայժմ ոչինչ չորոշել։",
    "ta": "குழு செவ்வாய்க்கிழமை கூடி இப்போதைக்கு எதையும் முடிவு செய்ய வேண்டாம் என்றது.",
    "am": "ኮሚቴው ማክሰኞ ተሰብስቦ ለጊዜው ምንም ላለመወሰን ወሰነ።",
}


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra."""
    monkeypatch.setattr(module, "load_identifier", lambda: None)


@pytest.mark.parametrize(("language", "text"), [*TEXTS.items(), *OWN_SCRIPTS.items()])
def test_the_identifier_knows_a_sentence_whatever_is_declared(
    language: str, text: str
) -> None:
    for declared in (None, "", language, "en", "de", "no language!"):
        assert identify_language(text, declared) == language


def test_a_declaration_that_agrees_with_the_text_may_say_more() -> None:
    assert identify_language(TEXTS["en"], "en_GB") == "en-gb"
    assert identify_language(TEXTS["de"], "de-AT") == "de-at"
    assert identify_language(OWN_SCRIPTS["zh"], "zh-Hant-TW") == "zh-hant-tw"


def test_varieties_that_an_identifier_takes_for_each_other_are_as_declared() -> None:
    norwegian = "Komiteen møttes på tirsdag og bestemte at ingenting skulle bestemmes."
    assert identify_language(norwegian, "nb-NO") == "nb-no"
    assert identify_language(norwegian, None) in ("no", "da")


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(("language", "text"), OWN_SCRIPTS.items())
def test_a_script_of_one_language_tells_it_without_the_identifier(
    language: str, text: str
) -> None:
    for declared in (None, language, "en", "ru"):
        assert identify_language(text, declared) == language


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_without_the_identifier_a_declaration_is_believed_if_the_script_fits(
    language: str, text: str
) -> None:
    assert identify_language(text, language) == language
    assert identify_language(text, None) is None
    assert identify_language(text, "ka") is None


@pytest.mark.usefixtures("light")
def test_a_rarer_language_of_a_script_may_be_declared() -> None:
    assert identify_language(OWN_SCRIPTS["he"], "yi") == "yi"
    assert identify_language(OWN_SCRIPTS["zh"], "yue") == "yue"
    assert identify_language(OWN_SCRIPTS["am"], "ti") == "ti"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Contact",
        "12345 67890 -- 100% ... 2026-11-21 10:00:00 !!! ??? ***",
        "委员会",
        "🎉" * 100,
        "Hello world, Привет мир",
        "\ud800 \udfff" * 50,
    ],
)
def test_a_text_with_too_little_to_tell_is_in_no_known_language(text: str) -> None:
    assert identify_language(text, "en") is None


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    text = TEXTS["de"] * 100
    assert len(text) > SAMPLE_CHARACTERS
    assert identify_language(text + OWN_SCRIPTS["el"] * 1000) == "de"


def test_code_and_tables_are_in_the_language_that_is_declared() -> None:
    draw = random.Random(1)
    data = " ".join(
        f'{{"id{draw.randrange(10**6)}":"{draw.random()}"}}' for _ in "ab" * 40
    )
    assert identify_language(data, "en-us") in (None, "en-us")


def test_the_identifier_is_not_loaded_with_the_package() -> None:
    import subprocess

    code = "import sys, scrapy_mainpage.pipelines.boilerplate; "
    code += "sys.exit('py3langid' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_the_extra_there_is_no_identifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    load_identifier.cache_clear()
    try:
        assert load_identifier() is None
        assert identify_language(TEXTS["en"], "de") == "de"
    finally:
        load_identifier.cache_clear()


def test_a_model_that_cannot_be_read_is_said_and_done_without(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from py3langid.langid import LanguageIdentifier

    def fail(*args: object, **options: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(LanguageIdentifier, "from_model_file", fail)
    load_identifier.cache_clear()
    try:
        assert load_identifier() is None
        assert identify_language(TEXTS["en"], "en") == "en"
    finally:
        load_identifier.cache_clear()
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "no space left" in record.getMessage()


@pytest.mark.parametrize(
    ("wanted", "tag", "taken"),
    [
        ("en", "en", True),
        ("en", "en-gb", True),
        ("en-gb", "en", True),
        ("en-gb", "en-us", False),
        ("en", "eng", True),
        ("sv", "swe", True),
        ("tl", "tgl", True),
        ("no", "nb", True),
        ("nb", "no", True),
        ("nb", "nn", False),
        ("zh", "yue-hk", True),
        ("zh-hant", "zh-hans", False),
        ("zh-hant", "zh-hant-tw", True),
        ("de", "nl", False),
    ],
)
def test_a_wanted_language_takes_in_what_belongs_to_it_or_may(
    wanted: str, tag: str, taken: bool
) -> None:
    assert includes(wanted, tag) is taken


@pytest.mark.parametrize(
    ("tag", "script", "possible"),
    [
        ("en", "Latn", True),
        ("xx", "Latn", True),
        ("en", "Cyrl", False),
        ("ru", "Latn", False),
        ("sr", "Latn", True),
        ("sr", "Cyrl", True),
        ("ru-latn", "Latn", True),
        ("zh-hans", "Hani", True),
        ("ja-jpan", "Kana", True),
        ("ja", "Hani", False),
        ("ko", "Hang", True),
        ("en", "Nonsense", False),
    ],
)
def test_which_languages_a_script_can_hold(
    tag: str, script: str, possible: bool
) -> None:
    assert is_written_in(tag, script) is possible


def test_scripts_that_several_languages_share_name_none_of_them() -> None:
    assert [only_language(each) for each in ("Cyrl", "Arab", "Latn")] == [None] * 3
    assert only_language("Thai") == "th"


@given(st.text(max_size=300), st.none() | st.text(max_size=20))
def test_any_text_and_declaration_gives_a_tag_or_nothing(
    text: str, declared: str | None
) -> None:
    found = identify_language(text, declared)
    assert found is None or found == found.lower()
    assert main_script(text, 1) is None or isinstance(main_script(text, 1), str)


def test_plain_english_needs_no_identifier_unless_another_language_is_declared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "load_identifier", pytest.fail)
    text = "The river is wide here, and we have been at the mill for most of the day. "
    assert check_language(3 * text, "en-gb") == "en-gb"
    assert check_language(3 * text, None) == "en"
    prices = "Bird feeder, oak 40 cm £12.50 Add to basket Out of stock Owl box £30 "
    assert check_language(3 * prices, "en-gb") == "en-gb"
    monkeypatch.undo()
    assert check_language(3 * text, "zh-cn") == "en"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "One two, three -- four!",
        "It's well-known: 3.5 km/h",
        "正文提取 and text",
        "これはペンです。カタカナ",
        "한국어 문장",
        "Ünï cödé ñ й ж",
        "a" * 1000,
        "snake_case _ __ - -_-",
        "½ ² ① a·b 🎉 〆切 ｱｲｳ 𠀀𠀁",
        "नमस्ते दुनिया สวัสดี e\u0301te\u0301",
    ],
)
def test_words_are_counted_as_the_extraction_counts_them(text: str) -> None:
    assert count_words(text) == extract(f"<p>{text}</p>").words_total
