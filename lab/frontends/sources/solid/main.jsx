import { A, Route, Router, useParams } from "@solidjs/router";
import { createResource, For, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";

const load = (slug) => fetch(`/api/${slug}.json`).then((answer) => answer.json());
const Page = () => {
  const params = useParams();
  const [page] = createResource(() => params.slug || "index", load);
  return (
    <Suspense fallback={<div class="skeleton" />}>
      <main>
        <h1>{page()?.title}</h1>
        <For each={page()?.pages}>{(each) => (
          <section>
            <h2><A href={`/articles/${each.slug}`}>{each.title}</A></h2>
            <p>{each.teaser}</p>
          </section>
        )}</For>
        <For each={page()?.paragraphs}>{(text) => <p>{text}</p>}</For>
        <Show when={page()?.next}>
          <nav><A href={`/articles/${page().next}`}>Next</A></nav>
        </Show>
      </main>
    </Suspense>
  );
};
const Frame = (props) => (
  <>
    <header><A href="/">Home</A></header>
    {props.children}
    <footer>All rights reserved</footer>
  </>
);
render(() => (
  <Router root={Frame}>
    <Route path="/" component={Page} />
    <Route path="/articles/:slug" component={Page} />
  </Router>
), document.getElementById("app"));
