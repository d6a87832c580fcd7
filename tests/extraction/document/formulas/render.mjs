// Makes the pages of this folder anew: formulas as KaTeX, MathJax 2 and MathJax 3 render them.
//
//     npm install katex@0.16 mathjax2@npm:mathjax@2 mathjax3@npm:mathjax@3
//     node render.mjs BROWSER    (a headless Chromium, which runs MathJax 2)
//
// mediawiki_math.html is what maintenance/parse.php of MediaWiki 1.39 writes with its extension
// Math and $wgMathoidCli (npm's mathoid 0.7); mediawiki.html is written by hand in the form of
// its service, raw.html and asciimath.html as authors write them.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import katex from "katex";

const require = createRequire(import.meta.url);
const inline = ["x^2+1", "a_1 < b", "\\sqrt[3]{\\alpha}", "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}"];
const display = "\\sum_{i=1}^n \\frac{i}{2}";

function page(write) {
  const [square, less, root, matrix] = inline.map((latex) => write(latex, false));
  return `<!DOCTYPE html>
<html><head><title>Formulas</title></head><body><article>
<h1>Formulas of a page</h1>
<p>The polynomial ${square} has no real root, as everybody can see who draws it.</p>
<p>Where ${less} holds, the number ${root} is smaller than the one of the matrix ${matrix}, too.</p>
<p>The sum of all of them is ${write(display, true)} and grows with the square of their number.</p>
</article></body></html>
`;
}

const save = (name, html) => writeFileSync(new URL(`${name}.html`, import.meta.url), html);
const plain = (mathml) => mathml.replace(/>\s+</g, "><").trim();

for (const [name, output] of [["katex", "htmlAndMathml"], ["mathml_annotated", "mathml"]])
  save(name, page((latex, displayMode) => {
    const html = katex.renderToString(latex, { displayMode, output });
    return output === "mathml" ? html.match(/<math.*<\/math>/s)[0] : html;
  }));

// An instance of MathJax 3 has one output: each runs in its own process.
const kind = process.argv[3];
if (!kind) for (const each of ["chtml", "svg"]) execFileSync(process.execPath, [process.argv[1], process.argv[2], each]);
if (kind) {
  const MathJax = await require("mathjax3").init({
    loader: { load: ["input/tex", `output/${kind}`, "adaptors/liteDOM"] },
  });
  const convert = MathJax[`tex2${kind}`];
  save("mathml", page((latex, shown) => plain(MathJax.tex2mml(latex, { display: shown }))));
  save(`mathjax3_${kind}`, page((latex, shown) => {
    const html = MathJax.startup.adaptor.outerHTML(convert(latex, { display: shown }));
    const mathml = plain(MathJax.tex2mml(latex, { display: shown }));
    // As the extension assistive-mml adds it in a browser.
    const form = `unselectable="on" display="${shown ? "block" : "inline"}"`;
    const assistive = `<mjx-assistive-mml ${form}>${mathml}</mjx-assistive-mml>`;
    return html.replace("</mjx-container>", `${assistive}</mjx-container>`);
  }));
  process.exit();
}

const source = page((latex, shown) => {
  const text = latex.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return shown ? `\\[${text}\\]` : `\\(${text}\\)`;
});
const config = `MathJax.Hub.Config({messageStyle: "none", showMathMenu: false, jax: ["input/TeX", "output/CommonHTML"],
extensions: ["tex2jax.js", "AssistiveMML.js"], TeX: {extensions: ["AMSmath.js"]}})`;
const head = `<script type="text/x-mathjax-config">${config}</script><script src="node_modules/mathjax2/MathJax.js"></script></head>`;
save("running", source.replace("</head>", head));
const address = new URL("running.html", import.meta.url);
const flags = ["--no-sandbox", "--allow-file-access-from-files", "--virtual-time-budget=20000", "--dump-dom"];
const rendered = execFileSync(process.argv[2], [...flags, address.href], { encoding: "utf8" });
rmSync(address);
save("mathjax2", rendered.replace(/<head>.*<\/head>/s, "<head><title>Formulas</title></head>").replace(/<div id="MathJax_Message".*?<\/div>/s, ""));
