"""Characters of formulas and their LaTeX commands.

Others stand as they are: KaTeX, MathJax and XeTeX read them.
"""

from __future__ import annotations

from typing import Final


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
