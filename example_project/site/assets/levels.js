// Builds the whole page from a JSON file: the static HTML has an empty #app and nothing else.
"use strict";

function make(tag, text, ...children) {
  const element = document.createElement(tag);
  element.append(text, ...children);
  return element;
}

function link([text, href]) {
  const anchor = make("a", text);
  anchor.href = href;
  return anchor;
}

function table(gauges) {
  const head = make("tr", "", ...["Gauge", "Level", "Trend"].map((name) => make("th", name)));
  const row = (gauge) => make("tr", "", ...[gauge.name, gauge.level, gauge.trend].map((value) => make("td", value)));
  return make("table", "", head, ...gauges.map(row));
}

fetch("/levels/levels.json")
  .then((answer) => answer.json())
  .then((data) => {
    const report = data.report.map((text) => make("p", text));
    document.getElementById("app").append(
      make("nav", "", ...data.nav.map(link)),
      make("main", "", make("h1", data.title), ...report, table(data.gauges)),
      make("footer", data.footer),
    );
  });
