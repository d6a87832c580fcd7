// The HTML of Markdown documents (a file with a list as JSON), by renderer.
// All allow raw HTML and make links of addresses, as far as they can.

import { readFileSync } from "node:fs";
import * as commonmark from "commonmark";
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import showdown from "showdown";
import snarkdown from "snarkdown";
import { unified } from "unified";

const reader = new commonmark.Parser({ smart: true });
const writer = new commonmark.HtmlRenderer();
const linkify = new MarkdownIt({ html: true, linkify: true, typographer: true });
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
  "remark and rehype": (text) => String(remark.processSync(text)),
  showdown: (text) => new showdown.Converter().makeHtml(text),
  "showdown, GitHub": (text) => github.makeHtml(text),
  snarkdown,
};

const documents = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const [name, render] of Object.entries(renderers)) {
  console.log(JSON.stringify([name, documents.map(render)]));
}
