import { Component, h, State } from "@stencil/core";

@Component({ tag: "site-page", shadow: true })
export class SitePage {
  @State() page: any = null;

  componentDidLoad() {
    const slug = location.pathname.split("/")[2] || "index";
    fetch(`/api/${slug}.json`).then((answer) => answer.json()).then((page) => (this.page = page));
  }

  render() {
    return [
      <header><a href="/">Home</a></header>,
      <main>
        <h1>{this.page?.title}</h1>
        {this.page?.pages?.map((each) => [
          <h2><a href={`/articles/${each.slug}`}>{each.title}</a></h2>,
          <p>{each.teaser}</p>,
        ])}
        {this.page?.paragraphs?.map((text) => <p>{text}</p>)}
        {this.page?.next && <nav><a href={`/articles/${this.page.next}`}>Next</a></nav>}
      </main>,
      <footer>All rights reserved</footer>,
    ];
  }
}
