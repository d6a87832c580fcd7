"""Formulas in large numbers, in each other, and without an end."""

from __future__ import annotations

from typing import Final

from .making import flood

_LATEX: Final = r"{\displaystyle " + 900 * "{$%"

FORMULAS: Final = {
    "math in math": flood("<math><mrow>"),
    "math with long tokens": flood(f"<mi>{900 * 'a'}</mi>", "<p><math>"),
    "math around blocks": flood("<span class=katex><math><mi>a</mi><p>"),
    "annotations": flood(
        "<math><semantics><mi>a</mi>"
        f"<annotation encoding=TeX>{_LATEX}</annotation></semantics></math>"
    ),
    "one annotation": flood(
        "x^2+", "<p><math><semantics><mi>a</mi><annotation encoding=TeX>"
    ),
    "scripts of formulas": flood(
        "<span class=MathJax_Preview>a</span><script type=math/tex>a</script>"
    ),
    "raw formulas": flood(
        r"$a \( \[ $$ \begin{b} \$ ", "<script src=mathjax.js></script><p>"
    ),
}
