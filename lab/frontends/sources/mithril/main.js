import m from "mithril";

const Page = {
  oninit: (vnode) => m.request(`/api/${vnode.attrs.slug || "index"}.json`)
    .then((page) => (vnode.state.page = page)),
  view: ({ state: { page } }) => [
    m("header", m(m.route.Link, { href: "/" }, "Home")),
    page && m("main", [
      m("h1", page.title),
      (page.pages || []).map((each) => [
        m("h2", m(m.route.Link, { href: `/articles/${each.slug}` }, each.title)),
        m("p", each.teaser),
      ]),
      (page.paragraphs || []).map((text) => m("p", text)),
      page.next && m("nav", m(m.route.Link, { href: `/articles/${page.next}` }, "Next")),
    ]),
    m("footer", "All rights reserved"),
  ],
};
m.route(document.getElementById("app"), "/", { "/": Page, "/articles/:slug": Page });
