"""Encodings: wrong, broken, mixed, and files that are not pages at all."""

from __future__ import annotations

import gzip
import random
import zlib
from typing import Final

from .making import ARTICLE, Make, flood, normal


def random_markup(size: int) -> bytes:
    generator = random.Random(8)
    pieces = [*"<p> </p> <b ' \" = > <!-- --> & </ <table>".split(), "x "]
    return "".join(generator.choices(pieces, k=size // 3)).encode()


def gzipped(size: int) -> bytes:
    page = gzip.compress(random.Random(8).randbytes(size), 1, mtime=0)
    return b"<!-- -->" + page


def labelled(label: str, unit: bytes, before: str = ARTICLE) -> Make:
    """The same bytes again and again, in an encoding that the page names."""

    def make(size: int) -> bytes:
        start = f"<meta charset={label}>{before}".encode()
        return start + unit * (size // len(unit) + 1)

    return make


MIXED: Final = ["<p>Flüsse ".encode(c) for c in ("utf-8", "latin-1")] + [
    "川</p>".encode("gb18030")
]

ENCODINGS: Final[dict[str, Make]] = {
    "UTF-16": lambda size: normal(size // 2).decode().encode("utf-16"),
    "UTF-16 without mark": lambda size: normal(size // 2).decode().encode("utf-16-le"),
    "UTF-7": labelled("utf-7", b"<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>", ""),
    "no such encoding": lambda size: b"<meta charset=hex>" + normal(size),
    "mixed encodings": labelled("utf-8", b"".join(MIXED), ""),
    "wrong label": labelled(
        "euc-kr", "<p>Вода течёт под мостами старого города.</p>".encode(), ""
    ),
    "random bytes": lambda size: random.Random(8).randbytes(size),
    "random markup": random_markup,
    "a gzip file": gzipped,
    "a zlib file": lambda size: zlib.compress(random.Random(8).randbytes(size), 0),
    "broken UTF-8": lambda size: b"<p>\xc3\x28\xe2\x82" * (size // 7),
    "surrogates": lambda size: b"<p>\xed\xa0\x80 river" * (size // 12),
    "marks": lambda size: b"\xef\xbb\xbf" * (size // 3) + ARTICLE.encode(),
    "UTF-32": lambda size: normal(size // 4).decode().encode("utf-32"),
    "halves in UTF-16": lambda size: b"\xff\xfe" + b"<\0p\0>\0\x00\xd8" * (size // 8),
    "UTF-16 of cells": lambda size: (
        flood("<td>a", ARTICLE + "<table>")(size // 2).decode().encode("utf-16")
    ),
    "windows-1252 that grows": labelled("windows-1252", b"<p>\x80\x80\x80\x80\x80"),
    "undefined in windows-1252": labelled("windows-1252", b"<p>\x81\x8d\x8f\x90\x9d"),
    "windows-1251 that grows": labelled("windows-1251", b"<p>\x88"),
    "Shift_JIS that grows": labelled("shift_jis", b"<p>\xb1\xb2\xb3\xb4\xb5"),
    "broken Shift_JIS": labelled("shift_jis", b"<p>\x81\xff\xa0"),
    "broken GB 18030": labelled("gb18030", b"<p>\x81\x30\x81\xff"),
    "broken Big5": labelled("big5", b"<p>\x81\x20\xff"),
    "broken EUC-KR": labelled("euc-kr", b"<p>\xa1\xff"),
    "broken EUC-JP": labelled("euc-jp", b"<p>\x8f\xff\x8e"),
    "escapes of ISO-2022-JP": labelled("iso-2022-jp", b"<p>\x1b$B!!\x1b(B"),
    "broken ISO-2022-JP": labelled("iso-2022-jp", b"<p>\x1b$B\xff\x1b"),
    "escapes of ISO-2022-KR": labelled("iso-2022-kr", b"<p>\x0e!!\x0f"),
    "escapes of HZ": labelled("hz-gb-2312", b"<p>~{!!~}"),
    "overlong UTF-8": labelled("utf-8", b"<p>\xc0\x80\xe0\x80\x80"),
    "cut characters of UTF-8": labelled("utf-8", b"<p>\xf0\x9f"),
    "bytes of no UTF-8": labelled("utf-8", b"<p>\xff"),
    "high bytes": lambda size: b"\xff" * size,
    "high bytes and blanks": lambda size: b"\xff " * (size // 2),
    "all bytes in turn": lambda size: bytes(range(256)) * (size // 256 + 1),
    "a picture": lambda size: b"\x89PNG\r\n\x1a\n" + random.Random(8).randbytes(size),
    "a document of another kind": lambda size: (
        b"%PDF-1.7\n" + b"1 0 obj <</Type /Page>> endobj\n" * (size // 31)
    ),
    "JSON": lambda size: b'[{"title": "River", "body": "<p>Mill"},' * (size // 39),
    "a feed": flood(
        "<item><title>River</title><link>http://a.example/</link><description>"
        "&lt;p&gt;Mill</description></item>",
        "<?xml version='1.0'?><rss><channel>",
    ),
    "XHTML": flood(
        "<p xmlns:a='b' a:c='d'><a:e>river</a:e><br/></p>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body>",
    ),
    "plain text": lambda size: b"River\r\n\r\nMill\r\n" * (size // 17),
}
