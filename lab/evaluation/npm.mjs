// Reads lines of JSON, [name, HTML], and answers each with [main content, error].

import { createInterface } from "node:readline";
import { Readability } from "@mozilla/readability";
import { JSDOM, VirtualConsole } from "jsdom";
import unfluff from "unfluff";

// Errors of a page's style sheets are none of ours.
const virtualConsole = new VirtualConsole();

const extractors = {
  "readability-js": (html) => {
    const { document } = new JSDOM(html, { virtualConsole }).window;
    return new Readability(document).parse()?.content ?? "";
  },
  unfluff: (html) => unfluff(html).text ?? "",
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, html] = JSON.parse(line);
  let answer;
  try {
    answer = [extractors[name](html), ""];
  } catch (error) {
    answer = ["", String(error)];
  }
  console.log(JSON.stringify(answer));
}
