import { html, LitElement, nothing } from "lit";

class SitePage extends LitElement {
  static properties = { page: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    const slug = location.pathname.split("/")[2] || "index";
    this.page = await (await fetch(`/api/${slug}.json`)).json();
  }

  render() {
    if (!this.page) return nothing;
    const { title, pages = [], paragraphs = [], next } = this.page;
    return html`<main>
      <h1>${title}</h1>
      ${pages.map((each) => html`<h2><a href="/articles/${each.slug}">${each.title}</a></h2>
        <p>${each.teaser}</p>`)}
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      ${next ? html`<nav><a href="/articles/${next}">Next</a></nav>` : nothing}
    </main>`;
  }
}
class SiteFrame extends LitElement {
  render() {
    return html`<header><a href="/">Home</a></header><site-page></site-page>
      <footer>All rights reserved</footer>`;
  }
}
customElements.define("site-page", SitePage);
customElements.define("site-frame", SiteFrame);
document.getElementById("app").append(document.createElement("site-frame"));
