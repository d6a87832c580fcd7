"""Paragraphs in several languages, the material of the pages."""

from __future__ import annotations

import random

_IDEOGRAPHS = "".join(map(chr, range(0x4E00, 0x9000, 9)))
_KANA = "".join(map(chr, range(0x3042, 0x3094))) * 10

#: Short words that a text of the language has many of, and the letters of the others.
LANGUAGE_WORDS = {
    "en": ("the of and a to in is was for on as with", "abcdefghilmnoprstuvwy"),
    "de": ("der die das und ein zu ist war für auf mit", "abdefghiklmnorstuwzäöü"),
    "fr": ("le la les et un à est était pour sur avec", "abcdeéèfghilmnopqrstuv"),
    "ru": ("и в не на что он с как это по но из за", "абвгдежзиклмнопрстуя"),
    "ar": ("في من على إلى هذا كان التي مع عن بعد", "ابتجحدرسشعغفقكلمنهوي"),
    "zh": ("的 了 在 是 我 有 和 就 不 人", _IDEOGRAPHS),
    "ja": ("は が を に の と も で から まで", _IDEOGRAPHS + _KANA),
}
LANGUAGES = tuple(LANGUAGE_WORDS)
WORDS = 1500
#: Paragraphs of a language: of 400, one page in 100,000 was a near copy by chance.
PARAGRAPHS = 2000


class Texts:
    """Paragraphs by language; the same ones for the same *seed*."""

    def __init__(self, seed: int) -> None:
        choose = random.Random(seed)
        self.paragraphs: dict[str, list[str]] = {}
        for language in LANGUAGES:
            words = _words(choose, language)
            self.paragraphs[language] = [
                _paragraph(choose, language, words) for _ in range(PARAGRAPHS)
            ]

    def some(self, choose: random.Random, language: str, count: int) -> list[str]:
        """Some of the paragraphs of a language."""
        return choose.sample(self.paragraphs[language], count)


def _words(choose: random.Random, language: str) -> list[str]:
    short, letters = LANGUAGE_WORDS[language]
    shortest, longest = (2, 4) if language in ("zh", "ja") else (3, 9)
    made = [
        "".join(choose.choices(letters, k=choose.randrange(shortest, longest)))
        for _ in range(WORDS)
    ]
    return [*made, *(short.split() * 30)]


def _paragraph(choose: random.Random, language: str, words: list[str]) -> str:
    count = choose.randrange(2, 6)
    return " ".join(_sentence(choose, language, words) for _ in range(count))


def _sentence(choose: random.Random, language: str, words: list[str]) -> str:
    joined, stop = ("", "。") if language in ("zh", "ja") else (" ", ".")
    text = joined.join(choose.choices(words, k=choose.randrange(6, 18)))
    return text[:1].upper() + text[1:] + stop
