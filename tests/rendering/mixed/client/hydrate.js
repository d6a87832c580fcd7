// Shows what a framework has put into the page as data.
(function () {
  const holder = document.getElementById("__NEXT_DATA__");
  const root = document.querySelector("#__next, #app");
  let title, body, links;
  if (holder) {
    const properties = JSON.parse(holder.textContent).props.pageProps;
    ({ title, body } = properties.article);
    links = properties.links;
  } else {
    const state = window.__INITIAL_STATE__;
    title = state.story.title;
    const escaped = document.createElement("p");
    body = state.story.content.map((part) => {
      escaped.textContent = part.text;
      return escaped.outerHTML;
    }).join("");
    links = state.links;
  }
  root.innerHTML = '<main><article><h1></h1><div class="text"></div></article></main>'
    + '<aside class="related"><ul></ul></aside>';
  root.querySelector("h1").textContent = title;
  root.querySelector(".text").innerHTML = body;
  for (const each of links) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = each.href;
    link.textContent = each.text;
    item.append(link);
    root.querySelector("ul").append(item);
  }
})();
