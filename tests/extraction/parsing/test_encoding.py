"""Pages in any encoding: never an error, never wrong letters where a label is right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.encoding import (
    decode_page,
    find_encoding,
    to_utf8,
)

CHINESE = "河水流过古老的城镇，人们说那里以前更干净。"
TRADITIONAL = "河水流過古老的城鎮，人們說那裡以前更乾淨。"
JAPANESE = "川は古い町を流れ、橋の下をくぐります。カナも。"
KOREAN = "강은 오래된 도시를 지나 다리 아래로 흐릅니다."
ARABIC = "يجري النهر عبر المدن القديمة وتحت الجسور."
RUSSIAN = "Река течёт через старые города и под мостами."
GREEK = "Το ποτάμι περνά μέσα από παλιές πόλεις."
GERMAN = "Der Fluß fließt durch alte Städte – für „immer“."
TURKISH = "Nehir eski şehirlerin içinden akıyor, ığdır."

TEXTS = [
    ("gb2312", "gb18030", CHINESE),
    ("gbk", "gb18030", CHINESE),
    ("gb18030", "gb18030", CHINESE + "𠀀"),
    ("big5", "big5", TRADITIONAL),
    ("shift_jis", "cp932", JAPANESE),
    ("x-sjis", "cp932", JAPANESE + "①"),
    ("euc-jp", "euc_jp", JAPANESE),
    ("iso-2022-jp", "iso2022_jp", JAPANESE),
    ("euc-kr", "cp949", KOREAN),
    ("windows-1256", "cp1256", ARABIC),
    ("iso-8859-6", "iso8859_6", ARABIC),
    ("koi8-r", "koi8_r", RUSSIAN),
    ("windows-1251", "cp1251", RUSSIAN),
    ("iso-8859-5", "iso8859_5", RUSSIAN),
    ("ibm866", "cp866", RUSSIAN),
    ("iso-8859-7", "iso8859_7", GREEK),
    ("windows-1252", "cp1252", GERMAN),
    ("iso-8859-1", "cp1252", GERMAN),
    ("iso-8859-9", "cp1254", TURKISH),
    ("utf-8", "utf-8", JAPANESE + ARABIC + "😀"),
]


def meta(label: str, text: str) -> str:
    return f"<html><head><meta charset={label}></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(("label", "codec", "text"), TEXTS)
def test_a_page_is_read_as_it_declares(label: str, codec: str, text: str) -> None:
    assert text in to_utf8(meta(label, text).encode(codec)).decode()


@pytest.mark.parametrize("detect", [False, True])
@pytest.mark.parametrize(("label", "codec", "text"), TEXTS)
def test_a_server_is_believed_before_the_page(
    label: str, codec: str, text: str, detect: bool
) -> None:
    page = meta("iso-8859-2", text * 9).encode(codec)
    read = decode_page(page, label, detect=detect)
    assert text * 9 in read.html.decode()
    assert not read.is_suspect


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_believed_before_all(codec: str) -> None:
    page = meta("koi8-r", RUSSIAN).encode(codec)
    assert to_utf8(page, "windows-1251").decode() == meta("koi8-r", RUSSIAN)


@pytest.mark.parametrize("label", ["utf-16", "UTF-16LE", "utf-32"])
def test_what_declares_itself_in_ascii_is_not_in_utf_16(label: str) -> None:
    assert JAPANESE in to_utf8(meta(label, JAPANESE).encode()).decode()


@pytest.mark.parametrize(
    "label", ["gb2312", "gbk", "iso-8859-1", "euc-kr", "shift_jis"]
)
def test_a_label_that_was_left_over_is_seen_through(label: str) -> None:
    assert CHINESE in to_utf8(meta(label, CHINESE * 2).encode()).decode()


@pytest.mark.parametrize("label", ["utf-7", "UTF7", "unicode-1-1-utf-7", "csUTF7"])
def test_utf_7_stays_what_it_is_without_it(label: str) -> None:
    text = "+ADw-script+AD4-run()+ADw-/script+AD4-"
    assert text in to_utf8(meta(label, text).encode()).decode()
    assert text in to_utf8(meta("", text).encode(), label).decode()
    assert Extractor().extract(meta(label, text).encode()).blocks[0].text == text


NO_ENCODINGS = (
    "hex base64 zlib rot13 idna punycode undefined mbcs oem unicode_escape "
    "raw_unicode_escape none ü ' \\ utf-8;q=1 x-user-defined replacement "
    "iso-2022-kr hz-gb-2312"
).split()


@pytest.mark.parametrize("label", [*NO_ENCODINGS, "", "a" * 5000])
def test_a_label_of_no_encoding_is_none(label: str) -> None:
    assert to_utf8(meta(label, "Fluß " * 20).encode())
    assert to_utf8(meta("", "Fluß " * 20).encode(), label)


UNDECLARED = [
    ("gbk", CHINESE),
    ("big5", TRADITIONAL),
    ("shift_jis", JAPANESE),
    ("windows-1251", RUSSIAN),
    ("koi8-r", RUSSIAN),
    ("iso-8859-7", GREEK),
    ("windows-1254", TURKISH),
    ("windows-1252", GERMAN),
]


@pytest.mark.parametrize(("codec", "text"), UNDECLARED)
def test_the_whole_page_tells_its_encoding_not_its_first_bytes(
    codec: str, text: str
) -> None:
    # Two letters in an attribute, then more markup and script than the sample holds.
    script = "var a = 1;\n" * 3_000
    page = f"<x-y title={text[8:10]}>\n<script>{script}</script>{meta('', text * 9)}"
    assert text * 9 in to_utf8(page.encode(codec)).decode()


@pytest.mark.parametrize("text", ["© 2020 Bakery Ltd", "£15", "25 °C", "naïve"])
def test_a_few_signs_are_no_sample(text: str) -> None:
    assert text in to_utf8(f"<p>{text}</p>".encode("cp1252")).decode()


def test_a_sample_ends_where_a_line_does() -> None:
    page = "<p>" + "<p>x".join(JAPANESE[k % 7 :] for k in range(2_000))
    assert find_encoding(page.encode("shift_jis")) == "cp932"


def test_some_stray_bytes_do_not_spoil_a_page() -> None:
    page = JAPANESE.encode() + b" \xff\xfe " + RUSSIAN.encode()
    assert to_utf8(page).decode() == f"{JAPANESE} \ufffd\ufffd {RUSSIAN}"
    assert to_utf8(page, "utf-8").decode() == f"{JAPANESE} \ufffd\ufffd {RUSSIAN}"


def test_nuls_and_blanks_around_go() -> None:
    assert to_utf8(b"\x00 \n<p>a\x00b\x00\t ") == b"<p>ab"
    assert to_utf8("\u3000\xa0<p>ä\u2003") == "<p>ä".encode()
    assert to_utf8("\u3000\xa0<p>ä\u2003".encode()) == "<p>ä".encode()
    assert to_utf8(b"\x00\x00") == to_utf8("\x00") == to_utf8("") == to_utf8(b"") == b""


def test_lone_surrogates_are_replaced() -> None:
    assert to_utf8("a\ud800b") == b"a?b"
    assert to_utf8(b"a\xed\xa0\x80b", "utf-8").decode() == "a\ufffd\ufffd\ufffdb"


@given(
    st.binary(max_size=300), st.sampled_from([None, *(row[0] for row in TEXTS), "hex"])
)
def test_any_bytes_under_any_label_are_text(page: bytes, label: str | None) -> None:
    assert b"\x00" not in to_utf8(page, label)
    to_utf8(page, label).decode()


@given(st.text(max_size=200))
def test_text_in_utf_8_stays_the_same(text: str) -> None:
    page = f"<meta charset=utf-8><p>{text}</p>"
    encoded = page.encode("utf-8", "replace")
    assert to_utf8(page) == to_utf8(encoded) == encoded.replace(b"\x00", b"")


@pytest.mark.parametrize("name", ["cp1252", "cp1251", "iso8859-7", "koi8-r", "cp874"])
def test_bytes_without_a_meaning_are_marked_as_python_marks_them(name: str) -> None:
    html = b"<p>" + bytes(range(0x80, 0x100)) * 3
    assert to_utf8(html, name) == html.decode(name, "replace").encode()


WRONG = [
    # declared, true encoding, text
    ("iso-8859-1", "utf-8", GERMAN),
    ("windows-1251", "utf-8", RUSSIAN),
    ("shift_jis", "utf-8", JAPANESE),
    ("iso-8859-1", "windows-1251", RUSSIAN),
    ("windows-1252", "gb18030", CHINESE),
    ("iso-8859-2", "windows-1253", GREEK),
    ("utf-8", "windows-1251", RUSSIAN),
    ("utf-8", "windows-1252", GERMAN),
    ("utf-16", "utf-8", RUSSIAN),
    ("utf-16be", "ascii", "A river runs through old towns. "),
]


@pytest.mark.parametrize(("label", "true", "text"), WRONG)
def test_a_wrong_label_is_believed_and_said_unless_detection_is_wanted(
    label: str, true: str, text: str
) -> None:
    html = f"<h1>River</h1><p>{text * 9}</p>".encode(true)
    read = decode_page(html, label)
    assert read.is_suspect
    assert text not in read.html.decode()
    detected = decode_page(html, label, detect=True)
    assert not detected.is_suspect
    assert text in detected.html.decode()
    assert find_encoding(html, label, detect=True) != find_encoding(html, label)


@pytest.mark.parametrize(
    "text",
    [
        "»»»»»» Älter «««««« Neuer " * 9,
        "\xa0\xa0\xa0\xa0\xa0\xa0Über uns\xa0\xa0\xa0\xa0" * 9,
        "••••• °°°°°° ––––– ¡¡¡¡¡ ¿¿¿¿¿ Señor" * 9,
        "Hääyöaie, pääsy, öljyä ja äänekäs " * 9,
        "ÄÖÜÄÖÜ",
    ],
)
def test_rows_of_signs_are_not_suspect(text: str) -> None:
    assert not decode_page(text.encode("cp1252"), "iso-8859-1").is_suspect


def test_a_broken_page_is_not_suspect() -> None:
    page = (JAPANESE * 9).encode() + b" \xff\xfe " * 9
    assert not decode_page(page, "utf-8").is_suspect
    assert not decode_page(b"\xe4" * 5, "utf-8").is_suspect
    assert not decode_page(b"", "utf-8").is_suspect


def test_the_page_says_that_its_encoding_is_suspect() -> None:
    html = f"<h1>River</h1><p>{RUSSIAN * 9}".encode("cp1251")
    page = Extractor().extract(html, encoding="iso-8859-1")
    assert "encoding_suspect" in page.warnings
    page = Extractor(detect_encoding=True).extract(html, encoding="iso-8859-1")
    assert "encoding_suspect" not in page.warnings
    assert RUSSIAN in page.text


UNDECLARED = [
    ("cp1252", "es", "El niño corrió mañana por la calle; ¿quién pidió más café?"),
    ("cp1252", "it", "La città è più bella perché c'è già la libertà di lunedì."),
    ("cp1252", "pt", "As ações não são só emoções, são também coração e pães."),
    ("cp1252", "sv", "Vägen går över ån där björken står på ängen på våren."),
    ("cp1252", "de", "Der Fluß fließt durch schöne Städte – für „immer“ grün."),
    ("cp1252", "fr", "L’été dernier, où était le garçon près du château brûlé ?"),
    ("cp1252", "en", "It’s 20° outside®, “really” – a café on Beacon’s façade…"),
    ("cp1250", "pl", "Wciąż są tu źródła i łąki, które pamiętają dawną świetność."),
    ("iso8859-2", "pl", "Wciąż są tu źródła i łąki, które pamiętają dawną świetność."),
    ("cp1250", "cs", "Příliš žluťoučký kůň úpěl ďábelské ódy při večeři."),
    ("iso8859-2", "hu", "Árvíztűrő tükörfúrógép őrzi a főúri kertet egész évben."),
    ("cp1254", "tr", "Şişli'de ığdır üzümü çok güzeldir, öğle yemeğinde yenir."),
    ("cp1257", "lt", "Ąžuolas žaliuoja šalia upės, kurią mėgsta mūsų vaikai."),
    ("cp1251", "ru", f"{RUSSIAN} Люди говорят, что раньше вода была чище." * 2),
    ("koi8-r", "ru", f"{RUSSIAN} Люди говорят, что раньше вода была чище." * 2),
    ("cp1253", "el", f"{GREEK} Οι άνθρωποι λένε ότι το νερό ήταν καθαρό." * 2),
    ("gb18030", "zh", "河水流过古老的城镇，人们说那里以前更干净。" * 2),
]


@pytest.mark.parametrize("root", ["<html lang={}>", "<html>"])
@pytest.mark.parametrize(("codec", "language", "text"), UNDECLARED)
def test_letters_and_language_say_an_encoding_that_nothing_declares(
    codec: str, language: str, text: str, root: str
) -> None:
    page = f"{root.format(language)}<title>A page</title><p>{text}"
    assert text in to_utf8(page.encode(codec)).decode()
