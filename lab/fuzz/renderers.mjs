// The HTML of Markdown documents (a list as JSON in each line of the input), by renderer.
// All allow raw HTML and make links of addresses, as far as they can.

import { createInterface } from "node:readline";
import * as commonmark from "commonmark";
import MarkdownIt from "markdown-it";
import attributes from "markdown-it-attrs";
import formulas from "markdown-it-texmath";
import { marked } from "marked";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import { math, mathHtml } from "micromark-extension-math";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import showdown from "showdown";
import snarkdown from "snarkdown";
import { unified } from "unified";

const reader = new commonmark.Parser({ smart: true });
const writer = new commonmark.HtmlRenderer();
const linkify = new MarkdownIt({ html: true, linkify: true, typographer: true });
const extended = new MarkdownIt({ html: true, linkify: true });
extended.use(attributes).use(formulas, {
  engine: { renderToString: linkify.utils.escapeHtml },
});
const github = new showdown.Converter();
github.setFlavor("github");
const remark = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeStringify);
const dangerous = { allowDangerousHtml: true };

const renderers = {
  commonmark: (text) => writer.render(reader.parse(text)),
  "markdown-it": (text) => linkify.render(text),
  marked: (text) => marked.parse(text),
  "marked, breaks": (text) => marked.parse(text, { breaks: true, pedantic: true }),
  micromark: (text) => micromark(text, dangerous),
  "micromark, GFM": (text) =>
    micromark(text, {
      ...dangerous,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  "micromark, formulas": (text) =>
    micromark(text, {
      ...dangerous,
      extensions: [gfm(), math()],
      htmlExtensions: [gfmHtml(), mathHtml({ throwOnError: false })],
    }),
  "markdown-it, attributes": (text) => extended.render(text),
  "remark and rehype": (text) => String(remark.processSync(text)),
  showdown: (text) => new showdown.Converter().makeHtml(text),
  "showdown, GitHub": (text) => github.makeHtml(text),
  snarkdown,
};

// One line of HTML for each line of documents.
for await (const line of createInterface({ input: process.stdin })) {
  const documents = JSON.parse(line);
  for (const [name, render] of Object.entries(renderers)) {
    console.log(JSON.stringify([name, documents.map((text) => attempt(render, text))]));
  }
  console.log("null");
}

// What a renderer cannot read has no HTML.
function attempt(render, text) {
  try {
    return render(text);
  } catch {
    return "";
  }
}
