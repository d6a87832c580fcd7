// The runtime of the shells: builds a page's elements from its data.
function element(config, tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = (config.names && config.names[name]) || name;
  if (config.mark) made.setAttribute(config.mark, "");
  made.append(...children);
  return made;
}

function block(config, part) {
  const make = (tag, ...inner) => element(config, tag, "", ...inner);
  if (part.tag === "ul")
    return make("ul", ...part.lines.map((line) => make("li", line)));
  if (part.tag === "table") {
    const rows = part.lines.map((line) => line.split("\t"));
    return make("table", ...rows.map(([key, value]) =>
      make("tr", make("th", key), make("td", value))));
  }
  const text = part.lines.join("\n");
  if (part.tag === "pre") return make("pre", make("code", text));
  if (part.tag === "blockquote") return make("blockquote", make("p", text));
  return make(part.tag, text);
}

function link(config, href, text) {
  const made = element(config, "a", "link", text);
  made.href = href;
  return made;
}

function list(config, links) {
  const items = links.map((each) =>
    element(config, "li", "item", link(config, each.href, each.text)));
  return element(config, "ul", "list", ...items);
}

function view(config, data) {
  const tags = config.tags || {};
  const nav = data.nav.map((text, k) => ({ href: "#n" + k, text }));
  const bar = element(config, tags.header || "header", "header",
    element(config, tags.nav || "nav", "nav", list(config, nav)));
  const body = element(config, "div", "body",
    ...data.parts.map((part) => block(config, part)));
  const main = element(config, tags.main || "main", "main",
    element(config, "h1", "title", data.title),
    element(config, "div", "byline", data.byline), body);
  const aside = element(config, tags.aside || "aside", "related",
    element(config, "h3", "", data.related), list(config, data.links));
  const [slogan, ...links] = data.footer;
  const foot = element(config, tags.footer || "footer", "footer",
    element(config, "p", "", slogan),
    list(config, links.map((text, k) => ({ href: "#f" + k, text }))));
  return element(config, "div", "layout", bar, main, aside, foot);
}

function put(config, target, data) {
  target.replaceChildren(view(config, data));
  document.title = data.title;
  if (config.hide) document.querySelector(config.hide).remove();
  target.hidden = false;
}

async function start(config, target, data) {
  target = target || document.querySelector(config.mount);
  if (config.first) await (await fetch(config.first)).json();
  if (!data) data = await (await fetch("/api" + location.pathname)).json();
  if (config.pause) await new Promise((done) => setTimeout(done, config.pause));
  put(config, target, data);
  if (config.beat) setInterval(() => fetch("/api/beat"), config.beat);
}
