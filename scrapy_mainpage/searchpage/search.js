// The search page. All texts of pages are set as text, never as markup.
"use strict";

const get = (id) => document.getElementById(id);
const field = get("query"), list = get("hits"), status_ = get("status");
const PAUSE = 120;  // milliseconds after a key
const STEP = 10, MOST = 100;  // results

let limit = STEP, timer = 0, request = null, pending = Promise.resolve();
const chosen = new Set();  // filters, "name:value"

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// An address of a page may be anything; only the web's are links.
function link(url, ...children) {
  const made = element("a", "", ...children);
  const parsed = URL.canParse(url) && new URL(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) {
    made.href = parsed.href;
    made.rel = "noreferrer";
  }
  return made;
}

function bidi(text) {
  return element("bdi", "", text);
}

function place(hit) {
  let shown = hit.page;
  try {
    const parsed = new URL(hit.page);
    const path = decodeURIComponent(parsed.pathname).replace(/\/$/, "");
    shown = [parsed.host, ...path.split("/").filter(Boolean)].join(" › ");
  } catch { /* not a URL, or %XX that is no text: as it is */ }
  const facts = [hit.date_published?.slice(0, 10), hit.page_type, hit.language];
  return [bidi(shown), ...facts.filter(Boolean).map((fact) => ` · ${fact}`)];
}

function snippet(parts) {
  return parts.map((part, number) => (number % 2 ? element("mark", "", part) : part));
}

// A section below the page's title: the headings above it, then its own.
function section(part, title) {
  const path = part.path.filter((name, number) => number || name !== title);
  const own = path.pop() ?? "";
  const above = path.length ? [element("span", "above", bidi(path.join(" › ")), " › ")] : [];
  return element("li", "", link(part.url, ...above, bidi(own)));
}

function entry(hit) {
  const title = hit.title || hit.page;
  const name = element("h2", "", link(hit.url, bidi(title)));
  const text = element("p", "snippet", ...snippet(hit.snippet));
  text.dir = "auto";
  const made = element("li", "", name, element("p", "place", ...place(hit)), text);
  const passage = hit.passage && { url: hit.url, path: hit.passage.path };
  const parts = (passage ? [passage] : hit.sections ?? []).filter(
    (part) => part.path.length && part.path.at(-1) !== title);
  if (parts.length) {
    made.append(element("ul", "sections", ...parts.map((part) => section(part, title))));
  }
  if (hit.language) name.lang = text.lang = hit.language;
  return made;
}

function facet(name, value, count) {
  const filter = `${name}:${value}`;
  const made = element("button", "", `${name}: `, bidi(value), element("span", "count", ` ${count}`));
  made.type = "button";
  made.dataset.filter = filter;
  made.ariaPressed = chosen.has(filter);
  made.addEventListener("click", () => {
    if (!chosen.delete(filter)) chosen.add(filter);
    start();
  });
  return made;
}

// Buttons of filters that the answer does not count: they must be seen to be removed.
function others(shown) {
  return [...chosen].filter((each) => !shown.includes(each)).map((each) => {
    const at = each.indexOf(":");
    return facet(each.slice(0, at), each.slice(at + 1), 0);
  });
}

function show(answer) {
  const { hits, facets = {}, has_more: hasMore } = answer;
  list.replaceChildren(...hits.map(entry));
  const counts = Object.entries(facets).flatMap(
    ([name, values]) => Object.entries(values).map(([value, n]) => facet(name, value, n)));
  const shown = counts.map((each) => each.dataset.filter);
  counts.push(...others(shown));
  const { filter } = document.activeElement.dataset;
  get("facets").replaceChildren(...counts);
  if (filter) (counts.find((each) => each.dataset.filter === filter) ?? field).focus();
  get("more").hidden = !hasMore || limit >= MOST;
  const number = hasMore ? `The best ${hits.length} results` : hits.length === 1 ? "1 result" : `${hits.length || "No"} results`;
  status_.textContent = `${number} for “${answer.query.trim()}”`;
}

async function ask(query, limit, chosen, signal) {
  const parameters = new URLSearchParams({ q: query, limit });
  for (const filter of chosen) parameters.append("filter", filter);
  const answer = await fetch(`search.json?${parameters}`, { signal });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

async function search() {
  const query = field.value;
  request?.abort();
  const own = request = new AbortController();
  const address = new URLSearchParams({ q: query });
  for (const filter of chosen) address.append("filter", filter);
  history.replaceState(null, "", query.trim() ? `?${address}` : "?");
  document.title = `${query.trim() ? `${query.trim()} - ` : ""}${get("form").dataset.title}`;
  if (!query.trim()) {
    list.replaceChildren();
    get("facets").replaceChildren();
    get("more").hidden = true;
    status_.textContent = "";
    return;
  }
  list.ariaBusy = "true";
  try {
    const answer = await ask(query, limit, chosen, own.signal);
    if (own === request) show(answer);
  } catch (error) {
    if (own.signal.aborted) return;
    list.replaceChildren();
    get("facets").replaceChildren(...others([]));
    status_.textContent = `No answer: ${error.message}`;
  }
  if (own === request) list.ariaBusy = "false";
}

function start() {
  clearTimeout(timer);
  timer = 0;
  pending = search();
}

// Links in the order of the page; the field comes before the first.
function move(step) {
  const links = [...list.querySelectorAll("a[href]")];
  const to = links.indexOf(document.activeElement) + step;
  if (to < 0) return toField();
  links[Math.min(to, links.length - 1)]?.focus();
}

function toField() {
  field.focus();
  field.select();
}

field.addEventListener("input", () => {
  limit = STEP;
  clearTimeout(timer);
  timer = setTimeout(start, PAUSE);
});
get("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (timer) start();
  await pending;
  list.querySelector("a[href]")?.click();
});
get("more").addEventListener("click", async () => {
  const before = list.children.length;
  limit = Math.min(limit + 2 * STEP, MOST);
  start();
  await pending;
  list.children[before]?.querySelector("a[href]")?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  const inField = event.target === field, inList = list.contains(event.target);
  if (event.key === "/" && !inField) toField();
  else if (event.key === "ArrowDown" && (inField || inList)) move(1);
  else if (event.key === "ArrowUp" && inList) move(-1);
  else if (event.key === "Escape" && !inField) toField();
  else if (event.key === "Escape" && field.value) {
    field.value = "";
    start();
  } else return;
  event.preventDefault();
});

const given = new URLSearchParams(location.search);
field.value = given.get("q") ?? "";
for (const filter of given.getAll("filter")) chosen.add(filter);
get("form").dataset.title = document.title;
start();
field.focus();
