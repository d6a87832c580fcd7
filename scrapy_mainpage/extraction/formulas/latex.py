"""Pieces of LaTeX: rows, arguments, scripts, accents; commands of characters.

Others stand as they are: KaTeX, MathJax and XeTeX read them.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import name as name_of

from ...text.words import normalize


def _pair(signs: str, names: str) -> dict[str, str]:
    return {sign: f"\\{name}" for sign, name in zip(signs, names.split(), strict=True)}


RELATIONS: Final = {
    **dict.fromkeys("=<>"),
    **_pair(
        "≤≥≠≈≡∼≃≅∝≪≫≺≻", "le ge ne approx equiv sim simeq cong propto ll gg prec succ"
    ),
    **_pair(
        "∈∉∋⊂⊃⊆⊇⊢⊨⊥∥∣",
        "in notin ni subset supset subseteq supseteq vdash models perp parallel mid",
    ),
    **_pair(
        "→←↔⇒⇐⇔↦⟶⟵⟹⟺↑↓",
        "to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto "
        "longrightarrow longleftarrow implies iff uparrow downarrow",
    ),
    "≔": ":=",
}
"""Signs with a blank on both sides; ``None`` for those that are their own command."""

BINARY: Final = {
    **dict.fromkeys("+-"),
    "−": "-",
    **_pair("±∓×÷⋅∘∪∩∧∨⊕⊗", "pm mp times div cdot circ cup cap wedge vee oplus otimes"),
    **_pair("∖⋆•", "setminus star bullet"),
    "∗": "*",
}
"""Signs with a blank on both sides, where something stands before them."""

SYMBOLS: Final = {
    **_pair(
        "αβγδϵεζηθϑικλμνξπϖρϱσςτυϕφχψω",
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa "
        "lambda mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi "
        "psi omega",
    ),
    **_pair(
        "ΓΔΘΛΞΠΣΥΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
    ),
    **_pair(
        "∂∇∞∀∃∄∅ℓℏℵ℘",
        "partial nabla infty forall exists nexists emptyset ell hbar aleph wp",
    ),
    **_pair(
        "…⋯⋮⋱∴∵¬∠△□",
        "ldots cdots vdots ddots therefore because neg angle triangle square",
    ),
    **_pair("{}%$#&_∑∏∐∫∬∭∮", "{ } % $ # & _ sum prod coprod int iint iiint oint"),
    **_pair("⋃⋂⋁⋀⨁⨂", "bigcup bigcap bigvee bigwedge bigoplus bigotimes"),
    **_pair("⟨⟩⌊⌋⌈⌉‖", "langle rangle lfloor rfloor lceil rceil |"),
    **_pair("†‡′″ℜℑ", "dagger ddagger prime prime\\prime Re Im"),
    "\\": "\\backslash",
    "~": "\\sim",
    "^": "\\hat{}",
    # Invisible: application, times, separator, plus.
    **dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\ufeff", ""),
}

LARGE: Final = frozenset(
    f"\\{name}"
    for name in (
        "sum prod coprod int iint iiint oint bigcup bigcap bigvee bigwedge bigoplus "
        "bigotimes lim limsup liminf max min sup inf det gcd Pr"
    ).split()
)
"""Commands with limits below and above, as ``_`` and ``^`` set them."""

FUNCTIONS: Final = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg "
    "lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split()
)

ABOVE: Final = {
    **_pair("^ˆ¯˙¨~˜ˇ´`˘", "hat hat bar dot ddot tilde tilde check acute grave breve"),
    **_pair("→⃗‾―⏞↔", "vec vec overline overline overbrace overleftrightarrow"),
}
BELOW: Final = _pair("_̲―‾⏟", "underline underline underline underline underbrace")
WIDE: Final = {
    "\\hat": "\\widehat",
    "\\tilde": "\\widetilde",
    "\\bar": "\\overline",
    "\\vec": "\\overrightarrow",
}
"""Accents over one character, and over more."""

OPENING: Final = frozenset(
    ("(", "[", "\\{", "|", "\\|", "\\langle", "\\lfloor", "\\lceil")
)
CLOSING: Final = frozenset(
    (")", "]", "\\}", "|", "\\|", "\\rangle", "\\rfloor", "\\rceil")
)

MATRICES: Final = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("\\{", "\\}"): "Bmatrix",
    ("|", "|"): "vmatrix",
    ("\\|", "\\|"): "Vmatrix",
    ("\\{", ""): "cases",
}
"""The environment of a matrix by the fences around it."""

STYLES: Final = {
    "bold": "\\mathbf",
    "bold-italic": "\\boldsymbol",
    "double-struck": "\\mathbb",
    "script": "\\mathcal",
    "fraktur": "\\mathfrak",
    "sans-serif": "\\mathsf",
    "monospace": "\\mathtt",
}
"""Commands by the value of ``mathvariant``."""

LETTER_STYLES: Final = (
    ("DOUBLE-STRUCK", "\\mathbb"),
    ("FRAKTUR", "\\mathfrak"),
    ("BLACK-LETTER", "\\mathfrak"),
    ("SCRIPT", "\\mathcal"),
    ("MONOSPACE", "\\mathtt"),
    ("SANS-SERIF", "\\mathsf"),
    ("BOLD ITALIC", "\\boldsymbol"),
    ("BOLD", "\\mathbf"),
    ("ITALIC", ""),
)
"""Commands by a part of the Unicode name of a mathematical letter."""

# One character, or one command without arguments: needs no braces.
SINGLE: Final = re.compile(r"\\?[^\\{}]|\\[A-Za-z]+").fullmatch
# A base that takes a script without braces.
BASE: Final = re.compile(r"\\?[^\\{}]|[0-9.]+|\\[A-Za-z]+(?:\{[^{}]*\})?").fullmatch
NEEDS_BLANK: Final = re.compile(r"(?:\\[A-Za-z]+|[_^]\w)$").search

MAX_COMMAND: Final = 24

MATRIX: Final = "\\begin{matrix}"
GENFRAC: Final = "\\genfrac{}{}{0pt}{}"


def join(parts: list[str]) -> str:
    """The *parts* of a row, with a blank between a command or a script and a letter."""
    text = ""
    for part in parts:
        if not text and part.strip() in BINARY:
            part = part.strip()
        if (
            part
            and part[0].isalnum()
            and NEEDS_BLANK(text[max(0, len(text) - MAX_COMMAND) :])
        ):
            text += " "
        if part[:1] == " " and (not text or text[-1] == " "):
            part = part[1:]
        text += part
    return text


def join_fences(parts: list[str]) -> list[str]:
    """A matrix or a fraction without a line takes the fences around it."""
    joined: list[str] = []
    closes = False
    for part, after in zip(parts, [*parts[1:], ""], strict=False):
        before = joined[-1] if joined else ""
        after = after if after in CLOSING else ""
        if closes:
            closes = False
        elif part.startswith(MATRIX) and (before, after) in MATRICES:
            name = MATRICES[before, after]
            inner = part[len(MATRIX) : len(part) - len(MATRIX) + 2]
            joined[-1] = "\\begin{" + name + "}" + inner + "\\end{" + name + "}"
            closes = after != ""
        elif part.startswith(GENFRAC) and before == "(" and after == ")":
            joined[-1] = "\\binom" + part[len(GENFRAC) :]
            closes = True
        else:
            joined.append(part)
    return joined


def encloses(parts: list[str]) -> bool:
    """Whether a row begins with a fence that its end closes."""
    level = 0
    if parts[0] not in OPENING or parts[-1] not in CLOSING:
        return False
    for part in parts[1:-1]:
        level += (part in OPENING and part not in CLOSING) - (
            part in CLOSING and part not in OPENING
        )
        if level < 0:
            return False
    return level == 0


def group(text: str) -> str:
    """An argument of a command or a script."""
    text = text.strip()
    return text if SINGLE(text) else "{" + text + "}"


def braced(text: str) -> str:
    """An argument in braces."""
    return "{" + text.strip() + "}"


def base_of(text: str) -> str:
    """What takes a script, in braces if it has to be."""
    text = text.strip()
    return text if BASE(text) else "{" + text + "}"


def script(sign: str, text: str) -> str:
    """A script behind its *sign*; a prime is an apostrophe, and nothing is nothing."""
    if sign == "^" and text.strip() in ("\\prime", "\\prime\\prime", "'", "''"):
        return text.strip().replace("\\prime", "'")
    return sign + group(text) if text.strip() else ""


def letter(c: str) -> str:
    """A character of an identifier; styled letters as commands."""
    if c in SYMBOLS:
        return SYMBOLS[c]
    plain = normalize("NFKC", c)
    if plain != c and len(plain) == 1 and c.isalpha():
        title = name_of(c, "")
        for part, command in LETTER_STYLES:
            if part in title:
                plain = SYMBOLS.get(plain, plain)
                return command + "{" + plain + "}" if command else plain
    return c


def beside(base: str, below: str, above: str) -> str:
    """A base with what stands below and above: limits, an accent, a small text."""
    text, low, high = base.strip(), below.strip(), above.strip()
    if text in LARGE or text.startswith(
        ("\\underbrace", "\\overbrace", "\\operatorname")
    ):
        return text + script("_", low) + script("^", high)
    if high:
        accent = accent_of(ABOVE, high)
        if accent and not SINGLE(text):
            accent = WIDE.get(accent, accent)
        text = (
            accent + braced(text)
            if accent
            else "\\overset" + braced(high) + braced(text)
        )
    if low:
        accent = accent_of(BELOW, low)
        text = (
            accent + braced(text)
            if accent
            else "\\underset" + braced(low) + braced(text)
        )
    return text


def accent_of(accents: dict[str, str], sign: str) -> str:
    """The command of an accent that is drawn by *sign*; empty for none."""
    if sign == "\\to":
        sign = "→"
    elif sign == "\\sim":
        sign = "~"
    elif sign == "\\hat{}":
        sign = "^"
    elif sign == "\\_":
        sign = "_"
    elif sign == "\\leftrightarrow":
        sign = "↔"
    return accents.get(sign, "")
