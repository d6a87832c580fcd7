"""Language tags: what pages write, as BCP 47 in lower case."""

from __future__ import annotations

import re

_TWO_LETTERS = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr "
    "cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu "
    "gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk "
    "kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms "
    "mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro "
    "ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk "
    "tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
# Withdrawn codes, country codes that are no language, and longer codes than needed.
_OTHER_CODES = {
    "iw": "he", "in": "id", "ji": "yi", "cn": "zh", "jp": "ja", "gr": "el", "cz": "cs",
    "ua": "uk", "dk": "da", "eng": "en", "deu": "de", "ger": "de", "fra": "fr",
    "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "dut": "nl",
    "pol": "pl", "rus": "ru", "zho": "zh", "chi": "zh", "jpn": "ja", "kor": "ko",
    "ell": "el", "gre": "el", "ara": "ar", "tur": "tr", "ukr": "uk", "ces": "cs",
    "english": "en", "deutsch": "de", "german": "de", "french": "fr", "spanish": "es",
    "italian": "it", "portuguese": "pt", "dutch": "nl", "polish": "pl", "russian": "ru",
    "chinese": "zh", "japanese": "ja", "korean": "ko", "greek": "el", "arabic": "ar",
}  # fmt: skip
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis", "art", "xxx"})
_TAG = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{2,8}){0,3}(?:-x(?:-[a-z0-9]{1,8})+)?")


def normalise_language(value: object) -> str | None:
    """*value* as a BCP 47 tag in lower case, the first if it lists several.

    ``None`` where it is no language: a template's placeholder, a charset, a sentence.

    >>> normalise_language("en_US.UTF-8")
    'en-us'
    >>> normalise_language("{{ lang }}")
    """
    if not isinstance(value, str) or len(value) > 100:
        return None
    first = re.split(r"[,;.@|]", value.strip().lower(), maxsplit=1)[0]
    tag = first.strip().replace("_", "-").rstrip("-")
    if not _TAG.fullmatch(tag):
        return None
    primary, dash, rest = tag.partition("-")
    primary = _OTHER_CODES.get(primary, primary)
    if primary in _NO_LANGUAGE or len(primary) > 3:
        return None
    if len(primary) == 2 and primary not in _TWO_LETTERS:
        return None
    return primary + dash + rest
