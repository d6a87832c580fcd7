"""Generated texts for tests: articles, pages that share much, and copies of both."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

ONSETS = (
    "b bl br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh st t tr v w z".split()
)
VOWELS = "a ai e ea ee i o oa ou u".split()
ENDS = ["", "", "n", "r", "s", "t", "l", "ck", "nd", "rm", "st"]
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 2500)]
THAI = [chr(code) for code in range(0x0E01, 0x0E2F)]


@dataclass(frozen=True)
class Sample:
    """A text; those of one *group* are copies, of the first that was seen."""

    group: int
    kind: str
    text: str


class Writer:
    """Writes texts, always the same for a seed."""

    def __init__(self, seed: int = 1):
        self.random = random.Random(seed)
        self._words = [self._word() for _ in range(4000)]
        # As in languages: few words make up much of a text.
        self._weights = [1 / (rank + 5) for rank in range(len(self._words))]

    def _word(self) -> str:
        def syllable() -> str:
            choose = self.random.choice
            return choose(ONSETS) + choose(VOWELS) + choose(ENDS)

        return "".join(syllable() for _ in range(self.random.randint(1, 3)))

    def words(self, count: int) -> list[str]:
        return self.random.choices(self._words, self._weights, k=count)

    def prose(self, count: int) -> str:
        """Sentences with *count* words in all."""
        words, sentences = self.words(count), []
        while words:
            length = self.random.randint(6, 18)
            sentences.append(" ".join(words[:length]).capitalize() + ".")
            del words[:length]
        return " ".join(sentences)

    def han(self, count: int) -> str:
        parts = self.random.choices(
            HAN, [1 / (k + 20) for k in range(len(HAN))], k=count
        )
        return "。".join("".join(parts[k : k + 12]) for k in range(0, count, 12))

    def thai(self, count: int) -> str:
        return " ".join(
            "".join(self.random.choices(THAI, k=30)) for _ in range(count // 30)
        )

    def edited(self, text: str, share: float = 0.1) -> str:
        """The text with that share of its words replaced, inserted or deleted."""
        spaced = text.count(" ") * 12 > len(text)
        width = 5 if text[0] in THAI else 1
        pieces = [text[k : k + width] for k in range(0, len(text), width)]
        units = text.split() if spaced else pieces
        for place in self.random.sample(range(len(units)), round(share * len(units))):
            other = self.random.choice(self._words if spaced else units)
            blank = " " if spaced else ""
            changes = [other, "", f"{units[place]}{blank}{other}"]
            units[place] = self.random.choice(changes)
        return (" " if spaced else "").join(filter(None, units))

    def moved(self, text: str) -> str:
        """The text with a tenth of its sentences dropped, and others moved."""
        sentences = text.split(". ")
        for _ in range(len(sentences) // 10):
            sentences.pop(self.random.randrange(len(sentences)))
        place = self.random.randrange(len(sentences))
        return ". ".join(sentences[place:] + sentences[:place])

    def extracted_otherwise(self, text: str) -> str:
        """The text as another template gives it: a byline, a teaser, no heading."""
        before, after = self.prose(6), self.prose(self.random.randint(0, 15))
        return f"{before}\n{text.partition(' ')[2]}\n\n{after}"


def families(writer: Writer) -> Iterator[tuple[str, str]]:
    """Pages of sites that share much of their text, but are not copies."""
    delivery, rules, licence = (writer.prose(n) for n in (70, 50, 160))
    card = "Price {} EUR, in stock, ships in {} days from our store in {}. "
    for number in range(25):
        own = writer.prose(50)
        numbers = (writer.random.randrange(999), number, writer.words(1)[0])
        yield "product", f"{own} {card.format(*numbers)} {delivery}"
        yield "forum", f"{rules} {writer.prose(80)}"
        yield "series", f"Part {number} of 25. {rules} {writer.prose(120)}"
        yield "licence", f"{writer.prose(90)} {licence}"
        yield "short", f"{' '.join(writer.words(16))} {card.format(*numbers)}"


def collection(seed: int = 1) -> list[Sample]:
    """A few hundred texts in any order, with copies of each kind."""
    writer = Writer(seed)
    pages = [("prose", writer.prose(n)) for n in (30, 60, 150, 300, 600, 1500) * 12]
    pages += [("han", writer.han(n)) for n in (100, 400, 900) * 4]
    pages += [("thai", writer.thai(n)) for n in (300, 1500) * 4]
    pages += families(writer)
    copy: dict[str, Callable[[str], str]] = {
        "exact": lambda text: f"  {text.upper()} !",
        "edited": writer.edited,
        "moved": writer.moved,
        "re-templated": writer.extracted_otherwise,
    }
    samples = []
    for group, (kind, text) in enumerate(pages):
        samples.append(Sample(group, kind, text))
        if group % 2 == 0:
            name = list(copy)[group // 2 % len(copy)]
            if len(text.split()) < 100 and name in ("re-templated", "moved"):
                name = "edited"
            samples.append(Sample(group, name, copy[name](text)))
    writer.random.shuffle(samples)
    return samples
