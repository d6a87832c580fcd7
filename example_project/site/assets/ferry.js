// The page's beginning is static. The timetable is fetched, and what belongs to it in a
// second step, one chapter after the other: the page is complete a few answers later.
"use strict";

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

function table({ caption, columns, rows }) {
  const cells = (values, tag) => make("tr", {}, ...values.map((value) => make(tag, {}, value)));
  const head = make("thead", {}, cells(columns, "th"));
  const body = make("tbody", {}, ...rows.map((row) => cells(row, "td")));
  return make("table", {}, make("caption", {}, caption), head, body);
}

function chapter({ heading, paragraphs }) {
  const texts = paragraphs.map((text) => make("p", {}, text));
  return make("section", {}, make("h2", {}, heading), ...texts);
}

function also({ heading, links }) {
  const items = links.map(([text, href]) => make("li", {}, make("a", { href }, text)));
  return make("aside", { className: "also" }, make("h2", {}, heading), make("ul", {}, ...items));
}

function question(text) {
  const box = make("div", { className: "count cookie-banner", role: "dialog" }, make("p", {}, text));
  for (const answer of ["You may", "Rather not"])
    box.append(make("button", { type: "button", onclick: () => box.remove() }, answer));
  return box;
}

async function fill(place) {
  const timetable = await fetched("/ferry/timetable.json");
  place.replaceChildren(table(timetable.sailings));
  document.body.append(question(timetable.notice));
  for (const url of timetable.chapters) place.append(chapter(await fetched(url)));
  place.closest("main").after(also(timetable.also));
}

const place = document.getElementById("winter-timetable");
fill(place).catch(() => place.replaceChildren("The timetable could not be fetched. Please ring 0417."));
