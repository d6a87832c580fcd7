"""Formulas of real renderers (``formulas/render.mjs``): each once, as LaTeX."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrapy_mainpage import extract
from tests.extraction.document.test_document import read, texts

PAGES = Path(__file__).parent / "formulas"

SQUARE, LESS, ROOT = "$x^2+1$", "$a_1 < b$", r"$\sqrt[3]{\alpha}$"
MATRIX = r"$\begin{pmatrix}a&b\\c&d\end{pmatrix}$"
SUM = r"$$\sum_{i=1}^n \frac{i}{2}$$"
AS_WRITTEN = [SQUARE, LESS, ROOT, MATRIX, SUM]
FROM_MATHML = [
    "$x^{2} + 1$",
    "$a_{1} < b$",
    r"$\sqrt[3]{α}$",
    r"$(\begin{matrix}a & b \\ c & d\end{matrix})$",
    r"$$∑_{i = 1}^{n}\frac{i}{2}$$",
]
SYSTEMS = {
    "katex": AS_WRITTEN,
    "mathjax2": AS_WRITTEN,
    "mathml_annotated": AS_WRITTEN,
    "mathjax3_chtml": FROM_MATHML,
    "mathjax3_svg": FROM_MATHML,
    "mathml": FROM_MATHML,
    "mediawiki_math": [
        "$x^{2}+1$",
        "$a_{1}<b$",
        r"${\sqrt[{3}]{\alpha }}$",
        r"${\begin{pmatrix}a&b\\c&d\end{pmatrix}}$",
        r"$\sum _{i=1}^{n}{\frac {i}{2}}$",
    ],
    "mediawiki": ["$x^{2}+1$", "$a_{1}<b$", r"$$\sum _{i=1}^{n}{\frac {i}{2}}$$"],
}


def page_of(name: str) -> bytes:
    return (PAGES / f"{name}.html").read_bytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_formula_of_a_page_is_written_once(system: str) -> None:
    page = extract(page_of(system))
    formulas = re.compile(r"\$\$.*?\$\$|\$.*?\$")
    assert formulas.findall(page.text) == SYSTEMS[system]
    safe = [each.replace("{1}<b", "{1}< b") for each in SYSTEMS[system]]
    assert formulas.findall(page.markdown) == safe
    # Nothing of what draws them is left.
    prose = formulas.sub("", page.text)
    assert not re.search(r"[0-9+∑αa\\][0-9+∑α\\]|MathJax|\bx", prose), prose
    assert page.html.count("<math") == page.html.count("<annotation") == len(safe)
    assert "<img" not in page.html
    assert not page.media


def test_html_says_the_formula_again() -> None:
    page = extract(page_of("katex"))
    again = extract(f"<article>{page.html}</article>", algorithm="semantic-markup")
    assert again.text == page.text


RAW = [
    r"\(x_1^2*y_1*z + 1\)",
    "$a_1 _b_ c$",
    r"\[ \frac{a}{b} = _2F_1 \]",
    r"$$\sum_{i=1}^n *i*$$",
    "it costs $5 \\*less\\* than the $10 of",
]


def test_raw_formulas_survive_markdown() -> None:
    page = extract(page_of("raw"))
    assert [each for each in RAW if each not in page.markdown] == []


def test_text_is_escaped_where_no_script_reads_formulas() -> None:
    source = re.sub(b"<script.*</script>", b"", page_of("raw"))
    markdown = extract(source).markdown
    assert [each for each in RAW if each in markdown] == RAW[-1:]


def test_asciimath_stays_as_it_is() -> None:
    page = extract(page_of("asciimath"))
    assert "number `root(3)(alpha)` is" in page.text
    assert r"number \`root(3)(alpha)\` is" in page.markdown


def latex(mathml: str) -> str:
    [text] = texts(read(f"<p><math>{mathml}</math></p>"))
    return text


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<msub><mi>x</mi><mn>10</mn></msub><mi>y</mi>", "x_{10}y"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
        ("<mo>&#x2212;</mo><mi>b</mi><mo>&#xB1;</mo><mi>c</mi>", "− b ± c"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", r"\hat{x}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>&#xAF;</mo></mover>",
         r"\overline{AB}"),
        ("<munder><mi>lim</mi><mrow><mi>n</mi><mo>&#x2192;</mo><mi>k</mi></mrow>"
         "</munder><msub><mi>a</mi><mi>n</mi></msub>", r"\lim_{n → k}a_{n}"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>",
         "{a + b}^{2}"),
        ("<mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if </mtext></mtd>"
         "</mtr><mtr><mtd><mn>0</mn></mtd></mtr></mtable>",
         r"\{\begin{matrix}1 & \text{if } \\ 0\end{matrix}"),
        ("<mi>&#x211D;</mi><mi mathvariant='bold'>v</mi>", r"ℝ\mathbf{v}"),
        ("<mi>f</mi><mo>(</mo><mi>x</mi><mo>,</mo><mi>rank</mi><mo>)</mo>",
         r"f(x, \mathrm{rank})"),
        ("<mi>f</mi><msup><mi>x</mi><mo>&#x2032;</mo></msup><mtext>5 &amp; 6</mtext>",
         r"fx^{′}\text{5 \& 6}"),
    ],
)  # fmt: skip
def test_mathml_without_latex_is_converted(mathml: str, expected: str) -> None:
    assert latex(mathml) == f"${expected}$"


ANNOTATION = "<annotation encoding='application/x-tex'>{}</annotation>"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a % a comment\n+ b\\% c", r"$a + b\% c$"),
        ("$$x$$", "$$x$$"),
        ("\\[x\\]", "$$x$$"),
        ("\\text{if $n$, \\$5}", r"$\text{if n, \$5}$"),
        ("{\\displaystyle x}+{y}", r"${\displaystyle x}+{y}$"),
        ("x\\", "$x$"),
    ],
)
def test_latex_stands_in_one_line_between_its_dollars(
    written: str, expected: str
) -> None:
    annotated = f"<semantics><mi>q</mi>{ANNOTATION.format(written)}</semantics>"
    assert latex(annotated) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>a <math><mi>x</mi> <p>b</p><p>c</p></math>", ["a x", "b", "c"]),
        ("<p>a <math>x<sup>2</sup></math> b</p>", ["a x2 b"]),
        ("<p>a <span class=katex>x2</span> b</p>", ["a x2 b"]),
        ("<p>a <span class=MathJax>x2</span> b</p>", ["a x2 b"]),
        ("<p>a <img class=tex> b</p>", ["a b"]),
        ("<p>a <math>" + "<mrow>" * 99 + "<mi>x</mi>" + "</mrow>" * 99, ["a x"]),
        ("<p>" + ANNOTATION.format("x" * 9_000), ["x" * 9_000]),
        ("<p>a <math alttext='x squared'><mi>x</mi></math>", ["a $x$"]),
        ("<template class=katex><math><mi>x</mi></math></template><p>a", ["a"]),
    ],
)
def test_what_is_no_formula_keeps_its_text(page: str, expected: list[str]) -> None:
    assert texts(read(page)) == expected


def test_formulas_of_hidden_mathml_are_shown() -> None:
    [block] = read(page_of("mediawiki").decode()).blocks.flags[-1:]
    assert not block & 1


@pytest.mark.parametrize(
    "latex",
    [
        "a<img src=x onerror=run()>b",
        "</annotation><script>run()</script>",
        "[a](javascript:run())",
        "![a](http://evil.example/a.png)",
        "`a",
        "{: onclick=run() }",
        "&lt;img src=x onerror=run()&gt;",
        "\\href{javascript:run()}{x}",
        "\\begin{matrix}a|b\\end{matrix}",
    ],
)
def test_formulas_are_inert_in_markdown(latex: str) -> None:
    from commonmark import commonmark

    picture = latex.replace("&", "&amp;").replace("<", "&lt;")
    body = f"<p>A formula <img class=latex alt='{picture}'> of <code>a</code></p>"
    page = extract(f"<article>{body}</article>", algorithm="semantic-markup")
    assert latex in page.text
    html = commonmark(page.markdown)
    assert set(re.findall("<[a-z]+", html)) <= {"<p", "<code"}
    active = any(sign in latex for sign in ("href", "`", "onclick", "]("))
    assert ("\\$" in page.markdown) == active


def test_a_quote_in_a_formula_ends_no_attribute_of_a_table_head() -> None:
    formula = "<img class=latex alt='$x\"onclick=\"run()$'>"
    table = f"<table><tr><th>{formula}<th>b<tr><td>{formula}<td>c</table>"
    page = extract(f"<article>{table}</article>", algorithm="semantic-markup")
    # Showdown makes an id of a head, with the quotes that it has.
    head, _, row = page.markdown.splitlines()
    assert head == r"| \$x&#34;onclick=&#34;run()\$ | b |"
    assert row == '| $x"onclick="run()$ | c |'
