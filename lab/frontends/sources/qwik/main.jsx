import { component$, render, useSignal, useVisibleTask$ } from "@builder.io/qwik";
import "@builder.io/qwik/qwikloader.js";

const Page = component$(() => {
  const page = useSignal(null);
  useVisibleTask$(async () => {
    const slug = location.pathname.split("/")[2] || "index";
    page.value = await (await fetch(`/api/${slug}.json`)).json();
  }, { strategy: "document-ready" });
  return (
    <>
      <header><a href="/">Home</a></header>
      <main>
        <h1>{page.value?.title}</h1>
        {page.value?.pages?.map((each) => (
          <section key={each.slug}>
            <h2><a href={`/articles/${each.slug}`}>{each.title}</a></h2>
            <p>{each.teaser}</p>
          </section>
        ))}
        {page.value?.paragraphs?.map((text) => <p key={text}>{text}</p>)}
        {page.value?.next && <nav><a href={`/articles/${page.value.next}`}>Next</a></nav>}
      </main>
      <footer>All rights reserved</footer>
    </>
  );
});
render(document.getElementById("app"), <Page />);
